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

// bundle is a story with the helpers that those of payments need.
type bundle struct{ *story.Story }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{story.New(tb)}
}

// compare reads a day's settlement anew and returns all that disagrees now.
func (b *bundle) compare(day subscription.Day) []settlement.Difference {
	b.T.Helper()
	report, err := b.Settlements.CompareDay(context.Background(), b.Gateway, day)
	require.NoError(b.T, err)
	return report.Differences
}

// nextDays lets days go by, each with the daily comparison of what the gateway pays out.
func (b *bundle) nextDays(n int) {
	b.T.Helper()
	for range n {
		b.Pass(24 * time.Hour)
		require.NoError(b.T, b.Settlements.Compare(b.T.Context(), settlement.CompareArgs{}))
		b.Work()
	}
}
