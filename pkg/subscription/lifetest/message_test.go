package lifetest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// Given a trial that ends on 15 November, then its end is urgent from three days before, the 12th, and not with the reminder of a week
// before.
func TestTrialEnd_IsUrgentFromThreeDaysBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Trial(b.Buyer))
	b.Live(9)
	text, tone, err := b.APISubs.Message(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, "Your free trial ends on 15 Nov 2026.", text)
	require.Equal(t, subscription.ToneInfo, tone)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM renewal_reminders`))
	b.Live(1)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM renewal_reminders`))
	_, tone, err = b.APISubs.Message(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, subscription.ToneDanger, tone)
}
