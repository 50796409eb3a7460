package main

import (
	"errors"
	"slices"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// The states of a payment as PayU reports them; created is ours: not decided yet.
const (
	statusCreated = "created"
	statusPending = "pending"
	statusSuccess = "success"
	statusFailure = "failure"
)

// The unmapped statuses, as PayU's page "Payment State Explanations" names them.
const (
	unmappedCaptured  = "captured"
	unmappedAuth      = "auth"
	unmappedInitiated = "initiated"
)

// payment is one attempt at a txnid with its own mihpayid. A txnid has several attempts if earlier ones failed, or if a late
// success turns one purchase into two captures.
type payment struct {
	order
	MihpayID          string     `json:"mihpayid"`
	Status            string     `json:"status"`
	Unmapped          string     `json:"unmappedstatus"`
	Charged           string     `json:"charged"` // the amount as reported; differs from the order's for a wrong amount
	AdditionalCharges string     `json:"additional_charges"`
	Discount          string     `json:"discount"`
	BankReference     string     `json:"bank_ref_num"`
	Fields            [10]string `json:"fields"` // field0 to field9: what the bank answered
	Added             time.Time  `json:"added"`
	Decided           time.Time  `json:"decided"`
	SettleAt          time.Time  `json:"settle_at"`          // business time; zero until captured
	CaptureRequestID  string     `json:"capture_request_id"` // identifies the capture among a payment's actions
	SucceedsAt        time.Time  `json:"succeeds_at"`        // machine time; zero unless a late success is pending
	LateWebhook       string     `json:"late_webhook"`
	Refunds           []refund   `json:"refunds"`
	Disputes          []dispute  `json:"disputes"`
	Deliveries        []delivery `json:"deliveries"`
	Mandate           *mandate   `json:"mandate,omitempty"`      // what this payment registered
	DebitOf           string     `json:"debit_of,omitempty"`     // the mandate that this payment was debited by
	DebitNumber       string     `json:"debit_number,omitempty"` // the notice's invoiceDisplayNumber
	DebitAt           time.Time  `json:"debit_at"`               // business time at which the debit ends; zero once ended
	DebitEnds         string     `json:"debit_ends,omitempty"`
	DebitStatus       string     `json:"debit_status,omitempty"`
	DebitWebhook      string     `json:"debit_webhook,omitempty"`
}

// Errors of the control calls.
var (
	errUnknown = errors.New("no such payment")
	errDecided = errors.New("this transaction id has already been paid")
)

// captured reports whether the merchant has the payment's money.
func (p *payment) captured() bool {
	return p.Status == statusSuccess && p.Unmapped == unmappedCaptured
}

// pays returns the customer's payment, in paise: the amount, plus any charges, less any offer.
func (p *payment) pays() (int64, error) { return p.sum(p.Charged, p.AdditionalCharges, p.Discount) }

// settles returns the merchant's settlement before fees, in paise, without charges borne by the customer.
func (p *payment) settles() (int64, error) { return p.sum(p.Charged, "", p.Discount) }

func (p *payment) sum(amount, charges, discount string) (int64, error) {
	total, err := paise(amount)
	if err != nil && !errors.Is(err, errZero) { // a mandate over netbanking is registered without a payment
		return 0, err
	}
	for sign, text := range map[int64]string{1: charges, -1: discount} {
		if text == "" {
			continue
		}
		value, err := paise(text)
		if err != nil {
			return 0, err
		}
		total += sign * value
	}
	return total, nil
}

// waits reports whether the payment has anything due: a notification or a late success.
func (p *payment) waits(now time.Time) bool {
	if !p.SucceedsAt.IsZero() && !now.Before(p.SucceedsAt) {
		return true
	}
	return slices.ContainsFunc(p.Deliveries, func(d delivery) bool { return d.due(now) })
}

// refunded returns the amount of refunds done or under way, in paise; failed refunds do not count.
func (p *payment) refunded() (int64, error) {
	var sum int64
	for _, r := range p.Refunds {
		if r.Status == refundFailure {
			continue
		}
		value, err := paise(r.Amount)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

func (p *payment) copy() payment {
	c := *p
	c.Refunds = slices.Clone(p.Refunds)
	c.Disputes = slices.Clone(p.Disputes)
	c.Deliveries = slices.Clone(p.Deliveries)
	c.Mandate = p.Mandate.clone()
	return c
}

// capture marks the payment captured and sets its settlement date.
func (p *payment) capture(now time.Time, days int) {
	p.Status, p.Unmapped, p.SettleAt = statusSuccess, unmappedCaptured, payoutAfter(now, days)
	if paid, err := p.pays(); err == nil && paid == 0 {
		p.SettleAt = time.Time{}
	}
}

// indiaTime converts to the time zone of every date in the wire format.
func indiaTime(t time.Time) time.Time { return t.In(sandbox.India()) }

func stamp(t time.Time) string { return indiaTime(t).Format(time.DateTime) }
