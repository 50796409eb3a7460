package job_test

import (
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/worker/job"
)

type noted struct {
	findings map[string]int
	at       time.Time
}

func (n *noted) Checked(check string, findings int, at time.Time) {
	n.findings[check], n.at = findings, at
}

// Given books in order and then with a gap in the numbers, then each check reports how many faults it found, and when.
func TestACheckOfTheBooksTellsWhatItFound(t *testing.T) {
	t.Parallel()
	db, clk, told := testkit.NewDatabase(t), testkit.NewClock(), &noted{findings: map[string]int{}}
	check := job.NewVerifyBooks(ledger.NewService(db.Worker, clk), told, clk)
	require.NoError(t, check.Work(t.Context(), &river.Job[ledger.VerifyArgs]{}))
	require.Equal(t, map[string]int{"books": 0}, told.findings)
	require.Equal(t, clk.Now(), told.at)

	_, err := db.Owner.Exec(`INSERT INTO invoice_counters (series, financial_year, last, last_issued_at) VALUES ('FP', '26-27', 3, now())`)
	require.NoError(t, err)
	require.ErrorContains(t, check.Work(t.Context(), &river.Job[ledger.VerifyArgs]{}), "numbers_have_no_gaps")
	require.Positive(t, told.findings["books"])
}
