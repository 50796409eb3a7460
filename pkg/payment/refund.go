package payment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// RefundReason is why money goes back.
type RefundReason string

// The reasons of a refund. Surplus has no invoice and gets no credit note; all others do.
const (
	RefundSurplus RefundReason = "surplus"
	RefundStaff   RefundReason = "staff"
	RefundGateway RefundReason = "gateway"
	RefundDispute RefundReason = "dispute"
)

// RefundState is how far a refund is.
type RefundState string

// The states of a refund.
const (
	RefundRequested RefundState = "requested"
	RefundSent      RefundState = "sent"
	RefundDone      RefundState = "done"
	RefundFailed    RefundState = "failed"
)

// Failures of refunding, safe to show.
var (
	ErrNotRefundable = errs.New(errs.KindConflict, "not_refundable", "Only a payment that was received can be refunded.")
	ErrNotHeld       = errs.New(errs.KindConflict, "not_held", "Only a payment that is held can be released.")
	ErrRefundTooMuch = errs.New(errs.KindInvalid, "refund_too_large", "The refund is larger than what is left of the payment.")
)

// Refund gives back part or all (amount 0) of what a payment brought, for a reason that staff gives. The credit note and
// the books follow when the gateway has done it. It returns ErrNotRefundable or ErrRefundTooMuch. Runs as the worker.
func (s *Service) Refund(ctx context.Context, paymentID string, amount money.Paise, note string) (Refund, error) {
	var r Refund
	err := postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
		p, err := s.store.find(ctx, tx, paymentID)
		if err != nil {
			return err
		}
		if err := subscription.LockTx(ctx, tx, p.FranchiserID); err != nil {
			return err
		}
		if p, err = s.store.locked(ctx, tx, paymentID); err != nil {
			return err
		}
		if p.State != StatePaid || p.Surplus {
			return ErrNotRefundable
		}
		already, err := s.store.refunded(ctx, tx, p)
		if err != nil {
			return err
		}
		if amount == 0 {
			amount = p.Amount - already
		}
		if amount < 1 || amount > p.Amount-already {
			return ErrRefundTooMuch
		}
		r = Refund{
			ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: amount,
			Reason: RefundStaff, Note: note, State: RefundRequested, CreatedAt: s.Clock.Now(),
		}
		return s.refundTx(ctx, tx, r)
	})
	return r, err
}

// ReleaseHeld gives back all that a held payment brought; it never had an effect, so it has no invoice either. It returns
// ErrNotHeld for any other payment, and for one whose money is on its way back already. Runs as the worker.
func (s *Service) ReleaseHeld(ctx context.Context, paymentID, note string) error {
	return postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
		p, err := s.store.find(ctx, tx, paymentID)
		if err != nil {
			return err
		}
		if err := subscription.LockTx(ctx, tx, p.FranchiserID); err != nil {
			return err
		}
		if p, err = s.store.locked(ctx, tx, paymentID); err != nil {
			return err
		}
		known, err := s.store.surplusKnown(ctx, tx, p, p.GatewayPaymentID)
		if err != nil {
			return err
		}
		if p.State != StateHeld || known {
			return ErrNotHeld
		}
		p.Surplus, p.Reason = true, note
		if err := s.store.save(ctx, tx, p, 0); err != nil {
			return err
		}
		return s.giveBackTx(ctx, tx, p, p.GatewayPaymentID, p.ID, p.Captured, s.Clock.Now())
	})
}

// refundTx stores a refund with the job that sees it through.
func (s *Service) refundTx(ctx context.Context, tx *sqlx.Tx, r Refund) error {
	r.Token = strings.ReplaceAll(r.ID, "-", "")[9:] // 23 characters: PayU's token is as short as a transaction id
	if err := s.store.insertRefund(ctx, tx, r); err != nil {
		return err
	}
	return s.enqueueRefundTx(ctx, tx, Payment{ID: r.PaymentID, FranchiserID: r.FranchiserID}, r.ID, 0)
}

func (s *Service) enqueueRefundTx(ctx context.Context, tx *sqlx.Tx, p Payment, refundID string, delay time.Duration) error {
	_, err := s.Jobs.InsertTx(ctx, tx, RefundArgs{RefundID: refundID}, queue.Options{
		Queue: queue.QueuePayments, Delay: delay, Subject: queue.Subject{FranchiserID: p.FranchiserID, PaymentID: p.ID},
	})
	return err
}

// SendRefund sees a refund through: it asks the gateway, once whatever happens, and then how far it is, as often as the
// schedule of payments says and daily after that.
func (s *Service) SendRefund(ctx context.Context, refundID string) error {
	var r Refund
	var p Payment
	err := postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
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
		o, err = g.Refund(ctx, request)
	} else {
		o, err = g.RefundStatus(ctx, request, r.GatewayRefundID)
	}
	if err != nil {
		return fmt.Errorf("refund: %w", err)
	}
	return s.refundMoved(ctx, r.ID, o)
}

func (s *Service) refundMoved(ctx context.Context, refundID string, o RefundOutcome) error {
	now := s.Clock.Now()
	return postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
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
		if o.RefundID != "" {
			r.GatewayRefundID = o.RefundID
		}
		switch {
		case o.Failed:
			r.State, r.Failure = RefundFailed, o.Reason
			return s.store.saveRefund(ctx, tx, r, now)
		case !o.Done:
			r.State = RefundSent
			if err := s.store.saveRefund(ctx, tx, r, now); err != nil {
				return err
			}
			return s.enqueueRefundTx(ctx, tx, p, r.ID, refundDelay(r.CreatedAt, now))
		}
		r.State = RefundDone
		if err := s.store.saveRefund(ctx, tx, r, now); err != nil {
			return err
		}
		return s.refundDoneTx(ctx, tx, p, r, now)
	})
}

func refundDelay(created, now time.Time) time.Duration {
	if at, ok := nextCheck(created, now); ok {
		return at.Sub(now)
	}
	return 24 * time.Hour
}

// refundDoneTx books money that is back: the credit note of what was invoiced, the refund, and the payment's state once
// all of it is gone.
func (s *Service) refundDoneTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, now time.Time) error {
	if all, err := s.store.refunded(ctx, tx, p); err != nil {
		return err
	} else if all >= p.Captured && p.State.Becomes(StateRefunded) && r.GatewayPaymentID == p.GatewayPaymentID {
		p.State = StateRefunded
		if err := s.store.save(ctx, tx, p, 0); err != nil {
			return err
		}
	}
	if r.Reason != RefundSurplus {
		if err := s.creditTx(ctx, tx, p, r, now); err != nil {
			return err
		}
	}
	return s.Ledger.PostTx(ctx, tx, ledger.Refund(ledger.Movement{
		FranchiserID: r.FranchiserID, PaymentID: r.PaymentID, Reference: r.ID, Amount: r.Amount, At: now,
	}))
}

func (s *Service) creditTx(ctx context.Context, tx *sqlx.Tx, p Payment, r Refund, now time.Time) error {
	if p.Surplus {
		return nil
	}
	reason := r.Note
	if reason == "" {
		reason = "Refund"
	}
	note, err := s.Invoices.IssueCreditNoteTx(ctx, tx, invoice.CreditNoteInput{
		FranchiserID: p.FranchiserID, InvoiceID: p.ID, RefundID: r.ID, Amount: r.Amount, Reason: reason,
		Receipt:  invoice.Receipt{TransactionID: p.TransactionID, GatewayID: r.GatewayRefundID, Method: p.Slug, PaidAt: now},
		IssuedAt: now,
	})
	if err != nil {
		return errs.Internal(errors.Join(errors.New("issue credit note"), err))
	}
	return s.Ledger.PostTx(ctx, tx, ledger.CreditNote(note))
}
