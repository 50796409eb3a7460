package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// AutomaticRenewal handles a customer's view and control of automatic renewal.
type AutomaticRenewal struct{ mandates *mandate.Service }

// NewAutomaticRenewal returns the handlers backed by the mandates.
func NewAutomaticRenewal(mandates *mandate.Service) *AutomaticRenewal {
	return &AutomaticRenewal{mandates: mandates}
}

// Register adds the routes.
func (h *AutomaticRenewal) Register(r Routes) {
	const path = "/subscription/automatic-renewal"
	r.Private.GET(path, Handle(h.view))
	r.Private.POST(path, Handle(h.begin))
	r.Private.POST(path+"/:id/stop", Handle(h.stop))
	r.Private.POST(path+"/:id/pause", h.change(i18n.Mark("Paused. Nothing is debited until you resume."), h.mandates.Pause))
	r.Private.POST(path+"/:id/resume", h.change(i18n.Mark("Automatic renewal continues."), h.mandates.Resume))
	r.Private.POST(path+"/:id/skip", h.change(i18n.Mark("This debit is skipped. Pay this renewal manually."), h.mandates.Skip))
	r.Private.POST(path+"/:id/unskip", h.change(i18n.Mark("The skip is undone. The debit is announced again."), h.mandates.Unskip))
}

type automaticRenewalAnswer struct {
	Offered        bool             `json:"offered"`
	OpensOn        subscription.Day `json:"opens_on"`
	SubscriptionID *string          `json:"subscription_id"`
	Choices        []mandateChoice  `json:"choices"`
	Mandate        *mandateAnswer   `json:"mandate"`
	Replacement    *mandateAnswer   `json:"replacement"`
	Debits         []debitAnswer    `json:"debits"`
	Events         []mandateEvent   `json:"events"`
}

// mandateEvent is what happened to a mandate and who did it; Amount is the limit or the bill that it is about.
type mandateEvent struct {
	At      time.Time         `json:"at"`
	Kind    mandate.EventKind `json:"kind"`
	By      mandate.Actor     `json:"by"`
	Method  mandate.Method    `json:"method"`
	RenewOn subscription.Day  `json:"renew_on"`
	Amount  *string           `json:"amount"`
}

func eventsOf(events []mandate.Event) []mandateEvent {
	out := make([]mandateEvent, 0, len(events))
	for _, e := range events {
		one := mandateEvent{At: e.At.UTC(), Kind: e.Kind, By: e.Actor, Method: e.Method}
		if e.RenewOn != nil {
			one.RenewOn = *e.RenewOn
		}
		if e.Amount != nil {
			one.Amount = orNull(e.Amount.Display())
		}
		out = append(out, one)
	}
	return out
}

// mandateChoice is a method with the words to agree to.
type mandateChoice struct {
	Method         mandate.Method   `json:"method"`
	ConsentVersion string           `json:"consent_version"`
	ConsentText    string           `json:"consent_text"`
	Cap            string           `json:"cap"`
	Bill           string           `json:"bill"`
	Available      bool             `json:"available"`
	Why            *i18n.Sentence   `json:"why"`
	PaysNow        string           `json:"pays_now"`
	WithoutPayment bool             `json:"without_payment"`
	OpensOn        subscription.Day `json:"opens_on"`
}

type mandateAnswer struct {
	ID          string           `json:"id"`
	State       mandate.State    `json:"state"`
	Authorised  bool             `json:"authorised"`
	WaitsUntil  subscription.Day `json:"waits_until"`
	Reason      *i18n.Sentence   `json:"reason"`
	Method      mandate.Method   `json:"method"`
	Masked      *string          `json:"masked"`
	Cap         string           `json:"cap"`
	EndsOn      subscription.Day `json:"ends_on"`
	ConsentText string           `json:"consent_text"`
	ConsentedAt time.Time        `json:"consented_at"`
	PausedByYou bool             `json:"paused_by_you"`
	Stopping    bool             `json:"stopping"`
	Paid        bool             `json:"paid"`
	StoppedAt   *time.Time       `json:"stopped_at"`
	EndedAt     *time.Time       `json:"ended_at"`
	Warning     *i18n.Sentence   `json:"warning"`
	Advice      *i18n.Sentence   `json:"advice"`
	CanPause    bool             `json:"can_pause"`
	CanResume   bool             `json:"can_resume"`
	CanStop     bool             `json:"can_stop"`
	SkippedOn   subscription.Day `json:"skipped_on"`
	CanUnskip   bool             `json:"can_unskip"`
	NextDebit   *nextDebitAnswer `json:"next_debit"`
	PayToStart  bool             `json:"pay_to_start"`
}

type nextDebitAnswer struct {
	On        subscription.Day `json:"on"`
	Amount    string           `json:"amount"`
	Announced bool             `json:"announced"`
	CanSkip   bool             `json:"can_skip"`
	Asked     bool             `json:"asked"`
}

type debitAnswer struct {
	ID      string             `json:"id"`
	On      subscription.Day   `json:"on"`
	Amount  string             `json:"amount"`
	State   mandate.DebitState `json:"state"`
	Why     *i18n.Sentence     `json:"why"`
	Advice  *i18n.Sentence     `json:"advice"`
	NextTry subscription.Day   `json:"next_try"`
}

func (h *AutomaticRenewal) view(c *gin.Context) error {
	a := automaticRenewalAnswer{Offered: h.mandates.Offered(), Choices: []mandateChoice{}, Debits: []debitAnswer{}, Events: []mandateEvent{}}
	if !a.Offered {
		return OK(c, "Automatic renewal is not offered.", a)
	}
	v, err := h.mandates.View(c.Request.Context(), middleware.Principal(c).FranchiserID)
	if err != nil {
		return err
	}
	a.OpensOn, a.Events = v.OpensOn, eventsOf(v.Events)
	if v.Bill != nil {
		a.SubscriptionID = orNull(v.Bill.Subscription.ID)
	}
	for _, t := range v.Terms {
		choice := mandateChoice{Method: t.Method, ConsentVersion: t.Version, ConsentText: t.Text(languageOf(c)), Cap: t.Cap.Display(), Bill: v.Bill.Payable().Display(), Available: !t.OnLimit, PaysNow: t.PaysNow.Display(), WithoutPayment: t.WithoutPayment, OpensOn: t.OpensOn}
		if t.OnLimit {
			choice.Why = orNull(i18n.Sentence(mandate.ErrAboveLimit.Message))
		}
		a.Choices = append(a.Choices, choice)
	}
	if v.Mandate != nil {
		a.Mandate = mandateOf(v)
	}
	if v.Replacement != nil {
		other := mandate.View{Mandate: v.Replacement, WaitsUntil: v.WaitsUntil, Paid: v.Paid}
		a.Replacement = mandateOf(other)
	}
	for _, d := range v.History {
		advice, nextTry := v.Follows(d)
		a.Debits = append(a.Debits, debitAnswer{
			ID: d.ID, On: subscription.DayOf(d.DebitAt), Amount: d.Amount.Display(), State: d.State, Why: orNull(i18n.Sentence(d.Explanation())),
			Advice: orNull(i18n.Sentence(advice)), NextTry: nextTry,
		})
	}
	return OK(c, "Automatic renewal.", a)
}

func mandateOf(v mandate.View) *mandateAnswer {
	m := v.Mandate
	a := &mandateAnswer{
		ID: m.ID, State: m.State, Authorised: m.Authorised(), WaitsUntil: v.WaitsUntil, Reason: orNull(i18n.Sentence(m.NotSetUp())), Method: m.Method, Masked: orNull(m.Masked), Cap: m.Cap.Display(), EndsOn: m.EndsOn,
		ConsentText: m.ConsentText, ConsentedAt: m.ConsentedAt.UTC(), PausedByYou: m.HeldAt != nil && !m.State.Ended(),
		Stopping: m.StopAskedAt != nil && !m.State.Ended(), CanPause: m.CanPause(), CanResume: m.CanResume(), CanStop: m.CanStop(),
		SkippedOn: v.SkippedOn, CanUnskip: v.CanUnskip, Paid: v.Paid && m.State == mandate.StateRequested, StoppedAt: m.StopAskedAt, EndedAt: m.EndedAt,
	}
	a.PayToStart = v.PayToStart
	why, advice := v.Warning()
	a.Warning, a.Advice = orNull(i18n.Sentence(why)), orNull(i18n.Sentence(advice))
	switch {
	case v.Next != nil:
		a.NextDebit = &nextDebitAnswer{
			On: subscription.DayOf(v.Next.DebitAt), Amount: v.Next.Amount.Display(), Announced: true, CanSkip: v.Next.CanSkip() && m.CanPause(),
			Asked: v.Next.State == mandate.DebitAsked,
		}
	case v.Bill != nil && v.DebitOn != 0:
		a.NextDebit = &nextDebitAnswer{On: v.DebitOn, Amount: v.Bill.Payable().Display()}
	}
	return a
}

// registrationAnswer is the gateway's session of a registration, with the order that is paid in the same step, if one is.
type registrationAnswer struct {
	Gateway       map[string]string `json:"gateway_details"`
	OrderID       *string           `json:"order_id"`
	TransactionID string            `json:"transaction_id"`
	Amount        string            `json:"amount"`
	RedirectTo    *string           `json:"redirect_to"`
}

// begin registers a mandate and answers much as the payment requests do.
func (h *AutomaticRenewal) begin(c *gin.Context) error {
	var in struct {
		Method    mandate.Method `json:"method"`
		Consented bool           `json:"consented"`
		Version   string         `json:"consent_version"`
		Text      string         `json:"consent_text"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	var v errs.Validation
	v.Check(in.Method == mandate.MethodUPI || in.Method == mandate.MethodCard || in.Method == mandate.MethodENACH, "method", "Choose UPI, card or bank account.")
	v.Check(in.Consented, "consented", "Please read what you agree to, and tick the box.")
	if err := v.Err(); err != nil {
		return err
	}
	begun, err := h.mandates.Register(c.Request.Context(), middleware.Principal(c).FranchiserID, mandate.Input{
		Method: in.Method, Consented: in.Consented, Version: in.Version, Text: in.Text,
	})
	if err != nil {
		return err
	}
	a := registrationAnswer{Gateway: gatewayOf(&begun.Session), TransactionID: begun.TransactionID, Amount: money.Paise(0).Display()}
	if p := begun.Payment; p != nil {
		a.OrderID, a.Amount = &p.OrderID, p.Amount.Display()
		return OK(c, "Taking you to the secure payment page…", a)
	}
	return OK(c, "Taking you to your bank…", a)
}

func (h *AutomaticRenewal) stop(c *gin.Context) error {
	mandateID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	m, err := h.mandates.Stop(c.Request.Context(), middleware.Principal(c).FranchiserID, mandateID)
	if err != nil {
		return err
	}
	if !m.State.Ended() {
		return OK(c, i18n.Mark("Stopped. We send no further debit to your bank. Your bank's confirmation follows."), nil)
	}
	return OK(c, i18n.Mark("Stopped. We send no further debit to your bank."), nil)
}

// change answers a change that says no more than that it was made.
func (*AutomaticRenewal) change(message string, do func(ctx context.Context, franchiserID, mandateID string) error) gin.HandlerFunc {
	return Handle(func(c *gin.Context) error {
		mandateID, err := ParamID(c, "id")
		if err != nil {
			return err
		}
		if err := do(c.Request.Context(), middleware.Principal(c).FranchiserID, mandateID); err != nil {
			return err
		}
		return OK(c, message, nil)
	})
}
