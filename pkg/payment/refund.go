package payment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// refundTx stores a refund with the job that sends it.
func (s *Service) refundTx(ctx context.Context, tx *sqlx.Tx, r Refund) error {
	if err := s.store.insertRefund(ctx, tx, r); err != nil {
		return err
	}
	if err := s.tellRefundTx(ctx, tx, r, r.CreatedAt); err != nil {
		return err
	}
	return s.enqueueRefundTx(ctx, tx, Payment{ID: r.PaymentID, FranchiserID: r.FranchiserID}, r.ID, 0)
}

func (s *Service) enqueueRefundTx(ctx context.Context, tx *sqlx.Tx, p Payment, refundID string, delay time.Duration) error {
	_, err := s.jobs.InsertTx(ctx, tx, RefundArgs{RefundID: refundID}, queue.Options{
		Queue: queue.QueuePayments, Delay: delay, Subject: queue.Subject{FranchiserID: p.FranchiserID, PaymentID: p.ID},
	})
	return err
}

// SendRefund requests a refund exactly once, then polls its progress on the schedule of payments and daily after that.
// A refund that the gateway does not accept yet is requested again on the same schedule.
func (s *Service) SendRefund(ctx context.Context, refundID string) error {
	var r Refund
	var p Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if r, err = s.store.refund(ctx, tx, refundID, false); err != nil {
			return err
		}
		p, err = s.store.find(ctx, tx, r.PaymentID)
		return err
	})
	if err != nil || r.State == RefundDone || r.State == RefundFailed {
		return err
	}
	g, err := s.gateway(p.Gateway)
	if err != nil {
		return err
	}
	request := RefundRequest{TransactionID: p.TransactionID, GatewayPaymentID: r.GatewayPaymentID, Amount: r.Amount, Token: r.Token}
	var o RefundOutcome
	if r.State == RefundRequested {
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
func askRefund(ctx context.Context, g Gateway, r RefundRequest, others bool) (RefundOutcome, error) {
	records, err := g.Refunds(ctx, r.TransactionID, r.GatewayPaymentID)
	if err != nil {
		return RefundOutcome{}, err
	}
	for _, record := range records {
		own := record.Token == "" && record.Amount == r.Amount && !record.Failed
		if record.Token == r.Token || others && own {
			return record.RefundOutcome, nil
		}
	}
	if least := leastRefund(g); r.Amount < least {
		return RefundOutcome{Failed: true, Reason: tooSmall(least)}, nil
	}
	return g.Refund(ctx, r)
}

// leastRefund returns the gateway's minimum refund amount, a paisa if it publishes no minimum.
func leastRefund(g Gateway) money.Paise {
	if m, ok := g.(RefundMinimum); ok {
		return m.LeastRefund()
	}
	return 1
}

// gateways are the configured gateways.
type gateways []Gateway

// leastRefund returns the least amount that the gateway of that name refunds, 0 if it is not configured.
func (list gateways) leastRefund(name string) money.Paise {
	for _, g := range list {
		if g.Name() == name {
			return leastRefund(g)
		}
	}
	return 0
}

func tooSmall(least money.Paise) string {
	return "The payment provider refunds " + least.Display() + " or more. Return it by bank transfer."
}

// refundPatience is how long a refund is requested that the gateway neither accepts nor refuses for good. Then it fails, and staff return the
// money by bank transfer. An insufficient balance or a dispute under review is over by then.
const refundPatience = 30 * 24 * time.Hour

func (s *Service) applyRefundOutcome(ctx context.Context, refundID string, o RefundOutcome) error {
	now := s.clock.Now()
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		r, err := s.store.refund(ctx, tx, refundID, false)
		if err != nil {
			return err
		}
		if err := subscription.LockTx(ctx, tx, r.FranchiserID); err != nil {
			return err
		}
		if r, err = s.store.refund(ctx, tx, refundID, true); err != nil || r.State == RefundDone || r.State == RefundFailed {
			return err
		}
		p, err := s.store.locked(ctx, tx, r.PaymentID)
		if err != nil {
			return err
		}
		if err := s.applyRefundOutcomeTx(ctx, tx, p, r, o, now); err != nil {
			return err
		}
		waiting, err := s.store.waitingEvents(ctx, tx, p)
		if err != nil || !slices.ContainsFunc(waiting, func(e waitingEvent) bool { return e.Kind == NoticeRefund }) {
			return err
		}
		return s.askTx(ctx, tx, p, NoticeRefund, 0) // notices that arrived before its id was known
	})
}

// applyRefundOutcomeTx applies the gateway's answer about a refund.
func (s *Service) applyRefundOutcomeTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, o RefundOutcome, now time.Time) error {
	if o.RefundID != "" {
		r.GatewayRefundID = o.RefundID
	}
	r.Failure = ""
	next := RefundSent
	switch {
	case o.Failed:
		next, r.Failure = RefundFailed, o.Reason
	case o.Waiting && r.State == RefundRequested && now.Sub(r.CreatedAt) > refundPatience:
		next, r.Failure = RefundFailed, o.Reason
	case o.Waiting:
		next, r.Failure = r.State, o.Reason // shown to staff
	case o.Done:
		next = RefundDone
	}
	if err := RefundStates().Move(&r.State, next); err != nil {
		return err
	}
	if err := s.store.saveRefund(ctx, tx, r, now); err != nil {
		return err
	}
	if err := s.tellRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	switch r.State {
	case RefundDone:
		return s.refundDoneTx(ctx, tx, p, r, now)
	case RefundSent, RefundRequested:
		return s.enqueueRefundTx(ctx, tx, p, r.ID, refundDelay(r.CreatedAt, now))
	case RefundFailed:
		return s.oweRefusedTx(ctx, tx, r, now)
	default:
		return nil
	}
}

func refundDelay(created, now time.Time) time.Duration {
	if at, ok := nextCheck(created, now); ok {
		return at.Sub(now)
	}
	return 24 * time.Hour
}

// refundDoneTx books a completed refund: the credit note of the invoiced amount, and the refund. Once the whole payment is returned, it
// also changes the payment's state and ends the purchase, unless the completing refund keeps it running.
func (s *Service) refundDoneTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, now time.Time) error {
	p, err := s.releaseTx(ctx, tx, p, r, now)
	if err != nil {
		return err
	}
	due, err := s.creditDueTx(ctx, tx, p, r, now) // before the refund ends anything
	if err != nil {
		return err
	}
	if back, err := s.store.back(ctx, tx, p); err != nil {
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
	case r.Reason == RefundDispute:
		return s.ledger.PostTx(ctx, tx, ledger.Chargeback(m))
	case r.Channel == ChannelBank:
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
func (s *Service) releaseTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, now time.Time) (Payment, error) {
	if p.State != StateHeld || p.Surplus || r.GatewayPaymentID != p.GatewayPaymentID {
		return p, nil
	}
	p.Surplus, p.Reason = true, reasonReleased
	if err := s.store.save(ctx, tx, p, 0); err != nil {
		return p, err
	}
	if err := s.ledger.PostTx(ctx, tx, ledger.HeldRelease(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: p.Captured, At: now,
	})); err != nil {
		return p, err
	}
	back, err := s.store.refunded(ctx, tx, p)
	if err != nil || back >= p.Captured {
		return p, err
	}
	_, err = s.requestSurplusRefundTx(ctx, tx, p, p.GatewayPaymentID, p.Captured-back, now)
	return p, err
}

// allBackTx records that a whole payment is returned, and ends the purchase, unless the completing refund keeps it running. For an
// upgrade, the credit notes of earlier payments must be returned as well before the plan ends, so that the customer loses no money.
// Only a chargeback ends it at once.
func (s *Service) allBackTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, back money.Paise, now time.Time) error {
	if back >= p.Captured && States().Allows(p.State, StateRefunded) {
		if err := States().Move(&p.State, StateRefunded); err != nil {
			return err
		}
		if err := s.store.save(ctx, tx, p, 0); err != nil {
			return err
		}
	}
	if r.CreditsPaymentID != "" {
		return nil // the upgrade has ended, or goes on with another plan
	}
	if r.Reason != RefundDispute {
		var err error
		if back, err = s.store.returnedDone(ctx, tx, p); err != nil {
			return err
		}
	}
	whole, err := s.store.whole(ctx, tx, p, r.Reason == RefundDispute)
	if err != nil || !makesWhole(back-r.Amount, r.Amount, whole) {
		return err
	}
	keep, err := s.store.keepsPlan(ctx, tx, r)
	if err != nil || keep {
		return err
	}
	return s.revokeTx(ctx, tx, p, now)
}

// overpaidTx refunds the part of an accepted capture that exceeds the amount due on its day: a customer who pays late gets fewer days
// and is invoiced for those. The excess is owed from the capture on, and has no credit note, because it was never invoiced.
func (s *Service) overpaidTx(ctx context.Context, tx *sqlx.Tx, p *Payment, due money.Paise, now time.Time) error {
	more := p.Captured - due
	if more <= 0 {
		return nil
	}
	p.Reason = fmt.Sprintf("%s was due on the day this payment arrived. The other %s is being refunded.", due.Display(), more.Display())
	if err := s.store.save(ctx, tx, *p, 0); err != nil {
		return err
	}
	return s.refundUninvoicedTx(ctx, tx, *p, p.GatewayPaymentID, p.ID, more, now)
}

// doneTx stores and books a refund that has already happened.
func (s *Service) doneTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, now time.Time) error {
	if err := s.store.insertRefund(ctx, tx, r); err != nil {
		return err
	}
	if err := RefundStates().Move(&r.State, RefundDone); err != nil {
		return err
	}
	if err := s.store.saveRefund(ctx, tx, r, now); err != nil {
		return err
	}
	if err := s.tellRefundTx(ctx, tx, r, now); err != nil {
		return err
	}
	return s.refundDoneTx(ctx, tx, p, r, now)
}

// refundUninvoicedTx books a capture that pays for nothing, and requests its refund. It issues no vouchers: section 31(3)(d), CGST Act
// 2017, requires them for an advance towards a supply only. That reading is ours (pkg/decisions, 45).
func (s *Service) refundUninvoicedTx(ctx context.Context, tx *sqlx.Tx, p Payment, gatewayPaymentID, reference string, amount money.Paise, now time.Time) error {
	if err := s.ledger.PostTx(ctx, tx, ledger.ExtraCapture(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: reference, Amount: amount, At: now,
	})); err != nil {
		return err
	}
	_, err := s.requestSurplusRefundTx(ctx, tx, p, gatewayPaymentID, amount, now)
	return err
}

// requestSurplusRefundTx requests the refund of money booked as owed, and returns the refund's id.
func (s *Service) requestSurplusRefundTx(ctx context.Context, tx *sqlx.Tx, p Payment, gatewayPaymentID string, amount money.Paise, now time.Time) (string, error) {
	r := Refund{
		ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: gatewayPaymentID, Amount: amount,
		Reason: RefundSurplus, State: RefundRequested, CreatedAt: now,
	}
	return r.ID, s.refundTx(ctx, tx, r)
}
