package timemachine

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Machine runs questions; pkg/adapter/timemachine implements it. Repeating a question during its run joins the run. A finished answer is
// returned once.
type Machine interface {
	// Ask returns an answer within some seconds, done or not. It fails with errs.NotFound for an unknown customer or change, ErrBusy and
	// ErrFailed.
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Service lets staff look ahead.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	machine  Machine `wiring:"optional"`
}

// Options are the parts of a Service. NewService panics if a part is nil that is not optional.
type Options struct {
	DB       *sqlx.DB
	Clock    clock.Clock
	Recorder Recorder
	// Machine runs the questions; without it the service is off.
	Machine Machine `wiring:"optional"`
}

// NewService returns a service on the API's pool.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{db: o.DB, clock: o.Clock, recorder: o.Recorder, machine: o.Machine})
}

// On reports whether there is a machine.
func (s *Service) On() bool { return s.machine != nil }

// recordAgain is how long questions about one customer count as one look, as those at the customer's page do.
const recordAgain = 30 * time.Minute

// Ask runs a question about one customer and records the member of staff's view, once per half-hour. It returns ErrOff without a machine,
// and the errors of Question.Validate and Machine.Ask.
func (s *Service) Ask(ctx context.Context, p staff.Principal, q Question) (Answer, error) {
	if !s.On() {
		return Answer{}, ErrOff
	}
	if err := q.Validate(); err != nil {
		return Answer{}, err
	}
	err := postgres.InTenantTx(ctx, s.db, q.FranchiserID, func(tx *sqlx.Tx) error {
		if _, err := account.ReachTx(ctx, tx, q.FranchiserID); err != nil {
			return err
		}
		seen, err := staff.DidSinceTx(ctx, tx, p.StaffID, q.FranchiserID, "open_customer", s.clock.Now().Add(-recordAgain))
		if err != nil || seen {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "open_customer", Target: "customer:" + q.FranchiserID, FranchiserRef: &q.FranchiserID,
			Reason: fmt.Sprintf("Looked %d months ahead", q.Months),
		})
	})
	if err != nil {
		return Answer{}, err
	}
	return s.machine.Ask(ctx, q)
}
