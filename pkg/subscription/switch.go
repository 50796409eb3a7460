package subscription

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Settlement is how a plan that staff switch is settled.
type Settlement string

// The settlements. Refund returns the difference in value for the rest of the term. Goodwill gives the other plan for the rest of the
// term without a payment. Both take effect at once and keep the end of the term. SettlePay requests the payment of the customer's own
// change, and SettleRenewal schedules the change for the renewal.
const (
	SettleRefund   Settlement = "refund"
	SettleGoodwill Settlement = "goodwill"
	SettlePay      Settlement = "pay"
	SettleRenewal  Settlement = "renewal"
)

// Valid reports whether the settlement is a known one.
func (s Settlement) Valid() bool {
	return s == SettleRefund || s == SettleGoodwill || s == SettlePay || s == SettleRenewal
}

// AtOnce reports whether the other plan begins without an action by the customer.
func (s Settlement) AtOnce() bool { return s == SettleRefund || s == SettleGoodwill }

// Errors of switching a plan, safe to show to staff.
var (
	// ErrSwitchesNothing is ErrPlanIsCurrent with a text for staff.
	ErrSwitchesNothing = errs.New(errs.KindConflict, "plan_is_current", "The customer has this plan with these add-ons already.")
	// ErrNotSwitchable refuses to switch anything but a running paid plan.
	ErrNotSwitchable = errs.New(errs.KindConflict, "not_switchable", "Only a paid plan that runs can be switched.")
	// ErrSwitchPrepaid refuses to switch a plan whose next term is paid.
	ErrSwitchPrepaid = errs.New(errs.KindConflict, "next_term_paid", "The next term is paid already. Refund that payment first, or wait until it begins.")
	// ErrSwitchPending refuses to switch a plan with a change scheduled for the renewal.
	ErrSwitchPending = errs.New(errs.KindConflict, "change_waits", "A change waits for the renewal. The customer has to cancel it first.")
	// ErrSwitchDebited refuses to switch a plan whose renewal's debit is announced or in progress.
	ErrSwitchDebited = errs.New(errs.KindConflict, "debit_under_way", "The automatic renewal is announced or under way. Wait until it is decided.")
	// ErrSwitchCycle refuses another billing cycle within a term.
	ErrSwitchCycle = errs.New(errs.KindConflict, "other_cycle", "Another billing cycle begins with a payment or with the renewal, not within the term.")
	// ErrNotCheaper refuses a refund for a plan of higher or equal value.
	ErrNotCheaper = errs.New(errs.KindConflict, "not_cheaper",
		"For the rest of the term the other plan is worth as much or more, so nothing is owed back. Have it paid, or give it as goodwill.")
	// ErrNotDearer refuses a payment or goodwill for a plan of lower value.
	ErrNotDearer = errs.New(errs.KindConflict, "not_dearer", "This plan is not worth more than the current one. Switch it with a refund, or at the renewal.")
	// ErrDearer refuses to schedule a dearer plan, which begins at once.
	ErrDearer = errs.New(errs.KindConflict, "dearer", "A more expensive plan cannot wait for the renewal. Have it paid for, or give it as goodwill.")
	// ErrOtherAddOns refuses a payment for add-ons that the customer does not own.
	ErrOtherAddOns = errs.New(errs.KindConflict, "other_add_ons",
		"With a payment, only the customer’s current add-ons can be kept. More can be bought from the dashboard.")
)

// Switch is the effect of switching a customer's plan on a day.
type Switch struct {
	Settlement Settlement
	// Before is the present subscription, Tier its running plan, and AddOns the renewing add-ons.
	Before Subscription
	Tier   plan.Tier
	AddOns []AddOn
	// After is the other plan. At once, its lines and totals are for the rest of the term; for a payment, for the new term; for the
	// renewal, Then is the next term.
	After Quote
	// Credits are the unused parts of the payments, by invoice.
	Credits []Credit

	offer Offer
	whole []Line // of a whole term, for a switch at once
	paid  []PaidLine
	day   Day
}

// Credited returns the value of the unused parts, tax included.
func (w Switch) Credited() money.Paise { return creditTotal(w.Credits) }

// Description returns the invoice line's text of an unused part, empty if unknown.
func (w Switch) Description(invoiceID string, position int) string {
	for _, l := range w.paid {
		if l.Invoice.ID == invoiceID && l.Position == position && l.Rest != nil {
			return l.Rest.Description
		}
	}
	return ""
}

// Amount returns the refunded or forgiven amount, tax included; 0 for the other settlements.
func (w Switch) Amount() money.Paise {
	switch w.Settlement {
	case SettleRefund:
		return w.Credited() - w.After.Totals.Total
	case SettleGoodwill:
		return w.After.Totals.Total - w.Credited()
	default:
		return 0
	}
}

// switchable returns why the plan cannot be switched now.
func (s Subscription) switchable() error {
	switch {
	case s.State != StateActive || s.Trial:
		return ErrNotSwitchable
	case s.Prepaid():
		return ErrSwitchPrepaid
	case s.Next != nil:
		return ErrSwitchPending
	default:
		return nil
	}
}

// refuseSwitchTx is switchable, and also refuses while the renewal's debit is announced or in progress.
func (s *Service) refuseSwitchTx(ctx context.Context, tx *sqlx.Tx, sub Subscription) error {
	if err := sub.switchable(); err != nil {
		return err
	}
	debited, err := s.store.debitAnnounced(ctx, tx, sub)
	if err == nil && debited {
		err = ErrSwitchDebited
	}
	return err
}

// SwitchTx computes the effect of switching the franchiser's plan, with the days from day on as unused. It changes nothing. It returns
// the errors above, field errors for items not sold, and ErrErasureScheduled.
func (s *Service) SwitchTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, sel Selection, how Settlement, day Day, now time.Time) (Switch, error) {
	if err := s.store.stays(ctx, tx, franchiserID); err != nil {
		return Switch{}, err
	}
	b, err := s.buyerTx(ctx, tx, franchiserID, now)
	if err != nil {
		return Switch{}, err
	}
	if b.Subscription == nil {
		return Switch{}, ErrNotSwitchable
	}
	sub := *b.Subscription
	if err := s.refuseSwitchTx(ctx, tx, sub); err != nil {
		return Switch{}, err
	}
	out := Switch{Settlement: how, Before: sub, AddOns: sub.renewing(b.AddOns), day: day}
	if out.Tier, _, err = s.tierOf(ctx, tx, sub); err != nil {
		return Switch{}, err
	}
	out.offer = Offer{Subscription: b.Subscription, Person: b.Person, open: b.Open}
	p := Pricing{Today: day, Paid: DayOf(now), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps}
	if p.Catalogue, err = s.plans.RevisionTx(ctx, tx, b.Catalogue); err != nil {
		return Switch{}, err
	}
	s.taxPlace(b, &p, &out.offer)
	paid, err := s.paidAndKeptTx(ctx, tx, franchiserID, day)
	if err != nil {
		return Switch{}, err
	}
	out.paid, sel = paid, sel.keeping(b.AddOns)
	if how.AtOnce() {
		return p.switchNow(out, sel, paid)
	}
	return p.switchByChange(out, sel, paid)
}

// switchByChange prices the switch as the customer's own change.
func (p Pricing) switchByChange(out Switch, sel Selection, paid []PaidLine) (Switch, error) {
	q, err := QuotePlan(p, sel, &out.Before, paid)
	if err != nil {
		return out, err
	}
	switch {
	case out.Settlement == SettlePay && q.Kind != KindUpgrade:
		return out, ErrNotDearer
	case out.Settlement == SettleRenewal && q.Kind != KindDowngrade:
		return out, ErrDearer
	case out.Settlement == SettlePay && !carried(q, out.AddOns):
		return out, ErrOtherAddOns
	case out.Settlement == SettlePay && !p.PlaceKnown:
		return out, errs.New(errs.KindConflict, "no_address", "The customer has entered no business address yet, so nothing can be invoiced.")
	}
	out.After, out.Credits = q, q.Credits
	out.offer.Quote = q
	return out, nil
}

// carried reports whether the customer owns every add-on of the quote.
func carried(q Quote, owned []AddOn) bool {
	left := carriedOver(q.Tier, owned)
	for _, a := range q.AddOns {
		at := slices.Index(left, a.ID)
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// switchNow prices the rest of the term: the unused part of the payments, by invoice, against the same days of the other plan. It
// excludes the gateway's surcharge because there is no gateway payment.
func (p Pricing) switchNow(out Switch, sel Selection, paid []PaidLine) (Switch, error) {
	sub := out.Before
	tier, addOns, err := sel.resolve(p.Catalogue)
	if err != nil {
		return out, err
	}
	if sel.Type != sub.Type {
		return out, ErrSwitchCycle
	}
	if tier.ID == sub.ServiceID && slices.Equal(sorted(idsOf(addOns)), sorted(ownedIDs(out.AddOns))) {
		return out, ErrSwitchesNothing
	}
	if p.Today < sub.StartsOn || p.Today >= sub.RenewOn {
		return out, ErrNotSwitchable
	}
	p.PGChargeBps = 0
	from := sub.RenewOn.AddMonths(-sub.Type.Months(), sub.AnchorDay)
	whole, err := p.whole(Quote{Kind: KindSwitch, Tier: tier, Type: sub.Type, AddOns: addOns, EffectiveOn: from}, sub.AnchorDay)
	if err != nil {
		return out, err
	}
	left, term := int64(sub.RenewOn-p.Today), int64(sub.RenewOn-from)
	rest := Quote{
		Kind: KindSwitch, Tier: tier, Type: sub.Type, AddOns: addOns, EffectiveOn: p.Today, RenewOn: sub.RenewOn, BaseRevision: sub.Revision,
		Lines: slices.Clone(whole.Lines),
	}
	for i := range rest.Lines {
		l := &rest.Lines[i]
		if l.Once {
			l.From, l.To = p.Today, p.Today
			continue
		}
		l.Amount, l.Discount, l.From, l.To = l.Amount.Prorate(left, term), l.Discount.Prorate(left, term), p.Today, sub.RenewOn
	}
	if out.After, err = p.finish(rest); err != nil {
		return out, err
	}
	out.Credits, out.whole = CreditsOn(paid, p.Today), whole.Lines
	switch {
	case out.Settlement == SettleRefund && out.Amount() < 1:
		return out, ErrNotCheaper
	case out.Settlement == SettleGoodwill && out.Amount() < 0:
		return out, ErrNotDearer
	}
	out.offer.Quote = out.After
	return out, nil
}

func idsOf(addOns []plan.AddOn) []string {
	ids := make([]string, 0, len(addOns))
	for _, a := range addOns {
		ids = append(ids, a.ID)
	}
	return ids
}

// ownedIDs returns the ids of the add-ons that are charged for each term.
func ownedIDs(owned []AddOn) []string {
	ids := make([]string, 0, len(owned))
	for _, a := range owned {
		if !a.Once {
			ids = append(ids, a.AddOnID)
		}
	}
	return ids
}

func sorted(ids []string) []string {
	slices.Sort(ids)
	return ids
}

// ApplySwitchTx applies the result of SwitchTx once. The caller must own LockTx and call both in the same transaction. taken is the
// refunded part of the unused parts, by invoice. The customer is informed by SMS and e-mail.
func (s *Service) ApplySwitchTx(ctx context.Context, tx *sqlx.Tx, w Switch, taken map[string][]invoice.CreditedPart, now time.Time) (Order, error) {
	if w.Settlement.AtOnce() {
		return s.switchNowTx(ctx, tx, w, taken, now)
	}
	w.offer.byStaff = true
	o, err := s.OrderTx(ctx, tx, w.Before.FranchiserID, w.offer, now)
	if err != nil {
		return o, err
	}
	if w.Settlement == SettlePay {
		return o, s.tellTx(ctx, tx, o, now, message.TemplatePlanChangeOffered, message.TemplatePlanChangeOfferedEmail)
	}
	return o, s.tellTx(ctx, tx, o, now, message.TemplatePlanSwitched, message.TemplatePlanSwitchedEmail)
}

func (s *Service) switchNowTx(ctx context.Context, tx *sqlx.Tx, w Switch, taken map[string][]invoice.CreditedPart, now time.Time) (Order, error) {
	franchiserID, before := w.Before.FranchiserID, w.Before
	today := max(DayOf(now), before.StartsOn)
	offer := w.offer
	offer.byStaff = true
	offer.Lines, offer.EffectiveOn, offer.Totals = w.recurring(today), today, invoice.Totals{}
	o := orderOf(offer, franchiserID, OrderScheduled, now)
	if err := s.store.insertOrder(ctx, tx, o, offer); err != nil {
		return o, err
	}
	after := before
	after.Revision++
	after.CatalogueRevision, after.PlanID, after.ServiceID = o.CatalogueRevision, o.PlanID, o.ServiceID
	t := term{From: today, To: before.RenewOn, Status: TermCurrent, Before: TermReplaced}
	owned, err := s.store.addOns(ctx, tx, franchiserID, before.ID)
	if err != nil {
		return o, err
	}
	if err := s.write(ctx, tx, o, after, before.State, settleAddOns(owned, w.After.AddOns, o, t), now); err != nil {
		return o, err
	}
	if err := s.store.insertTerm(ctx, tx, o, after.ID, t); err != nil {
		return o, err
	}
	if err := s.store.saveSwitchedLines(ctx, tx, franchiserID, w.switched(taken)); err != nil {
		return o, err
	}
	if w.Settlement == SettleGoodwill {
		if err := s.returnLaterTx(ctx, tx, w, after, now); err != nil {
			return o, err
		}
	}
	return o, s.tellTx(ctx, tx, o, now, message.TemplatePlanSwitched, message.TemplatePlanSwitchedEmail)
}

// switched returns the rest, from the day on, of the partly refunded lines.
func (w Switch) switched(taken map[string][]invoice.CreditedPart) []switchedLine {
	var lines []switchedLine
	for _, l := range w.paid {
		for _, t := range taken[l.Invoice.ID] {
			if t.Position == l.Position {
				lines = append(lines, switchedLine{
					OrderID: l.orderID, Position: l.Position, From: w.day, Value: max(0, l.unused(w.day).Taxable-t.Taxable), Kept: max(0, l.kept-t.Taxable),
				})
			}
		}
	}
	return lines
}

// recurring returns the lines of a whole term, from which metrics compute recurring revenue. Goodwill is a discount on them.
func (w Switch) recurring(from Day) []Line {
	lines := slices.Clone(w.whole)
	var value, rest, unused money.Paise
	for i := range lines {
		lines[i].From, lines[i].To, lines[i].Tax = from, w.Before.RenewOn, invoice.Tax{}
		if lines[i].Once {
			lines[i].To = from
		}
		value += lines[i].Value()
		rest += w.After.Lines[i].Value()
	}
	for _, c := range w.Credits {
		unused += c.Taxable()
	}
	if w.Settlement != SettleGoodwill || rest < 1 || unused >= rest {
		return lines
	}
	forgiven := value.Prorate(int64(rest-unused), int64(rest))
	for i := range lines {
		off := min(forgiven, lines[i].Value())
		lines[i].Discount += off
		forgiven -= off
	}
	return lines
}

// returnLaterTx schedules the paid plan for the renewal, so that goodwill does not make the renewal dearer. If that plan is no longer
// sold, the new plan renews, and the reminders state its price.
func (s *Service) returnLaterTx(ctx context.Context, tx *sqlx.Tx, w Switch, after Subscription, now time.Time) error {
	franchiserID := after.FranchiserID
	b, err := s.store.buyer(ctx, tx, franchiserID, DayOf(now))
	if err != nil {
		return err
	}
	p := Pricing{Today: DayOf(now), Regime: UnknownPlace, PGChargeBps: s.config.PGChargeBps}
	if p.Catalogue, err = s.plans.RevisionTx(ctx, tx, b.Catalogue); err != nil {
		return err
	}
	offer := Offer{Subscription: &after, Person: b.Person, open: b.Open, byStaff: true}
	s.taxPlace(b, &p, &offer)
	tier, sold := p.Catalogue.Tier(w.Before.ServiceID)
	if !sold {
		return nil
	}
	sel := Selection{Type: w.Before.Type, ServiceID: tier.ID, AddOnIDs: carriedOver(tier, w.AddOns)}.keeping(w.AddOns)
	if offer.Quote, err = p.changeBack(sel, after); err != nil {
		return err
	}
	_, err = s.scheduleTx(ctx, tx, franchiserID, offer, now)
	return err
}

// changeBack prices the selection's plan for the renewal.
func (p Pricing) changeBack(sel Selection, sub Subscription) (Quote, error) {
	tier, addOns, err := sel.resolve(p.Catalogue)
	if err != nil {
		return Quote{}, err
	}
	then, err := p.whole(Quote{Kind: KindRenewal, Tier: tier, Type: sel.Type, AddOns: addOns, EffectiveOn: sub.PaidUntil}, sub.AnchorDay)
	return Quote{
		Kind: KindDowngrade, Tier: tier, Type: sel.Type, AddOns: addOns, BaseRevision: sub.Revision, EffectiveOn: sub.PaidUntil, RenewOn: sub.PaidUntil,
		CatalogueRevision: p.Catalogue.Revision, placeKnown: p.PlaceKnown, Then: &then,
	}, err
}

func (s *Service) tellTx(ctx context.Context, tx *sqlx.Tx, o Order, now time.Time, templates ...string) error {
	for _, template := range templates {
		m := message.CustomerMessage{FranchiserID: o.FranchiserID, Template: template, About: o.ID, CreatedAt: now}
		if err := s.messages.OnceTx(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}

// switchedLetter is the message about a plan that staff switched.
func (l letters) switchedLetter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	o, err := l.service.store.order(ctx, tx, m.FranchiserID, m.About)
	if err != nil {
		return nil, err
	}
	if m.Template == message.TemplatePlanSwitched {
		return &message.Message{Values: []string{message.Fit(o.Title()), o.EffectiveOn.In(m.Language)}}, nil
	}
	sub, err := l.service.store.subscription(ctx, tx, m.FranchiserID)
	if err != nil || sub == nil {
		return nil, err
	}
	return &message.Message{Values: []string{o.Title(), o.EffectiveOn.In(m.Language), (sub.PaidUntil - 1).In(m.Language)}}, nil
}

// offeredLetter requests the payment of a change that staff prepared. It is not sent after the payment or after another order replaced
// it.
func (l letters) offeredLetter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	o, err := l.service.store.order(ctx, tx, m.FranchiserID, m.About)
	if err != nil || o.State != OrderOpen {
		return nil, err
	}
	sub, err := l.service.store.subscription(ctx, tx, m.FranchiserID)
	if err != nil || sub == nil {
		return nil, err
	}
	billing := "monthly"
	if o.Type == plan.TypeYearly {
		billing = "annual"
	}
	if m.Template == message.TemplatePlanChangeOffered {
		return &message.Message{Values: []string{message.Fit(o.Title()), m.Rupees(o.Payable()), o.ServiceID, billing}}, nil
	}
	owned, err := l.service.store.addOns(ctx, tx, m.FranchiserID, sub.ID)
	if err != nil {
		return nil, err
	}
	c, err := l.service.plans.RevisionTx(ctx, tx, o.CatalogueRevision)
	if err != nil {
		return nil, err
	}
	tier, _ := c.Tier(o.ServiceID)
	var link strings.Builder
	fmt.Fprintf(&link, "%s/dashboard/change-plan?plan=%s&billing=%s", l.site+m.Language.Base(), o.ServiceID, billing)
	for i, a := range droppedBy(sub.renewing(owned), unitsOf(tier, o.AddOnIDs)) {
		if i == 0 {
			link.WriteString("&without=" + a.ID)
			continue
		}
		link.WriteString("," + a.ID)
	}
	return &message.Message{Values: []string{o.Title(), o.Payable().Display()}, Link: link.String()}, nil
}
