package payment

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Reverse executes an approved reversal exactly once. If the payment no longer allows it, the reversal fails with a reason for staff,
// which is not an error. If it still needs a second approval, it waits for it. Reverse needs the worker's role.
func (s *Service) Reverse(ctx context.Context, reversalID string) error {
	now := s.clock.Now()
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		r, err := s.store.reversal(ctx, tx, reversalID)
		if err != nil || r.State != ReversalApproved {
			return err
		}
		if err := subscription.LockTx(ctx, tx, r.FranchiserID); err != nil {
			return err
		}
		p, err := s.store.locked(ctx, tx, r.PaymentID)
		if err != nil {
			return err
		}
		rest, err := s.store.refundable(ctx, tx, p)
		if err != nil {
			return err
		}
		rest.Least = s.gateways.leastRefund(p.Gateway)
		asked := r.Amount
		if r.Kind == ReversalRelease {
			asked = 0
		}
		_, refused := p.reversible(r.Kind, asked, rest)
		if refused == nil {
			if refused = s.store.refuseTransferTwice(ctx, tx, r, ReversalDone); refused != nil && !errors.Is(refused, ErrTransferBooked) {
				return refused
			}
		}
		if refused != nil {
			if err := ReversalStates().Move(&r.State, ReversalFailed); err != nil {
				return err
			}
			r.Failure = errs.As(refused).Message
			return s.store.finishReversal(ctx, tx, r, now)
		}
		// ReversalRequests checked this; check again before paying, because a row can be inserted without it.
		if r.DecidedBy == "" {
			needed, err := s.store.needsApproval(ctx, tx, r, rest, s.approveAbove, s.otherUnapproved, now)
			if err != nil {
				return err
			}
			if needed {
				if err := ReversalStates().Move(&r.State, ReversalWaiting); err != nil {
					return err
				}
				return s.store.askAgain(ctx, tx, r)
			}
		}
		if r.RefundID, err = s.reverseTx(ctx, tx, p, r, rest.OwedOf, now); err != nil {
			return err
		}
		if err := ReversalStates().Move(&r.State, ReversalDone); err != nil {
			return err
		}
		return s.store.finishReversal(ctx, tx, r, now)
	})
}

// reverseTx executes the reversal and returns the id of the resulting refund. owedOf is the capture whose refund failed.
func (s *Service) reverseTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Reversal, owedOf string, now time.Time) (string, error) {
	refund := Refund{
		ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: r.Amount,
		Reason: RefundStaff, Note: r.Reason, PrintedReason: r.PrintedReason, State: RefundRequested, KeepPlan: r.KeepPlan, CreatedAt: now,
	}
	switch r.Kind {
	case ReversalRelease:
		p.Surplus, p.Reason = true, reasonReleased // the staff's reason is not for the customer
		if err := s.store.save(ctx, tx, p, 0); err != nil {
			return "", err
		}
		if err := s.ledger.PostTx(ctx, tx, ledger.HeldRelease(ledger.Movement{
			FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: p.Captured, At: now,
		})); err != nil {
			return "", err
		}
		return s.requestSurplusRefundTx(ctx, tx, p, p.GatewayPaymentID, p.Captured, now)
	case ReversalChargeback:
		d, err := s.store.openDispute(ctx, tx, Dispute{
			ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayDisputeID: r.DisputeID, State: DisputeOpen,
			Confirmed: true, OpenedAt: now,
		})
		if err != nil || d.State == DisputeLost {
			return d.RefundID, err // booked since the request
		}
		d.Amount = r.Amount
		return s.lostTx(ctx, tx, p, d, now)
	case ReversalCreditNote:
		refund.Channel, refund.BankReference = ChannelBank, r.BankReference
		return refund.ID, s.doneTx(ctx, tx, p, refund, now)
	case ReversalBankTransfer:
		refund.Reason, refund.GatewayPaymentID = RefundSurplus, owedOf
		refund.Channel, refund.BankReference = ChannelBank, r.BankReference
		return refund.ID, s.doneTx(ctx, tx, p, refund, now)
	default:
		return refund.ID, s.refundTx(ctx, tx, refund)
	}
}
