package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// order is what the merchant's form asked for. The amount stays the string that was posted.
type order struct {
	TxnID       string    `json:"txnid"`
	Amount      string    `json:"amount"`
	ProductInfo string    `json:"productinfo"`
	FirstName   string    `json:"firstname"`
	Email       string    `json:"email"`
	Phone       string    `json:"phone"`
	UDF         [5]string `json:"udf"`
	SuccessURL  string    `json:"surl"`
	FailureURL  string    `json:"furl"`
	Method      string    `json:"method"` // the method the merchant asked to open on: CC, UPI or NB
}

// The states of a payment as the wire format names them; created is ours: nobody has decided yet.
const (
	statusCreated = "created"
	statusPending = "pending"
	statusSuccess = "success"
	statusFailure = "failure"
)

// payment is one txnid: its latest order, what became of it, and what is still to be delivered.
type payment struct {
	order
	MihpayID          string     `json:"mihpayid"`
	Status            string     `json:"status"`
	Unmapped          string     `json:"unmappedstatus"`
	Charged           string     `json:"charged"` // the amount reported; differs from the order's for a wrong amount
	AdditionalCharges string     `json:"additional_charges"`
	BankReference     string     `json:"bank_ref_num"`
	Added             time.Time  `json:"added"`
	Decided           time.Time  `json:"decided"`
	SucceedsAt        time.Time  `json:"succeeds_at"` // machine time; zero unless a late success is under way
	LateWebhook       string     `json:"late_webhook"`
	Refunds           []refund   `json:"refunds"`
	Deliveries        []delivery `json:"deliveries"`
}

// refund is one request to give money back; the token makes a repeated request the same refund.
type refund struct {
	RequestID string    `json:"request_id"`
	Token     string    `json:"token"`
	Amount    string    `json:"amount"`
	At        time.Time `json:"at"`
}

// delivery is one webhook that was or will be posted.
type delivery struct {
	Fields   map[string]string `json:"fields"`
	Due      time.Time         `json:"due"` // machine time
	Attempts int               `json:"attempts"`
	Done     bool              `json:"done"`
	Result   string            `json:"result"`
}

// parseOrder reads the merchant's form and refuses what PayU refuses; the message is shown on the page.
func parseOrder(form url.Values) (order, error) {
	o := order{
		TxnID: form.Get("txnid"), Amount: form.Get("amount"), ProductInfo: form.Get("productinfo"),
		FirstName: form.Get("firstname"), Email: form.Get("email"), Phone: form.Get("phone"),
		SuccessURL: form.Get("surl"), FailureURL: form.Get("furl"), Method: method(form),
	}
	for i := range o.UDF {
		o.UDF[i] = form.Get(fmt.Sprintf("udf%d", i+1))
	}
	return o, o.validate()
}

func (o order) validate() error {
	required := map[string]string{
		"txnid": o.TxnID, "amount": o.Amount, "productinfo": o.ProductInfo, "firstname": o.FirstName,
		"email": o.Email, "phone": o.Phone, "surl": o.SuccessURL, "furl": o.FailureURL,
	}
	for name, value := range required {
		if value == "" {
			return fmt.Errorf("the mandatory parameter %s is missing", name)
		}
	}
	if ok, err := regexp.MatchString(`^[A-Za-z0-9_-]{1,25}$`, o.TxnID); err != nil || !ok {
		return errors.New("txnid takes at most 25 letters, digits, hyphens and underscores")
	}
	if _, err := paise(o.Amount); err != nil {
		return err
	}
	for _, value := range append(o.UDF[:], o.ProductInfo, o.FirstName, o.Email) {
		if strings.Contains(value, "|") {
			return errors.New("a signed parameter contains the separator |")
		}
	}
	for _, address := range []string{o.SuccessURL, o.FailureURL} {
		u, err := url.Parse(address)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return errors.New("surl and furl must be http or https addresses")
		}
	}
	return nil
}

// method reads the payment method that the merchant asked for, CC when none was.
func method(form url.Values) string {
	first, _, _ := strings.Cut(form.Get("enforce_paymethod"), "|")
	switch strings.ToLower(first + form.Get("pg")) {
	case "upi":
		return "UPI"
	case "nb", "netbanking":
		return "NB"
	default:
		return "CC"
	}
}

// decision is how a payment shall end, chosen on the page or by a test.
type decision struct {
	Outcome           string `json:"outcome"` // success, failure, pending, late_success or wrong_amount
	Webhook           string `json:"webhook"` // once, lost, twice or late
	Return            string `json:"return"`  // post or lost
	Method            string `json:"method,omitempty"`
	Amount            string `json:"amount,omitempty"` // reported with wrong_amount; a paisa off when empty
	AdditionalCharges string `json:"additional_charges,omitempty"`
	DelaySeconds      *int   `json:"delay_seconds,omitempty"` // of what is late; the sandbox's default when absent
}

func (d *decision) validate() error {
	if d.Webhook == "" {
		d.Webhook = "once"
	}
	if d.Return == "" {
		d.Return = "post"
	}
	for _, choice := range []struct {
		name, value string
		allowed     []string
	}{
		{"outcome", d.Outcome, []string{"success", "failure", "pending", "late_success", "wrong_amount"}},
		{"webhook", d.Webhook, []string{"once", "lost", "twice", "late"}},
		{"return", d.Return, []string{"post", "lost"}},
		{"method", d.Method, []string{"", "CC", "UPI", "NB"}},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return fmt.Errorf("%s is not one of: %s", choice.name, strings.Join(choice.allowed, " "))
		}
	}
	if d.DelaySeconds != nil && (*d.DelaySeconds < 0 || *d.DelaySeconds > 3600) {
		return errors.New("delay_seconds is between 0 and 3600")
	}
	for _, amount := range []string{d.Amount, d.AdditionalCharges} {
		if amount == "" {
			continue
		}
		if _, err := paise(amount); err != nil {
			return err
		}
	}
	return nil
}

// decide moves the payment to what was chosen. A payment that succeeded stays so: errDecided.
func (p *payment) decide(d decision, now time.Time) error {
	if p.Status == statusSuccess {
		return errDecided
	}
	p.Charged, p.AdditionalCharges, p.SucceedsAt, p.Decided = p.Amount, d.AdditionalCharges, time.Time{}, now
	if d.Method != "" {
		p.Method = d.Method
	}
	switch d.Outcome {
	case "success":
		p.Status, p.Unmapped = statusSuccess, "captured"
	case "wrong_amount":
		p.Status, p.Unmapped, p.Charged = statusSuccess, "captured", d.Amount
		if d.Amount == "" {
			wrong, err := offByOnePaisa(p.Amount)
			if err != nil {
				return err
			}
			p.Charged = wrong
		}
	case "failure", "late_success":
		p.Status, p.Unmapped = statusFailure, "failed"
	case "pending":
		p.Status, p.Unmapped = statusPending, "pending"
	}
	return nil
}

// errDecided says that a payment already succeeded; its txnid is never used again.
var errDecided = errors.New("this transaction id has already been paid")

// waits tells whether something of the payment is due: a webhook, or a late success.
func (p *payment) waits(now time.Time) bool {
	if !p.SucceedsAt.IsZero() && !now.Before(p.SucceedsAt) {
		return true
	}
	return slices.ContainsFunc(p.Deliveries, func(d delivery) bool { return d.due(now) })
}

func (d delivery) due(now time.Time) bool { return !d.Done && !now.Before(d.Due) }

// refunded is what was given back or is on its way, in paise.
func (p *payment) refunded() (int64, error) {
	var sum int64
	for _, r := range p.Refunds {
		value, err := paise(r.Amount)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}
