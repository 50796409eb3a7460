package act

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// givenBack is the refund of unused parts of invoices, a part for each invoice.
type givenBack struct {
	Parts []CancelledPart
	// Already is the amount of their payments that was refunded before, or whose refund is pending.
	Already money.Paise
	// Left is the amount owed that cannot be returned.
	Left money.Paise
}

// returning computes how money is returned. used is the amount taken from each payment's capture.
type returning struct {
	s    *Service
	tx   *sqlx.Tx
	now  time.Time
	owed money.Paise
	used map[string]money.Paise
}

// unusedPart is the unused part of an invoice, with the rest that is not assigned to a refund yet.
type unusedPart struct {
	CancelledPart
	credit subscription.Credit
	rest   refund.Rest
	left   []invoice.CreditedPart
}

// givenBackTx returns how to refund the unused parts of invoices, up to the amount owed. It uses the invoice's own payment first, then
// earlier payments whose credit notes paid the invoice, the newest first. A bank transfer returns the rest.
func (s *Service) givenBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, credits []subscription.Credit, owed money.Paise) (givenBack, error) {
	r := returning{s: s, tx: tx, now: s.clock.Now(), owed: owed, used: map[string]money.Paise{}}
	var back givenBack
	parts := make([]*unusedPart, 0, len(credits))
	for _, credit := range credits {
		part, err := r.ownTx(ctx, franchiserID, credit)
		if err != nil {
			return back, err
		}
		back.Already += part.rest.Already
		parts = append(parts, part)
	}
	for _, part := range parts {
		if err := r.earlierTx(ctx, part); err != nil {
			return back, err
		}
	}
	for _, part := range parts {
		r.transfer(part)
		if part.Amount() < 1 && part.ByTransfer < 1 {
			continue
		}
		if err := part.describeTx(ctx, tx); err != nil {
			return back, err
		}
		back.Parts = append(back.Parts, part.CancelledPart)
	}
	back.Left = r.owed
	return back, nil
}

// take assigns up to amount of the part to a refund or a transfer, and returns it by line.
func (r *returning) take(p *unusedPart, amount money.Paise) (taken []invoice.CreditedPart, worth money.Paise) {
	var left []invoice.CreditedPart
	for _, one := range p.left {
		cut := one.Scaled(max(0, amount-worth))
		if cut.Total() > 0 {
			taken, worth = append(taken, cut), worth+cut.Total()
		}
		if one = one.Less(cut); one.Total() > 0 {
			left = append(left, one)
		}
	}
	p.left, r.owed = left, r.owed-worth
	return taken, worth
}

// refund assigns up to amount of the part to a refund through the payment.
func (r *returning) refund(p *unusedPart, through payment.Payment, amount money.Paise) {
	parts, worth := r.take(p, amount)
	if worth < 1 {
		return
	}
	r.used[through.ID] += worth
	p.Refunds = append(p.Refunds, PartRefund{
		TransactionID: through.TransactionID, Amount: worth, Earlier: through.ID != p.PaymentID, payment: through, parts: parts,
	})
}

// ownTx returns the unused part of an invoice with its refund through its own payment, as far as the gateway still has the money.
func (r *returning) ownTx(ctx context.Context, franchiserID string, credit subscription.Credit) (*unusedPart, error) {
	p, err := store.OfInvoice(ctx, r.tx, franchiserID, credit.Invoice.ID)
	if err != nil {
		return nil, err
	}
	if err := r.refuseOpenTx(ctx, p); err != nil {
		return nil, err
	}
	rest, err := refund.RestTx(ctx, r.tx, p)
	if err != nil {
		return nil, err
	}
	if _, err := r.s.gateways.Find(p.Gateway); err != nil && p.Gateway != payment.GatewayBank {
		rest.Gateway = 0 // a gateway that is not configured any more refunds nothing
	}
	part := &unusedPart{credit: credit, rest: rest, left: credit.Parts}
	part.PaymentID, part.TransactionID, part.InvoiceNumber = p.ID, p.TransactionID, credit.Invoice.Number
	part.invoiceID, part.payment = credit.Invoice.ID, p
	r.refund(part, p, min(r.owed, rest.Gateway))
	return part, nil
}

func (r *returning) refuseOpenTx(ctx context.Context, p payment.Payment) error {
	open, err := reversal.OpenTx(ctx, r.tx, p.ID)
	if err == nil && open {
		err = reversal.ErrReversalOpen
	}
	return err
}

// setOff returns the owed, unassigned amount of the part that credit notes paid.
func (r *returning) setOff(p *unusedPart) money.Paise {
	if p.rest.Bank <= p.rest.Gateway {
		return 0
	}
	return max(0, min(r.owed, p.rest.Bank-p.Amount()))
}

// earlierTx assigns what credit notes paid of the part to refunds through the payments of their invoices.
func (r *returning) earlierTx(ctx context.Context, p *unusedPart) error {
	return r.throughTx(ctx, p, p.payment, r.setOff(p))
}

// transfer assigns what credit notes paid of the part, and no payment can take, to a bank transfer.
func (r *returning) transfer(p *unusedPart) {
	p.transferred, p.ByTransfer = r.take(p, r.setOff(p))
}

// throughTx assigns up to amount of the part to refunds through the payments whose credit notes paid the upgrade, the newest first. If
// such a payment can return less than its credit note, earlier payments return the rest.
func (r *returning) throughTx(ctx context.Context, p *unusedPart, upgrade payment.Payment, amount money.Paise) error {
	if amount < 1 {
		return nil
	}
	parts, err := refund.SetOffTx(ctx, r.tx, upgrade)
	if err != nil {
		return err
	}
	for _, n := range parts {
		earlier, err := store.Find(ctx, r.tx, n.PaymentID)
		if err != nil {
			return err
		}
		share, before := min(amount, n.Amount), r.owed
		if share > 0 {
			if err := r.refuseDisputedTx(ctx, earlier); err != nil {
				return err
			}
		}
		left, err := r.leftTx(ctx, earlier)
		if err != nil {
			return err
		}
		if least := r.s.gateways.LeastRefund(earlier.Gateway); min(share, left) >= max(1, least) {
			if err := r.refuseOpenTx(ctx, earlier); err != nil {
				return err
			}
			r.refund(p, earlier, min(share, left))
		}
		if err := r.throughTx(ctx, p, earlier, share-(before-r.owed)); err != nil {
			return err
		}
		amount -= before - r.owed
	}
	return nil
}

// ErrEarlierDisputed is returned while it is undecided whether the bank takes back an earlier payment that an upgrade was paid with.
var ErrEarlierDisputed = errs.New(errs.KindConflict, "earlier_payment_disputed",
	"An earlier payment for this plan is disputed at the bank. Wait for the decision, then try again.")

const disputedSQL = `SELECT EXISTS (SELECT FROM disputes WHERE payment_id = $1 AND state = 'open' AND confirmed)`

func (r *returning) refuseDisputedTx(ctx context.Context, p payment.Payment) error {
	var open bool
	if err := r.tx.GetContext(ctx, &open, disputedSQL, p.ID); err != nil {
		return fmt.Errorf("find an open dispute: %w", err)
	}
	if open {
		return ErrEarlierDisputed
	}
	return nil
}

const leftOfSetOffSQL = `
	SELECT least(
		$3 - (SELECT coalesce(sum(amount_paise), 0) FROM refunds WHERE payment_id = $1 AND gateway_payment_id = $2 AND state <> 'failed'),
		(SELECT coalesce(sum(total_paise), 0) FROM document_overview WHERE payment_id = $1 AND applied_payment_id IS NOT NULL)
			- (SELECT coalesce(sum(amount_paise), 0) FROM refunds
				WHERE payment_id = $1 AND credits_payment_id IS NOT NULL AND state <> 'failed'))::bigint`

// leftTx returns how much of a set-off the gateway of an earlier payment can still refund. It is zero for a bank transfer, and once
// the gateway no longer refunds the payment.
func (r *returning) leftTx(ctx context.Context, p payment.Payment) (money.Paise, error) {
	g, err := r.s.gateways.Find(p.Gateway)
	if err != nil || p.Gateway == payment.GatewayBank || p.State != payment.StatePaid || p.Surplus {
		return 0, nil //nolint:nilerr // a gateway that is not configured any more refunds nothing
	}
	if w, ok := g.(payment.RefundWindow); ok && w.RefundableFor() > 0 && r.now.Sub(p.DecidedAt) >= w.RefundableFor() {
		return 0, nil
	}
	var left money.Paise
	if err := r.tx.GetContext(ctx, &left, leftOfSetOffSQL, p.ID, p.GatewayPaymentID, p.Captured); err != nil {
		return 0, fmt.Errorf("read what is left of what was set off: %w", err)
	}
	return max(0, left-r.used[p.ID]), nil
}

// describeTx sets the lines of the part with the descriptions of its invoice.
func (p *unusedPart) describeTx(ctx context.Context, tx *sqlx.Tx) error {
	descriptions, err := descriptionsTx(ctx, tx, p.payment)
	if err != nil {
		return err
	}
	p.taken = without(p.credit.Parts, p.left)
	for _, one := range without(p.taken, p.transferred) {
		p.Lines = append(p.Lines, CancelledLine{Description: descriptions[one.Position], CreditedPart: one})
	}
	return nil
}

// without returns the parts less others of the same lines.
func without(parts, others []invoice.CreditedPart) []invoice.CreditedPart {
	var list []invoice.CreditedPart
	for _, part := range parts {
		for _, other := range others {
			if other.Position == part.Position {
				part = part.Less(other)
			}
		}
		if part.Total() > 0 {
			list = append(list, part)
		}
	}
	return list
}

// refundPartsTx requests the refunds of the parts, each with a credit note of exactly its lines, and stores what staff transfer. r has what
// is common to all, with the state RefundRequested.
func (s *Service) refundPartsTx(ctx context.Context, tx *sqlx.Tx, parts []CancelledPart, r refund.Refund) error {
	for _, part := range parts {
		for _, one := range part.Refunds {
			r.ID, r.PaymentID, r.GatewayPaymentID = id.New(), one.payment.ID, one.payment.GatewayPaymentID
			r.Amount, r.CreditParts, r.CreditsPaymentID = one.Amount, one.parts, ""
			if one.Earlier {
				r.CreditsPaymentID = part.PaymentID
			}
			if err := s.refunds.RequestTx(ctx, tx, r); err != nil {
				return err
			}
		}
		if part.ByTransfer > 0 {
			r.ID, r.PaymentID, r.GatewayPaymentID = id.New(), part.PaymentID, part.payment.GatewayPaymentID
			r.Amount, r.CreditParts, r.CreditsPaymentID = part.ByTransfer, part.transferred, ""
			if err := s.refunds.OweTransferTx(ctx, tx, r, r.CreatedAt); err != nil {
				return err
			}
		}
	}
	return nil
}
