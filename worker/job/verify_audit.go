package job

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
)

// VerifyAudit checks the chain of the audit trail. A broken one fails the job permanently, is logged as an error, and
// is shown on the console's audit page until a later check finds it intact.
type VerifyAudit struct {
	river.WorkerDefaults[staff.VerifyArgs]
	auditor *staff.Auditor
	checks  Checks
	clock   clock.Clock
	logger  *slog.Logger
}

// NewVerifyAudit returns the worker over the auditor.
func NewVerifyAudit(a *staff.Auditor, checks Checks, clk clock.Clock, logger *slog.Logger) *VerifyAudit {
	return &VerifyAudit{auditor: a, checks: checks, clock: clk, logger: logger}
}

// Timeout is long: the check reads the whole trail.
func (*VerifyAudit) Timeout(*river.Job[staff.VerifyArgs]) time.Duration { return 4 * time.Minute }

// Broken returns how many faults a check of the chain counts for: 1 if it is broken.
func Broken(c staff.Check) int {
	if c.BrokenAt != 0 || c.Problem != "" {
		return 1
	}
	return 0
}

// Work checks the chain; a broken one will not repair itself, so the job is not retried.
func (w *VerifyAudit) Work(ctx context.Context, _ *river.Job[staff.VerifyArgs]) error {
	check, err := w.auditor.Check(ctx)
	if broken := Broken(check); err == nil || broken > 0 {
		w.checks.Checked("audit_trail", broken, w.clock.Now())
	}
	if errs.KindOf(err) == errs.KindConflict && err != nil {
		w.logger.ErrorContext(ctx, "audit trail broken", slog.Int64("record", check.BrokenAt), slog.String("problem", check.Problem))
		return river.JobCancel(err)
	}
	return err
}
