package reversal

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Reverse executes an approved reversal exactly once. If the payment no longer allows it, the reversal fails with a reason for staff,
// which is not an error. If it still needs a second approval, it waits for it. Reverse needs the worker's role.
func (s *Service) Reverse(ctx context.Context, reversalID string) error {
	now := s.clock.Now()
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		r, err := reversalTx(ctx, tx, reversalID)
		if err != nil || r.State != approval.Approved {
			return err
		}
		if err := subscription.LockTx(ctx, tx, r.FranchiserID); err != nil {
			return err
		}
		p, err := store.Locked(ctx, tx, r.PaymentID)
		if err != nil {
			return err
		}
		rest, err := refund.RestTx(ctx, tx, p)
		if err != nil {
			return err
		}
		rest.Least = s.gateways.LeastRefund(p.Gateway)
		asked := r.Amount
		if r.Kind == KindRelease {
			asked = 0
		}
		_, refused := reversible(p, r.Kind, asked, rest)
		if refused == nil {
			if refused = refuseTransferTwiceTx(ctx, tx, r, approval.Done); refused != nil && !errors.Is(refused, ErrTransferBooked) {
				return refused
			}
		}
		if refused == nil {
			problem, err := chargebackProblemTx(ctx, tx, r)
			if err != nil {
				return err
			}
			if problem != "" {
				refused = errs.Invalid(problem)
			}
		}
		if refused != nil {
			if err := payment.ReversalStates().Move(&r.State, approval.Failed); err != nil {
				return err
			}
			r.Failure = errs.As(refused).Message
			return finishReversalTx(ctx, tx, r, now)
		}
		// Requests checked this; check again before paying, because a row can be inserted without it.
		if r.DecidedBy == "" {
			needed, err := needsApproval(ctx, tx, r, rest, s.approveAbove, s.otherUnapproved, now)
			if err != nil {
				return err
			}
			if needed {
				if err := payment.ReversalStates().Move(&r.State, approval.Waiting); err != nil {
					return err
				}
				return askAgainTx(ctx, tx, r)
			}
		}
		if r.RefundID, err = s.reverseTx(ctx, tx, p, r, rest.OwedOf, now); err != nil {
			return err
		}
		if err := payment.ReversalStates().Move(&r.State, approval.Done); err != nil {
			return err
		}
		return finishReversalTx(ctx, tx, r, now)
	})
}

// reverseTx executes the reversal and returns the id of the resulting refund. owedOf is the capture whose refund failed.
func (s *Service) reverseTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Reversal, owedOf string, now time.Time) (string, error) {
	refund := refund.Refund{
		ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: r.Amount,
		Reason: payment.RefundStaff, Note: r.Reason, PrintedReason: r.PrintedReason, State: payment.RefundRequested, KeepPlan: r.KeepPlan, CreatedAt: now,
	}
	switch r.Kind {
	case KindRelease:
		p.Surplus, p.Reason = true, payment.ReasonReleased // the staff's reason is not for the customer
		if err := store.Save(ctx, tx, p, 0); err != nil {
			return "", err
		}
		if err := s.ledger.PostTx(ctx, tx, ledger.HeldRelease(ledger.Movement{
			FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: p.Captured, At: now,
		})); err != nil {
			return "", err
		}
		return s.refunds.RequestSurplusTx(ctx, tx, p, p.GatewayPaymentID, p.Captured, now)
	case KindChargeback:
		d, err := dispute.OpenTx(ctx, tx, dispute.Dispute{
			ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayDisputeID: r.DisputeID, State: payment.DisputeOpen,
			Confirmed: true, OpenedAt: now,
		})
		if err != nil || d.State == payment.DisputeLost {
			return d.RefundID, err // booked since the request
		}
		d.Amount = r.Amount
		return s.disputes.BookLossTx(ctx, tx, p, d, now)
	case KindCreditNote:
		refund.Channel, refund.BankReference = payment.ChannelBank, r.BankReference
		return refund.ID, s.refunds.BookTx(ctx, tx, p, refund, now)
	case KindBankTransfer:
		refund.Reason, refund.GatewayPaymentID = payment.RefundSurplus, owedOf
		refund.Channel, refund.BankReference = payment.ChannelBank, r.BankReference
		return refund.ID, s.refunds.BookTx(ctx, tx, p, refund, now)
	default:
		return refund.ID, s.refunds.RequestTx(ctx, tx, refund)
	}
}
