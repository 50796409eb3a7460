package payment

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrPaymentUnderWay refuses to switch a plan while a payment of the customer's is undecided or held.
var ErrPaymentUnderWay = errs.New(errs.KindConflict, "payment_under_way",
	"A payment of this customer is undecided or held. Wait for it, or decide it first.")

// PlanSwitch is what switching a plan would do, with what goes back of each payment.
type PlanSwitch struct {
	subscription.Switch
	Parts []CancelledPart
	// Bank is what is owed back, but at no gateway: a bank transfer may return it.
	Bank money.Paise
	// Already is what went back of the payments before, or is on its way.
	Already money.Paise
}

// Back returns what goes back through gateways, tax included.
func (w PlanSwitch) Back() money.Paise { return Cancellation{Parts: w.Parts}.Total() }

// ByHand returns what of Back was paid by bank transfer.
func (w PlanSwitch) ByHand() money.Paise { return Cancellation{Parts: w.Parts}.ByHand() }

const switchUnderWaySQL = `
	SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1
		AND (state IN ('created', 'pending') AND (NOT by_mandate OR created_at > $2) OR state = 'held' AND NOT surplus))`

// PlanSwitchTx works out what switching the customer's plan would do, with the days from day on as unused, and changes nothing. It fails as
// subscription.SwitchTx does, with ErrPaymentUnderWay, and with ErrReversalOpen while another request to give money back is unfinished.
func (s *Service) PlanSwitchTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, sel subscription.Selection, how subscription.Settlement,
	day subscription.Day, now time.Time,
) (PlanSwitch, error) {
	var underWay bool
	if err := tx.GetContext(ctx, &underWay, switchUnderWaySQL, franchiserID, now.Add(-DebitDecidedBy)); err != nil {
		return PlanSwitch{}, fmt.Errorf("look for a payment under way: %w", err)
	}
	if underWay {
		return PlanSwitch{}, ErrPaymentUnderWay
	}
	worked, err := s.subscriptions.SwitchTx(ctx, tx, franchiserID, sel, how, day, now)
	out := PlanSwitch{Switch: worked}
	if err != nil || how != subscription.SettleRefund {
		return out, err
	}
	owed := worked.Amount()
	for _, credit := range worked.Credits {
		part, already, err := s.givenBackTx(ctx, tx, franchiserID, credit, owed)
		if err != nil {
			return out, err
		}
		out.Already += already
		if amount := part.Amount(); amount > 0 {
			owed -= amount
			out.Parts = append(out.Parts, part)
		}
	}
	out.Bank = owed
	return out, nil
}

// givenBackTx returns what goes back of the payment that an invoice was issued for: the unused part, as far as it is owed and the gateway
// still has it. already is what went back of the payment before.
func (s *Service) givenBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, credit subscription.Credit, owed money.Paise) (part CancelledPart, already money.Paise, err error) {
	var paymentID string
	if err := tx.GetContext(ctx, &paymentID, paymentOfInvoiceSQL, franchiserID, credit.Invoice.ID); err != nil {
		return part, 0, fmt.Errorf("find payment of invoice: %w", err)
	}
	p, err := s.store.find(ctx, tx, paymentID)
	if err != nil {
		return part, 0, err
	}
	if open, err := s.store.reversalOpen(ctx, tx, p.ID); err != nil || open {
		if err == nil {
			err = ErrReversalOpen
		}
		return part, 0, err
	}
	rest, err := s.store.refundable(ctx, tx, p)
	if err != nil {
		return part, 0, err
	}
	parts, worth := limitParts(credit.Parts, min(owed, rest.Gateway))
	part = CancelledPart{
		PaymentID: p.ID, TransactionID: p.TransactionID, InvoiceNumber: credit.Invoice.Number, invoiceID: credit.Invoice.ID, payment: p,
	}
	if rest.Bank > rest.Gateway {
		part.ByTransfer = max(0, min(owed, credit.Total(), rest.Bank)-worth)
	}
	if worth < 1 {
		return part, rest.Already, nil
	}
	descriptions, err := descriptionsTx(ctx, tx, p)
	if err != nil {
		return part, 0, err
	}
	for _, one := range parts {
		part.Lines = append(part.Lines, CancelledLine{Description: descriptions[one.Position], CreditedPart: one})
	}
	return part, rest.Already, nil
}

// SwitchPlanTx switches the customer's plan, once: at once, with the refunds and credit notes that amount says, or as a change to be paid or
// for the renewal. It returns a conflict where amount is another one by now, and fails as PlanSwitchTx does. It runs with the worker's role.
func (s *Service) SwitchPlanTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, sel subscription.Selection, how subscription.Settlement,
	day subscription.Day, amount money.Paise, note string, now time.Time,
) (PlanSwitch, subscription.Order, error) {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return PlanSwitch{}, subscription.Order{}, err
	}
	if !how.AtOnce() {
		day = subscription.DayOf(now) // priced as on the day on which it is done
	}
	w, err := s.PlanSwitchTx(ctx, tx, franchiserID, sel, how, day, now)
	if err != nil {
		return w, subscription.Order{}, err
	}
	if by := w.Amount(); by != amount {
		return w, subscription.Order{}, errs.New(errs.KindConflict, "amount_changed", "By now it would be "+by.Display()+", not "+amount.Display()+". Ask again.")
	}
	taken := map[string][]invoice.CreditedPart{}
	for _, part := range w.Parts {
		taken[part.invoiceID] = part.parts()
	}
	o, err := s.subscriptions.ApplySwitchTx(ctx, tx, w.Switch, taken, now)
	if err != nil {
		return w, o, err
	}
	for _, part := range w.Parts {
		err := s.refundTx(ctx, tx, Refund{
			ID: id.New(), FranchiserID: franchiserID, PaymentID: part.PaymentID, GatewayPaymentID: part.payment.GatewayPaymentID,
			Amount: part.Amount(), Reason: RefundStaff, Note: note, PrintedReason: "Changed to " + o.Title() + ": the difference for the days that are left",
			State: RefundRequested, CreatedAt: now, CreditParts: part.parts(), KeepPlan: true,
		})
		if err != nil {
			return w, o, err
		}
	}
	return w, o, nil
}
