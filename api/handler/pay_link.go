package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// PayLinks handles the links with which a reminder's bearer pays the renewal without a log-in.
type PayLinks struct{ links *checkout.PayLinks }

// NewPayLinks returns the handlers backed by the links.
func NewPayLinks(links *checkout.PayLinks) *PayLinks { return &PayLinks{links: links} }

// Register adds the routes. Both are public, because the link's signature authorises the caller.
func (h *PayLinks) Register(r Routes) {
	r.Public.GET("/pay-links/:code", Handle(h.look))
	r.Public.POST("/pay-links/:code/request", Handle(h.request))
}

type payLinkAnswer struct {
	State    checkout.PayLinkState `json:"state"`
	Returned checkout.LinkedReturn `json:"returned"`
	// Renewal is null unless it can be paid.
	Renewal *linkedRenewal `json:"renewal"`
}

type linkedRenewal struct {
	Shop          string                     `json:"shop"`
	Plan          string                     `json:"plan"`
	From          subscription.Day           `json:"from"`
	To            subscription.Day           `json:"to"`
	Details       []subscription.PreviewLine `json:"details"`
	Total         string                     `json:"total"`
	ExpectedTotal money.Paise                `json:"expected_total"`
	PayBy         *subscription.Day          `json:"pay_by"`
	Until         string                     `json:"link_until"`
	Debit         *undecidedDebitAnswer      `json:"undecided_debit"`
	UPILimit      *string                    `json:"upi_limit"`
}

func (h *PayLinks) look(c *gin.Context) error {
	p, err := h.links.Look(c.Request.Context(), c.Param("code"), c.Query("transaction_id"))
	if err != nil {
		return err
	}
	a := payLinkAnswer{State: p.State, Returned: p.Returned}
	if o := p.Offer; o != nil {
		a.Renewal = &linkedRenewal{
			Shop: p.Shop, Plan: o.Tier.Title(), From: o.EffectiveOn, To: o.RenewOn - 1, Details: o.WithoutPlace().PaymentDetails(),
			Total: o.Payable().Display(), ExpectedTotal: o.Payable(), Until: p.Link.Until().In(clock.IST).Format(time.DateOnly),
			Debit: undecidedDebitOf(p.Debit), UPILimit: upiLimitOf(p.UPILimit),
		}
		if by := o.Subscription.PayBy(); by != 0 {
			a.Renewal.PayBy = &by
		}
	}
	return OK(c, payLinkMessage(p.State), a)
}

func payLinkMessage(s checkout.PayLinkState) string {
	switch s {
	case checkout.PayLinkPaid:
		return "This renewal is paid."
	case checkout.PayLinkConfirming:
		return "We are confirming the payment."
	default:
		return "The renewal and what it costs."
	}
}

func (h *PayLinks) request(c *gin.Context) error {
	var in struct {
		ExpectedTotal *money.Paise    `json:"expected_total"`
		Mobile        string          `json:"mobile"`
		Method        *payment.Method `json:"payment_method" empty:"refused"`
		DespiteDebit  bool            `json:"pay_despite_debit"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	var v errs.Validation
	v.Check(in.ExpectedTotal != nil && *in.ExpectedTotal >= 0, "expected_total", shownTotal)
	account.CheckNamedMobile(&v, "mobile", "Your mobile number", in.Mobile)
	if err := v.Err(); err != nil {
		return err
	}
	pay := checkout.Input{ExpectedTotal: in.ExpectedTotal, DespiteDebit: in.DespiteDebit}
	if in.Method != nil {
		pay.Method = *in.Method
	}
	r, err := h.links.Request(c.Request.Context(), c.Param("code"), in.Mobile, pay)
	if err != nil {
		return err
	}
	return OK(c, "Taking you to the secure payment page…", gin.H{"gateway_details": gatewayOf(r.Session), "amount": r.Amount.Display()})
}
