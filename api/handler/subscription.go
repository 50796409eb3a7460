package handler

import (
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Subscriptions handles the current plan: dashboard, add-ons, next bill, orders and payments.
type Subscriptions struct {
	subs      *subscription.Service
	history   *history.Service
	mandates  *mandate.Service
	dashboard *Dashboards
}

// NewSubscriptions returns the handlers backed by the services.
func NewSubscriptions(subs *subscription.Service, history *history.Service, mandates *mandate.Service, dashboard *Dashboards) *Subscriptions {
	return &Subscriptions{subs: subs, history: history, mandates: mandates, dashboard: dashboard}
}

// Register adds the routes.
func (h *Subscriptions) Register(r Routes) {
	r.Private.GET("/subscription/dashboard", Handle(h.dashboard.show))
	r.Private.GET("/subscription/renewals", Handle(h.nextBill))
	r.Private.GET("/subscription/term-value", Handle(h.termValue))
	r.Private.GET("/subscription/plan-change", Handle(h.planChange))
	r.Private.DELETE("/subscription/plan-change/:id", Handle(h.callOffChange))
	r.Private.GET("/subscription/add-ons-services/:id", Handle(h.addOns))
	r.Private.PUT("/subscription/add-ons-services/update/:id", Handle(h.updateAddOn))
	r.Private.GET("/subscription/list", Handle(h.orders))
	r.Private.GET("/subscription/list/export", Handle(h.exportOrders))
	r.Private.GET("/subscription/payments/list", Handle(h.listPayments))
	r.Private.GET("/subscription/payments/list/export", Handle(h.exportPayments))
}

type buyableAnswer struct {
	addOnAnswer
	Payable      string `json:"payable_amount"`
	PayableValue any    `json:"payable_amount_value"`
	Owned        int    `json:"owned"`
}

func (h *Subscriptions) addOns(c *gin.Context) error {
	id, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	list, err := h.subs.BuyableAddOns(c.Request.Context(), middleware.Principal(c).FranchiserID, id)
	if err != nil {
		return err
	}
	out := make([]buyableAnswer, 0, len(list))
	for _, b := range list {
		out = append(out, buyableAnswer{addOnAnswer: addOnOf(b.AddOn), Payable: b.Payable, PayableValue: b.PayableValue, Owned: b.Owned})
	}
	return OK(c, "Add-ons.", out)
}

func (h *Subscriptions) updateAddOn(c *gin.Context) error {
	id, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Status *int `json:"status"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	if in.Status == nil || *in.Status != 0 && *in.Status != 1 {
		return errs.Invalid("Send status 0 to cancel or 1 to reactivate.").Field("status", "Send 0 to cancel or 1 to reactivate.")
	}
	owned, err := h.subs.SetAddOn(c.Request.Context(), middleware.Principal(c).FranchiserID, id, *in.Status == 1)
	if err != nil {
		return err
	}
	message := i18n.Mark("This will be updated in the next billing cycle.")
	if *in.Status == 1 {
		message = i18n.Mark("Your add-on continues with the next billing cycle.")
	}
	return OK(c, message, ownedOf(owned))
}

type nextBillAnswer struct {
	SubscriptionID string                     `json:"subscription_id"`
	State          subscription.State         `json:"state"`
	PlanName       string                     `json:"plan_name"`
	ServiceName    string                     `json:"service_name"`
	PlanType       plan.Type                  `json:"plan_type"`
	RenewOn        subscription.Day           `json:"renew_on"`
	PayBy          subscription.Day           `json:"pay_by"`
	CanRenew       bool                       `json:"can_renew"`
	ScheduledPlan  *string                    `json:"scheduled_plan"`
	Dropped        []i18n.Sentence            `json:"dropped_add_ons"`
	SubscribePlan  subscription.PlanLine      `json:"subscribe_plan"`
	AddOns         []subscription.PreviewLine `json:"add_ons_service"`
	PaymentDetails []subscription.PreviewLine `json:"payment_details"`
	Total          string                     `json:"total"`
	ExpectedTotal  json.Number                `json:"expected_total"`
	Debit          *billDebit                 `json:"debit"`
}

// billDebit is a debit by mandate that is announced for the bill or under way.
type billDebit struct {
	On         subscription.Day `json:"on"`
	Amount     string           `json:"amount"`
	InProgress bool             `json:"in_progress"`
	Due        bool             `json:"due"`
}

func (h *Subscriptions) billDebitOf(d *mandate.DebitRow) *billDebit {
	if d == nil {
		return nil
	}
	return &billDebit{On: subscription.DayOf(d.DebitAt), Amount: d.Amount.Display(), InProgress: !d.CanSkip(), Due: h.mandates.Due(*d)}
}

func (h *Subscriptions) nextBill(c *gin.Context) error {
	b, err := h.subs.NextBill(c.Request.Context(), middleware.Principal(c).FranchiserID)
	if err != nil {
		return err
	}
	if b == nil {
		return OK(c, "Your next bill.", json.RawMessage("null"))
	}
	total, err := json.Marshal(b.Totals.Total)
	if err != nil {
		return errs.Internal(err)
	}
	debit, err := h.mandates.LiveDebit(c.Request.Context(), b.Subscription.FranchiserID, b.RenewsOn)
	if err != nil {
		return err
	}
	return OK(c, "Your next bill.", nextBillAnswer{
		SubscriptionID: b.Subscription.ID, State: b.Subscription.State, PlanName: b.Tier.PlanName, ServiceName: b.Tier.Name,
		PlanType: b.Type, RenewOn: b.RenewsOn, PayBy: b.PayBy, CanRenew: b.CanRenew, ScheduledPlan: orNull(b.ScheduledPlan),
		Dropped: sentencesOf(b.Dropped), SubscribePlan: b.PlanLine(), AddOns: b.AddOnLines(), PaymentDetails: b.PaymentDetails(),
		Total: b.Totals.Total.Display(), ExpectedTotal: json.Number(total), Debit: h.billDebitOf(debit),
	})
}

type termValueAnswer struct {
	StartsOn subscription.Day   `json:"starts_on"`
	Until    subscription.Day   `json:"until"`
	Figures  []termFigureAnswer `json:"figures"`
}

type termFigureAnswer struct {
	Name  subscription.FigureName `json:"name"`
	Value int64                   `json:"value"`
	// Amount is the text of a value in paise.
	Amount *string          `json:"amount"`
	From   subscription.Day `json:"from"`
	Until  subscription.Day `json:"until"`
	Days   *int             `json:"days"`
	Of     *string          `json:"of"`
}

func termFigureOf(f subscription.TermFigure) termFigureAnswer {
	a := termFigureAnswer{Name: f.Name, Value: f.Value, From: f.From, Until: f.Until, Of: orNull(f.Of)}
	if f.Name == subscription.FigureSales {
		a.Amount = orNull(money.Paise(f.Value).Display())
	}
	if f.Days > 0 {
		a.Days = &f.Days
	}
	return a
}

func (h *Subscriptions) termValue(c *gin.Context) error {
	v, err := h.subs.TermValue(c.Request.Context(), middleware.Principal(c).FranchiserID, connect.ReportedSQL)
	if err != nil {
		return err
	}
	if v == nil {
		return OK(c, "Your term in figures.", json.RawMessage("null"))
	}
	a := termValueAnswer{StartsOn: v.StartsOn, Until: v.Until, Figures: make([]termFigureAnswer, 0, len(v.Figures))}
	for _, f := range v.Figures {
		a.Figures = append(a.Figures, termFigureOf(f))
	}
	return OK(c, "Your term in figures.", a)
}

type addOnName struct {
	Name i18n.Sentence `json:"add_ons_service_name"`
}

type orderAnswer struct {
	backAnswer

	ID             string            `json:"id"`
	PlanName       string            `json:"plan_name"`
	ServiceName    string            `json:"service_name"`
	PurchasedOn    subscription.Day  `json:"plan_purchase_date"`
	EndsOn         subscription.Day  `json:"plan_end_date"`
	RenewsOn       subscription.Day  `json:"plan_renew_on"`
	Status         string            `json:"subscription_status_value"`
	AddOns         []addOnName       `json:"franchiser_add_ons_services"`
	Kind           subscription.Kind `json:"kind"`
	PlanID         string            `json:"plan_id"`
	PlanType       plan.Type         `json:"plan_type"`
	ServiceID      string            `json:"plan_services_id"`
	AddOnIDs       []string          `json:"add_ons_service_id"`
	SubscriptionID *string           `json:"subscription_id"`
	TransactionID  *string           `json:"transaction_id"`
	Total          string            `json:"payable_total"`
	ListPrice      *string           `json:"list_price"`
	InvoiceID      *string           `json:"invoice_id"`
	InvoiceNumber  *string           `json:"invoice_number"`
	PaymentState   *string           `json:"payment_state"`
	Cancelled      bool              `json:"cancelled"`
	Reason         *i18n.Sentence    `json:"reason"`
}

func orderOf(o history.OrderRow) orderAnswer {
	a := orderAnswer{
		ID: o.ID, PlanName: o.PlanName, ServiceName: o.ServiceName, PurchasedOn: o.PurchasedOn, EndsOn: o.EndsOn,
		RenewsOn: o.RenewsOn, Status: o.Status, AddOns: []addOnName{}, Kind: o.Kind, PlanID: o.PlanID, PlanType: o.Type,
		ServiceID: o.ServiceID, AddOnIDs: distinct(o.AddOnIDs), SubscriptionID: orNull(o.SubscriptionID),
		TransactionID: orNull(o.TransactionID), Total: o.Total.Display(), InvoiceID: orNull(o.InvoiceID),
		InvoiceNumber: orNull(o.InvoiceNumber), PaymentState: orNull(o.PaymentState), Cancelled: o.Cancelled, Reason: orNull(i18n.Sentence(o.Reason)),
		backAnswer: backOf(o.Returned),
	}
	if o.List > 0 {
		a.ListPrice = orNull(o.List.Display())
	}
	for _, name := range o.AddOnNames {
		a.AddOns = append(a.AddOns, addOnName{i18n.Sentence(name)})
	}
	return a
}

// distinct removes duplicate ids: a renewal can include several units of one add-on.
func distinct(ids []string) []string {
	out, seen := make([]string, 0, len(ids)), map[string]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func (h *Subscriptions) orders(c *gin.Context) error {
	p, err := ParsePage(c)
	if err != nil {
		return err
	}
	q, err := queryOf(c, p)
	if err != nil {
		return err
	}
	rows, total, err := h.history.Orders(c.Request.Context(), middleware.Principal(c).FranchiserID, q)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		p.After = rows[len(rows)-1].Place.String()
	}
	out := make([]orderAnswer, 0, len(rows))
	for _, o := range rows {
		out = append(out, orderOf(o))
	}
	return List(c, "Orders.", out, p, total)
}

// queryOf returns the query for the page's rows: those following ?after= if given, otherwise by page number.
func queryOf(c *gin.Context, p Page) (history.Query, error) {
	q := history.Query{Search: p.Search, Offset: p.Offset(), Limit: p.PerPage}
	text := c.Query("after")
	if text == "" {
		return q, nil
	}
	after, ok := history.ParseCursor(text)
	if !ok {
		const message = "This position in the list is not valid."
		return q, errs.Invalid(message).Field("after", message)
	}
	q.After, q.Offset = &after, 0
	return q, nil
}

type paymentAnswer struct {
	backAnswer

	ID            string                     `json:"id"`
	InvoiceID     *string                    `json:"invoice_id"`
	InvoiceNumber *string                    `json:"invoice_number"`
	Date          time.Time                  `json:"payment_date"`
	PGCharge      string                     `json:"pg_charge"`
	Total         string                     `json:"payable_total"`
	Slug          string                     `json:"payment_slug"`
	Status        subscription.PaymentStatus `json:"payment_status"`
	State         payment.State              `json:"state"`
	Kind          subscription.Kind          `json:"kind"`
	OrderID       string                     `json:"order_id"`
	TransactionID string                     `json:"transaction_id"`
	Cancelled     bool                       `json:"cancelled"`
	InvoiceTotal  *string                    `json:"invoice_total"`
	CreditUsed    *string                    `json:"credit_used"`
}

func paymentOf(r history.Row) paymentAnswer {
	a := paymentAnswer{
		ID: r.ID, InvoiceID: orNull(r.InvoiceID), InvoiceNumber: orNull(r.InvoiceNumber), Date: r.Date(),
		PGCharge: r.PGCharge.Display(), Total: r.Moved().Display(), Slug: r.Slug, Status: r.Status(), State: r.State, Kind: r.Kind,
		OrderID: r.OrderID, TransactionID: r.TransactionID, Cancelled: r.Cancelled(), backAnswer: backOf(r.Returned),
	}
	if total := r.Returned.InvoiceTotal(); total > 0 {
		a.InvoiceTotal = orNull(total.Display())
	}
	if r.Returned.Applied > 0 {
		a.CreditUsed = orNull(r.Returned.Applied.Display())
	}
	if a.Slug == "" {
		a.Slug = "-"
	}
	return a
}

func (h *Subscriptions) listPayments(c *gin.Context) error {
	p, err := ParsePage(c)
	if err != nil {
		return err
	}
	q, err := queryOf(c, p)
	if err != nil {
		return err
	}
	rows, total, err := h.history.Payments(c.Request.Context(), middleware.Principal(c).FranchiserID, q)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		p.After = rows[len(rows)-1].Place().String()
	}
	out := make([]paymentAnswer, 0, len(rows))
	for _, r := range rows {
		out = append(out, paymentOf(r))
	}
	return List(c, "Payments.", out, p, total)
}
