package settlement

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Comparisons lets staff request new comparisons of settlements. It runs with the API's role and calls no gateway: the worker's job does
// (Service.Compare).
type Comparisons struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	store    store
}

// NewComparisons returns Comparisons on the API's pool; the recorder logs every request in the same transaction.
func NewComparisons(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder) *Comparisons {
	return wiring.Complete(&Comparisons{db: db, jobs: jobs, clock: clk, recorder: recorder})
}

// gatewayUsedSQL needs no franchiser: the comparisons are the operator's own.
const gatewayUsedSQL = `SELECT EXISTS (SELECT FROM settlement_days WHERE gateway = $1)`

// Ask enqueues a comparison of the gateway's settlement of the day, or of all due days if day is 0, together with everything
// open. It returns the job, the same one while it waits, errs.NotFound for a gateway that was never compared, and
// field messages for a day that has not ended or for an invalid reason.
func (s *Comparisons) Ask(ctx context.Context, p staff.Principal, gateway string, day subscription.Day, reason string) (jobID int64, err error) {
	if reason, err = staff.CleanReason(reason); err != nil {
		return 0, err
	}
	if day >= subscription.DayOf(s.clock.Now()) {
		return 0, errs.Invalid("This day has not ended yet.").Field("day", "Choose a day that has ended.")
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var used bool
		if err := tx.GetContext(ctx, &used, gatewayUsedSQL, gateway); err != nil {
			return fmt.Errorf("look for the gateway: %w", err)
		}
		if !used {
			return errs.NotFound()
		}
		target := "settlements:" + gateway
		if day != 0 {
			target += "/" + day.String()
		}
		if err := s.recorder.RecordTx(ctx, tx, p, staff.Action{Action: "compare_settlements", Target: target, Reason: reason}); err != nil {
			return err
		}
		jobID, err = s.jobs.InsertTx(ctx, tx, CompareArgs{Gateway: gateway, Day: day}, queue.Options{
			Queue: queue.QueuePayments, Unique: true, MaxAttempts: 5,
		})
		return err
	})
	return jobID, err
}
