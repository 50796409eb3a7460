package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// VerifyBooks checks the whole ledger every night. If it finds an error the job fails, and stays visible to support until staff have dealt
// with it.
type VerifyBooks struct {
	river.WorkerDefaults[ledger.VerifyArgs]
	books  *ledger.Service
	checks Checks
	clock  clock.Clock
}

// Checks records the result of a check; implemented by metrics.Metrics.
type Checks interface {
	Checked(check string, findings int, at time.Time)
}

// NewVerifyBooks returns the worker over the books.
func NewVerifyBooks(books *ledger.Service, checks Checks, clk clock.Clock) *VerifyBooks {
	return &VerifyBooks{books: books, checks: checks, clock: clk}
}

// Timeout is long: the check reads everything.
func (*VerifyBooks) Timeout(*river.Job[ledger.VerifyArgs]) time.Duration { return 4 * time.Minute }

// maxNamed is how many findings the job's error includes; `make verify-books` lists them all.
const maxNamed = 5

// Work verifies the books and fails with the first findings.
func (w *VerifyBooks) Work(ctx context.Context, _ *river.Job[ledger.VerifyArgs]) error {
	report, err := w.books.Verify(ctx)
	if err != nil {
		return err
	}
	if err := w.books.Keep(ctx, report); err != nil {
		return err
	}
	w.checks.Checked("books", len(report.Findings), w.clock.Now()) // only now: every worker reports the stored findings
	if report.Clean() {
		return nil
	}
	named := make([]string, 0, maxNamed)
	for _, f := range report.Findings[:min(maxNamed, len(report.Findings))] {
		named = append(named, fmt.Sprintf("%s: %s (%s)", f.Check, f.Subject, f.Detail))
	}
	return errors.New("the books are out of order, " + fmt.Sprint(len(report.Findings)) + " findings: " + strings.Join(named, "; "))
}
