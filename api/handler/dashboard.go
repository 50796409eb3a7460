package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Dashboards handles the dashboard: plan, store and add-ons.
type Dashboards struct {
	subs   *subscription.Service
	stores *tenant.Service
	linked ConnectedDashboard
	// history returns the refunds of an ended plan.
	history *history.Service
}

// ConnectedDashboard returns the connected system to which the dashboard's button leads; connect.SignIns implements it.
type ConnectedDashboard interface {
	Dashboard(found []byte) (*connect.Dashboard, error)
}

// NewDashboards returns the handlers backed by the services.
func NewDashboards(subs *subscription.Service, stores *tenant.Service, linked ConnectedDashboard, history *history.Service) *Dashboards {
	return &Dashboards{subs: subs, stores: stores, linked: linked, history: history}
}

type dashboardAnswer struct {
	Subscription *subscriptionAnswer `json:"subscription"`
	Tenant       *tenantAnswer       `json:"tenant"`
	Connected    *connectedAnswer    `json:"connected_dashboard"`
	AddOns       []ownedAddOn        `json:"add_ons_services"`
	Held         []heldAnswer        `json:"held_payments"`
	Confirming   []heldAnswer        `json:"confirming_payments"`
}

// connectedAnswer is the connected system to which "Access Franchise Dashboard" leads.
type connectedAnswer struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// heldAnswer is money under review by staff, or a payment being confirmed.
type heldAnswer struct {
	TransactionID string `json:"transaction_id"`
	Amount        string `json:"amount"`
}

type describedFeature struct {
	Features i18n.Sentence `json:"features"`
	Desc     i18n.Sentence `json:"desc"`
}

type franchiseCount struct {
	Current int `json:"current"`
	Limit   int `json:"limit"`
}

type subscriptionAnswer struct {
	ID             string                     `json:"id"`
	State          subscription.State         `json:"state"`
	PaymentStatus  subscription.PaymentStatus `json:"payment_status"`
	PlanName       string                     `json:"plan_name"`
	ServiceName    string                     `json:"service_name"`
	ServiceID      string                     `json:"plan_services_id"`
	PlanType       string                     `json:"plan_type"`
	PlanPrice      string                     `json:"plan_price"`
	PlanNet        string                     `json:"plan_net_price"`
	PlanCharge     string                     `json:"plan_charge"`
	PaymentType    string                     `json:"payment_type"`
	Features       []describedFeature         `json:"plan_features"`
	StartsOn       subscription.Day           `json:"plan_start_on"`
	RenewOn        subscription.Day           `json:"plan_renew_on"`
	ExpiredMessage *i18n.Sentence             `json:"expired_message"`
	Notice         *i18n.Sentence             `json:"notice"`
	NoticeTone     subscription.Tone          `json:"notice_tone"`
	Franchises     franchiseCount             `json:"franchises"`
	Refunded       bool                       `json:"ended_by_refund"`
	GoingBack      *goingBackAnswer           `json:"refunds"`
	Change         *scheduledChangeAnswer     `json:"scheduled_change"`
}

// goingBackAnswer is the refund of an ended plan, by its channel; null without a refund.
type goingBackAnswer struct {
	ByGateway  *string `json:"by_gateway"`
	ByTransfer *string `json:"by_transfer"`
	// GatewayOn and TransferOn are the days on which the last refund was paid out; null before.
	GatewayOn  *subscription.Day `json:"gateway_on"`
	TransferOn *subscription.Day `json:"transfer_on"`
}

func goingBackOf(g history.GoingBack) *goingBackAnswer {
	if g.ByGateway == 0 && g.ByTransfer == 0 {
		return nil
	}
	var a goingBackAnswer
	if g.ByGateway > 0 {
		a.ByGateway = orNull(g.ByGateway.Display())
		a.GatewayOn = dayOrNull(g.GatewayDone)
	}
	if g.ByTransfer > 0 {
		a.ByTransfer = orNull(g.ByTransfer.Display())
		a.TransferOn = dayOrNull(g.TransferDone)
	}
	return &a
}

// dayOrNull returns the moment's day in India; nil without a moment.
func dayOrNull(at *time.Time) *subscription.Day {
	if at == nil {
		return nil
	}
	day := subscription.DayOf(*at)
	return &day
}

func subscriptionOf(v *subscription.View, franchises int, today subscription.Day) *subscriptionAnswer {
	list, _ := v.Tier.Price(v.Type)
	if v.Trial {
		list = 0
	}
	a := &subscriptionAnswer{
		ID: v.ID, State: v.State, PaymentStatus: v.PaymentStatus(), PlanName: v.Tier.PlanName, ServiceName: v.Tier.Name,
		ServiceID: v.ServiceID, PlanType: string(v.Type), PlanPrice: list.Display(), PaymentType: v.Billed(),
		Features: []describedFeature{}, StartsOn: v.StartsOn, RenewOn: v.PaidUntil, ExpiredMessage: orNull(i18n.Sentence(v.ExpiredMessage())),
		Notice: orNull(i18n.Sentence(v.Notice())), NoticeTone: v.Tone(today), Franchises: franchiseCount{Current: franchises, Limit: v.FranchiseLimit},
		Refunded: v.Revoked && v.State.Ended(), Change: scheduledOf(v.Change),
	}
	for _, f := range v.Features {
		a.Features = append(a.Features, describedFeature{Features: i18n.Sentence(f.Name), Desc: i18n.Sentence(f.About)})
	}
	return a
}

func (h *Dashboards) show(c *gin.Context) error {
	d, err := h.subs.Dashboard(c.Request.Context(), middleware.Principal(c).FranchiserID, h.stores, connect.DashboardSQL)
	if err != nil {
		return err
	}
	a := dashboardAnswer{AddOns: []ownedAddOn{}, Held: make([]heldAnswer, 0, len(d.Held)), Confirming: make([]heldAnswer, 0, len(d.Confirming))}
	for _, p := range d.Confirming {
		a.Confirming = append(a.Confirming, heldAnswer{TransactionID: p.TransactionID, Amount: p.Amount.Display()})
	}
	for _, p := range d.Held {
		a.Held = append(a.Held, heldAnswer{TransactionID: p.TransactionID, Amount: p.Captured.Display()})
	}
	if d.View != nil {
		a.Subscription, a.AddOns = subscriptionOf(d.View, d.Franchises, subscription.DayOf(h.subs.Now())), ownedOf(d.View.AddOns)
		a.Subscription.PlanNet, a.Subscription.PlanCharge = d.Net.Display(), d.Charge.Display()
		if a.Subscription.Refunded {
			back, err := h.history.GoingBack(c.Request.Context(), d.View.FranchiserID, d.View.ExpiredOn)
			if err != nil {
				return err
			}
			a.Subscription.GoingBack = goingBackOf(back)
		}
	}
	if d.Store != nil {
		store := tenantOf(*d.Store)
		a.Tenant = &store
	}
	linked, err := h.linked.Dashboard(d.Beside)
	if err != nil {
		return err
	}
	if linked != nil {
		a.Connected = &connectedAnswer{Label: linked.Label, URL: linked.URL}
	}
	return OK(c, "Your subscription.", a)
}

type ownedAddOn struct {
	ID      string           `json:"id"`
	AddOnID string           `json:"add_ons_service_id"`
	Name    i18n.Sentence    `json:"add_ons_service_name"`
	Amount  string           `json:"add_ons_service_amount"`
	Desc    i18n.Sentence    `json:"desc"`
	Count   int              `json:"count"`
	Status  int              `json:"next_billing_cycle_status"`
	Once    bool             `json:"charged_once"`
	EndsOn  subscription.Day `json:"ends_on"`
}

func ownedOf(addOns []subscription.AddOn) []ownedAddOn {
	out := make([]ownedAddOn, 0, len(addOns))
	for _, a := range addOns {
		row := ownedAddOn{
			ID: a.ID, AddOnID: a.AddOnID, Name: i18n.Sentence(a.Name), Amount: a.Term.Display(), Desc: i18n.Sentence(plan.Describe(a.Key, a.Name, a.Limit)),
			Count: a.Limit, Once: a.Once, EndsOn: a.PaidUntil - 1,
		}
		if a.Renews {
			row.Status = 1
		}
		out = append(out, row)
	}
	return out
}
