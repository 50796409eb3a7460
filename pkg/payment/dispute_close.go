package payment

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrDisputeDecided reports that a dispute is no longer open.
var ErrDisputeDecided = errs.New(errs.KindConflict, "dispute_decided", "This dispute has already been decided.")

// CloseDispute records what staff read at a gateway without a dispute API: that an open dispute was won, or that the gateway does
// not know it, which dismisses it. It moves no money; a loss is booked by a chargeback reversal. It returns errs.NotFound for a dispute
// that is not the customer's, ErrDisputeDecided, or a validation error for the outcome or the reason.
func (s *ReversalRequests) CloseDispute(ctx context.Context, p staff.Principal, franchiserID, disputeID string, outcome DisputeState, reason string) (Dispute, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Dispute{}, err
	}
	if outcome != DisputeWon && outcome != DisputeDismissed {
		return Dispute{}, errs.Invalid("Say how the dispute ended.").Field("outcome", "Choose won or dismissed.")
	}
	if !id.Valid(franchiserID) || !id.Valid(disputeID) {
		return Dispute{}, errs.NotFound()
	}
	var d Dispute
	err = subscription.InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if d, err = s.store.dispute(ctx, tx, disputeID); err != nil {
			return err
		}
		if d.State != DisputeOpen {
			return ErrDisputeDecided
		}
		if err := DisputeStates().Move(&d.State, outcome); err != nil {
			return err
		}
		now := s.clock.Now()
		d.DecidedAt = &now
		d.Confirmed = d.Confirmed || outcome == DisputeWon
		if err := s.store.closeDispute(ctx, tx, d); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "close_dispute", Target: "payment:" + d.PaymentID, FranchiserRef: &d.FranchiserID, Reason: reason,
			Before: staff.JSON(map[string]any{"dispute": d.ID, "state": DisputeOpen}),
			After:  staff.JSON(map[string]any{"dispute": d.ID, "state": d.State}),
		})
	})
	return d, err
}
