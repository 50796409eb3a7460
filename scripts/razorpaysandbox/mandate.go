package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// The states of a token's recurring_details ("Fetch and Manage Tokens").
const (
	tokenInitiated  = "initiated"
	tokenConfirmed  = "confirmed"
	tokenRejected   = "rejected"
	tokenPaused     = "paused"
	tokenCancelling = "cancellation_initiated"
	tokenCancelled  = "cancelled"

	methodUPI      = "upi"
	methodCard     = "card"
	methodEmandate = "emandate"

	dummyPayment = "upi_dummy_payment"
)

const (
	cardNoticeLead = 36*time.Hour + 5*time.Minute // "Create Subsequent Payments" for cards
	upiNoticeLead  = 24 * time.Hour               // RBI, e-mandate framework
	coupledUPI     = 25 * time.Hour               // after the notice, where the order has no notification
	cancelTakes    = 2 * time.Second
	noticeTakes    = time.Second
)

// customer is a customer of the merchant's.
type customer struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Contact   string    `json:"contact"`
	CreatedAt time.Time `json:"created_at"`
}

// limits are the order's `token`: the limits that the customer approves.
type limits struct {
	MaxAmount int64  `json:"max_amount"`
	ExpireAt  int64  `json:"expire_at"`
	Frequency string `json:"frequency"`
	AuthType  string `json:"auth_type"`
}

// notification is the notice of a debit whose order carries it.
type notification struct {
	ID           string    `json:"id"`
	TokenID      string    `json:"token_id"`
	PaymentAfter int64     `json:"payment_after"`
	Status       string    `json:"status"` // empty, delivered or failed
	Fails        bool      `json:"fails"`
	DeliveredAt  time.Time `json:"delivered_at"`
}

// token is a mandate.
type token struct {
	limits
	ID            string    `json:"id"`
	Token         string    `json:"token"`
	CustomerID    string    `json:"customer_id"`
	Method        string    `json:"method"`
	Status        string    `json:"status"`
	FailureReason string    `json:"failure_reason"`
	CreatedAt     time.Time `json:"created_at"`
	Deleted       bool      `json:"deleted"`      // removed from the lists; the mandate lives on
	CancelsAt     time.Time `json:"cancels_at"`   // when a requested cancellation takes effect
	ResumesAt     time.Time `json:"resumes_at"`   // when a pause lapses, without an event
	Next          string    `json:"next"`         // the reason with which the next debit fails, late or stuck; it succeeds if empty
	NextNotice    string    `json:"next_notice"`  // failed: the next notice is not delivered
	NextWebhook   string    `json:"next_webhook"` // of the next debit
	DecidesAt     time.Time `json:"decides_at"`   // business time at which the bank confirms or rejects it
	Decides       string    `json:"decides"`      // confirmed or rejected
	DecideWebhook string    `json:"decide_webhook"`
}

func (c *customer) entity() fields {
	return fields{
		"id": c.ID, "entity": "customer", "name": c.Name, "email": c.Email, "contact": c.Contact, "gstin": nil, "notes": []any{},
		"created_at": c.CreatedAt.Unix(),
	}
}

func (t *token) entity() fields {
	f := fields{
		"id": t.ID, "entity": "token", "token": t.Token, "bank": nil, "wallet": nil, "method": t.Method, "recurring": true,
		"recurring_details": fields{"status": t.Status, "failure_reason": orNull(t.FailureReason)}, "auth_type": orNull(t.AuthType),
		"mrn": nil, "used_at": t.CreatedAt.Unix(), "created_at": t.CreatedAt.Unix(), "dcc_enabled": false, "max_amount": t.MaxAmount,
		"expired_at": t.ExpireAt,
	}
	switch t.Method {
	case methodUPI:
		f["vpa"], f["start_time"] = fields{"username": "success", "handle": "razorpay", "name": nil}, t.CreatedAt.Unix()
	case methodCard:
		f["card"] = fields{
			"entity": "card", "name": "Gaurav Kumar", "last4": "0153", "network": "Visa", "type": "debit", "issuer": "HDFC",
			"international": false, "emi": false, "sub_type": "consumer", "expiry_month": 12, "expiry_year": 2040,
			"flows": fields{"otp": true, "recurring": true},
		}
		f["billing_address"] = nil
	default:
		f["bank"] = "HDFC"
		f["bank_details"] = fields{
			"beneficiary_name": "Gaurav Kumar", "account_number": "XXXXXXXXXXXX1121", "ifsc": "HDFC0000001", "account_type": "savings",
		}
	}
	return f
}

func (n *notification) entity(orderID string) fields {
	f := fields{
		"id": n.ID, "entity": "notification", "order_id": orderID, "token_id": n.TokenID, "delivered_at": nil, "status": n.Status,
		"payment_after": n.PaymentAfter,
	}
	if n.Status == "delivered" {
		f["delivered_at"] = n.DeliveredAt.Unix()
	}
	return f
}

// registered creates the token of a registration as the customer's choice has it; the payment then names it.
func (d *draft) registered(o *order, p *payment, chosen decision, now time.Time) *token {
	choice := chosen.Mandate
	if o.Limits == nil || choice == "none" {
		return nil
	}
	t := &token{
		limits: *o.Limits, ID: newID("token_"), Token: newID(""), CustomerID: o.CustomerID, Method: o.TokenMethod, Status: tokenConfirmed,
		CreatedAt: now,
	}
	switch choice {
	case "lower":
		t.MaxAmount = max(t.MaxAmount/2, 100)
	case "pending":
		t.Status = tokenInitiated
	case "confirmed_late", "rejected_late": // "Emandate FAQs": by the next working day, in some instances 5 days later
		t.Status, t.Decides, t.DecideWebhook = tokenInitiated, strings.TrimSuffix(choice, "_late"), chosen.Webhook
		t.DecidesAt = bankDays().Add(now, chosen.mandateDays).Add(12 * time.Hour)
	case "rejected":
		t.reject()
	}
	d.change.Tokens[t.ID] = t
	p.TokenID, p.CustomerID = t.ID, o.CustomerID
	return t
}

func (t *token) reject() {
	t.Status, t.FailureReason = tokenRejected, "The bank has rejected the mandate."
}

// token returns a copy to modify, or nil for an unknown id.
func (d *draft) token(id string) *token {
	if t, ok := d.change.Tokens[id]; ok {
		return t
	}
	t, ok := d.before.Tokens[id]
	if !ok {
		return nil
	}
	c := *t
	d.change.Tokens[id] = &c
	return &c
}

func (t teller) token(tok *token) {
	if tok.Status == tokenInitiated || tok.Status == tokenCancelling {
		return
	}
	t.event("token."+tok.Status, tok.ID, "token", fields{"token": tok.entity()})
}

// opens returns the first instant from t at which NPCI executes UPI mandates: before 10:00, from 13:00 to 17:00, and from 21:30.
func opens(t time.Time) time.Time {
	midnight := sandbox.Midnight(t)
	switch since := t.Sub(midnight); {
	case since >= 10*time.Hour && since < 13*time.Hour:
		return midnight.Add(13 * time.Hour)
	case since >= 17*time.Hour && since < 21*time.Hour+30*time.Minute:
		return midnight.Add(21*time.Hour + 30*time.Minute)
	default:
		return t
	}
}

// cycle names the period in which a UPI mandate allows one successful debit; where a month begins is not published, so that it is the
// calendar's. The registration's own payment does not count.
func (t *token) cycle(at time.Time) string {
	local := at.In(sandbox.India())
	switch t.Frequency {
	case "daily":
		return local.Format(time.DateOnly)
	case "weekly":
		year, week := local.ISOWeek()
		return fmt.Sprintf("%d-W%d", year, week)
	case "monthly":
		return local.Format("2006-01")
	case "yearly":
		year, first := local.Year(), t.CreatedAt.In(sandbox.India())
		if local.Format("01-02") < first.Format("01-02") {
			year--
		}
		return fmt.Sprint("year ", year)
	default:
		return ""
	}
}

// debits returns the payments by a token.
func (st *state) debits(tokenID string) []*payment {
	var list []*payment
	for _, o := range st.Orders {
		for _, p := range o.Payments {
			if p.Recurring && p.TokenID == tokenID {
				list = append(list, p)
			}
		}
	}
	return list
}

// refusal is why a debit fails although the call for it succeeds, empty if it does not ("Create a Recurring Payment", Error Response
// Parameters).
func (t *token) refusal(o *order, now time.Time, debits []*payment) string {
	switch {
	case t.ExpireAt > 0 && now.Unix() > t.ExpireAt:
		return "mandate_expired"
	case t.Status == tokenPaused:
		return "mandate_paused"
	case t.Status == tokenCancelled || t.Status == tokenCancelling:
		return "mandate_cancelled"
	case t.Status != tokenConfirmed:
		return "mandate_not_active"
	}
	if t.Method == methodUPI {
		used := func(p *payment) bool {
			return p.captured() && t.cycle(p.CreatedAt) != "" && t.cycle(p.CreatedAt) == t.cycle(now)
		}
		if slices.ContainsFunc(debits, used) {
			return "mandate_current_cycle_allowed_debit_exceeds"
		}
		if n := o.Notification; n != nil && (n.Status != "delivered" || now.Sub(n.DeliveredAt) < upiNoticeLead || now.Unix() < n.PaymentAfter) {
			return "pre_debit_notification_failed"
		}
	}
	return ""
}

// debitAt is when a debit ends: UPI is queued until NPCI's window opens, netbanking takes until the next working day.
func (s *server) debitAt(t *token, o *order, now time.Time) time.Time {
	set := s.settings.get()
	after, _ := time.ParseDuration(set.DebitAfter) // checked when it was set
	start := now
	switch {
	case o.Notification == nil && t.Method == methodUPI:
		start = now.Add(coupledUPI)
	case o.Notification == nil && t.Method == methodCard:
		start = now.Add(cardNoticeLead)
	case t.Method == methodEmandate:
		return bankDays().Add(now, set.EmandateDays).Add(12 * time.Hour)
	}
	if t.Method == methodUPI && set.PeakHours == "queue" {
		start = opens(start)
	}
	return start.Add(after)
}

// reasonText describes a failure by its reason, in the documented words.
func reasonText(reason string) string {
	switch reason {
	case "insufficient_funds":
		return "Transaction failed due to insufficient funds."
	case "mandate_paused":
		return "UPI mandate is not active, it is paused by user."
	case "mandate_cancelled":
		return "UPI mandate created for payment has been cancelled by user."
	case "mandate_expired":
		return "UPI Mandate is expired."
	case "mandate_not_active":
		return "UPI mandate is not active."
	case "mandate_current_cycle_allowed_debit_exceeds":
		return "Mandate is already honoured."
	case "pre_debit_notification_failed":
		return "Unable to Notify the Customer."
	case "debit_declined":
		return "Payment was unsuccessful as it was declined by remitter bank."
	case dummyPayment:
		return "Payment was a dummy payment for one time mandate registration."
	default:
		return failureText
	}
}

// debitReasons are the failures that the page offers for the next debit; a control call may name any other.
func debitReasons() []string {
	return []string{"insufficient_funds", "bank_technical_error", "debit_declined", "psp_timeout", "late", "stuck"}
}

func (o *order) failWith(p *payment, reason string, tell teller) {
	p.Status, p.Reason, p.Failure, p.DebitAt = statusFailed, reason, reasonText(reason), time.Time{}
	tell.payment("payment.failed", p)
}

// lateDebit is how long after its failure a late debit succeeds: between two checks of a merchant, and before a retry.
const lateDebit = 60 * time.Hour

// moves reports whether time alone changes the order's notice or debit.
func (o *order) moves(now time.Time) bool {
	if n := o.Notification; n != nil && n.Status == "" && now.Sub(o.CreatedAt) >= noticeTakes {
		return true
	}
	return slices.ContainsFunc(o.Payments, func(p *payment) bool { return !p.DebitAt.IsZero() && !now.Before(p.DebitAt) })
}

func (o *order) move(now time.Time, tell teller) {
	if n := o.Notification; n != nil && n.Status == "" && now.Sub(o.CreatedAt) >= noticeTakes {
		if n.Status, n.DeliveredAt = "delivered", o.CreatedAt.Add(noticeTakes); n.Fails {
			n.Status = "failed"
		}
		tell.notification(o)
	}
	for _, p := range o.Payments {
		if p.DebitAt.IsZero() || now.Before(p.DebitAt) {
			continue
		}
		heard := tell
		if p.DebitWebhook != "" {
			heard = tell.as(p.DebitWebhook)
		}
		switch p.DebitEnds {
		case "":
			p.DebitAt = time.Time{}
			o.authorize(p, now, heard)
		case "stuck":
			p.DebitAt = time.Time{}
		case "late":
			o.failWith(p, "bank_technical_error", heard)
			p.DebitEnds, p.DebitAt, p.DebitWebhook = "", now.Add(lateDebit), "lost"
		default:
			o.failWith(p, p.DebitEnds, heard)
		}
	}
}

// advanceTokens lets banks decide, lapses pauses and completes cancellations.
func (d *draft) advanceTokens(now time.Time, tell teller) {
	for id, t := range d.before.Tokens {
		switch {
		case t.Status == tokenInitiated && !t.DecidesAt.IsZero() && !now.Before(t.DecidesAt):
			c := d.token(id)
			if c.Status, c.DecidesAt = c.Decides, (time.Time{}); c.Status == tokenRejected {
				c.reject()
			}
			tell.as(c.DecideWebhook).token(c)
		case t.Status == tokenPaused && !t.ResumesAt.IsZero() && !now.Before(t.ResumesAt):
			c := d.token(id)
			c.Status, c.ResumesAt = tokenConfirmed, time.Time{}
		case t.Status == tokenCancelling && !now.Before(t.CancelsAt):
			c := d.token(id)
			c.Status = tokenCancelled
			tell.token(c)
		}
	}
}

// tokenOf returns the customer's token.
func (st *state) tokenOf(customerID, tokenID string) *token {
	if t := st.Tokens[tokenID]; t != nil && t.CustomerID == customerID && !t.Deleted {
		return t
	}
	return nil
}
