package figures_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

const monthSQL = `SELECT concat_ws(' ', sum(new_paise) > 0, sum(churn_paise) > 0, sum(closing_customers)) FROM figure_months WHERE month = $1`

// A monthly plan that is not renewed counts until its grace is over; its end is then its last day, in the month before.
func TestChurn_GraceNotUsed_CountsInTheMonthOfTheLastDay(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	c := figures.NewCounter(b.DB.Worker, b.Clock)
	count := func() {
		run, err := c.Count(t.Context())
		require.NoError(t, err)
		require.Empty(t, run.Findings)
	}
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	count()
	require.Equal(t, "t f 1", b.Text(monthSQL, "2026-11-01"))
	b.Live(32)
	count()
	require.Equal(t, "f f 1", b.Text(monthSQL, "2026-12-01"), "in grace")
	b.Live(30)
	count()
	require.Equal(t, "f t 0", b.Text(monthSQL, "2026-12-01"))
	count()
	require.Equal(t, "f t 0", b.Text(monthSQL, "2026-12-01"), "counted twice")
}

func TestCount_StoredFigureDiffers_IsReportedAndCorrected(t *testing.T) {
	t.Parallel()
	b := story.New(t)
	c := figures.NewCounter(b.DB.Worker, b.Clock)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	_, err := c.Count(t.Context())
	require.NoError(t, err)
	right := b.Text(`SELECT closing_paise::text FROM figure_months WHERE month = '2026-11-01'`)
	b.Live(60)
	_, err = c.Count(t.Context())
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`UPDATE figure_months SET new_paise = new_paise + 1, closing_paise = closing_paise + 1 WHERE month = '2026-11-01'`)
	require.NoError(t, err)
	run, err := c.Count(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, run.Findings)
	require.Equal(t, right, b.Text(`SELECT closing_paise::text FROM figure_months WHERE month = '2026-11-01'`))
	report, err := b.Books.Verify(t.Context())
	require.NoError(t, err)
	require.Equal(t, "figures_equal_the_rows", report.Findings[0].Check)
}
