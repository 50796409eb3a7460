package job_test

import (
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/worker/job"
)

type noted struct {
	findings map[string]int
	at       time.Time
}

func (n *noted) Checked(check string, findings int, at time.Time) {
	n.findings[check], n.at = findings, at
}

// Given a correct ledger and then a gap in the numbers, then each check reports its number of findings, and its time.
func TestVerifyBooksJob_ReportsItsFindings(t *testing.T) {
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

// Given a settlement with a line for an unknown payment, then the comparison reports one open difference.
func TestCompareSettlementsJob_ReportsOpenDifferences(t *testing.T) {
	t.Parallel()
	s, told := story.New(t), &noted{findings: map[string]int{}}
	compare := job.NewCompareSettlements(s.Settlements, told, s.Clock)
	work := func() {
		t.Helper()
		require.NoError(t, compare.Work(t.Context(), &river.Job[settlement.CompareArgs]{}))
	}
	work()
	require.Equal(t, map[string]int{"settlements": 0}, told.findings)
	require.Equal(t, s.Clock.Now(), told.at)

	s.Gateway.Lines = []settlement.Line{{ID: "N", Kind: settlement.KindCapture, TransactionID: "FPNOBODY", Amount: 100, Net: 100}}
	s.Clock.Advance(48 * time.Hour)
	work()
	require.Equal(t, 1, told.findings["settlements"])
}
