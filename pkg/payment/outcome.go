package payment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Verify queries the gateway about a payment and settles the outcome. If the gateway does not answer, a scheduled check moves on to the
// next one. A check requested by a webhook fails and is retried soon.
func (s *Service) Verify(ctx context.Context, args VerifyArgs) error {
	var p Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		p, err = s.store.find(ctx, tx, args.PaymentID)
		return err
	})
	if err != nil {
		return err
	}
	switch {
	case p.State.settled() && args.Event == "":
		return nil
	}
	g, err := s.gateway(p.Gateway)
	if err != nil {
		if args.Check == 0 || !p.State.Open() || !p.ByMandate {
			return err
		}
		// No gateway can be queried, but the debit must still expire: its customer cannot end it.
		s.logger.ErrorContext(ctx, "the gateway of a debit is not configured", slog.String("payment", p.ID))
		return s.applyOutcome(ctx, p, Outcome{Status: StatusPending}, args.Check, false)
	}
	if p.State == StateRefunded || p.State == StateHeld { // a bank may still take it back, and it may have been paid twice
		return errors.Join(s.applyOtherCaptures(ctx, g, p), s.applyNotices(ctx, p, args.Event))
	}
	outcome, err := g.Verify(ctx, p.TransactionID, p.GatewayReference)
	if err != nil {
		if args.Check == 0 {
			return fmt.Errorf("verify payment: %w", err)
		}
		s.logger.WarnContext(ctx, "gateway did not answer", slog.String("payment", p.ID), log.Error(err))
		outcome = Outcome{Status: StatusPending}
		if p.State == StateFailed {
			outcome.Status = StatusFailed
		}
	}
	if outcome, err = s.captureLate(ctx, g, p, outcome, err); err != nil && args.Check == 0 {
		return err
	}
	if err := s.applyOutcome(ctx, p, outcome, args.Check, err == nil); err != nil {
		return err
	}
	var further error
	if p.State == StatePaid || outcome.Status == StatusPaid {
		further = s.applyOtherCaptures(ctx, g, p)
	}
	return errors.Join(further, s.applyNotices(ctx, p, args.Event))
}

// applyOtherCaptures queries the gateway about every other payment that events and settlements name for the transaction, if its answer
// about the transaction names only one. Additional captures are refunded.
func (s *Service) applyOtherCaptures(ctx context.Context, g Gateway, p Payment) error {
	captures, ok := g.(Captures)
	if !ok {
		return nil
	}
	var names []string
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = s.store.find(ctx, tx, p.ID); err != nil {
			return err
		}
		settled, err := s.settlements.UnbookedCapturesTx(ctx, tx, p.Gateway, p.TransactionID)
		if err != nil {
			return err
		}
		names, err = s.store.noticedCaptures(ctx, tx, p, settled)
		return err
	})
	if err != nil {
		return err
	}
	o := Outcome{}
	for _, name := range names {
		capture, err := captures.Capture(ctx, p.TransactionID, name)
		if err != nil {
			return fmt.Errorf("ask about capture: %w", err)
		}
		if capture != nil {
			o.Others = append(o.Others, *capture)
		}
	}
	if len(o.Others) == 0 {
		return nil
	}
	now := s.clock.Now()
	return subscription.InLockedTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := s.store.locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		return s.othersTx(ctx, tx, p, o, now)
	})
}

// captureLate captures a payment that was authorised after the gateway stopped waiting for it, if it is still wanted, and returns the
// gateway's new answer. The gateway refunds an unwanted one itself. failure is the error of the preceding Verify and is
// passed through.
func (s *Service) captureLate(ctx context.Context, g Gateway, p Payment, o Outcome, failure error) (Outcome, error) {
	capturer, ok := g.(Capturer)
	if failure != nil || !ok || o.Authorized == nil || o.Authorized.Amount != p.Amount || p.State == StatePaid {
		return o, failure
	}
	var wanted bool
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		wanted, err = s.store.wanted(ctx, tx, p)
		return err
	})
	if err != nil || !wanted {
		return o, err
	}
	if err := capturer.Capture(ctx, *o.Authorized); err != nil {
		s.logger.WarnContext(ctx, "authorised payment was not captured", slog.String("payment", p.ID), log.Error(err))
		return o, nil
	}
	captured, err := g.Verify(ctx, p.TransactionID, p.GatewayReference)
	if err != nil {
		return o, fmt.Errorf("verify capture: %w", err)
	}
	return captured, nil
}

// applyOutcome is the only way for a payment to change state. Everything that follows from a capture commits with it, once,
// however many callbacks, webhooks and polls report it at the same time.
func (s *Service) applyOutcome(ctx context.Context, p Payment, o Outcome, check int, heard bool) error {
	now, news := s.clock.Now(), p
	err := subscription.InLockedTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := s.store.locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if heard {
			if _, _, err := s.store.insertEvent(ctx, tx, pollEvent(p, o, now), maxSigned); err != nil {
				return err
			}
		}
		before := p.State
		switch o.Status {
		case StatusPaid:
			if err := s.capturedTx(ctx, tx, &p, o, now); err != nil {
				return err
			}
			if err := s.othersTx(ctx, tx, p, o, now); err != nil {
				return err
			}
		case StatusFailed:
			err = p.fail(o, now)
		case StatusPending:
			err = p.wait(o)
		case StatusOpened:
			if p.ByMandate { // no customer is at a page
				err = p.wait(o)
			}
		case StatusUnknown: // the customer has not reached the gateway's page
		}
		if err != nil {
			return err
		}
		further, err := p.plan(now)
		if err != nil {
			return err
		}
		// A repeated check has already scheduled the next one: a second chain would only double it.
		more := further && check > p.Checks
		p.Checks = max(p.Checks, check)
		if err := s.store.save(ctx, tx, p, p.captured(before, o)); err != nil {
			return err
		}
		if p.State != before {
			news = p
		}
		if more {
			return s.scheduleTx(ctx, tx, p, check+1, now)
		}
		return nil
	})
	if err == nil && news.State != p.State {
		s.count(news)
	}
	return err
}

// count records a payment's new state in the metrics.
func (s *Service) count(p Payment) {
	switch {
	case p.State == StateHeld:
		s.counts.Decided(p.Gateway, "held")
	case p.State == StatePaid && p.Surplus:
		s.counts.Decided(p.Gateway, "given_back")
	case p.State == StatePaid:
		s.counts.Decided(p.Gateway, "paid")
		s.counts.Activated(string(p.bought))
	case p.State == StateFailed || p.State == StateExpired:
		s.counts.Decided(p.Gateway, string(p.State))
	}
}

func pollEvent(p Payment, o Outcome, now time.Time) event {
	text, _ := json.Marshal(o.Fields) // a map of strings always marshals, with sorted keys
	e := event{
		Payment: p, Source: "poll", Kind: NoticePayment, Signed: true, Status: o.Status, Amount: o.Amount, Key: string(text),
		Fields: o.Fields, At: now,
	}
	if o.Status == StatusPaid { // an attempt that was not captured needs no further check
		e.ExternalID = o.GatewayPaymentID
	}
	return e
}

// fail marks an open payment as failed.
func (p *Payment) fail(o Outcome, now time.Time) error {
	if !p.State.Open() {
		return nil
	}
	if err := States().Move(&p.State, StateFailed); err != nil {
		return err
	}
	p.DecidedAt, p.Reason, p.Slug = now, o.Reason, o.Slug
	switch {
	case o.Cancelled:
		p.Reason = reasonCancelled
	case p.Reason == "":
		p.Reason = reasonFailed
	}
	return nil
}

// wait marks the gateway as processing the payment: money may have left.
func (p *Payment) wait(o Outcome) error {
	if p.State != StateCreated || o.Fields == nil {
		return nil
	}
	p.Slug = o.Slug
	return States().Move(&p.State, StatePending)
}

// plan sets the time of the next check and reports whether there is one; without it, an open payment expires. A debit by mandate is
// checked after it expired too: no customer is there to report a late debit.
func (p *Payment) plan(now time.Time) (further bool, err error) {
	if !p.State.Open() && p.State != StateFailed && p.State != StateExpired {
		p.NextCheckAt = time.Time{}
		return false, nil
	}
	at, ok := nextCheck(p.CreatedAt, now)
	if !ok && p.State.Open() {
		if err := p.expire(now); err != nil {
			return false, err
		}
	}
	if !ok && p.ByMandate && p.State == StateExpired && now.Sub(p.CreatedAt) < lateDebit {
		at, ok = now.Add(lateDebitCheck), true
	}
	p.NextCheckAt = at
	return ok, nil
}

// expire ends an open payment that was not decided in time.
func (p *Payment) expire(now time.Time) error {
	p.DecidedAt, p.Reason = now, reasonExpired
	if p.ByMandate {
		p.Reason = reasonUndecided
	}
	return States().Move(&p.State, StateExpired)
}

// captured returns the newly captured amount, 0 if it is not new.
func (p *Payment) captured(before State, o Outcome) (amount money.Paise) {
	if p.State != before && (p.State == StatePaid || p.State == StateHeld) {
		return o.Amount
	}
	return 0
}

// capturedTx applies a capture: activation, order, invoice, books and jobs. Money for something already paid or no
// longer applicable is refunded; an amount that differs from the one requested is held for staff.
func (s *Service) capturedTx(ctx context.Context, tx *sqlx.Tx, p *Payment, o Outcome, now time.Time) error {
	switch {
	case p.State == StatePaid && o.GatewayPaymentID != p.GatewayPaymentID:
		return s.secondCaptureTx(ctx, tx, *p, o, now)
	case p.State == StatePaid || p.State == StateRefunded || p.State == StateHeld:
		return nil
	case o.Amount != p.Amount || o.Currency != Currency:
		if err := States().Move(&p.State, StateHeld); err != nil {
			return err
		}
		p.DecidedAt, p.Reason, p.GatewayPaymentID, p.Slug = now, reasonMismatch, o.GatewayPaymentID, o.Slug
		p.BankReference = o.BankReference
		s.logger.WarnContext(ctx, "payment held: amount differs", slog.String("payment", p.ID),
			slog.Int64("asked_paise", int64(p.Amount)), slog.Int64("captured_paise", int64(o.Amount)))
		if err := s.holdTx(ctx, tx, *p, o.Amount, now); err != nil {
			return err
		}
		return s.receivedTx(ctx, tx, *p, o, now)
	}
	return s.acceptTx(ctx, tx, p, o, now)
}

// holdTx books held money as owed to the franchiser until staff decide.
func (s *Service) holdTx(ctx context.Context, tx *sqlx.Tx, p Payment, amount money.Paise, now time.Time) error {
	if amount <= 0 {
		return nil
	}
	return s.ledger.PostTx(ctx, tx, ledger.HeldCapture(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: amount, At: now,
	}))
}

// acceptTx accepts the right amount for a payment that was not paid before.
func (s *Service) acceptTx(ctx context.Context, tx *sqlx.Tx, p *Payment, o Outcome, now time.Time) error {
	apply := s.subscriptions.ApplyTx
	if p.ByMandate {
		apply = s.subscriptions.ApplyDebitTx
	}
	order, applied, err := apply(ctx, tx, p.FranchiserID, p.OrderID, now)
	if err != nil {
		return err
	}
	if err := States().Move(&p.State, StatePaid); err != nil {
		return err
	}
	p.DecidedAt, p.Reason, p.GatewayPaymentID, p.Slug, p.Surplus = now, order.Refusal, o.GatewayPaymentID, o.Slug, !applied
	p.BankReference = o.BankReference
	if applied {
		p.bought = order.Kind
	}
	p.Captured = o.Amount
	p.NextCheckAt = time.Time{}
	// Saved before the documents, which refer to it; the invoice number must be taken last.
	if err := s.store.save(ctx, tx, *p, o.Amount); err != nil {
		return err
	}
	if !applied {
		return s.refundUninvoicedTx(ctx, tx, *p, p.GatewayPaymentID, p.ID, o.Amount, now)
	}
	if err := s.ledger.PostTx(ctx, tx, ledger.Capture(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: order.Payable(), At: now,
	})); err != nil {
		return err
	}
	if err := s.overpaidTx(ctx, tx, p, order.Payable(), now); err != nil {
		return err
	}
	if err := s.receiptTx(ctx, tx, *p, now); err != nil {
		return err
	}
	return s.invoiceTx(ctx, tx, *p, order, now, now)
}

// invoiceTx issues the documents of a capture, of the given day, for money that came when the receipt says: an upgrade's credit notes first,
// because its invoice, for the full amount, names them.
func (s *Service) invoiceTx(ctx context.Context, tx *sqlx.Tx, p Payment, order subscription.Order, at, paid time.Time) error {
	for _, c := range order.Credits {
		note, err := s.invoices.IssueCreditNoteTx(ctx, tx, invoice.CreditNoteInput{
			FranchiserID: p.FranchiserID, InvoiceID: c.Invoice.ID, AppliedPaymentID: p.ID, Parts: c.Parts,
			Reason: "Unused part of " + c.Title + ", set off against the upgrade to " + order.Title(), IssuedAt: at,
		})
		if err != nil {
			return errs.Internal(fmt.Errorf("issue credit note of upgrade: %w", err))
		}
		if err := s.ledger.PostTx(ctx, tx, ledger.CreditNote(note)); err != nil {
			return err
		}
		if err := s.ledger.PostTx(ctx, tx, ledger.CreditApplied(ledger.Movement{
			FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: note.ID, Amount: note.Totals.Total, At: at,
		})); err != nil {
			return err
		}
	}
	issued, err := s.invoices.IssueTx(ctx, tx, invoice.IssueInput{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Recipient: order.Recipient, Lines: order.InvoiceLines(), Paid: order.Payable(),
		Credited: order.Credited(),
		Receipt: invoice.Receipt{
			TransactionID: p.TransactionID, GatewayID: p.GatewayPaymentID, Method: strings.ReplaceAll(p.Slug, "_", " "), PaidAt: paid,
			Withheld: p.withheld, PONumber: p.poNumber,
		},
		IssuedAt: at,
	})
	if err != nil {
		return errs.Internal(fmt.Errorf("issue invoice: %w", err))
	}
	return s.ledger.PostTx(ctx, tx, ledger.Sale(issued))
}

// secondCaptureTx refunds a capture that the gateway made in addition to the accepted one.
func (s *Service) secondCaptureTx(ctx context.Context, tx *sqlx.Tx, p Payment, o Outcome, now time.Time) error {
	known, err := s.store.surplusKnown(ctx, tx, p, o.GatewayPaymentID)
	if err != nil || known || o.GatewayPaymentID == "" {
		return err
	}
	return s.refundUninvoicedTx(ctx, tx, p, o.GatewayPaymentID, p.ID+"/"+o.GatewayPaymentID, o.Amount, now)
}

// othersTx refunds every further capture of a transaction that is paid or held.
func (s *Service) othersTx(ctx context.Context, tx *sqlx.Tx, p Payment, o Outcome, now time.Time) error {
	if !p.State.settled() {
		return nil
	}
	for _, other := range o.Others {
		if other.GatewayPaymentID == p.GatewayPaymentID {
			continue
		}
		o.GatewayPaymentID, o.Amount = other.GatewayPaymentID, other.Amount
		if err := s.secondCaptureTx(ctx, tx, p, o, now); err != nil {
			return err
		}
	}
	return nil
}

const sweepBatch = 500

// Sweep enqueues a check for each payment whose job was lost, and deletes old idempotency keys.
func (s *Service) Sweep(ctx context.Context) error {
	now, after := s.clock.Now(), "00000000-0000-0000-0000-000000000000"
	for {
		var rows []overdueRow
		err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
			var err error
			if rows, err = s.store.overdue(ctx, tx, now.Add(-overdueAfter), after, sweepBatch); err != nil {
				return err
			}
			for _, r := range rows {
				_, err := s.jobs.InsertTx(ctx, tx, VerifyArgs{PaymentID: r.ID, Check: r.Checks + 1}, queue.Options{
					Queue: queue.QueuePayments, Unique: true,
					Subject: queue.Subject{FranchiserID: r.FranchiserID, PaymentID: r.ID},
				})
				if err != nil {
					return err
				}
			}
			return s.store.pruneKeys(ctx, tx, now.Add(-keyLife))
		})
		if err != nil {
			return err
		}
		if len(rows) < sweepBatch {
			return nil
		}
		after = rows[len(rows)-1].ID
	}
}
