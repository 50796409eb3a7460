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

// Recorder notes what staff do, in the transaction in which they do it; staff.Service is the one that does.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Comparisons is where staff have settlements compared again. It runs with the API's role, which asks no gateway: the
// worker's job does (Service.Compare).
type Comparisons struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	store    store
}

// NewComparisons returns it over the API's pool; every request is noted by the recorder in the same transaction.
func NewComparisons(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder) *Comparisons {
	return wiring.Complete(&Comparisons{db: db, jobs: jobs, clock: clk, recorder: recorder})
}

// gatewayUsedSQL is a look-up that no franchiser hides: the comparisons are the operator's own.
const gatewayUsedSQL = `SELECT EXISTS (SELECT FROM settlement_days WHERE gateway = $1)`

// Ask has a worker compare the gateway's settlement of the day, or of all days that are due where day is 0, and with it all
// that is open. It returns the job, the same one while it waits, errs.NotFound for a gateway that was never compared, and
// field messages for a day that has not ended or for a reason that says nothing.
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
