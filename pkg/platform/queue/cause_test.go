package queue_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

func TestByCause_NamesTheProviderOrTheDatabaseOnlyWhereItFailed(t *testing.T) {
	t.Parallel()
	refused := func(code string) error {
		return postgres.Error(fmt.Errorf("read payment: %w", &pq.Error{Code: pqerror.Code(code)}))
	}
	lost := postgres.Error(errors.New("dial tcp 10.0.0.7:5432: connect: connection refused"))
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no error":                        {nil, ""},
		"a provider's status":             {errs.Unavailable(errors.New("POST /v1: status 503")), queue.ProviderFailed},
		"a provider's refused connection": {errs.Unavailable(errors.New("dial tcp 1.2.3.4:443: connection refused")), queue.ProviderFailed},
		"a provider that hangs":           {errs.Unavailable(fmt.Errorf("verify: %w", context.DeadlineExceeded)), queue.ProviderFailed},
		"a message not taken":             {errs.New(errs.KindUnavailable, "sms_unavailable", "The SMS provider did not take the message."), queue.ProviderFailed},
		"arguments that are no uuid":      {refused("22P02"), ""},
		"a broken rule":                   {refused("23505"), ""},
		"a lock of another transaction":   {refused("55P03"), queue.DatabaseFailed},
		"a statement that took too long":  {refused("57014"), queue.DatabaseFailed},
		"a full disk":                     {refused("53100"), queue.DatabaseFailed},
		"all connections used":            {refused("53300"), queue.DatabaseFailed},
		"a wrong password":                {refused("28P01"), queue.DatabaseFailed},
		"no writes":                       {refused("25006"), queue.DatabaseFailed},
		"a lost connection":               {fmt.Errorf("look: %w", lost), queue.DatabaseFailed},
		"a bug":                           {errors.New("index out of range"), ""},
		"a row that is not there":         {errs.NotFound(), ""},
		"a job that ends itself":          {river.JobCancel(errs.Unavailable(errors.New("too late"))), ""},
		"a job that waits":                {river.JobSnooze(1), ""},
	} {
		got := queue.ByCause(c.err)
		require.ErrorIs(t, got, c.err, name)
		if c.want == "" {
			require.Equal(t, c.err, got, name)
			continue
		}
		require.Equal(t, c.want+c.err.Error(), got.Error(), name)
		require.Equal(t, got, queue.ByCause(got), "%s: named once", name)
	}
}
