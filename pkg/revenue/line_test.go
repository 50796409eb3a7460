package revenue_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// 15 January to 14 February, both included, are 31 days: 17 in January and 14 in February, the example of Stripe's guide to revenue
// recognition. A day that is over is earned; the amounts are counted by hand.
func TestEarned_MonthAcrossTwoCalendarMonths_IsByDays(t *testing.T) {
	t.Parallel()
	day := subscription.NewDay
	l := revenue.Line{From: day(2026, time.January, 15), To: day(2026, time.February, 15), Amount: 3_100_00}
	for on, left := range map[subscription.Day]money.Paise{
		day(2025, time.December, 31): 3_100_00, day(2026, time.January, 14): 3_100_00, day(2026, time.January, 15): 3_000_00,
		day(2026, time.January, 30): 1_500_00, day(2026, time.January, 31): 1_400_00, day(2026, time.February, 1): 1_300_00,
		day(2026, time.February, 13): 100_00, day(2026, time.February, 14): 0, day(2026, time.February, 15): 0, day(2027, time.January, 1): 0,
	} {
		require.Equal(t, left, l.Unearned(on), on)
	}
}

// A year with a 29 February has a day more to earn, and the day of a leap year earns less.
func TestEarned_LeapYear_EarnsLessPerDay(t *testing.T) {
	t.Parallel()
	day := subscription.NewDay
	leap := revenue.Line{From: day(2028, time.January, 1), To: day(2029, time.January, 1), Amount: 366_00}
	require.Equal(t, money.Paise(366_00-60_00), leap.Unearned(day(2028, time.February, 29)))
	common := revenue.Line{From: day(2027, time.January, 1), To: day(2028, time.January, 1), Amount: 365_00}
	require.Equal(t, money.Paise(365_00-59_00), common.Unearned(day(2027, time.February, 28)))
	require.Equal(t, money.Paise(1_00), common.Unearned(day(2027, time.December, 30)), "the last day is still to come")
}

// A line without a term, such as a fee, is earned at the end of its day and never deferred.
func TestEarned_LineWithoutATerm_IsNeverDeferred(t *testing.T) {
	t.Parallel()
	on := subscription.NewDay(2026, time.November, 2)
	fee := revenue.Line{From: on, To: on, Amount: 500_00}
	for _, day := range []subscription.Day{on - 1, on, on + 1} {
		require.Zero(t, fee.Unearned(day), day)
	}
	one := revenue.Line{From: on, To: on + 1, Amount: 500_00}
	require.Equal(t, []money.Paise{500_00, 0}, []money.Paise{one.Unearned(on - 1), one.Unearned(on)}, "a term of one day")
}

// For any term the deferred amount is the share of the remaining days, rounded half up, computed here with fractions.
func TestDeferred_AnyTerm_IsTheShareOfTheRemainingDays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := subscription.Day(rapid.Int32Range(20_000, 30_000).Draw(t, "from"))
		days := subscription.Day(rapid.Int32Range(1, 800).Draw(t, "days"))
		l := revenue.Line{From: from, To: from + days, Amount: money.Paise(rapid.Int64Range(0, 1e12).Draw(t, "amount"))}
		over := subscription.Day(rapid.Int32Range(0, int32(days)).Draw(t, "days that are over"))
		left := new(big.Rat).Mul(big.NewRat(int64(l.Amount), 1), big.NewRat(int64(days-over), int64(days)))
		left.Add(left, big.NewRat(1, 2))
		want := new(big.Int).Div(left.Num(), left.Denom()).Int64()
		require.Equal(t, want, int64(l.Unearned(from+over-1)))
	})
}

// The database's rule for amounts and days that Go's tests do not reach: before, within and after the term, a term of no day, an odd amount.
func TestDeferredSQL_EdgeCases(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	on := subscription.NewDay(2028, time.February, 28)
	for _, l := range []revenue.Line{
		{From: on, To: on, Amount: 500_00},
		{From: on, To: on + 1, Amount: 1},
		{From: on, To: on + 3, Amount: 1},
		{From: on, To: on + 2, Amount: 1},
		{From: on, To: on + 366, Amount: 9_99_999_99},
		{From: on, To: on + 31, Amount: 0},
		{From: on, To: on + 365, Amount: money.Max},
	} {
		for _, day := range []subscription.Day{on - 400, on - 1, on, on + 1, on + 2, on + 30, on + 364, on + 365, on + 400} {
			require.EqualValues(t, l.Unearned(day), b.Count(`SELECT revenue_unearned($1, $2, $3, $4)`, int64(l.Amount), l.From, l.To, day), "%v on %s", l, day)
		}
	}

	// A day is booked once, an hour after its end, and never before the first invoice.
	require.Zero(t, recognised(t, b), "nothing was ever invoiced")
	require.Equal(t, 0, b.Count(`SELECT count(*) FROM revenue_days`))
	reports := revenue.NewReports(b.DB.API)
	d, err := reports.Deferred(b.Asha.Sign(t.Context()))
	require.NoError(t, err)
	require.Equal(t, revenue.Deferred{}, d, "no day is booked")
	lines, through, err := reports.OfCustomer(b.Asha.Sign(t.Context()), b.Buyer)
	require.NoError(t, err)
	require.Empty(t, lines)
	require.Zero(t, through)
}
