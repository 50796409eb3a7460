package figures_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

const (
	trialsSQL   = `SELECT coalesce(string_agg(concat_ws(' ', to_char(month, 'Mon'), started, converted, undecided), '; ' ORDER BY month), '') FROM figure_trials`
	cohortsSQL  = `SELECT string_agg(concat_ws(' ', to_char(cohort, 'Mon'), to_char(month, 'Mon'), started, customers, mrr_paise / 100), '; ' ORDER BY cohort, month) FROM figure_cohorts`
	failuresSQL = `SELECT coalesce(string_agg(concat_ws(' ', to_char(month, 'Mon'), failed, recovered, undecided), '; ' ORDER BY month, state_code), '')
		FROM figure_failures WHERE NOT by_mandate`
)

// Start up Expansion costs ₹12,500 a month. 29 and 27 start in November, 24 after its trial in December; 33 tries and does not buy.
// Of 29's payments one fails, is tried again and paid on the next day: one failure, recovered. 36 fails twice in four days and never pays:
// one failure, undecided until 14 days are over.
func TestTrialsCohortsAndFailures_EqualTheWorkedExample(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	c := figures.NewCounter(b.DB.Worker, b.Clock)
	count := func() {
		run, err := c.Count(t.Context())
		require.NoError(t, err)
		require.Empty(t, run.Findings)
	}
	small := b.Tier(0, 0)
	other, late, never, broke := b.Franchiser("27"), b.Franchiser("24"), b.Franchiser("33"), b.Franchiser("36")
	b.Pay(other, story.Buy(small, plan.TypeMonthly))
	require.NoError(t, b.Trial(late))
	require.NoError(t, b.Trial(never))
	b.Settle(b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly)), payment.StatusFailed)
	b.Settle(b.Ask(broke, story.Buy(small, plan.TypeMonthly)), payment.StatusFailed)
	b.Live(1)
	b.Pay(b.Buyer, story.Buy(small, plan.TypeMonthly))
	b.Live(3)
	b.Settle(b.Ask(broke, story.Buy(small, plan.TypeMonthly)), payment.StatusFailed)
	count()
	require.Equal(t, "Nov 2 0 2", b.Text(trialsSQL))
	require.Equal(t, "Nov Nov 2 2 25000", b.Text(`SELECT string_agg(concat_ws(' ', to_char(cohort, 'Mon'), to_char(month, 'Mon'), started, customers, paise), '; ')
		FROM (SELECT cohort, month, sum(started) AS started, sum(customers) AS customers, (sum(mrr_paise) / 100)::bigint AS paise
		FROM figure_cohorts GROUP BY 1, 2) c`))
	require.Equal(t, "Nov 1 1 0; Nov 1 0 1", b.Text(failuresSQL))

	b.Live(25) // 1 December
	b.Pay(other, b.Renewal(other))
	b.Live(11) // 12 December: 29 was not renewed on 3 December, and is past its grace
	b.Pay(late, story.Buy(small, plan.TypeMonthly))
	count()
	require.Equal(t, "Nov 2 1 1", b.Text(trialsSQL))
	require.Equal(t, "Nov 1 1 0; Nov 1 0 0", b.Text(failuresSQL))
	require.Equal(t, "Nov Nov 1 1 12500; Nov Dec 0 1 12500", b.Text(cohortsSQL+` WHERE state_code = '27'`))
	require.Equal(t, "Nov Nov 1 1 12500", b.Text(cohortsSQL+` WHERE state_code = '29'`))
	require.Equal(t, "Dec Dec 1 1 12500", b.Text(cohortsSQL+` WHERE state_code = '24'`))

	b.Live(25) // 6 January: 60 days and more after the trials began
	count()
	require.Equal(t, "Nov 2 1 0", b.Text(trialsSQL))
	report := show(t, b, figures.Query{From: b.Today().AddMonths(-2, 1), To: b.Today().AddMonths(0, 1)})
	require.EqualValues(t, 5000, *report.Trials[0].Conversion())
	require.EqualValues(t, 5000, *report.Failures[0].Recovery())
	require.Len(t, report.Months, 3)
	// In December 29 left of the two who were there: half of the customers and of the revenue, which 24 does not make good.
	require.Equal(t, []int64{5000, 5000, 5000}, []int64{*report.Months[1].CustomerChurn(), *report.Months[1].GrossChurn(), *report.Months[1].NetChurn()})
	require.EqualValues(t, 12_500_00, *report.Months[1].PerCustomer())
	b.Balanced()
}

// show reads the figures as a member of staff does.
func show(t *testing.T, b *story.Story, q figures.Query) figures.Shown {
	t.Helper()
	s, err := figures.NewReports(b.DB.API).Show(b.Asha.Sign(t.Context()), q)
	require.NoError(t, err)
	return s
}

// Of three codes one is delivered and used, one delivered, and one refused. The counts remain after the rows are deleted; a row that was
// not counted is reported.
func TestCodes_DailyCounts_OutliveTheirRows(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	clk := testkit.NewClock()
	c := figures.NewCounter(db.Worker, clk)
	code := func(mobile string, at time.Time, state string, used bool) {
		_, err := db.Owner.Exec(`WITH c AS (INSERT INTO one_time_codes (id, mobile, purpose, message, created_at, expires_at, sent_at, send_error, used_at)
				VALUES (uuidv7(), $1, 'sign_up', 'code', $2::timestamptz, $2::timestamptz, CASE WHEN $3::text <> 'refused' THEN $2::timestamptz END,
					CASE WHEN $3::text = 'refused' THEN 'refused' END, CASE WHEN $4 THEN $2::timestamptz END) RETURNING id)
			INSERT INTO sms_deliveries (message_ref, provider, template, state, tried_at) SELECT id, 'msg91', 'code', $3::text, $2::timestamptz FROM c`, mobile, at, state, used)
		require.NoError(t, err)
	}
	code("9876500001", clk.Now(), "delivered", true)
	code("9876500002", clk.Now(), "delivered", false)
	code("9876500003", clk.Now(), "refused", false)
	count := func() []figures.Finding {
		run, err := c.Count(t.Context())
		require.NoError(t, err)
		return run.Findings
	}
	kept := func() string {
		return text(t, db.Owner, `SELECT string_agg(concat_ws(' ', purpose, provider, asked, sent, delivered, failed, used), '; ') FROM figure_codes`)
	}
	require.Empty(t, count())
	require.Equal(t, "sign_up msg91 3 2 2 1 1", kept())
	clk.Advance(5 * 24 * time.Hour)
	require.Empty(t, count())
	clk.Advance(24 * time.Hour)
	require.Empty(t, count())
	_, err := db.Owner.Exec(`DELETE FROM one_time_codes WHERE mobile = '9876500001'`) // as an erasure does
	require.NoError(t, err)
	require.Empty(t, count())
	require.Equal(t, "sign_up msg91 3 2 2 1 1", kept())
	for _, mobile := range []string{"9876500005", "9876500006"} {
		code(mobile, testkit.Start(), "delivered", false)
	}
	require.NotEmpty(t, count(), "two that are not counted")
	require.Equal(t, "2026-11-08", text(t, db.Owner, `SELECT as_of::text FROM figure_runs ORDER BY ran_at DESC LIMIT 1`), clk.Now().In(clock.IST))
}

func text(t *testing.T, db *sqlx.DB, query string) (s string) {
	t.Helper()
	require.NoError(t, db.Get(&s, query))
	return s
}

// A customer whose grace ran out and who bought again between two counts churned in the month of the old term's end.
func TestChurn_ExpiryAndPurchaseBetweenTwoCounts_CountsInTheMonthOfTheOldTerm(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	c := figures.NewCounter(b.DB.Worker, b.Clock)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(33) // 5 December, in grace since the 2nd
	_, err := c.Count(t.Context())
	require.NoError(t, err)
	b.Live(30) // 4 January
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	run, err := c.Count(t.Context())
	require.NoError(t, err)
	require.Empty(t, run.Findings)
	require.Equal(t, "Nov 0 new 12500 12500; Dec 12500 churn 12500 0; Jan 0 reactivation 12500 12500", b.Text(movesSQL, "29"))
}
