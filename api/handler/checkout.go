package handler

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Checkout handles previews, payment requests and their outcomes, for plans, add-ons and renewals alike.
type Checkout struct {
	checkout  *checkout.Service
	history   *history.Service
	transfers *transfer.Service
}

// NewCheckout returns the handlers backed by the payment service and the transfers, by which some charges may be paid.
func NewCheckout(checkout *checkout.Service, history *history.Service, transfers *transfer.Service) *Checkout {
	return &Checkout{checkout: checkout, history: history, transfers: transfers}
}

// Register adds the routes.
func (h *Checkout) Register(r Routes) {
	once := middleware.Idempotency
	r.Private.POST("/subscription/payments/details", Handle(h.previewPlan))
	r.Private.POST("/subscription/payments/request", once, Handle(h.requestPlan))
	r.Private.POST("/subscription/add-ons-services/payments/details", Handle(h.previewAddOns))
	r.Private.POST("/subscription/add-ons-services/payments/request", once, Handle(h.requestAddOns))
	r.Private.POST("/renew-subscription/payments/details", Handle(h.previewRenewal))
	r.Private.POST("/renew-subscription/payments/request", once, Handle(h.requestRenewal))
	r.Private.GET("/subscription/payments/status/:transaction_id", Handle(h.status))
}

// planSelection is the selection on the plan page. A missing list of add-ons differs from an empty one.
type planSelection struct {
	PlanType  *string   `json:"plan_type"`
	ServiceID *string   `json:"plan_services_id"`
	AddOnIDs  *[]string `json:"add_ons_service_id"`
}

func (in planSelection) selection() (subscription.Selection, error) {
	var v errs.Validation
	v.Check(in.PlanType != nil, "plan_type", "Choose monthly or annual payment.")
	v.Check(in.ServiceID != nil, "plan_services_id", "Choose a plan that is on sale.")
	v.Check(in.AddOnIDs != nil, "add_ons_service_id", "Send the chosen add-ons, an empty list for none.")
	if err := v.Err(); err != nil {
		return subscription.Selection{}, err
	}
	return subscription.Selection{Type: plan.Type(*in.PlanType), ServiceID: *in.ServiceID, AddOnIDs: *in.AddOnIDs}, nil
}

func (in planSelection) intent() (subscription.PurchaseIntent, error) {
	sel, err := in.selection()
	return subscription.PurchaseIntent{Plan: &sel}, err
}

type addOnSelection struct {
	SubscriptionID string   `json:"subscription_id"`
	AddOnIDs       []string `json:"add_ons_service_id"`
}

func (in addOnSelection) intent() (subscription.PurchaseIntent, error) {
	var v errs.Validation
	v.Check(in.SubscriptionID != "", "subscription_id", "Name the subscription.")
	v.Check(len(in.AddOnIDs) > 0, "add_ons_service_id", "Choose at least one add-on.")
	return subscription.PurchaseIntent{SubscriptionID: in.SubscriptionID, AddOnIDs: in.AddOnIDs}, v.Err()
}

type renewSelection struct {
	SubscriptionID string `json:"subscription_id"`
}

func (in renewSelection) intent() (subscription.PurchaseIntent, error) {
	var v errs.Validation
	v.Check(in.SubscriptionID != "", "subscription_id", "Name the subscription.")
	return subscription.PurchaseIntent{SubscriptionID: in.SubscriptionID, Renew: true}, v.Err()
}

// payFields are the optional fields common to all payment requests.
type payFields struct {
	ExpectedTotal *money.Paise    `json:"expected_total"`
	Method        *payment.Method `json:"payment_method" empty:"refused"`
	DespiteDebit  bool            `json:"pay_despite_debit"`
}

// undecidedDebitAnswer is a debit by mandate that the bank has not decided, so that a payment now may be the second one.
type undecidedDebitAnswer struct {
	Amount    string           `json:"amount"`
	AskedOn   subscription.Day `json:"asked_on"`
	DecidedBy subscription.Day `json:"decided_by"`
}

func undecidedDebitOf(d *payment.OpenDebit) *undecidedDebitAnswer {
	if d == nil {
		return nil
	}
	return &undecidedDebitAnswer{
		Amount: d.Amount.Display(), AskedOn: subscription.DayOf(d.AskedAt), DecidedBy: subscription.DayOf(d.DecidedBy()),
	}
}

const shownTotal = "Send the total that was shown."

// checkTotal refuses an expected total below zero, which no preview shows.
func checkTotal(total *money.Paise) error {
	var v errs.Validation
	v.Check(total == nil || *total >= 0, "expected_total", shownTotal)
	return v.Err()
}

type previewAnswer struct {
	SubscribePlan  subscription.PlanLine      `json:"subscribe_plan"`
	AddOns         []subscription.PreviewLine `json:"add_ons_service"`
	PaymentDetails []subscription.PreviewLine `json:"payment_details"`
	Total          string                     `json:"total"`
	ExpectedTotal  money.Paise                `json:"expected_total"`
	Kind           subscription.Kind          `json:"kind"`
	EffectiveOn    subscription.Day           `json:"effective_on"`
	RenewOn        subscription.Day           `json:"plan_renew_on"`
	Gateway        map[string]string          `json:"gateway_details"`
	RenewalDetails []subscription.PreviewLine `json:"renewal_details"`
	Ending         []endingAddOn              `json:"ending_add_ons"`
	Franchises     *franchiseCount            `json:"franchises"`
	ByTransfer     bool                       `json:"by_transfer"`
	Debit          *undecidedDebitAnswer      `json:"undecided_debit"`
	UPILimit       *string                    `json:"upi_limit"`
}

func previewOf(q subscription.Quote, open *payment.Session) previewAnswer {
	a := previewAnswer{
		SubscribePlan: q.PlanLine(), AddOns: q.AddOnLines(), PaymentDetails: q.PaymentDetails(),
		Total: q.Payable().Display(), ExpectedTotal: q.Payable(), Kind: q.Kind, EffectiveOn: q.EffectiveOn,
		RenewOn: q.RenewOn, Gateway: gatewayOf(open), Ending: endingAddOnsOf(q.Ending),
	}
	if q.Then != nil {
		a.RenewalDetails = q.Then.PaymentDetails()
	}
	return a
}

// gatewayOf returns the flat form: payment_url along with the fields that the browser posts to it.
func gatewayOf(s *payment.Session) map[string]string {
	if s == nil {
		return nil
	}
	form := make(map[string]string, len(s.Fields)+1)
	maps.Copy(form, s.Fields)
	form["payment_url"] = s.URL
	return form
}

// upiLimitOf returns the UPI limit that the charge exceeds, or nil.
func upiLimitOf(limit money.Paise) *string {
	if limit == 0 {
		return nil
	}
	return orNull(limit.Display())
}

func (h *Checkout) preview(c *gin.Context, intent subscription.PurchaseIntent, err error) error {
	if err != nil {
		return err
	}
	p, err := h.checkout.Preview(c.Request.Context(), middleware.Principal(c).FranchiserID, intent)
	if err != nil {
		return err
	}
	a := previewOf(p.Quote, p.Open)
	a.ByTransfer, a.Debit, a.UPILimit = h.transfers.Takes(p.Quote), undecidedDebitOf(p.Debit), upiLimitOf(p.UPILimit)
	if limit, ok := p.FranchiseLimit(); ok {
		a.Franchises = &franchiseCount{Current: p.Franchises, Limit: limit}
	}
	return OK(c, "Payment details.", a)
}

func (h *Checkout) previewPlan(c *gin.Context) error {
	var in planSelection
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.preview(c, intent, err)
}

func (h *Checkout) previewAddOns(c *gin.Context) error {
	var in addOnSelection
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.preview(c, intent, err)
}

func (h *Checkout) previewRenewal(c *gin.Context) error {
	var in renewSelection
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.preview(c, intent, err)
}

func (h *Checkout) requestPlan(c *gin.Context) error {
	var in struct {
		planSelection
		payFields
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.request(c, in, intent, in.payFields, err)
}

func (h *Checkout) requestAddOns(c *gin.Context) error {
	var in struct {
		addOnSelection
		payFields
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.request(c, in, intent, in.payFields, err)
}

func (h *Checkout) requestRenewal(c *gin.Context) error {
	var in struct {
		renewSelection
		payFields
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.request(c, in, intent, in.payFields, err)
}

type paySessionAnswer struct {
	Gateway       map[string]string `json:"gateway_details"`
	OrderID       string            `json:"order_id"`
	TransactionID *string           `json:"transaction_id"`
	Amount        string            `json:"amount"`
	RedirectTo    *string           `json:"redirect_to"`
}

// request opens or resumes the charge. body is the decoded request, so that repeated idempotency keys are compared by
// meaning, not by spelling.
func (h *Checkout) request(c *gin.Context, body any, intent subscription.PurchaseIntent, pay payFields, err error) error {
	if err != nil {
		return err
	}
	if err := checkTotal(pay.ExpectedTotal); err != nil {
		return err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	in := checkout.Input{
		Intent: intent, ExpectedTotal: pay.ExpectedTotal, DespiteDebit: pay.DespiteDebit, Key: middleware.IdempotencyKey(c),
		Request: idempotency.Of(append([]byte(c.FullPath()+"\n"), text...)),
	}
	if pay.Method != nil {
		in.Method = *pay.Method
	}
	r, err := h.checkout.Request(c.Request.Context(), middleware.Principal(c).FranchiserID, in)
	if err != nil {
		return err
	}
	a := paySessionAnswer{Gateway: gatewayOf(r.Session), OrderID: r.OrderID, TransactionID: orNull(r.TransactionID), Amount: r.Amount.Display()}
	if r.Session == nil {
		a.RedirectTo = orNull("subscription_dashboard")
		return OK(c, i18n.Mark("Your choice takes effect at the renewal."), a)
	}
	return OK(c, "Taking you to the secure payment page…", a)
}

type selectionAnswer struct {
	PlanID    string    `json:"plan_id"`
	PlanName  string    `json:"plan_name"`
	PlanType  plan.Type `json:"plan_type"`
	ServiceID string    `json:"plan_services_id"`
	AddOnIDs  []string  `json:"add_ons_service_id"`
}

type stateAnswer struct {
	backAnswer

	TransactionID string            `json:"transaction_id"`
	State         string            `json:"state"`
	Reason        *i18n.Sentence    `json:"reason"`
	Charged       string            `json:"charged"`
	OrderID       string            `json:"order_id"`
	Kind          subscription.Kind `json:"kind"`
	Amount        string            `json:"amount"`
	InvoiceID     *string           `json:"invoice_id"`
	InvoiceNumber *string           `json:"invoice_number"`
	HasStore      bool              `json:"has_store_details"`
	PollAfter     *int              `json:"poll_after"`
	Selection     *selectionAnswer  `json:"selection"`
	Cancelled     bool              `json:"cancelled"`
}

func (h *Checkout) status(c *gin.Context) error {
	r, err := h.history.Result(c.Request.Context(), middleware.Principal(c).FranchiserID, c.Param("transaction_id"))
	if err != nil {
		return err
	}
	state, reason, charged := r.Outcome()
	a := stateAnswer{
		TransactionID: r.TransactionID, State: state, Reason: orNull(i18n.Sentence(reason)), Charged: charged, OrderID: r.OrderID, Kind: r.Kind,
		Amount: r.Moved().Display(), InvoiceID: orNull(r.InvoiceID), InvoiceNumber: orNull(r.InvoiceNumber), HasStore: r.HasStore,
		Cancelled: r.Cancelled(), backAnswer: backOf(r.Returned),
	}
	if after := r.PollAfter(); after > 0 {
		a.PollAfter = &after
	}
	if r.Reselectable() {
		a.Selection = &selectionAnswer{
			PlanID: r.PlanID, PlanName: r.PlanName, PlanType: r.PlanType, ServiceID: r.ServiceID, AddOnIDs: listOf(r.AddOnIDs),
		}
	}
	return OK(c, stateMessage(state), a)
}

func stateMessage(state string) string {
	switch state {
	case history.ResultPaid:
		return "Payment received."
	case history.ResultConfirming:
		return "We are confirming your payment."
	case history.ResultHeld:
		return "Our staff are looking at your payment."
	default:
		return "We have no confirmation of this payment."
	}
}

// listOf returns an empty list instead of nil, so that JSON shows [].
func listOf(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
