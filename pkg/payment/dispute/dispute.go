package dispute

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// disputedTx records the dispute named by a webhook event, unless it belongs to another payment, and enqueues a check at the gateway. A
// hint is recorded as unconfirmed, and only if its amount is possible and the payment has few such disputes.
func (s *Service) disputedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, e store.WaitingEvent, now time.Time) error {
	known, err := disputeHeardTx(ctx, tx, p, e.ExternalID)
	if err != nil {
		return err
	}
	if !known.Ours && (known.Foreign || !e.Signed && (known.Unconfirmed >= MaxUnconfirmed || e.Amount < 1 || e.Amount > p.Captured)) {
		s.logger.WarnContext(ctx, "dispute that is not believed", slog.String("payment", p.ID), slog.String("event", e.ID))
		return nil
	}
	d, err := OpenTx(ctx, tx, Dispute{
		ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayDisputeID: e.ExternalID, State: payment.DisputeOpen,
		Amount: e.Amount, Confirmed: e.Signed, OpenedAt: now,
	})
	if err != nil {
		return err
	}
	if e.Signed && e.Status == payment.StatusPaid && d.State == payment.DisputeOpen { // according to the gateway, we keep the money
		if err := payment.DisputeStates().Move(&d.State, payment.DisputeWon); err != nil {
			return err
		}
		d.Confirmed = true
		if err := saveDisputeTx(ctx, tx, d, now); err != nil {
			return err
		}
	}
	s.logger.WarnContext(ctx, "dispute at the gateway", slog.String("payment", p.ID), slog.String("dispute", d.ID), slog.Bool("confirmed", d.Confirmed))
	_, err = s.jobs.InsertTx(ctx, tx, CheckArgs{DisputeID: d.ID}, queue.Options{
		Queue: queue.QueuePayments, Subject: queue.Subject{FranchiserID: p.FranchiserID, PaymentID: p.ID},
	})
	return err
}

// Check queries the gateway about a dispute and books a loss once. An open or won dispute is checked again when the gateway next
// mentions it: a bank may reopen it in a later phase.
func (s *Service) Check(ctx context.Context, disputeID string) error {
	var d Dispute
	var p payment.Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if d, err = disputeTx(ctx, tx, disputeID); err != nil {
			return err
		}
		p, err = store.Find(ctx, tx, d.PaymentID)
		return err
	})
	if err != nil || d.State == payment.DisputeLost {
		return err
	}
	g, err := s.gateways.Find(p.Gateway)
	if err != nil {
		return err
	}
	asked, ok := g.(payment.Disputes)
	if !ok {
		return nil // left for staff to decide
	}
	o, err := asked.Dispute(ctx, d.GatewayDisputeID)
	if err != nil {
		return fmt.Errorf("ask about dispute: %w", err)
	}
	if o.State == "" || o.State == d.State && d.Confirmed {
		return nil
	}
	return s.decideDispute(ctx, d, o)
}

func (s *Service) decideDispute(ctx context.Context, d Dispute, o payment.DisputeOutcome) error {
	now := s.clock.Now()
	return subscription.InLockedTx(ctx, s.db, d.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := store.Locked(ctx, tx, d.PaymentID)
		if err != nil {
			return err
		}
		if d, err = disputeTx(ctx, tx, d.ID); err != nil || d.State == payment.DisputeLost {
			return err
		}
		d.Confirmed = true
		if o.State != payment.DisputeLost {
			if err := payment.DisputeStates().Move(&d.State, o.State); err != nil {
				return err
			}
			return saveDisputeTx(ctx, tx, d, now)
		}
		d.Amount = o.Amount
		_, err = s.BookLossTx(ctx, tx, p, d, now)
		return err
	})
}

// BookLossTx books a lost dispute. It returns the id of its refund, empty if the invoice has nothing more to credit.
//
// The gateway deducts the amount from its next settlement. A credit note reverses the remainder of the invoice (section 34, CGST Act
// 2017: the bank found the supply wanting). It reverses revenue and output tax, and makes the amount owed to the customer. The bank has
// already paid it, so that debt is booked against gateway clearing. An amount that the customer had already been refunded, and now has
// twice, is a loss: expense against gateway clearing, without tax.
//
// Once the whole payment is returned, the purchase ends today (see refund.Service.BookTx). If the money is taken a second time, that also ends a
// plan that staff kept running as goodwill. What other payments paid for the ended days is owed (see oweOthersTx).
func (s *Service) BookLossTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, d Dispute, now time.Time) (string, error) {
	before, err := s.subscriptions.CreditsTx(ctx, tx, p.FranchiserID, subscription.DayOf(now))
	if err != nil {
		return "", err
	}
	already, err := refund.RefundedTx(ctx, tx, p)
	if err != nil {
		return "", err
	}
	credit := min(d.Amount, p.Captured-already)
	if credit > 0 {
		r := refund.Refund{
			ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: credit,
			Reason: payment.RefundDispute, PrintedReason: "Payment taken back through the bank", State: payment.RefundSent,
			GatewayRefundID: d.GatewayDisputeID, CreatedAt: now,
		}
		if err := s.refunds.BookTx(ctx, tx, p, r, now); err != nil {
			return "", err
		}
		d.RefundID = r.ID
	}
	if loss := d.Amount - max(credit, 0); loss > 0 {
		if err := s.ledger.PostTx(ctx, tx, ledger.ChargebackLoss(ledger.Movement{
			FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: d.ID, Amount: loss, At: now,
		})); err != nil {
			return "", err
		}
		if err := s.refunds.RevokeTx(ctx, tx, p, now); err != nil {
			return "", err
		}
	}
	if err := payment.DisputeStates().Move(&d.State, payment.DisputeLost); err != nil {
		return "", err
	}
	d.Confirmed = true
	if err := saveDisputeTx(ctx, tx, d, now); err != nil {
		return "", err
	}
	return d.RefundID, s.oweOthersTx(ctx, tx, p, before, now)
}

// ReasonOtherTaken is stored as the failure of a refund that staff decide after a chargeback. WaitingMoney compares it, so it must never
// change.
const ReasonOtherTaken = "The plan ended because a bank took back another payment. Refund the unused part of this one."

// oweOthersTx makes the unused parts of other payments wait for staff, if the chargeback of p ended the plan that they paid for. before
// holds the unused parts before the chargeback. An upgrade owes only the rest after the used days, because p paid a part of it.
func (s *Service) oweOthersTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, before []subscription.Credit, now time.Time) error {
	after, err := s.subscriptions.CreditsTx(ctx, tx, p.FranchiserID, subscription.DayOf(now))
	if err != nil {
		return err
	}
	for _, credit := range before {
		if slices.ContainsFunc(after, func(c subscription.Credit) bool { return c.Invoice.ID == credit.Invoice.ID }) {
			continue
		}
		other, err := store.OfInvoice(ctx, tx, p.FranchiserID, credit.Invoice.ID)
		if err != nil {
			return err
		}
		rest, err := refund.RestTx(ctx, tx, other)
		if err != nil {
			return err
		}
		parts, owed := refund.LimitParts(credit.Parts, max(0, min(credit.Total()-rest.Gone, rest.Bank)))
		if other.ID == p.ID || owed < 1 {
			continue
		}
		if err := s.refunds.OweTx(ctx, tx, refund.Refund{
			ID: id.New(), FranchiserID: other.FranchiserID, PaymentID: other.ID, GatewayPaymentID: other.GatewayPaymentID, Amount: owed,
			Reason: payment.RefundStaff, PrintedReason: refund.PrintedCancelled, State: payment.RefundRequested, Failure: ReasonOtherTaken, CreatedAt: now,
			CreditParts: parts,
		}, now); err != nil {
			return err
		}
	}
	return nil
}
