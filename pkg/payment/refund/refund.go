package refund

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// PrintedCancelled is printed on the credit notes of a cancellation.
const PrintedCancelled = "Plan cancelled: the unused part"

// ReasonSetOff is stored as the failure of a refund that no gateway can make. StaffTransfer compares it, so it must never change.
const ReasonSetOff = "Earlier invoices paid it by set-off. Transfer it and book the transfer with its UTR."

// OweTransferTx stores a refund as failed without a gateway request. Like a refused refund, it waits in the console until staff book
// its transfer. The customer receives a message that the money comes by bank transfer.
func (s *Service) OweTransferTx(ctx context.Context, tx *sqlx.Tx, r Refund, now time.Time) error {
	if err := s.tellRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	r.Failure = ReasonSetOff
	return s.OweTx(ctx, tx, r, now)
}

// OweTx stores a requested refund as failed, with its Failure, so that it waits for staff.
func (s *Service) OweTx(ctx context.Context, tx *sqlx.Tx, r Refund, now time.Time) error {
	if err := insertRefundTx(ctx, tx, r); err != nil {
		return err
	}
	if err := payment.RefundStates().Move(&r.State, payment.RefundFailed); err != nil {
		return err
	}
	return saveRefundTx(ctx, tx, r, now)
}

// RequestTx stores a refund with the job that sends it.
func (s *Service) RequestTx(ctx context.Context, tx *sqlx.Tx, r Refund) error {
	if err := insertRefundTx(ctx, tx, r); err != nil {
		return err
	}
	if err := s.tellRefundTx(ctx, tx, r, r.CreatedAt); err != nil {
		return err
	}
	return s.enqueueRefundTx(ctx, tx, payment.Payment{ID: r.PaymentID, FranchiserID: r.FranchiserID}, r.ID, 0)
}

func (s *Service) enqueueRefundTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, refundID string, delay time.Duration) error {
	_, err := s.jobs.InsertTx(ctx, tx, Args{RefundID: refundID}, queue.Options{
		Queue: queue.QueuePayments, Delay: delay, Subject: queue.Subject{FranchiserID: p.FranchiserID, PaymentID: p.ID},
	})
	return err
}

// Send requests a refund exactly once, then polls its progress on the schedule of payments and daily after that.
// A refund that the gateway does not accept yet is requested again on the same schedule.
func (s *Service) Send(ctx context.Context, refundID string) error {
	var r Refund
	var p payment.Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if r, err = refundTx(ctx, tx, refundID, false); err != nil {
			return err
		}
		p, err = store.Find(ctx, tx, r.PaymentID)
		return err
	})
	if err != nil || r.State == payment.RefundDone || r.State == payment.RefundFailed {
		return err
	}
	g, err := s.gateways.Find(p.Gateway)
	if err != nil {
		return err
	}
	request := payment.RefundRequest{TransactionID: p.TransactionID, GatewayPaymentID: r.GatewayPaymentID, Amount: r.Amount, Token: r.Token}
	var o payment.RefundOutcome
	if r.State == payment.RefundRequested {
		// A second capture is refunded in full, so a refund that the gateway made of it without our request is the due refund.
		o, err = askRefund(ctx, g, request, r.GatewayPaymentID != p.GatewayPaymentID)
	} else {
		o, err = g.RefundStatus(ctx, request, r.GatewayRefundID)
	}
	if err != nil {
		return fmt.Errorf("refund: %w", err)
	}
	return s.applyRefundOutcome(ctx, r.ID, o)
}

// askRefund requests a refund unless the gateway already lists it: an answer may have been lost, and no gateway promises for
// how long it recognises a repeated request. If others is set, a refund of the same amount that the gateway made unasked
// counts as this one.
func askRefund(ctx context.Context, g payment.Gateway, r payment.RefundRequest, others bool) (payment.RefundOutcome, error) {
	records, err := g.Refunds(ctx, r.TransactionID, r.GatewayPaymentID)
	if err != nil {
		return payment.RefundOutcome{}, err
	}
	for _, record := range records {
		own := record.Token == "" && record.Amount == r.Amount && !record.Failed
		if record.Token == r.Token || others && own {
			return record.RefundOutcome, nil
		}
	}
	if least := payment.LeastRefund(g); r.Amount < least {
		return payment.RefundOutcome{Failed: true, Reason: TooSmall(least)}, nil
	}
	return g.Refund(ctx, r)
}

// TooSmall tells staff the least amount that the gateway refunds.
func TooSmall(least money.Paise) string {
	return "The payment provider refunds " + least.Display() + " or more. Return it by bank transfer."
}

// refundPatience is how long a refund is requested that the gateway neither accepts nor refuses for good. Then it fails, and staff return the
// money by bank transfer. An insufficient balance or a dispute under review is over by then.
const refundPatience = 30 * 24 * time.Hour

func (s *Service) applyRefundOutcome(ctx context.Context, refundID string, o payment.RefundOutcome) error {
	now := s.clock.Now()
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		r, err := refundTx(ctx, tx, refundID, false)
		if err != nil {
			return err
		}
		if err := subscription.LockTx(ctx, tx, r.FranchiserID); err != nil {
			return err
		}
		if r, err = refundTx(ctx, tx, refundID, true); err != nil || r.State == payment.RefundDone || r.State == payment.RefundFailed {
			return err
		}
		p, err := store.Locked(ctx, tx, r.PaymentID)
		if err != nil {
			return err
		}
		if err := s.applyRefundOutcomeTx(ctx, tx, p, r, o, now); err != nil {
			return err
		}
		waiting, err := store.WaitingEvents(ctx, tx, p)
		if err != nil || !slices.ContainsFunc(waiting, func(e store.WaitingEvent) bool { return e.Kind == payment.NoticeRefund }) {
			return err
		}
		return store.Ask(ctx, tx, s.jobs, p, payment.NoticeRefund, 0) // notices that arrived before its id was known
	})
}

// applyRefundOutcomeTx applies the gateway's answer about a refund.
func (s *Service) applyRefundOutcomeTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, o payment.RefundOutcome, now time.Time) error {
	if o.RefundID != "" {
		r.GatewayRefundID = o.RefundID
	}
	r.Failure = ""
	next := payment.RefundSent
	switch {
	case o.Failed:
		next, r.Failure = payment.RefundFailed, o.Reason
	case o.Waiting && r.State == payment.RefundRequested && now.Sub(r.CreatedAt) > refundPatience:
		next, r.Failure = payment.RefundFailed, o.Reason
	case o.Waiting:
		next, r.Failure = r.State, o.Reason // shown to staff
	case o.Done:
		next = payment.RefundDone
	}
	if err := payment.RefundStates().Move(&r.State, next); err != nil {
		return err
	}
	if err := saveRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	if err := s.tellRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	switch r.State {
	case payment.RefundDone:
		return s.refundDoneTx(ctx, tx, p, r, now)
	case payment.RefundSent, payment.RefundRequested:
		return s.enqueueRefundTx(ctx, tx, p, r.ID, refundDelay(r.CreatedAt, now))
	case payment.RefundFailed:
		return s.oweRefusedTx(ctx, tx, r, now)
	default:
		return nil
	}
}

func refundDelay(created, now time.Time) time.Duration {
	if at, ok := payment.NextCheck(created, now); ok {
		return at.Sub(now)
	}
	return 24 * time.Hour
}

// refundDoneTx books a completed refund: the credit note of the invoiced amount, and the refund. Once the whole payment is returned, it
// also changes the payment's state and ends the purchase, unless the refund requested last keeps it running.
func (s *Service) refundDoneTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, now time.Time) error {
	p, err := s.releaseTx(ctx, tx, p, r, now)
	if err != nil {
		return err
	}
	due, err := s.creditDueTx(ctx, tx, p, r, now) // before the refund ends anything
	if err != nil {
		return err
	}
	if back, err := backTx(ctx, tx, p); err != nil {
		return err
	} else if r.GatewayPaymentID == p.GatewayPaymentID {
		if err := s.allBackTx(ctx, tx, p, r, back, now); err != nil {
			return err
		}
	}
	if err := s.creditTx(ctx, tx, p, r, due, now); err != nil {
		return err
	}
	if err := s.returnedTx(ctx, tx, p, r, now); err != nil {
		return err
	}
	m := ledger.Movement{FranchiserID: r.FranchiserID, PaymentID: r.PaymentID, Reference: r.ID, Amount: r.Amount, At: now}
	switch {
	case r.Reason == payment.RefundDispute:
		return s.ledger.PostTx(ctx, tx, ledger.Chargeback(m))
	case r.Channel == payment.ChannelBank:
		tds, gstTDS, err := s.reverseWithheldTx(ctx, tx, p, r)
		if err != nil {
			return err
		}
		return s.ledger.PostTx(ctx, tx, ledger.BankRefund(m, tds, gstTDS))
	default:
		return s.ledger.PostTx(ctx, tx, ledger.Refund(m))
	}
}

// releaseTx releases a held payment if some of its money was returned without us, at the gateway's own dashboard or by a lost dispute:
// there is nothing left to decide, and the remainder is refunded as well.
func (s *Service) releaseTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, now time.Time) (payment.Payment, error) {
	if p.State != payment.StateHeld || p.Surplus || r.GatewayPaymentID != p.GatewayPaymentID {
		return p, nil
	}
	p.Surplus, p.Reason = true, payment.ReasonReleased
	if err := store.Save(ctx, tx, p, 0); err != nil {
		return p, err
	}
	if err := s.ledger.PostTx(ctx, tx, ledger.HeldRelease(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: p.Captured, At: now,
	})); err != nil {
		return p, err
	}
	back, err := RefundedTx(ctx, tx, p)
	if err != nil || back >= p.Captured {
		return p, err
	}
	_, err = s.RequestSurplusTx(ctx, tx, p, p.GatewayPaymentID, p.Captured-back, now)
	return p, err
}

// allBackTx records that a whole payment is returned, and ends the purchase, unless the refund requested last keeps it running. For an
// upgrade, the credit notes of earlier payments must be returned as well before the plan ends, so that the customer loses no money.
// Only a chargeback ends it at once.
func (s *Service) allBackTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, back money.Paise, now time.Time) error {
	if back >= p.Captured && payment.States().Allows(p.State, payment.StateRefunded) {
		if err := payment.States().Move(&p.State, payment.StateRefunded); err != nil {
			return err
		}
		if err := store.Save(ctx, tx, p, 0); err != nil {
			return err
		}
	}
	if r.CreditsPaymentID != "" {
		return nil // the upgrade has ended, or goes on with another plan
	}
	if r.Reason != payment.RefundDispute {
		var err error
		if back, err = returnedDoneTx(ctx, tx, p); err != nil {
			return err
		}
	}
	whole, err := wholeTx(ctx, tx, p, r.Reason == payment.RefundDispute)
	if err != nil || !makesWhole(back-r.Amount, r.Amount, whole) {
		return err
	}
	keep, err := KeepsPlanTx(ctx, tx, r)
	if err != nil || keep {
		return err
	}
	return s.RevokeTx(ctx, tx, p, now)
}

// BookTx stores and books a refund that has already happened.
func (s *Service) BookTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, now time.Time) error {
	if err := insertRefundTx(ctx, tx, r); err != nil {
		return err
	}
	if err := payment.RefundStates().Move(&r.State, payment.RefundDone); err != nil {
		return err
	}
	if err := saveRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	if err := s.tellRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	return s.refundDoneTx(ctx, tx, p, r, now)
}

// RefundUninvoicedTx books a capture that pays for nothing, and requests its refund. It issues no vouchers: section 31(3)(d), CGST Act
// 2017, requires them for an advance towards a supply only. That reading is ours (pkg/decisions, 45).
func (s *Service) RefundUninvoicedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, gatewayPaymentID, reference string, amount money.Paise, now time.Time) error {
	if err := s.ledger.PostTx(ctx, tx, ledger.ExtraCapture(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: reference, Amount: amount, At: now,
	})); err != nil {
		return err
	}
	_, err := s.RequestSurplusTx(ctx, tx, p, gatewayPaymentID, amount, now)
	return err
}

// RequestSurplusTx requests the refund of money booked as owed, and returns the refund's id.
func (s *Service) RequestSurplusTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, gatewayPaymentID string, amount money.Paise, now time.Time) (string, error) {
	r := Refund{
		ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: gatewayPaymentID, Amount: amount,
		Reason: payment.RefundSurplus, State: payment.RefundRequested, CreatedAt: now,
	}
	return r.ID, s.RequestTx(ctx, tx, r)
}

// Aftermath is the effect of returned money on the payment's purchase.
type Aftermath string

// The possible effects. AftermathNone is for money that bought nothing.
const (
	AftermathNone Aftermath = ""
	// AftermathEnds means the whole payment is returned: the purchase ends that day.
	AftermathEnds Aftermath = "ends"
	// AftermathKept means the same, but staff keep the purchase running as goodwill.
	AftermathKept Aftermath = "kept"
	// AftermathGoesOn means a part is back: the rest stays paid, or earlier payments paid for it as well.
	AftermathGoesOn Aftermath = "goes_on"
)

// Sentence returns the sentence appended to the description of a job.
func (a Aftermath) Sentence() string {
	switch a {
	case AftermathEnds:
		return " Once all of the payment is back, what it bought ends that day."
	case AftermathKept:
		return " What the payment bought goes on, as staff chose."
	case AftermathGoesOn, AftermathNone:
	}
	return ""
}

// oweRefusedTx makes staff transfer the refund of an upgrade that an earlier payment's gateway refused permanently.
func (s *Service) oweRefusedTx(ctx context.Context, tx *sqlx.Tx, r Refund, now time.Time) error {
	if r.CreditsPaymentID == "" {
		return nil
	}
	p, err := store.Find(ctx, tx, r.CreditsPaymentID)
	if err != nil {
		return err
	}
	return s.OweTransferTx(ctx, tx, Refund{
		ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: r.Amount, Reason: r.Reason,
		Note: r.Note, PrintedReason: r.PrintedReason, KeepPlan: r.KeepPlan, State: payment.RefundRequested, CreatedAt: now,
		CreditParts: r.CreditParts,
	}, now)
}

// StaffTransfer reports whether staff must transfer a refund with that failure, because the payment came by bank transfer or earlier
// invoices paid it by set-off. No gateway can make such a refund.
func StaffTransfer(gateway, failure string) bool {
	return gateway == payment.GatewayBank || failure == ReasonSetOff
}
