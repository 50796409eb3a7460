package support

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// ErrProformaOpen refuses to switch a plan while the customer may still pay a proforma by bank transfer.
var ErrProformaOpen = errs.New(errs.KindConflict, "proforma_open", "A proforma of this customer can still be paid. Wait until it is paid or expires.")

func (s ActSwitch) validate() error {
	var v errs.Validation
	v.Check(id.Valid(s.TierID), "plan_services_id", "Choose a plan that is on sale.")
	v.Check(s.Type.Valid(), "plan_type", "Choose monthly or annual payment.")
	v.Check(s.Settlement.Valid(), "settlement", "Choose how it is settled.")
	for _, one := range s.selection().AddOnIDs {
		v.Check(id.Valid(one), "add_ons_service_id", "Choose add-ons that belong to the chosen plan.")
	}
	return v.Err()
}

func (a *Acts) draftSwitchTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, c ActContent, now time.Time) (draft, error) {
	if err := c.Switch.validate(); err != nil {
		return draft{}, err
	}
	if err := refuseProformaTx(ctx, tx, franchiserID); err != nil {
		return draft{}, err
	}
	today := subscription.DayOf(now)
	w, err := a.payments.PlanSwitchTx(ctx, tx, franchiserID, c.Switch.selection(), c.Switch.Settlement, today, now)
	if err != nil {
		return draft{}, err
	}
	return draft{
		Content: ActContent{Switch: c.Switch, Day: today}, Subject: "plan:" + franchiserID, Customer: true, Amount: w.Amount(), Already: w.Already,
		Facts: switchFacts(w),
	}, nil
}

func refuseProformaTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	open, err := transfer.ProformaOpenTx(ctx, tx, franchiserID)
	if err == nil && open {
		err = ErrProformaOpen
	}
	return err
}

// switchTx does an approved switch.
func (a *Acts) switchTx(ctx context.Context, tx *sqlx.Tx, act Act, now time.Time) (step, error) {
	if err := refuseProformaTx(ctx, tx, act.FranchiserID); err != nil {
		return step{}, err
	}
	c := act.Content.Switch
	w, o, err := a.payments.SwitchPlanTx(ctx, tx, act.FranchiserID, c.selection(), c.Settlement, act.Content.Day, act.Amount, act.Reason, now)
	if err != nil {
		return step{}, err
	}
	switch c.Settlement {
	case subscription.SettleRefund:
		return step{Outcome: "The plan is " + o.Title() + " now. " + onItsWay(w.Back(), w.ByHand()) + waits(w.ByTransfer())}, nil
	case subscription.SettleGoodwill:
		return step{Outcome: "The plan is " + o.Title() + " now, until " + (w.Before.RenewOn - 1).Human() + " without a payment."}, nil
	case subscription.SettlePay:
		return step{Outcome: "The customer was sent a link to pay " + o.Payable().Display() + ". Nothing changes before."}, nil
	default:
		return step{Outcome: "The plan changes to " + o.Title() + " on " + o.EffectiveOn.Human() + "."}, nil
	}
}

// switchFacts compares today's plan with the other one, and shows the money between them.
func switchFacts(w act.PlanSwitch) actFacts {
	before, after := w.Before, w.After
	from, until := after.EffectiveOn.Human(), (before.RenewOn - 1).Human()
	next := after
	switch w.Settlement {
	case subscription.SettlePay:
		from, until = "the day of payment", (after.RenewOn-1).Human()+", if it is paid today"
	case subscription.SettleRenewal:
		from, until, next = after.EffectiveOn.Human(), (after.Then.RenewOn - 1).Human(), *after.Then
	case subscription.SettleRefund, subscription.SettleGoodwill:
	}
	facts := actFacts{
		{"Plan today", w.Tier.Title() + ", " + cycle(before.Type)},
		{"Plan after", after.Tier.Title() + ", " + cycle(after.Type)},
		{"Add-ons today", names(ownedNames(w.AddOns))},
		{"Add-ons after", names(addOnNames(after.AddOns))},
		{"Paid until today", (before.RenewOn - 1).Human()},
		{"Paid until after", until},
		{"Begins", from},
	}
	for _, c := range w.Credits {
		for _, p := range c.Parts {
			days, of := p.Detail, w.Description(c.Invoice.ID, p.Position)
			if days == "" {
				days = "all of it"
			}
			if of != "" {
				of += ", "
			}
			facts = append(facts, ActFact{of + "invoice " + c.Invoice.Number, days + ": " + amount(p.Taxable, p.Tax.Total())})
		}
	}
	if w.Settlement != subscription.SettleRenewal {
		facts = append(facts, ActFact{"Unused in all", w.Credited().Display()})
	}
	priced := "The other plan for these days"
	if !w.Settlement.AtOnce() {
		priced = "The other plan for a term"
	}
	facts = append(facts, ActFact{priced, amount(next.Totals.Taxable, next.Totals.Tax.Total())})
	return append(facts, settledFacts(w)...)
}

func settledFacts(w act.PlanSwitch) actFacts {
	switch w.Settlement {
	case subscription.SettleRefund:
		var facts actFacts
		for _, part := range w.Parts {
			facts = append(facts, givenBack(part)...)
		}
		facts = append(facts, ActFact{"Goes back in all", w.Back().Display()})
		facts = append(facts, byHand(w.ByHand())...)
		facts = append(facts, besides(w.ByTransfer())...)
		if w.Bank > 0 {
			facts = append(facts, ActFact{
				"Not given back",
				w.Bank.Display() + ": it came back to the customer already, in another way.",
			})
		}
		return facts
	case subscription.SettleGoodwill:
		return actFacts{
			{"Forgiven", w.Amount().Display()},
			{"At the renewal", "The present plan comes back by itself, unless the customer chooses otherwise."},
		}
	case subscription.SettlePay:
		return actFacts{{"To be paid by the customer", w.After.Payable().Display() + " today. Nothing is charged by itself."}}
	default:
		return actFacts{{"Money", "None moves. The renewal costs what the other plan does."}}
	}
}

func amount(taxable, tax money.Paise) string {
	return (taxable + tax).Display() + " (" + taxable.Display() + " and GST " + tax.Display() + ")"
}

func cycle(t plan.Type) string {
	if t == plan.TypeYearly {
		return "by the year"
	}
	return "by the month"
}

func names(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func ownedNames(owned []subscription.AddOn) []string {
	list := make([]string, 0, len(owned))
	for _, a := range owned {
		list = append(list, a.Name)
	}
	return counts(list)
}

func addOnNames(addOns []plan.AddOn) []string {
	list := make([]string, 0, len(addOns))
	for _, a := range addOns {
		list = append(list, a.Name)
	}
	return counts(list)
}

// counts joins equal names: twice the same is "2 × name".
func counts(list []string) []string {
	var out []string
	n := map[string]int{}
	for _, name := range list {
		if n[name]++; n[name] == 1 {
			out = append(out, name)
		}
	}
	for i, name := range out {
		if n[name] > 1 {
			out[i] = fmt.Sprintf("%d × %s", n[name], name)
		}
	}
	return out
}
