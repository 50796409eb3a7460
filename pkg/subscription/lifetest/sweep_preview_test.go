package lifetest_test

import (
	"context"
	"encoding/json"
	"maps"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/capture"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// preview returns a sweep's preview, called as the API calls it.
func (b *bundle) preview(kind string) queue.JobPreview {
	b.T.Helper()
	all := capture.JobPreviews()
	maps.Copy(all, subscription.JobPreviews())
	var p queue.JobPreview
	require.NoError(b.T, postgres.InTx(b.T.Context(), b.DB.API, func(tx *sqlx.Tx) error {
		var err error
		p, err = all[kind](b.T.Context(), tx, json.RawMessage(`{}`), b.Clock.Now())
		return err
	}))
	return p
}

// Given every day of a plan's last months, grace and expiry, when staff preview the sweeps, then the sweeps do exactly
// that.
func TestSweepPreview_EachDay_EqualsTheSweep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Pay(b.Franchiser("29"), story.Buy(b.Tier(0, 0), plan.TypeYearly))
	noted, moved := 0, 0
	for range 60 {
		b.Clock.Advance(24 * time.Hour)
		for _, job := range []struct {
			kind  string
			sweep func(context.Context) (int, error)
		}{
			{subscription.ExpireSubscriptionsArgs{}.Kind(), b.WorkerSubs.Advance},
			{subscription.EndAddOnsArgs{}.Kind(), b.WorkerSubs.EndAddOns},
			{subscription.EnqueueRemindersArgs{}.Kind(), b.WorkerSubs.Remind},
		} {
			kind := job.kind
			before := b.preview(kind)
			n, err := job.sweep(t.Context())
			require.NoError(t, err)
			require.Equal(t, n == 0, before.Nothing, "%s on %s: %d, %s", kind, b.Clock.Now(), n, before.Summary)
			require.True(t, b.preview(kind).Nothing, "%s on %s: nothing is left", kind, b.Clock.Now())
			if kind == (subscription.EnqueueRemindersArgs{}).Kind() {
				noted += n
			} else {
				moved += n
			}
		}
	}
	require.Equal(t, 8, noted, "four before the end, three in grace, one when it expired")
	require.Equal(t, 2, moved, "into grace and out of it")
}
