package refund

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// creditDue is the amount that a refund's credit note takes off the invoice.
type creditDue struct {
	// Amount is the credited amount, tax included; Parts names the lines, unless all are credited in proportion.
	Amount money.Paise
	Parts  []invoice.CreditedPart
	// Loss is the refunded amount beyond Amount.
	Loss money.Paise
}

// creditDueTx returns what to credit for a refund: as much as the invoice has left. If a bank took the money, only the unused
// part is credited: the service before it was supplied, so its tax stays due (section 34 CGST Act has no relief for bad debts) and
// its price is lost. A surplus has no invoice.
func (s *Service) creditDueTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, now time.Time) (creditDue, error) {
	if r.Reason == payment.RefundSurplus || p.Surplus {
		return creditDue{}, nil
	}
	p, err := creditedTx(ctx, tx, p, r)
	if err != nil {
		return creditDue{}, err
	}
	rest, err := RestTx(ctx, tx, p)
	if err != nil {
		return creditDue{}, err
	}
	// The refund itself is done, so it does not count as under way.
	due := creditDue{Amount: min(r.Amount, max(0, rest.Invoiced-rest.Noted-rest.Under))}
	if r.Reason == payment.RefundDispute {
		parts, err := s.subscriptions.UnusedOfTx(ctx, tx, p.FranchiserID, p.OrderID, r.ID, now)
		if err != nil {
			return creditDue{}, err
		}
		due.Parts, due.Amount = LimitParts(parts, due.Amount)
	}
	if len(r.CreditParts) > 0 {
		if due.Parts, err = fittingParts(ctx, tx, p, r.CreditParts); err != nil {
			return creditDue{}, err
		}
		if len(due.Parts) > 0 {
			due.Parts, due.Amount = LimitParts(due.Parts, due.Amount)
		}
	}
	due.Loss = r.Amount - due.Amount
	return due, nil
}

// creditedTx returns the payment whose invoice the refund's credit note takes from: p, or the upgrade that p's credit note paid.
func creditedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund) (payment.Payment, error) {
	if r.CreditsPaymentID == "" {
		return p, nil
	}
	return store.Find(ctx, tx, r.CreditsPaymentID)
}

// fittingParts returns the parts if each line of the payment's invoice still has that amount, otherwise nil.
func fittingParts(ctx context.Context, tx *sqlx.Tx, p payment.Payment, parts []invoice.CreditedPart) ([]invoice.CreditedPart, error) {
	rests, err := invoice.RemaindersTx(ctx, tx, p.FranchiserID, []string{p.ID}, nil)
	if err != nil {
		return nil, err
	}
	left := rests[p.ID].Left
	for _, part := range parts {
		if part.Position < 1 || part.Position > len(left) || !part.Within(left[part.Position-1]) {
			return nil, nil
		}
	}
	return parts, nil
}

// LimitParts cuts the parts, starting from the last, to fit amount, and returns them with their total.
func LimitParts(parts []invoice.CreditedPart, amount money.Paise) (fitting []invoice.CreditedPart, worth money.Paise) {
	for _, part := range parts {
		part = part.Scaled(amount - worth)
		if part.Total() < 1 {
			break
		}
		fitting, worth = append(fitting, part), worth+part.Total()
	}
	return fitting, worth
}

// creditTx issues the credit note of a refund and books its loss. If the gateway refunds money that was already credited, the customer
// has received it twice; the purchase then ends.
func (s *Service) creditTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, r Refund, due creditDue, now time.Time) error {
	if due.Amount > 0 {
		note, err := s.invoices.IssueCreditNoteTx(ctx, tx, invoice.CreditNoteInput{
			FranchiserID: p.FranchiserID, InvoiceID: r.credited(), RefundID: r.ID, Amount: due.Amount, Parts: due.Parts,
			Reason: r.printedReason(), Receipt: r.receipt(p, now), IssuedAt: now,
		})
		if err != nil {
			return errs.Internal(errors.Join(errors.New("issue credit note"), err))
		}
		if err := s.ledger.PostTx(ctx, tx, ledger.CreditNote(note)); err != nil {
			return err
		}
	}
	if due.Loss < 1 {
		return nil
	}
	if err := s.ledger.PostTx(ctx, tx, ledger.RefundLoss(ledger.Movement{
		FranchiserID: p.FranchiserID, PaymentID: p.ID, Reference: r.ID, Amount: due.Loss, At: now,
	})); err != nil || r.Reason == payment.RefundDispute {
		return err
	}
	credited, err := creditedTx(ctx, tx, p, r)
	if err != nil {
		return err
	}
	return s.RevokeTx(ctx, tx, credited, now)
}

// printedReason returns the customer-facing reason on the credit note; internal notes of staff are not printed.
func (r Refund) printedReason() string {
	switch {
	case r.Reason == payment.RefundDispute:
		return "Payment taken back by your bank: the unused part of the subscription"
	case r.PrintedReason != "":
		return r.PrintedReason
	default:
		return ReasonRefund
	}
}

// ReasonRefund is printed on a credit note if staff chose no other reason.
const ReasonRefund = "Refund"

// RevokeTx ends the purchase of the payment. A surplus has no purchase.
func (s *Service) RevokeTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, now time.Time) error {
	if p.Surplus || p.State == payment.StateHeld {
		return nil
	}
	return s.subscriptions.RevokeTx(ctx, tx, p.FranchiserID, p.OrderID, now)
}
