package subscription

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// MaxAddOns is how many add-ons one order may contain.
const MaxAddOns = 20

// LineKind is the kind of an order's line.
type LineKind string

// The kinds of line.
const (
	LinePlan  LineKind = "plan"
	LineAddOn LineKind = "add_on"
	LineFee   LineKind = "fee"
)

// Line is one item of a charge. Its taxable value is Amount − Discount.
type Line struct {
	Kind     LineKind
	AddOnID  string
	Label    string
	SAC      string
	RateBps  int64
	Quantity int
	Amount   money.Paise
	Discount money.Paise // the discount of annual payment
	Tax      invoice.Tax
	// From and To are the paid days, To exclusive. Both are the day of delivery for a one-time line.
	From, To Day
	// Once reports that the line is charged once: no unused part of it is credited, and it does not recur.
	Once bool
}

// Value is the line's value before tax.
func (l Line) Value() money.Paise { return l.Amount - l.Discount }

// InvoiceLine is the line as the invoice prints it.
func (l Line) InvoiceLine() invoice.LineInput {
	in := invoice.LineInput{
		Description: l.Label, SAC: l.SAC, RateBps: l.RateBps, Quantity: int64(l.Quantity),
		Amount: l.Amount, Discount: l.Discount,
	}
	if l.SAC == invoice.SACSoftware && l.Kind != LineFee {
		in.Description = "Software subscription: " + l.Label
	}
	switch {
	case l.Once:
		in.Detail = i18n.Mark("One-time charge")
	case l.Kind != LineFee && l.To > l.From:
		in.Detail = l.From.Human() + " to " + (l.To - 1).Human()
	}
	return in
}

// LineTexts are the templates of document lines, as in the translation catalogues. Names of plans and add-ons are values, equal in every
// language.
func LineTexts() []string {
	return []string{
		i18n.Mark("Software subscription: {1}"), i18n.Mark("Advance received: subscription, {1}"), i18n.Mark("{1}, {2} of {3} days"),
		i18n.Mark("{1}, yearly"), i18n.Mark("{1}, monthly"), i18n.Mark("{1} to {2}"),
	}
}

// Pricing has the inputs of every quote: the catalogue, the day, the tax and the gateway's surcharge.
type Pricing struct {
	Catalogue *plan.Catalogue
	// Rates are the tax rates in force, those of the newest catalogue; nil means Catalogue's.
	Rates invoice.Rates
	Today Day
	// Paid is the day of the invoice and of the payment, if it is not Today.
	Paid   Day
	Regime invoice.Regime
	// PlaceKnown is false while the place of supply is unknown; then the preview shows one line of GST.
	PlaceKnown bool
	// PGChargeBps is the surcharge on the charge before tax.
	PGChargeBps int64
}

// Quote is a charge, line by line. The same quote is previewed, charged and invoiced.
type Quote struct {
	Kind   Kind
	Tier   plan.Tier
	Type   plan.Type
	AddOns []plan.AddOn
	Lines  []Line
	Totals invoice.Totals
	// Credits are the unused parts of earlier invoices that an upgrade credits, each with its own tax.
	Credits []Credit
	// Ending are the owned add-ons that an upgrade ends.
	Ending []EndingAddOn
	// Then is the first term after a change scheduled for the renewal, nil for every other quote.
	Then *Quote
	// UnusedCovers reports that a larger plan starts at the renewal because the unused part of the payments covers its price.
	UnusedCovers bool
	// EffectiveOn is the first day of the purchase, RenewOn the day of the next renewal after it.
	EffectiveOn, RenewOn Day
	// CatalogueRevision is the revision of the prices, BaseRevision that of the subscription being changed, or 0.
	CatalogueRevision int
	BaseRevision      int
	placeKnown        bool
	// paidOnce has the order's one-time add-ons that were paid since: they cost nothing more.
	paidOnce map[string]bool
	// same reports that the scheduled change returns to the running plan.
	same bool
	// units are the units that an order for add-ons will create, without their ids.
	units []AddOn
}

// Payable is the amount to pay, tax included: the total of the invoice less the credits.
func (q Quote) Payable() money.Paise { return q.Totals.Total - creditTotal(q.Credits) }

// PGCharge is the gateway's surcharge in the quote, before tax.
func (q Quote) PGCharge() money.Paise {
	var sum money.Paise
	for _, l := range q.Lines {
		if l.Kind == LineFee {
			sum += l.Amount
		}
	}
	return sum
}

// AddOnIDs are the ids of the add-ons in the quote, one for each unit.
func (q Quote) AddOnIDs() []string {
	ids := make([]string, 0, len(q.AddOns))
	for _, a := range q.AddOns {
		ids = append(ids, a.ID)
	}
	return ids
}

// Fingerprint is equal for quotes with the same content and price. It excludes dates, so that yesterday's unpaid order is reused today.
func (q Quote) Fingerprint(recipient []byte) [32]byte {
	type part struct {
		Kind     LineKind
		AddOn    string
		Quantity int
		Amount   money.Paise
		Off      money.Paise
		Tax      invoice.Tax
	}
	parts := make([]part, 0, len(q.Lines))
	for _, l := range q.Lines {
		parts = append(parts, part{l.Kind, l.AddOnID, l.Quantity, l.Amount, l.Discount, l.Tax})
	}
	all := []any{q.Kind, q.Tier.ID, q.Type, q.AddOnIDs(), q.BaseRevision, q.CatalogueRevision, parts, string(recipient)}
	for _, c := range q.Credits {
		all = append(all, c.Invoice.ID, c.Parts)
	}
	text, _ := json.Marshal(all) // strings and numbers always marshal
	return sha256.Sum256(text)
}

// FranchiseLimit is how many franchises the quote's tier and extensions allow; false if the quote does not change that.
func (q Quote) FranchiseLimit() (limit int, ok bool) {
	if q.Kind == KindAddOn {
		return 0, false
	}
	limit = q.Tier.FranchiseLimit
	for _, a := range q.AddOns {
		if a.Key == plan.KeyFranchiseExtension {
			limit += a.Limit
		}
	}
	return limit, true
}

// Selection is a person's choice on the plan's page.
type Selection struct {
	Type      plan.Type
	ServiceID string
	AddOnIDs  []string
	// owned counts, by kind, the running plan's add-ons that may be kept: an add-on owned twice may be chosen twice.
	owned map[string]int
	// ownedOnce has the kinds of paid one-time add-ons.
	ownedOnce map[string]bool
	// running has all add-ons of the running plan, including cancelled ones.
	running []AddOn
}

// keeping returns the selection of a customer who owns these add-ons.
func (s Selection) keeping(owned []AddOn) Selection {
	s.owned, s.ownedOnce, s.running = ownedByKey(owned), ownedOnce(owned), owned
	return s
}

// resolve looks up the selection in the catalogue. Items not sold are field errors. It omits owned one-time add-ons: they stay, and are
// not charged again.
func (s Selection) resolve(c *plan.Catalogue) (plan.Tier, []plan.AddOn, error) {
	var v errs.Validation
	v.Check(s.Type.Valid(), "plan_type", "Choose monthly or annual payment.")
	tier, ok := c.Tier(s.ServiceID)
	v.Check(ok, "plan_services_id", "Choose a plan that is on sale.")
	var addOns []plan.AddOn
	if ok {
		addOns = resolveAddOns(&v, tier, s.AddOnIDs, s.owned)
	}
	return tier, s.toCharge(addOns), v.Err()
}

// toCharge returns the add-ons without owned one-time ones.
func (s Selection) toCharge(addOns []plan.AddOn) []plan.AddOn {
	return slices.DeleteFunc(addOns, func(a plan.AddOn) bool { return s.ownedOnce[a.Key] })
}

// resolveAddOns looks up the chosen add-ons and groups units of one kind. Each may be chosen once, or as often as it is owned.
func resolveAddOns(v *errs.Validation, tier plan.Tier, ids []string, owned map[string]int) []plan.AddOn {
	if !v.Check(len(ids) <= MaxAddOns, "add_ons_service_id", "Choose up to 20 add-ons.") {
		return nil
	}
	units := map[string]int{}
	addOns := make([]plan.AddOn, 0, len(ids))
	for _, id := range ids {
		a, ok := tier.AddOn(id)
		if !v.Check(ok, "add_ons_service_id", "Choose add-ons that belong to the chosen plan.") ||
			!v.Check(units[id] < max(1, owned[a.Key]), "add_ons_service_id", "Choose each add-on once.") {
			return nil
		}
		units[id]++
		if units[id] == 1 {
			addOns = append(addOns, a)
			continue
		}
		same := slices.IndexFunc(addOns, func(b plan.AddOn) bool { return b.ID == id })
		addOns = slices.Insert(addOns, same, a)
	}
	return addOns
}

// QuotePlan prices a chosen plan, given the subscription (or nil) and its unused part. While a plan runs, a larger one is an immediate
// upgrade, invoiced in full and with the unused part credited; any other is a change at the renewal. It returns ErrPlanIsCurrent for the
// running plan, and field errors for a plan that is not sold.
func QuotePlan(p Pricing, sel Selection, sub *Subscription, paid []PaidLine) (Quote, error) {
	tier, addOns, err := sel.resolve(p.Catalogue)
	if err != nil {
		return Quote{}, err
	}
	q := Quote{Kind: KindNew, Tier: tier, Type: sel.Type, AddOns: addOns, EffectiveOn: p.Today}
	anchor := p.Today.DayOfMonth()
	switch {
	case sub == nil || sub.State.Ended() || sub.State == StateTrialing:
	case sub.State == StateGrace:
		// The grace was already used, so the new term continues from the old end, as a renewal does.
		q.EffectiveOn, anchor = sub.RenewOn, sub.AnchorDay
	default:
		return p.quoteChange(q, sel, *sub, paid)
	}
	if sub != nil {
		q.BaseRevision = sub.Revision
	}
	return p.whole(q, anchor)
}

// quoteChange prices a change of the running plan.
func (p Pricing) quoteChange(q Quote, sel Selection, sub Subscription, paid []PaidLine) (Quote, error) {
	q.BaseRevision = sub.Revision
	if sub.ServiceID == sel.ServiceID && sub.Type == sel.Type && sub.Next == nil {
		return Quote{}, ErrPlanIsCurrent
	}
	if p.larger(q, sub) {
		q.Kind = KindUpgrade
		upgrade := q
		upgrade.Credits = CreditsOn(paid, p.Today)
		upgrade.Ending = endingBy(sel.running, q.AddOns, paid, p.Today)
		upgrade, err := p.whole(upgrade, p.Today.DayOfMonth())
		if err != nil || upgrade.Payable() > 0 {
			return upgrade, err
		}
		q.UnusedCovers = true // the other plan begins when the unused part is used up
	}
	then, err := p.whole(Quote{
		Kind: KindRenewal, Tier: q.Tier, Type: q.Type, AddOns: q.AddOns, EffectiveOn: sub.PaidUntil,
	}, sub.AnchorDay)
	if err != nil {
		return Quote{}, err
	}
	q.Kind, q.Then = KindDowngrade, &then
	q.same = sub.ServiceID == sel.ServiceID && sub.Type == sel.Type
	q.EffectiveOn = sub.PaidUntil
	q.RenewOn = sub.PaidUntil
	q.CatalogueRevision = p.Catalogue.Revision
	q.placeKnown = p.PlaceKnown
	return q, nil
}

// larger reports whether the quoted plan is more than the running one: a more expensive tier, or the same paid by the year.
func (p Pricing) larger(q Quote, sub Subscription) bool {
	current, sold := p.Catalogue.Tier(sub.ServiceID)
	if !sold || q.Tier.Yearly > current.Yearly {
		return true
	}
	return q.Tier.ID == sub.ServiceID && q.Type == plan.TypeYearly && sub.Type == plan.TypeMonthly
}

// whole prices a full term from q.EffectiveOn.
func (p Pricing) whole(q Quote, anchor int) (Quote, error) {
	q.RenewOn = q.EffectiveOn.AddMonths(q.Type.Months(), anchor)
	list, discount := q.Tier.Price(q.Type)
	q.Lines = append(q.Lines, Line{
		Kind: LinePlan, Label: fmt.Sprintf("%s, %s", q.Tier.Title(), q.Type), SAC: q.Tier.SAC,
		Quantity: 1, Amount: list, Discount: discount, From: q.EffectiveOn, To: q.RenewOn,
	})
	for _, a := range q.AddOns {
		if last := len(q.Lines) - 1; q.Lines[last].AddOnID == a.ID {
			q.Lines[last].Quantity++
			q.Lines[last].Amount += a.Price(q.Type)
			continue
		}
		q.Lines = append(q.Lines, Line{
			Kind: LineAddOn, AddOnID: a.ID, Label: a.Name, SAC: a.SAC, Quantity: 1,
			Amount: a.Price(q.Type), From: q.EffectiveOn, To: q.RenewOn,
		})
		if a.OneTime() {
			q.Lines[len(q.Lines)-1].chargeOnce()
		}
		if q.paidOnce[a.Key] {
			q.Lines[len(q.Lines)-1].Amount = 0
		}
	}
	return p.finish(q)
}

// chargeOnce makes the line a one-time charge without days.
func (l *Line) chargeOnce() { l.Once, l.To = true, l.From }

// rate is the tax rate for a supply that begins on a day: the invoice is issued when the payment arrives.
func (p Pricing) rate(from Day) int64 {
	rates := p.Rates
	if rates == nil {
		rates = p.Catalogue.GSTRates
	}
	paid := p.Today
	if p.Paid != 0 {
		paid = p.Paid
	}
	on := invoice.Date(paid.String())
	return rates.For(invoice.Supply{Supplied: invoice.Date(from.String()), Invoiced: on, Paid: on})
}

// finish adds the gateway's surcharge, tax and totals.
func (p Pricing) finish(q Quote) (Quote, error) {
	var net money.Paise
	rate := p.rate(q.EffectiveOn)
	for i := range q.Lines {
		q.Lines[i].RateBps = rate
		net += q.Lines[i].Value()
	}
	for _, c := range q.Credits {
		net -= c.Taxable() // the surcharge applies to the amount charged by the gateway
	}
	if fee := net.MulBps(p.PGChargeBps); fee > 0 {
		q.Lines = append(q.Lines, Line{
			Kind: LineFee, Label: i18n.Mark("Payment gateway charge"), SAC: q.Tier.SAC, RateBps: rate,
			Quantity: 1, Amount: fee, From: q.EffectiveOn, To: q.EffectiveOn,
		})
	}
	inputs := make([]invoice.LineInput, 0, len(q.Lines))
	for _, l := range q.Lines {
		inputs = append(inputs, l.InvoiceLine())
	}
	lines, totals, err := invoice.Compute(p.Regime, inputs)
	if err != nil {
		return Quote{}, errs.Internal(fmt.Errorf("compute charge: %w", err))
	}
	for i := range lines {
		q.Lines[i].Tax = lines[i].Tax
	}
	q.Totals = totals
	q.CatalogueRevision = p.Catalogue.Revision
	q.placeKnown = p.PlaceKnown
	return q, nil
}

// QuoteRenewal prices the next cycle: the running plan with its renewing add-ons, or the scheduled change. During grace it continues from
// the old end; after expiry it starts today. CanRenew decides whether a renewal is open; a free trial cannot be renewed. It returns
// ErrPlanRetired if the plan is no longer sold.
func QuoteRenewal(p Pricing, sub Subscription, owned []AddOn) (Quote, error) {
	sel := Selection{Type: sub.Type, ServiceID: sub.ServiceID}
	for _, a := range owned {
		if a.Renews {
			sel.AddOnIDs = append(sel.AddOnIDs, a.AddOnID)
		}
	}
	if sub.Next != nil {
		sel = Selection{Type: sub.Next.Type, ServiceID: sub.Next.ServiceID, AddOnIDs: sub.Next.AddOnIDs}
	}
	sel = sel.keeping(owned)
	tier, sold := p.Catalogue.Tier(sel.ServiceID)
	if !sold {
		return Quote{}, ErrPlanRetired
	}
	q := Quote{
		Kind: KindRenewal, Tier: tier, Type: sel.Type, BaseRevision: sub.Revision,
		EffectiveOn: sub.PaidUntil, AddOns: sel.toCharge(unitsOf(tier, sel.AddOnIDs)),
	}
	anchor := sub.AnchorDay
	if sub.State.Ended() {
		q.EffectiveOn, anchor = p.Today, p.Today.DayOfMonth()
	}
	return p.whole(q, anchor)
}

// unitsOf lists the add-ons that are still sold, in the catalogue's order, one entry per unit.
func unitsOf(tier plan.Tier, ids []string) []plan.AddOn {
	var units []plan.AddOn
	for _, a := range tier.AddOns {
		for _, id := range ids {
			if id == a.ID {
				units = append(units, a)
			}
		}
	}
	return units
}

// PurchaseIntent is a requested purchase: exactly one of a plan, add-ons for a subscription, or its renewal.
type PurchaseIntent struct {
	Plan           *Selection
	SubscriptionID string
	AddOnIDs       []string
	Renew          bool
	// Term, unless 0, restricts the purchase to the renewal of the term before this day.
	Term Day
}
