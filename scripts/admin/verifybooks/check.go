package verifybooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Check prints the trial balance and every inconsistency in the books of the database at workerURL, and fails on any finding.
func Check(ctx context.Context, out io.Writer, workerURL string) (err error) {
	db, err := postgres.Open(ctx, workerURL, 2)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	books := ledger.NewService(db, clock.System{})
	balances, err := books.TrialBalance(ctx)
	if err != nil {
		return err
	}
	report, err := books.Verify(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(printBalances(out, balances), printReport(out, report)); err != nil {
		return err
	}
	if !report.Clean() {
		return fmt.Errorf("%d findings", len(report.Findings))
	}
	return nil
}

func printBalances(out io.Writer, balances []ledger.Balance) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	lines := []string{"account\tdebit\tcredit\t"}
	for _, b := range balances {
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t", b.Name, b.Debit.Grouped(), b.Credit.Grouped()))
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return errors.Join(err, w.Flush())
}

func printReport(out io.Writer, r ledger.Report) error {
	lines := []string{fmt.Sprintf("\n%d paid payments, %d documents, %d journals; debit ₹%s, credit ₹%s",
		r.Payments, r.Invoices, r.Journals, r.Debit.Grouped(), r.Credit.Grouped())}
	for _, p := range r.Unbooked {
		lines = append(lines, fmt.Sprintf("%s %s: paid out ₹%s, in the bank ₹%s, not booked ₹%s: %s", p.Gateway, p.Day.Format(time.DateOnly),
			p.PaidOut.Grouped(), p.Booked.Grouped(), p.Open.Grouped(), p.Lines))
	}
	for _, f := range r.Findings {
		lines = append(lines, fmt.Sprintf("%s: %s: %s", f.Check, f.Subject, f.Detail))
	}
	switch {
	case r.Clean() && len(r.Unbooked) > 0:
		lines = append(lines, "The books agree with themselves, but not all that was paid out is booked: the lines above wait for somebody.")
	case r.Clean():
		lines = append(lines, "The books are in order.")
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}
