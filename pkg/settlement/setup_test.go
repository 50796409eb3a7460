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

// bundle is a story with the helpers that those of payouts need.
type bundle struct{ *story.Story }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{story.New(tb)}
}

// compare reads a day's settlement anew; the differences are all that disagrees now.
func (b *bundle) compare(day subscription.Day) settlement.ComparedDay {
	b.T.Helper()
	report, err := b.Settlements.CompareDay(context.Background(), b.Gateway, day)
	require.NoError(b.T, err)
	return report
}

// compareAll is the daily job.
func (b *bundle) compareAll() {
	b.T.Helper()
	require.NoError(b.T, b.Settlements.Compare(context.Background(), settlement.CompareArgs{}))
}

// nextDay lets a day go by and does what falls due by then.
func (b *bundle) nextDay() {
	b.T.Helper()
	require.NoError(b.T, b.World.Pass(context.Background(), 24*time.Hour))
	b.Work()
}
