package settlement_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// bundle is a story with helpers for the payout tests.
type bundle struct{ *story.Story }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{story.New(tb)}
}

// compare re-reads a day's settlement; its differences are all current ones.
func (b *bundle) compare(day subscription.Day) settlement.ComparedDay {
	b.T.Helper()
	report, err := b.Settlements.CompareDay(context.Background(), b.Gateway, day)
	require.NoError(b.T, err)
	return report
}

// compareAll runs the daily job.
func (b *bundle) compareAll() {
	b.T.Helper()
	require.NoError(b.T, b.Settlements.Compare(context.Background(), settlement.CompareArgs{}))
}

// nextDay advances one day and does what falls due by then.
func (b *bundle) nextDay() {
	b.T.Helper()
	require.NoError(b.T, b.World.Pass(context.Background(), 24*time.Hour))
	b.Work()
}
