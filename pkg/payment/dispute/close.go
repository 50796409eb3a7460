package dispute

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Desk lets staff close disputes. It runs with the API's role.
type Desk struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder payment.Recorder
}

// NewDesk returns a DisputeDesk on the API's pool. It panics if a part is missing.
func NewDesk(db *sqlx.DB, clk clock.Clock, recorder payment.Recorder) *Desk {
	return wiring.Complete(&Desk{db: db, clock: clk, recorder: recorder})
}

// ErrDisputeDecided reports that a dispute is no longer open.
var ErrDisputeDecided = errs.New(errs.KindConflict, "dispute_decided", "This dispute has already been decided.")

// Close records what staff read at a gateway without a dispute API: that an open dispute was won, or that the gateway does
// not know it, which dismisses it. It moves no money; a loss is booked by a chargeback reversal. It returns errs.NotFound for a dispute
// that is not the customer's, ErrDisputeDecided, or a validation error for the outcome or the reason.
func (s *Desk) Close(ctx context.Context, p staff.Principal, franchiserID, disputeID string, outcome payment.DisputeState, reason string) (Dispute, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Dispute{}, err
	}
	if outcome != payment.DisputeWon && outcome != payment.DisputeDismissed {
		return Dispute{}, errs.Invalid("Say how the dispute ended.").Field("outcome", "Choose won or dismissed.")
	}
	if !id.Valid(franchiserID) || !id.Valid(disputeID) {
		return Dispute{}, errs.NotFound()
	}
	var d Dispute
	err = subscription.InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if d, err = disputeTx(ctx, tx, disputeID); err != nil {
			return err
		}
		if d.State != payment.DisputeOpen {
			return ErrDisputeDecided
		}
		if err := payment.DisputeStates().Move(&d.State, outcome); err != nil {
			return err
		}
		now := s.clock.Now()
		d.DecidedAt = &now
		d.Confirmed = d.Confirmed || outcome == payment.DisputeWon
		if err := closeDisputeTx(ctx, tx, d); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "close_dispute", Target: "payment:" + d.PaymentID, FranchiserRef: &d.FranchiserID, Reason: reason,
			Before: staff.JSON(map[string]any{"dispute": d.ID, "state": payment.DisputeOpen}),
			After:  staff.JSON(map[string]any{"dispute": d.ID, "state": d.State}),
		})
	})
	return d, err
}
