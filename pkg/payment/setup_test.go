package payment_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// bundle is a story with helpers for the payment tests.
type bundle struct{ *story.Story }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{story.New(tb)}
}

// compare re-reads a day's settlement and returns all current differences.
func (b *bundle) compare(day subscription.Day) []settlement.Difference {
	b.T.Helper()
	report, err := b.Settlements.CompareDay(context.Background(), b.Gateway, day)
	require.NoError(b.T, err)
	return report.Differences
}

// nextDays advances n days, running the daily settlement comparison on each.
func (b *bundle) nextDays(n int) {
	b.T.Helper()
	for range n {
		b.Pass(24 * time.Hour)
		require.NoError(b.T, b.Settlements.Compare(b.T.Context(), settlement.CompareArgs{}))
		b.Work()
	}
}
