package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Verify queries the gateway about a payment and settles the outcome. If the gateway does not answer, a scheduled check moves on to the
// next one. A check requested by a webhook fails and is retried soon.
func (s *Service) Verify(ctx context.Context, args payment.VerifyArgs) error {
	p, err := s.find(ctx, args.PaymentID)
	if err != nil || p.State.Received() && args.Event == "" {
		return err
	}
	g, err := s.gateways.Find(p.Gateway)
	if err != nil {
		if args.Check == 0 || !p.State.Open() || !p.ByMandate {
			return err
		}
		// No gateway can be queried, but the debit must still expire: its customer cannot end it.
		s.logger.ErrorContext(ctx, "the gateway of a debit is not configured", slog.String("payment", p.ID))
		return s.applyOutcome(ctx, p, payment.Outcome{Status: payment.StatusPending}, args.Check, false)
	}
	if p.State == payment.StateRefunded || p.State == payment.StateHeld { // a bank may still take it back, and it may have been paid twice
		return errors.Join(s.applyOtherCaptures(ctx, g, p), s.applyNotices(ctx, p, args.Event))
	}
	outcome, err := g.Verify(ctx, p.TransactionID, p.GatewayReference)
	if err != nil {
		if args.Check == 0 {
			return fmt.Errorf("verify payment: %w", err)
		}
		s.logger.WarnContext(ctx, "gateway did not answer", slog.String("payment", p.ID), log.Error(err))
		outcome = payment.Outcome{Status: payment.StatusPending}
		if p.State == payment.StateFailed {
			outcome.Status = payment.StatusFailed
		}
	}
	if outcome, err = s.captureLate(ctx, g, p, outcome, err); err != nil && args.Check == 0 {
		return err
	}
	if err := s.applyOutcome(ctx, p, outcome, args.Check, err == nil); err != nil {
		return err
	}
	var further error
	if p.State == payment.StatePaid || outcome.Status == payment.StatusPaid {
		further = s.applyOtherCaptures(ctx, g, p)
	}
	return errors.Join(further, s.applyNotices(ctx, p, args.Event))
}

// find returns a payment, or errs.NotFound.
func (s *Service) find(ctx context.Context, paymentID string) (p payment.Payment, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		p, err = store.Find(ctx, tx, paymentID)
		return err
	})
	return p, err
}

// applyOtherCaptures queries the gateway about every other payment that events and settlements name for the transaction, if its answer
// about the transaction names only one. Additional captures are refunded.
func (s *Service) applyOtherCaptures(ctx context.Context, g payment.Gateway, p payment.Payment) error {
	captures, ok := g.(payment.Captures)
	if !ok {
		return nil
	}
	var names []string
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = store.Find(ctx, tx, p.ID); err != nil {
			return err
		}
		settled, err := s.settlements.UnbookedCapturesTx(ctx, tx, p.Gateway, p.TransactionID)
		if err != nil {
			return err
		}
		names, err = noticedCapturesTx(ctx, tx, p, settled)
		return err
	})
	if err != nil {
		return err
	}
	o := payment.Outcome{}
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
		p, err := store.Locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		return s.othersTx(ctx, tx, p, o, now)
	})
}

// captureLate captures a payment that was authorised after the gateway stopped waiting for it, if it is still wanted, and returns the
// gateway's new answer. The gateway refunds an unwanted one itself. failure is the error of the preceding Verify and is
// passed through.
func (s *Service) captureLate(ctx context.Context, g payment.Gateway, p payment.Payment, o payment.Outcome, failure error) (payment.Outcome, error) {
	capturer, ok := g.(payment.Capturer)
	if failure != nil || !ok || o.Authorized == nil || o.Authorized.Amount != p.Amount || p.State == payment.StatePaid {
		return o, failure
	}
	var wanted bool
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		wanted, err = wantedTx(ctx, tx, p)
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
func (s *Service) applyOutcome(ctx context.Context, p payment.Payment, o payment.Outcome, check int, heard bool) error {
	now, news := s.clock.Now(), p
	err := subscription.InLockedTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := store.Locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if heard {
			if _, _, err := store.InsertEvent(ctx, tx, pollEvent(p, o, now), store.MaxSigned); err != nil {
				return err
			}
		}
		before := p.State
		switch o.Status {
		case payment.StatusPaid:
			if err := s.capturedTx(ctx, tx, &p, o, now); err != nil {
				return err
			}
			if err := s.othersTx(ctx, tx, p, o, now); err != nil {
				return err
			}
		case payment.StatusFailed:
			err = p.Fail(o, now)
		case payment.StatusPending:
			err = p.Wait(o)
		case payment.StatusOpened:
			if p.ByMandate { // no customer is at a page
				err = p.Wait(o)
			}
		case payment.StatusUnknown: // the customer has not reached the gateway's page
		}
		if err != nil {
			return err
		}
		further, err := p.PlanCheck(now)
		if err != nil {
			return err
		}
		// A repeated check has already scheduled the next one: a second chain would only double it.
		more := further && check > p.Checks
		p.Checks = max(p.Checks, check)
		if err := store.Save(ctx, tx, p, p.NewlyCaptured(before, o)); err != nil {
			return err
		}
		if p.State != before {
			news = p
		}
		if more {
			return store.Schedule(ctx, tx, s.jobs, p, check+1, now)
		}
		return nil
	})
	if err == nil && news.State != p.State {
		news.Count(s.counts)
	}
	return err
}

func pollEvent(p payment.Payment, o payment.Outcome, now time.Time) store.Event {
	text, _ := json.Marshal(o.Fields) // a map of strings always marshals, with sorted keys
	e := store.Event{
		Payment: p, Source: "poll", Kind: payment.NoticePayment, Signed: true, Status: o.Status, Amount: o.Amount, Key: string(text),
		Fields: o.Fields, At: now,
	}
	if o.Status == payment.StatusPaid { // an attempt that was not captured needs no further check
		e.ExternalID = o.GatewayPaymentID
	}
	return e
}

// capturedTx applies a capture: activation, order, invoice, books and jobs. Money for something already paid or no
// longer applicable is refunded; an amount that differs from the one requested is held for staff.
func (s *Service) capturedTx(ctx context.Context, tx *sqlx.Tx, p *payment.Payment, o payment.Outcome, now time.Time) error {
	switch {
	case p.State == payment.StatePaid && o.GatewayPaymentID != p.GatewayPaymentID:
		return s.secondCaptureTx(ctx, tx, *p, o, now)
	case p.State == payment.StatePaid || p.State == payment.StateRefunded || p.State == payment.StateHeld:
		return nil
	case o.Amount != p.Amount || o.Currency != payment.Currency:
		if err := payment.States().Move(&p.State, payment.StateHeld); err != nil {
			return err
		}
		p.DecidedAt, p.Reason, p.GatewayPaymentID, p.Slug = now, i18n.Mark(reasonMismatch), o.GatewayPaymentID, o.Slug
		p.BankReference = o.BankReference
		s.logger.WarnContext(ctx, "payment held: amount differs", slog.String("payment", p.ID),
			slog.Int64("asked_paise", int64(p.Amount)), slog.Int64("captured_paise", int64(o.Amount)))
		if err := s.holdTx(ctx, tx, *p, o.Amount, now); err != nil {
			return err
		}
		return s.documents.VoucherTx(ctx, tx, *p, o, now)
	}
	return s.acceptTx(ctx, tx, p, o, now)
}

// holdTx books held money as owed to the franchiser until staff decide.
func (s *Service) holdTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, amount money.Paise, now time.Time) error {
	if amount <= 0 {
		return nil
	}
	return s.ledger.PostTx(ctx, tx, ledger.HeldCapture(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: amount, At: now,
	}))
}

// acceptTx accepts the right amount for a payment that was not paid before.
func (s *Service) acceptTx(ctx context.Context, tx *sqlx.Tx, p *payment.Payment, o payment.Outcome, now time.Time) error {
	apply := s.subscriptions.ApplyTx
	if p.ByMandate {
		apply = s.subscriptions.ApplyDebitTx
	}
	order, applied, err := apply(ctx, tx, p.FranchiserID, p.OrderID, now)
	if err != nil {
		return err
	}
	if err := payment.States().Move(&p.State, payment.StatePaid); err != nil {
		return err
	}
	p.DecidedAt, p.Reason, p.GatewayPaymentID, p.Slug, p.Surplus = now, order.Refusal, o.GatewayPaymentID, o.Slug, !applied
	p.BankReference = o.BankReference
	if applied {
		p.Bought = order.Kind
	}
	p.Captured = o.Amount
	p.NextCheckAt = time.Time{}
	// Saved before the documents, which refer to it; the invoice number must be taken last.
	if err := store.Save(ctx, tx, *p, o.Amount); err != nil {
		return err
	}
	if !applied {
		return s.refunds.RefundUninvoicedTx(ctx, tx, *p, p.GatewayPaymentID, p.ID, o.Amount, now)
	}
	if err := s.ledger.PostTx(ctx, tx, ledger.Capture(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: p.ID, Amount: order.Payable(), At: now,
	})); err != nil {
		return err
	}
	if err := s.overpaidTx(ctx, tx, p, order.Payable(), now); err != nil {
		return err
	}
	if err := s.documents.TellTx(ctx, tx, *p, now); err != nil {
		return err
	}
	return s.documents.IssueTx(ctx, tx, *p, order, now, now)
}

// secondCaptureTx refunds a capture that the gateway made in addition to the accepted one.
func (s *Service) secondCaptureTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, o payment.Outcome, now time.Time) error {
	known, err := refund.SurplusKnownTx(ctx, tx, p, o.GatewayPaymentID)
	if err != nil || known || o.GatewayPaymentID == "" {
		return err
	}
	return s.refunds.RefundUninvoicedTx(ctx, tx, p, o.GatewayPaymentID, p.ID+"/"+o.GatewayPaymentID, o.Amount, now)
}

// othersTx refunds every further capture of a transaction that is paid or held.
func (s *Service) othersTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, o payment.Outcome, now time.Time) error {
	if !p.State.Received() {
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
			if rows, err = overdueTx(ctx, tx, now.Add(-payment.OverdueAfter), after, sweepBatch); err != nil {
				return err
			}
			for _, r := range rows {
				_, err := s.jobs.InsertTx(ctx, tx, payment.VerifyArgs{PaymentID: r.ID, Check: r.Checks + 1}, queue.Options{
					Queue: queue.QueuePayments, Unique: true,
					Subject: queue.Subject{FranchiserID: r.FranchiserID, PaymentID: r.ID},
				})
				if err != nil {
					return err
				}
			}
			return pruneKeysTx(ctx, tx, now.Add(-store.KeyLife))
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

const reasonMismatch = "The amount received differs from the amount due. Our staff will look at it."

// overpaidTx refunds the part of an accepted capture that exceeds the amount due on its day: a customer who pays late gets fewer days
// and is invoiced for those. The excess is owed from the capture on, and has no credit note, because it was never invoiced.
func (s *Service) overpaidTx(ctx context.Context, tx *sqlx.Tx, p *payment.Payment, due money.Paise, now time.Time) error {
	more := p.Captured - due
	if more <= 0 {
		return nil
	}
	p.Reason = i18n.Fill(payment.ReasonOverpaid, []string{due.Display(), more.Display()})
	if err := store.Save(ctx, tx, *p, 0); err != nil {
		return err
	}
	return s.refunds.RefundUninvoicedTx(ctx, tx, *p, p.GatewayPaymentID, p.ID, more, now)
}

// Settlements returns the captures of a transaction that settlements name but the books do not have; settlement.Lines implements it.
type Settlements interface {
	UnbookedCapturesTx(ctx context.Context, tx *sqlx.Tx, gateway, transactionID string) ([]payment.SettledCapture, error)
}

const pruneKeysSQL = `DELETE FROM idempotency_keys WHERE created_at < $1`

func pruneKeysTx(ctx context.Context, tx *sqlx.Tx, before time.Time) error {
	if _, err := tx.ExecContext(ctx, pruneKeysSQL, before); err != nil {
		return fmt.Errorf("prune idempotency keys: %w", err)
	}
	return nil
}

const wantedSQL = `
	SELECT EXISTS (SELECT FROM order_overview WHERE id = $1 AND state = 'open') AND NOT EXISTS (
		SELECT FROM payments WHERE order_id = $1 AND id <> $2 AND state IN ('paid', 'refunded', 'held'))`

// wantedTx reports whether the payment's order still awaits payment.
func wantedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) (wanted bool, err error) {
	if err = tx.GetContext(ctx, &wanted, wantedSQL, p.OrderID, p.ID); err != nil {
		return false, fmt.Errorf("ask whether an order is wanted: %w", err)
	}
	return wanted, nil
}

// A check this late has lost its job.
const overdueSQL = `
	SELECT id, franchiser_id, checks FROM payments
	WHERE payment_check_is_late(next_check_at, $1) AND id > $2 ORDER BY id LIMIT $3`

type overdueRow struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	Checks       int    `db:"checks"`
}

func overdueTx(ctx context.Context, tx *sqlx.Tx, before time.Time, after string, limit int) ([]overdueRow, error) {
	var rows []overdueRow
	if err := tx.SelectContext(ctx, &rows, overdueSQL, before, after, limit); err != nil {
		return nil, fmt.Errorf("find overdue payments: %w", err)
	}
	return rows, nil
}

// Settlements first: they are the gateway's own word, while a payer can put any name into a form that was signed for them.
const heardCapturesSQL = `
	WITH heard AS (
		SELECT s."GatewayPaymentID" AS name, 1 AS rank, s."At" AS at
		FROM jsonb_to_recordset($2::jsonb) AS s ("GatewayPaymentID" text, "At" timestamptz)
		UNION ALL
		SELECT external_id, 2, received_at FROM payment_events WHERE payment_id = $1 AND kind = 'payment' AND signed
	)
	SELECT name FROM heard
	WHERE name NOT IN ('', $3) AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = $1 AND r.gateway_payment_id = name)
	GROUP BY name ORDER BY min(rank), max(at) DESC LIMIT $4`

// maxHeardCaptures limits how many other payments of a transaction one check queries at the gateway.
const maxHeardCaptures = 10

// noticedCapturesTx returns the gateway's ids of the transaction's other payments, from notices and settlements, that
// are not being refunded.
func noticedCapturesTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, settled []payment.SettledCapture) ([]string, error) {
	if settled == nil {
		settled = []payment.SettledCapture{}
	}
	text, err := json.Marshal(settled)
	if err != nil {
		return nil, fmt.Errorf("write captures of settlements: %w", err)
	}
	var names []string
	if err := tx.SelectContext(ctx, &names, heardCapturesSQL, p.ID, string(text), p.GatewayPaymentID, maxHeardCaptures); err != nil {
		return nil, fmt.Errorf("find captures that were heard of: %w", err)
	}
	return names, nil
}
