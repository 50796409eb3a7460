package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// The UPI addresses documented for Razorpay's test mode.
const (
	payingVPA  = "success@razorpay"
	failingVPA = "failure@razorpay"
)

var errUnknown = errors.New("no order has this id or receipt")

// decision is how an attempt should end, chosen on the page or by a test. validate lists the values. These outcomes are more than a
// success or a failure:
//
//   - pending: the bank does not answer; the payment fails after ten minutes
//   - late_success: the payment fails, then the bank authorises it after SANDBOX_LATE_AFTER
//   - authorized: the payment waits for a capture call; the sandbox refunds it after manual_expiry_period
//   - second_success: the customer pays a paid order again; the sandbox refunds the second payment immediately
//   - cancel: the customer leaves, and the browser is redirected to cancel_url
//   - dummy: for an order with a token, whose mandate becomes valid while its payment fails with upi_dummy_payment
type decision struct {
	Outcome      string `json:"outcome"`
	Webhook      string `json:"webhook"` // once, twice, late or lost
	Return       string `json:"return"`  // post or lost
	Method       string `json:"method,omitempty"`
	VPA          string `json:"vpa,omitempty"`
	Mandate      string `json:"mandate,omitempty"`       // what becomes of the mandate
	DelaySeconds *int   `json:"delay_seconds,omitempty"` // for late events; the sandbox's default if absent
	mandateDays  int    // working days until the bank decides about a mandate that is decided late
}

func (d *decision) validate() error {
	if d.Webhook == "" {
		d.Webhook = webhookOnce
	}
	if d.Return == "" {
		d.Return = "post"
	}
	for _, choice := range []struct {
		name, value string
		allowed     []string
	}{
		{"outcome", d.Outcome, []string{"success", "failure", "pending", "late_success", "authorized", "second_success", "cancel", "dummy"}},
		{"mandate", d.Mandate, []string{"", "as_asked", "lower", "none", "pending", "rejected", "confirmed_late", "rejected_late"}},
		{"webhook", d.Webhook, []string{webhookOnce, webhookTwice, webhookLate, webhookLost}},
		{"return", d.Return, []string{"post", "lost"}},
		{"method", d.Method, []string{"", "upi", "card", "netbanking", methodEmandate}},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return fmt.Errorf("%s is not one of: %s", choice.name, strings.Join(choice.allowed, " "))
		}
	}
	if d.DelaySeconds != nil && (*d.DelaySeconds < 0 || *d.DelaySeconds > 3600) {
		return errors.New("delay_seconds is between 0 and 3600")
	}
	return nil
}

// handleOutcome ends an attempt as a test or script requests, and returns what the browser would do next: `return_url`,
// `method` (POST, or GET after a cancellation) and `fields`; all empty if the browser does not return. 404 for an unknown
// order, 409 for a paid one.
func (s *server) handleOutcome(w http.ResponseWriter, r *http.Request) {
	var chosen decision
	if err := sandbox.ReadJSON(w, r, &chosen); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	o, err := s.conclude(r.PathValue("id"), chosen)
	if err != nil {
		sandbox.WriteError(w, statusOf(err), err)
		return
	}
	answer := map[string]any{"return_url": "", "method": "", "fields": map[string]string{}}
	switch {
	case chosen.Return == "lost" || chosen.Outcome == "pending":
	case chosen.Outcome == "cancel":
		answer["return_url"], answer["method"] = o.Checkout.CancelURL, http.MethodGet
	default:
		answer["return_url"], answer["method"], answer["fields"] = o.Checkout.CallbackURL, http.MethodPost, s.returnFields(o)
	}
	sandbox.WriteJSON(w, http.StatusOK, answer)
}

// conclude ends an order's open attempt, or a new one, and queues its webhooks in the same change.
func (s *server) conclude(id string, chosen decision) (*order, error) {
	if err := chosen.validate(); err != nil {
		return nil, err
	}
	delay := s.lateAfter
	if chosen.DelaySeconds != nil {
		delay = time.Duration(*chosen.DelaySeconds) * time.Second
	}
	chosen.mandateDays = s.settings.get().MandateDays
	now := s.now()
	var concluded *order
	err := s.book.change(func(d *draft) error {
		found := d.before.findOrder(id)
		if found == nil {
			return errUnknown
		}
		o := d.order(found.ID)
		if paid := o.status() == statusPaid; paid != (chosen.Outcome == "second_success") {
			if paid {
				return errPaid
			}
			return errors.New("the order has not been paid yet")
		}
		o.conclude(chosen, delay, teller{draft: d, now: now, webhook: chosen.Webhook, delay: delay})
		concluded = clone(o)
		return nil
	})
	s.wake()
	return concluded, err
}

func (o *order) conclude(chosen decision, delay time.Duration, tell teller) {
	if chosen.Outcome == "cancel" {
		return
	}
	p := o.attempt(tell.now)
	if chosen.Method != "" {
		p.Method = chosen.Method
	}
	if p.VPA = chosen.VPA; p.Method == "upi" && p.VPA == "" {
		p.VPA = payingVPA
	}
	if o.Limits != nil {
		p.Method, p.CustomerID = o.TokenMethod, o.CustomerID
		if chosen.Outcome == "success" || chosen.Outcome == "authorized" || chosen.Outcome == "dummy" {
			if t := tell.draft.registered(o, p, chosen, tell.now); t != nil {
				tell.token(t)
			}
		}
	}
	switch chosen.Outcome {
	case "dummy": // the mandate stands, and its payment fails
		o.failWith(p, dummyPayment, tell)
	case "success", "second_success":
		o.authorize(p, tell.now, tell)
	case "authorized":
		p.Held = true
		o.authorize(p, tell.now, tell)
	case "failure":
		o.fail(p, tell)
	case "late_success":
		o.fail(p, tell)
		p.AuthorizesAt, p.LateWebhook = time.Now().Add(delay), chosen.Webhook
	}
}

// handleDashboardRefund refunds part or all of a payment as from the dashboard: nobody requested it through the API, and the
// merchant learns of it by webhook. The answer is the refund.
func (s *server) handleDashboardRefund(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Amount string `json:"amount"` // in rupees, such as "10.00"
	}
	if err := sandbox.ReadJSON(w, r, &asked); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	value, err := rupees(asked.Amount)
	if err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	s.onPaid(w, r, func(p *payment, tell teller) (any, error) {
		made := &refund{Amount: value, Speed: "normal"}
		if err := p.checkRefund(made, json.RawMessage(strconv.FormatInt(value, 10)), tell.now); err != nil {
			return nil, err
		}
		p.giveBack(made, tell.now, tell)
		return made.entity(p), nil
	})
}

// onPaid changes the captured payment of the order in the URL.
func (s *server) onPaid(w http.ResponseWriter, r *http.Request, fn func(p *payment, tell teller) (any, error)) {
	now := s.now()
	var answer any
	err := s.book.change(func(d *draft) error {
		found := d.before.findOrder(r.PathValue("id"))
		if found == nil {
			return errUnknown
		}
		p := d.order(found.ID).paidBy()
		if p == nil {
			return errNotTaken
		}
		var err error
		answer, err = fn(p, teller{draft: d, now: now, webhook: webhookOnce})
		return err
	})
	if err != nil {
		sandbox.WriteError(w, statusOf(err), err)
		return
	}
	s.wake()
	sandbox.WriteJSON(w, http.StatusOK, answer)
}

// handleRefundOutcome sets a refund's state: processed, failed, or pending until the next such call.
func (s *server) handleRefundOutcome(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Outcome string `json:"outcome"`
	}
	if err := sandbox.ReadJSON(w, r, &asked); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	now := s.now()
	var answer any
	err := s.book.change(func(d *draft) error {
		found, _, _ := d.before.findRefund(r.PathValue("id"))
		if found == nil {
			return errors.New("no refund has this id")
		}
		d.order(found.ID)
		_, p, made := d.change.findRefund(r.PathValue("id"))
		switch asked.Outcome {
		case refundPending:
			made.Status, made.Held = refundPending, true
		case refundProcessed, statusFailed:
			p.finish(made, asked.Outcome, now, teller{draft: d, now: now, webhook: webhookOnce})
		default:
			return errors.New("outcome is one of: processed failed pending")
		}
		answer = made.entity(p)
		return nil
	})
	if err != nil {
		sandbox.WriteError(w, statusOf(err), err)
		return
	}
	s.wake()
	sandbox.WriteJSON(w, http.StatusOK, answer)
}

// handleDispute opens a dispute, or changes the one with the given id. The answer is the dispute.
func (s *server) handleDispute(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		DisputeID    string `json:"dispute_id"` // empty opens one
		Amount       string `json:"amount"`     // in rupees; the whole payment if empty
		Phase        string `json:"phase"`
		Status       string `json:"status"`
		ReasonCode   string `json:"reason_code"`
		WithoutOrder bool   `json:"without_order"`
	}
	if err := sandbox.ReadJSON(w, r, &asked); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	if asked.Phase != "" && !slices.Contains([]string{"fraud", "retrieval", "chargeback", "pre_arbitration", "arbitration"}, asked.Phase) {
		sandbox.WriteError(w, http.StatusBadRequest, errors.New("phase is one of: fraud retrieval chargeback pre_arbitration arbitration"))
		return
	}
	s.onPaid(w, r, func(p *payment, tell teller) (any, error) {
		tell.orphan = asked.WithoutOrder
		d := p.disputeByID(asked.DisputeID)
		switch {
		case d == nil && asked.DisputeID != "":
			return nil, errors.New("the payment has no such dispute")
		case d == nil:
			d = &dispute{
				ID: newID("disp_"), Amount: p.Amount, ReasonCode: "chargeback", Phase: "chargeback", CreatedAt: tell.now,
				RespondBy: tell.now.AddDate(0, 0, 7),
			}
			if asked.Amount != "" {
				value, err := rupees(asked.Amount)
				if err != nil {
					return nil, err
				}
				d.Amount = value
			}
			p.Disputes = append(p.Disputes, d)
			asked.Status = disputeOpen
		case !slices.Contains([]string{disputeOpen, disputeUnderReview, "action_required", disputeWon, disputeLost, disputeClosed}, asked.Status):
			return nil, errors.New("status is one of: open under_review action_required won lost closed")
		}
		if asked.Phase != "" {
			d.Phase = asked.Phase
		}
		if asked.ReasonCode != "" {
			d.ReasonCode = asked.ReasonCode
		}
		p.decide(d, asked.Status, tell.now, tell)
		return d.entity(p), nil
	})
}

func (p *payment) disputeByID(id string) *dispute {
	for _, d := range p.Disputes {
		if d.ID == id {
			return d
		}
	}
	return nil
}

// handlePayments lists the orders with their payments, newest first; handlePayment shows one.
func (s *server) handlePayments(w http.ResponseWriter, _ *http.Request) {
	sandbox.WriteJSON(w, http.StatusOK, s.book.orders())
}

func (s *server) handlePayment(w http.ResponseWriter, r *http.Request) {
	o := s.book.order(r.PathValue("id"))
	if o == nil {
		sandbox.WriteError(w, http.StatusNotFound, errUnknown)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, o)
}

// webhooks is what the dashboard shows about webhooks: whether they are enabled, and the latest deliveries.
type webhooks struct {
	Disabled   string     `json:"disabled"`
	Deliveries []delivery `json:"deliveries"`
}

func (b *book) webhooks() webhooks {
	const shown = 200
	b.mu.Lock()
	defer b.mu.Unlock()
	w := webhooks{Disabled: b.state.Account.Disabled, Deliveries: []delivery{}}
	for _, d := range b.state.Deliveries {
		w.Deliveries = append(w.Deliveries, *d)
	}
	slices.SortFunc(w.Deliveries, func(a, b delivery) int { return b.CreatedAt.Compare(a.CreatedAt) })
	w.Deliveries = w.Deliveries[:min(shown, len(w.Deliveries))]
	return w
}

func (s *server) handleWebhooks(w http.ResponseWriter, _ *http.Request) {
	sandbox.WriteJSON(w, http.StatusOK, s.book.webhooks())
}

// handleEnable re-enables webhooks, as the merchant would on the dashboard.
func (s *server) handleEnable(w http.ResponseWriter, r *http.Request) {
	err := s.book.change(func(d *draft) error {
		d.change.Account.Disabled = ""
		return nil
	})
	if err != nil {
		sandbox.WriteError(w, http.StatusInternalServerError, err)
		return
	}
	s.wake()
	s.handleWebhooks(w, r)
}

// rupees parses an amount such as "10.00" into paise.
func rupees(text string) (int64, error) {
	if !regexp.MustCompile(`^[0-9]{1,10}\.[0-9]{2}$`).MatchString(text) {
		return 0, errors.New(`an amount is rupees with two decimals, such as "10.00"`)
	}
	return strconv.ParseInt(strings.Replace(text, ".", "", 1), 10, 64)
}

func statusOf(err error) int {
	switch {
	case errors.Is(err, errUnknown):
		return http.StatusNotFound
	case errors.Is(err, errPaid):
		return http.StatusConflict
	default:
		return http.StatusBadRequest
	}
}
