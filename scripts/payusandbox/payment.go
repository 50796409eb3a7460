package main

import (
	"errors"
	"slices"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// The states of a payment as PayU reports them; created is ours: nobody has decided yet.
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

// payment is one attempt at a txnid with a mihpayid of its own. A txnid has several attempts when earlier ones failed, or
// when a late success makes two captures of one.
type payment struct {
	order
	MihpayID          string     `json:"mihpayid"`
	Status            string     `json:"status"`
	Unmapped          string     `json:"unmappedstatus"`
	Charged           string     `json:"charged"` // the transaction's amount as reported; another than the order's for a wrong amount
	AdditionalCharges string     `json:"additional_charges"`
	Discount          string     `json:"discount"`
	BankReference     string     `json:"bank_ref_num"`
	Fields            [10]string `json:"fields"` // field0 to field9: what the bank answered
	Added             time.Time  `json:"added"`
	Decided           time.Time  `json:"decided"`
	SettleAt          time.Time  `json:"settle_at"`          // business time; zero until captured
	CaptureRequestID  string     `json:"capture_request_id"` // names the capture among a payment's actions
	SucceedsAt        time.Time  `json:"succeeds_at"`        // machine time; zero unless a late success is under way
	LateWebhook       string     `json:"late_webhook"`
	Refunds           []refund   `json:"refunds"`
	Disputes          []dispute  `json:"disputes"`
	Deliveries        []delivery `json:"deliveries"`
}

// The errors of the control calls.
var (
	errUnknown = errors.New("no such payment")
	errDecided = errors.New("this transaction id has already been paid")
)

// captured tells whether the payment's money is the merchant's.
func (p *payment) captured() bool {
	return p.Status == statusSuccess && p.Unmapped == unmappedCaptured
}

// pays tells what the customer paid, in paise: the amount, more with charges, less with an offer.
func (p *payment) pays() (int64, error) { return p.sum(p.Charged, p.AdditionalCharges, p.Discount) }

// settles tells what is settled to the merchant before fees, in paise: charges of the customer's are not the merchant's.
func (p *payment) settles() (int64, error) { return p.sum(p.Charged, "", p.Discount) }

func (p *payment) sum(amount, charges, discount string) (int64, error) {
	total, err := paise(amount)
	if err != nil {
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

// waits tells whether something of the payment is due: a notice, or a late success.
func (p *payment) waits(now time.Time) bool {
	if !p.SucceedsAt.IsZero() && !now.Before(p.SucceedsAt) {
		return true
	}
	return slices.ContainsFunc(p.Deliveries, func(d delivery) bool { return d.due(now) })
}

// refunded is what was given back or is on its way, in paise; a refund that failed is neither.
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
	return c
}

// capture makes the payment the merchant's and says when it is settled.
func (p *payment) capture(now time.Time, days int) {
	p.Status, p.Unmapped, p.SettleAt = statusSuccess, unmappedCaptured, payoutAfter(now, days)
}

// indiaTime is the zone of every date in the wire format.
func indiaTime(t time.Time) time.Time { return t.In(sandbox.India()) }

func stamp(t time.Time) string { return indiaTime(t).Format(time.DateTime) }
