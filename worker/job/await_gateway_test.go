package job

import (
	"errors"
	"fmt"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestAwaitGateway_MissingGateway_Snoozes(t *testing.T) {
	t.Parallel()
	var snooze *river.JobSnoozeError
	require.ErrorAs(t, awaitGateway(errs.Internal(fmt.Errorf("%w: payu", payment.ErrGatewayMissing))), &snooze)
	require.Equal(t, gatewayWait, snooze.Duration)
	other := errors.New("no answer")
	require.Equal(t, other, awaitGateway(other))
	require.NoError(t, awaitGateway(nil))
}
