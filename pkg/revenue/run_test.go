package revenue_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// failing is a poster that fails from the nth entry on.
type failing struct {
	revenue.Poster

	left int
}

var errBooks = errors.New("the books are closed")

func (f *failing) PostTx(ctx context.Context, tx *sqlx.Tx, e ledger.Entry) error {
	if f.left--; f.left < 0 {
		return errBooks
	}
	return f.Poster.PostTx(ctx, tx, e)
}

// Given books that fail in the middle of a run, then the days before are booked, the day itself is not, and the next run goes on with it.
// Two runs at once book each day once. A day is over an hour after midnight in India, so that a document issued just before is there.
func TestRecognise_FailedOrConcurrentRuns_BookEachDayOnce(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	foretold := func() (p queue.JobPreview) {
		require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) (err error) {
			p, err = revenue.JobPreviews()[revenue.RecogniseArgs{}.Kind()](t.Context(), tx, []byte(`{}`), b.Clock.Now())
			return err
		}))
		return p
	}
	require.True(t, foretold().Nothing, "the first day is not over")
	b.Pass(5 * story.Day)
	require.Equal(t, "Would book what was earned and deferred on 5 days, from 2026-11-02 to 2026-11-06.", foretold().Summary)
	days, err := revenue.NewService(b.DB.Worker, b.Clock, &failing{b.Books, 2}).Recognise(t.Context())
	require.ErrorIs(t, err, errBooks)
	require.Equal(t, 2, days)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM revenue_days`), "the day that failed is not marked as booked")

	var running sync.WaitGroup
	booked := make([]int, 3)
	for i := range booked {
		running.Go(func() { booked[i], _ = revenue.NewService(b.DB.Worker, b.Clock, b.Books).Recognise(t.Context()) })
	}
	running.Wait()
	require.Equal(t, 3, booked[0]+booked[1]+booked[2], "each day once, by whichever of them")
	require.Equal(t, 5, b.Count(`SELECT count(*) FROM ledger_journals WHERE reference LIKE 'revenue/%'`))
	b.Balanced()

	midnight := (b.Today() + 1).Start()
	b.Clock.Set(midnight.Add(time.Hour - time.Second))
	require.Zero(t, recognised(t, b), "not before one o'clock")
	require.True(t, foretold().Nothing)
	b.Clock.Set(midnight.Add(time.Hour))
	require.Equal(t, "Would book what was earned and deferred on 2026-11-07.", foretold().Summary)
	require.Equal(t, 1, recognised(t, b))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM ledger_journals WHERE reference = 'revenue/2026-11-07' AND posted_at = $1`, midnight.Add(-time.Microsecond)),
		"dated on the last moment of its day")
}

// Given a year of ₹1,35,000 that began on 2 November 2026, then the months roll forward, end as the books do, and the waterfall has what the
// coming months will earn: the days of each month at 1,35,000 / 365.
func TestReport_MonthsRollForwardAndTheWaterfallAddsUp(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	paid := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Pass(29 * story.Day) // through 30 November
	b.KeepOrEnd(paid, 11_800_00, true)
	b.Work()
	b.Pass(4 * story.Day)
	recognised(t, b)
	reports := revenue.NewReports(b.DB.API)
	d, err := reports.Deferred(b.Asha.Sign(t.Context()))
	require.NoError(t, err)
	require.Equal(t, b.Today()-1, d.Through)
	require.Len(t, d.Months, 2)
	november, december := d.Months[1], d.Months[0]
	require.Equal(t, []string{"2026-11-01", "2026-12-01"}, []string{november.Month.String(), december.Month.String()})
	require.Zero(t, november.Opening)
	require.Equal(t, november.Closing, december.Opening)
	require.Positive(t, december.Credited)
	for _, m := range d.Months {
		require.Equal(t, m.Closing, m.Opening+m.Billed-m.Recognised-m.Credited, m.Month)
		require.False(t, m.Differs(), m.Month)
	}
	require.True(t, revenue.Month{Closing: 1, Ledger: 2}.Differs())

	require.Len(t, d.Waterfall, 14)
	left := d.Months[0].Closing
	for i, a := range d.Waterfall {
		require.Equal(t, d.Waterfall[0].Month.AddMonths(i, 1), a.Month, "month after month from the running one")
		require.GreaterOrEqual(t, a.Amount, money.Paise(0))
		left -= a.Amount
	}
	require.Equal(t, left, d.Later)
	require.Zero(t, d.Later, "the year ends within fourteen months")
	// After 4 December 332 days remain, of which January has 31.
	require.InDelta(t, int64(december.Closing)*31/332, int64(d.Waterfall[1].Amount), 2)

	lines, through, err := reports.OfCustomer(b.Asha.Sign(t.Context()), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, d.Through, through)
	var unearned, earned, credited money.Paise
	for _, l := range lines {
		require.Equal(t, l.Amount, l.Earned()+l.Credited+l.Unearned)
		unearned, earned, credited = unearned+l.Unearned, earned+l.Earned(), credited+l.Credited
	}
	require.Equal(t, d.Months[0].Closing, unearned)
	require.Equal(t, november.Recognised+december.Recognised, earned)
	require.Equal(t, december.Credited, credited)
	others, _, err := reports.OfCustomer(b.Asha.Sign(t.Context()), b.Franchiser("27"))
	require.NoError(t, err)
	require.Empty(t, others, "another customer's schedule is empty")
}
