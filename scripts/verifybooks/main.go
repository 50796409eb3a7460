// Command verifybooks checks the whole books, prints the trial balance and everything that is wrong, and fails on any
// finding. It reads WORKER_DATABASE_URL, or the running development stack of DATA_DIR.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), os.Stdout, config.Getenv(logger)); err != nil {
		logger.Error("verify-books", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, getenv func(string) string) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	dsn := getenv("WORKER_DATABASE_URL")
	if dsn == "" {
		if dsn, err = stackURL(getenv("DATA_DIR")); err != nil {
			return err
		}
	}
	db, err := postgres.Open(ctx, dsn, 2)
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

// stackURL is the worker's database of the development stack that keeps its secrets and ports in the folder.
func stackURL(dataDir string) (string, error) {
	if dataDir == "" {
		dataDir = ".data"
	}
	text, err := os.ReadFile(filepath.Join(dataDir, "stack.json"))
	if err != nil {
		return "", fmt.Errorf("neither WORKER_DATABASE_URL nor a development stack: %w", err)
	}
	var kept struct {
		Secrets map[string]string `json:"secrets"`
		Ports   map[string]int    `json:"ports"`
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		return "", fmt.Errorf("read the development stack: %w", err)
	}
	const role = "franchise360_worker"
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/franchise360?sslmode=disable", role, kept.Secrets[role], kept.Ports["postgres"]), nil
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
