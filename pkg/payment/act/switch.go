package act

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ErrPaymentUnderWay refuses to switch a plan while a payment of the customer's is undecided or held.
var ErrPaymentUnderWay = errs.New(errs.KindConflict, "payment_under_way",
	"A payment of this customer is undecided or held. Wait for it, or decide it first.")

// PlanSwitch is the effect of switching a plan, with the refund of each payment.
type PlanSwitch struct {
	subscription.Switch
	Parts []CancelledPart
	// Bank is the refund owed beyond the parts, because the money was returned in another way, or a bank took it.
	Bank money.Paise
	// Already is the amount of the payments that was refunded before, or whose refund is pending.
	Already money.Paise
}

// Back returns the amount to refund through gateways, tax included.
func (w PlanSwitch) Back() money.Paise { return Cancellation{Parts: w.Parts}.Total() }

// ByHand returns the part of Back that was paid by bank transfer.
func (w PlanSwitch) ByHand() money.Paise { return Cancellation{Parts: w.Parts}.ByHand() }

// ByTransfer returns the amount that no gateway can refund, as Cancellation.ByTransfer does. Back excludes it.
func (w PlanSwitch) ByTransfer() money.Paise { return Cancellation{Parts: w.Parts}.ByTransfer() }

const switchUnderWaySQL = `
	SELECT EXISTS (SELECT FROM payments WHERE franchiser_id = $1
		AND (state IN ('created', 'pending') AND (NOT by_mandate OR created_at > $2) OR state = 'held' AND NOT surplus))`

// PlanSwitchTx works out what switching the customer's plan would do, with the days from day on as unused, and changes nothing. It fails as
// subscription.SwitchTx does, with ErrPaymentUnderWay, and with ErrReversalOpen while another request to give money back is unfinished.
func (s *Service) PlanSwitchTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, sel subscription.Selection, how subscription.Settlement,
	day subscription.Day, now time.Time,
) (PlanSwitch, error) {
	var underWay bool
	if err := tx.GetContext(ctx, &underWay, switchUnderWaySQL, franchiserID, now.Add(-payment.DebitDecidedBy)); err != nil {
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
	back, err := s.givenBackTx(ctx, tx, franchiserID, worked.Credits, worked.Amount())
	out.Parts, out.Already, out.Bank = back.Parts, back.Already, back.Left
	return out, err
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
		taken[part.invoiceID] = part.taken
	}
	o, err := s.subscriptions.ApplySwitchTx(ctx, tx, w.Switch, taken, now)
	if err != nil {
		return w, o, err
	}
	return w, o, s.refundPartsTx(ctx, tx, w.Parts, refund.Refund{
		FranchiserID: franchiserID, Reason: payment.RefundStaff, Note: note, State: payment.RefundRequested, CreatedAt: now, KeepPlan: true,
		PrintedReason: "Changed to " + o.Title() + ": the difference for the days that are left",
	})
}
