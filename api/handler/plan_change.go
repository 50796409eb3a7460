package handler

import (
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// scheduledChangeAnswer is a change scheduled for the renewal, with its effects.
type scheduledChangeAnswer struct {
	ID             string           `json:"id"`
	PlanName       string           `json:"plan_name"`
	ServiceName    string           `json:"service_name"`
	PlanType       plan.Type        `json:"plan_type"`
	On             subscription.Day `json:"on"`
	Dropped        []changeAddOn    `json:"dropped_add_ons"`
	FranchiseLimit int              `json:"franchise_limit"`
}

// changeAddOn is an owned add-on, identified by its own id.
type changeAddOn struct {
	ID   string        `json:"id"`
	Name i18n.Sentence `json:"add_ons_service_name"`
	Desc i18n.Sentence `json:"desc"`
}

func changeAddOnsOf(owned []subscription.AddOn) []changeAddOn {
	out := make([]changeAddOn, 0, len(owned))
	for _, a := range owned {
		out = append(out, changeAddOnOf(a))
	}
	return out
}

func changeAddOnOf(a subscription.AddOn) changeAddOn {
	return changeAddOn{ID: a.ID, Name: i18n.Sentence(a.Name), Desc: i18n.Sentence(plan.Describe(a.Key, a.Name, a.Limit))}
}

// endingAddOn is an add-on that an upgrade ends: the end of its paid time, and its credit.
type endingAddOn struct {
	changeAddOn
	PaidUntil subscription.Day `json:"paid_until"`
	Credit    string           `json:"credit"`
}

func endingAddOnsOf(ending []subscription.EndingAddOn) []endingAddOn {
	out := make([]endingAddOn, 0, len(ending))
	for _, a := range ending {
		out = append(out, endingAddOn{
			changeAddOn: changeAddOnOf(a.AddOn), PaidUntil: a.PaidUntil - 1, Credit: a.Credit.Display(),
		})
	}
	return out
}

// cancelledAddOn is a cancelled add-on that is still paid for.
type cancelledAddOn struct {
	changeAddOn
	EndsOn subscription.Day `json:"ends_on"`
}

func cancelledOf(owned []subscription.AddOn) []cancelledAddOn {
	out := make([]cancelledAddOn, 0, len(owned))
	for _, a := range owned {
		out = append(out, cancelledAddOn{changeAddOn: changeAddOnOf(a), EndsOn: a.PaidUntil - 1})
	}
	return out
}

func scheduledOf(c *subscription.ScheduledChange) *scheduledChangeAnswer {
	if c == nil {
		return nil
	}
	return &scheduledChangeAnswer{
		ID: c.OrderID, PlanName: c.Tier.PlanName, ServiceName: c.Tier.Name, PlanType: c.Type, On: c.On,
		Dropped: changeAddOnsOf(c.Dropped), FranchiseLimit: c.FranchiseLimit,
	}
}

type planChangeAnswer struct {
	SubscriptionID string                 `json:"subscription_id"`
	PlanName       string                 `json:"plan_name"`
	ServiceName    string                 `json:"service_name"`
	PlanType       plan.Type              `json:"plan_type"`
	RenewOn        subscription.Day       `json:"plan_renew_on"`
	FranchiseLimit int                    `json:"franchise_limit"`
	AddOns         []changeAddOn          `json:"add_ons_services"`
	Cancelled      []cancelledAddOn       `json:"cancelled_add_ons"`
	Scheduled      *scheduledChangeAnswer `json:"scheduled_change"`
	Options        []changeOptionAnswer   `json:"options"`
}

// When an option takes effect, in the contract's terms.
const (
	beginsCurrent   = "current"
	beginsScheduled = "scheduled"
	beginsNow       = "now"
	beginsRenewal   = "renewal"
)

type changeOptionAnswer struct {
	PlanID         string                     `json:"plan_id"`
	PlanName       string                     `json:"plan_name"`
	ServiceName    string                     `json:"service_name"`
	ServiceID      string                     `json:"plan_services_id"`
	PlanType       plan.Type                  `json:"plan_type"`
	FranchiseLimit int                        `json:"franchise_limit"`
	Begins         string                     `json:"begins"`
	On             subscription.Day           `json:"on"`
	RenewOn        subscription.Day           `json:"plan_renew_on"`
	UnusedCovers   bool                       `json:"unused_covers"`
	PayNow         string                     `json:"pay_now"`
	Term           string                     `json:"term_total"`
	ListPrice      *string                    `json:"list_price"`
	AddOnIDs       []string                   `json:"add_ons_service_id"`
	Staying        []subscription.PreviewLine `json:"staying_add_ons"`
	Ending         []endingAddOn              `json:"ending_add_ons"`
	Dropped        []changeAddOn              `json:"dropped_add_ons"`
}

func changeOptionOf(o subscription.ChangeOption, now *subscription.Changes) changeOptionAnswer {
	a := changeOptionAnswer{
		PlanID: o.Tier.PlanID, PlanName: o.Tier.PlanName, ServiceName: o.Tier.Name, ServiceID: o.Tier.ID, PlanType: o.Type,
		FranchiseLimit: now.FranchiseLimit, Begins: beginsCurrent, On: now.Subscription.StartsOn, RenewOn: now.Subscription.PaidUntil,
		PayNow: o.Payable().Display(), Term: o.Totals.Total.Display(), AddOnIDs: o.AddOnIDs(), Staying: []subscription.PreviewLine{}, Ending: []endingAddOn{}, Dropped: changeAddOnsOf(o.Dropped),
	}
	if list, discount := o.Tier.Price(o.Type); discount > 0 {
		a.ListPrice = orNull(list.Display())
	}
	if o.Current {
		return a
	}
	term := o.Term()
	a.Staying, a.Ending = term.AddOnLines(), endingAddOnsOf(o.Ending)
	a.FranchiseLimit, _ = o.FranchiseLimit()
	a.On, a.RenewOn, a.Term = o.EffectiveOn, term.RenewOn, term.Totals.Total.Display()
	switch {
	case o.Scheduled && o.Then != nil:
		a.Begins = beginsScheduled
	case o.Then != nil:
		a.Begins, a.UnusedCovers = beginsRenewal, o.UnusedCovers
	default:
		a.Begins = beginsNow
	}
	return a
}

// planChange returns every plan as a change from the current one. ?without= lists the owned add-ons to drop,
// ?keep= the cancelled ones to continue.
func (h *Subscriptions) planChange(c *gin.Context) error {
	without, err := ownedInQuery(c, "without")
	if err != nil {
		return err
	}
	keep, err := ownedInQuery(c, "keep")
	if err != nil {
		return err
	}
	changes, err := h.subs.Changes(c.Request.Context(), middleware.Principal(c).FranchiserID, without, keep)
	if err != nil {
		return err
	}
	if changes == nil {
		return OK(c, "There is no plan to change.", nil)
	}
	sub := changes.Subscription
	a := planChangeAnswer{
		SubscriptionID: sub.ID, PlanName: changes.Tier.PlanName, ServiceName: changes.Tier.Name, PlanType: sub.Type,
		RenewOn: sub.PaidUntil, FranchiseLimit: changes.FranchiseLimit, AddOns: changeAddOnsOf(changes.AddOns), Cancelled: cancelledOf(changes.Cancelled),
		Scheduled: scheduledOf(changes.Scheduled), Options: make([]changeOptionAnswer, 0, len(changes.Options)),
	}
	for _, o := range changes.Options {
		a.Options = append(a.Options, changeOptionOf(o, changes))
	}
	return OK(c, "Plans to change to.", a)
}

// ownedInQuery returns the owned add-ons that a parameter names.
func ownedInQuery(c *gin.Context, name string) ([]string, error) {
	text := c.Query(name)
	if text == "" {
		return nil, nil
	}
	ids := strings.Split(text, ",")
	if len(ids) > subscription.MaxAddOns || slices.ContainsFunc(ids, func(v string) bool { return !id.Valid(v) }) {
		const message = "Name owned add-ons by their ids."
		return nil, errs.Invalid(message).Field(name, message)
	}
	return ids, nil
}

// callOffChange cancels a scheduled change; a repeated call gets the same response.
func (h *Subscriptions) callOffChange(c *gin.Context) error {
	change, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	if err := h.subs.CallOffChange(c.Request.Context(), middleware.Principal(c).FranchiserID, change); err != nil {
		return err
	}
	return OK(c, i18n.Mark("The change is cancelled. Your plan stays as it is."), nil)
}
