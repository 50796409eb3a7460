package errs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestWait_RetryAfter_EndsAtItsTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	for passed, left := range map[time.Duration]time.Duration{
		0: time.Minute, time.Second: 59 * time.Second, time.Minute - time.Microsecond: time.Microsecond, time.Minute: 0, time.Hour: 0,
		-time.Second: 61 * time.Second, // the clock of another machine is ahead
	} {
		err := errs.WaitSince(&at, time.Minute, at.Add(passed))
		if left == 0 {
			require.NoError(t, err, passed)
			continue
		}
		require.Equal(t, errs.KindRateLimited, errs.KindOf(err), passed)
		require.Equal(t, left, errs.As(err).RetryAfter, passed)
	}
	require.NoError(t, errs.WaitSince(nil, time.Minute, at), "what never was is not waited for")
	require.NoError(t, errs.WaitSince(&at, 0, at))
}
