package revenue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func recognised(t *testing.T, b *story.Story) int {
	t.Helper()
	days, err := revenue.NewService(b.DB.Worker, b.Clock, b.Books).Recognise(t.Context())
	require.NoError(t, err)
	b.Balanced()
	return days
}

// Given 31 days, then each day earns its share, never less than nothing, and all of them the whole amount.
func TestEarned_EachDay_AddsUpToTheWholeLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := subscription.Day(rapid.Int32Range(20_000, 30_000).Draw(t, "from"))
		days := rapid.Int32Range(0, 800).Draw(t, "days")
		l := revenue.Line{From: from, To: from + subscription.Day(days), Amount: money.Paise(rapid.Int64Range(0, 1e12).Draw(t, "amount"))}
		before, earned := l.Amount, money.Paise(0)
		if days > 0 {
			require.Equal(t, l.Amount, l.Unearned(from-1))
		}
		for day := from; day < l.To; day++ {
			now := l.Unearned(day)
			require.GreaterOrEqual(t, before, now)
			if share := before - now; days > 0 {
				require.InDelta(t, int64(l.Amount)/int64(days), int64(share), 1)
			}
			earned, before = earned+before-now, now
		}
		if days > 0 {
			require.Equal(t, l.Amount, earned)
		}
		require.Zero(t, l.Unearned(l.To-1))
	})
}

// Given the same line, then Go and the database leave the same.
func TestDeferredSQL_EqualsTheGoRule(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	l := revenue.Line{From: subscription.NewDay(2026, time.January, 15), To: subscription.NewDay(2026, time.February, 15), Amount: 1_000_01}
	for day := l.From - 2; day <= l.To+1; day++ {
		require.EqualValues(t, l.Unearned(day), b.Count(`SELECT revenue_unearned($1, $2, $3, $4)`, int64(l.Amount), l.From, l.To, day), day)
	}
}

// Given a month that is paid, then it is deferred on its day, earned day by day, and earned as a whole at its end; a second run changes nothing.
func TestRecognise_PaidMonth_IsEarnedDayByDay(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	taxable := money.Paise(b.Count(`SELECT sum(taxable_paise) FROM invoices`))
	require.Zero(t, recognised(t, b), "the day is not over")
	b.Pass(story.Day)
	require.Equal(t, 1, recognised(t, b))
	require.Equal(t, 0, recognised(t, b))
	fees := money.Paise(b.Count(`SELECT coalesce(sum(amount_paise), 0) FROM revenue_lines WHERE from_on = to_on`))
	require.Equal(t, -(taxable-fees).Prorate(29, 30), b.Balance("deferred_revenue"))
	b.Pass(2 * story.Day)
	require.Equal(t, 2, recognised(t, b))
	require.Equal(t, -(taxable-fees).Prorate(27, 30), b.Balance("deferred_revenue"))
	b.Pass(40 * story.Day)
	require.Equal(t, 40, recognised(t, b))
	require.Zero(t, b.Balance("deferred_revenue"))
	require.Equal(t, -taxable, b.Balance("revenue"))
}

// Given a partial refund, then the deferred amount falls by it. After a refund of the rest nothing is deferred, and the earned part stays
// as a refund.
func TestRecognise_CreditNote_ReducesDeferredRevenueFirst(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	paid := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Pass(73 * story.Day)
	recognised(t, b)
	before := -b.Balance("deferred_revenue")
	b.KeepOrEnd(paid, 11_800_00, true)
	b.Work()
	b.Pass(story.Day)
	recognised(t, b)
	line := revenue.Line{From: subscription.NewDay(2026, time.November, 2) + 73, To: subscription.NewDay(2027, time.November, 2), Amount: before - 10_000_00}
	require.InDelta(t, int64(line.Unearned(line.From)), -int64(b.Balance("deferred_revenue")), 2, "spread over the days that are left")
	require.Zero(t, b.Balance("refunds"), "all of it was still owed as service")

	rest := money.Paise(b.Count(`SELECT (SELECT total_paise FROM invoices WHERE kind = 'invoice') - (SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note')`))
	require.NoError(t, b.GiveBack(b.PaymentOf(paid), rest))
	b.Work()
	b.Pass(story.Day)
	recognised(t, b)
	require.Zero(t, b.Balance("deferred_revenue"))
	require.Positive(t, b.Balance("refunds"))
	require.Zero(t, b.Balance("refunds")+b.Balance("revenue"), "nothing was earned of what was given back")
}

// Given an upgrade, then its credit note returns exactly the deferred revenue of the previous plan.
func TestRecognise_Upgrade_CreditsExactlyTheDeferredRevenue(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Pass(50 * story.Day)
	b.Pay(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeYearly))
	b.Pass(story.Day)
	require.Equal(t, 51, recognised(t, b), "what was sold before is adopted day by day")
	require.Zero(t, b.Balance("refunds"))
	require.Equal(t, 0, b.Count(`SELECT coalesce(sum(amount_paise), 0) FROM revenue_lines r WHERE sequence = 1`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM revenue_days WHERE credited_paise > 0`))
}

// Given locked books, then their days are booked on the first open day and the schedule still agrees with the books.
func TestRecognise_LockedDays_AreBookedOnTheFirstOpenDay(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Pass(40 * story.Day)
	_, err := b.DB.Owner.Exec(`WITH admin AS (INSERT INTO staff (id, email, name, role, password_hash, created_at)
			VALUES (gen_random_uuid(), 'ravi@example.in', 'Ravi', 'admin', 'x', now()) RETURNING id)
		INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at)
		SELECT 1, '2026-11-30', 'November is filed', id, 'Ravi', now() FROM admin`)
	require.NoError(t, err)
	require.Equal(t, 40, recognised(t, b))
	require.Equal(t, 29, b.Count(`SELECT count(*) FROM ledger_journals WHERE reference LIKE 'revenue/2026-11-%'
		AND posted_at = '2026-12-01T00:00:00+05:30' AND happened_at < posted_at`))
}

// Given a schedule that differs from the books, then the check of the books says so.
func TestVerifyBooks_ScheduleDiffersFromTheLedger_IsReported(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Pass(3 * story.Day)
	recognised(t, b)
	_, err := b.DB.Owner.Exec(`UPDATE revenue_lines SET amount_paise = amount_paise + 100 WHERE to_on > from_on;
		INSERT INTO revenue_days VALUES ('2026-11-05', (SELECT closing_paise FROM revenue_days WHERE day = '2026-11-04'), 500, 0, 0,
			(SELECT closing_paise + 500 FROM revenue_days WHERE day = '2026-11-04'), now())`)
	require.NoError(t, err)
	report, err := b.Books.Verify(t.Context())
	require.NoError(t, err)
	found := map[string]bool{}
	for _, f := range report.Findings {
		found[f.Check] = true
	}
	require.Equal(t, map[string]bool{"deferred_revenue_is_the_schedule": true, "revenue_days_add_up": true, "documents_are_scheduled": true}, found)
}
