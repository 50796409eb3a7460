package main

import (
	"errors"
	"time"
)

const (
	bankAnswersWithin = 10 * time.Minute     // then the payment fails (Late Payment Authorisations)
	automaticDefault  = 3 * 24 * 60          // minutes in which the account captures automatically
	manualDefault     = 7200                 // minutes until an authorised payment is refunded, the documented default
	refundTakes       = 2 * time.Second      // from pending to processed
	arnTakes          = 3 * 24 * time.Hour   // the bank reference follows after the refund is processed
	refundableFor     = 182 * 24 * time.Hour // "more than 6 months old"

	feeBasisPoints    = 200  // of the amount
	feeTaxBasisPoints = 1800 // GST on the fee
)

var (
	errPaid     = errors.New("the order has already been paid")
	errNotTaken = errors.New("the payment has not been captured")
)

const failureText = "Payment was unsuccessful due to a temporary issue. If amount got deducted, it will be refunded within 5-7 working days."

// status returns the order's status: it stays paid even if its payment is refunded.
func (o *order) status() string {
	for _, p := range o.Payments {
		if p.captured() {
			return statusPaid
		}
	}
	if len(o.Payments) > 0 {
		return statusAttempted
	}
	return statusCreated
}

// attempt starts a payment, or continues the one that the bank has not answered yet.
func (o *order) attempt(now time.Time) *payment {
	if last := o.last(); last != nil && last.Status == statusCreated {
		return last
	}
	p := &payment{
		ID: newID("pay_"), OrderID: o.ID, Amount: o.Amount, Currency: o.Currency, Status: statusCreated,
		Method: o.Checkout.Method, Email: o.Checkout.Email, Contact: o.Checkout.Contact,
		Description: o.Checkout.Description, Reference: digits(12), CreatedAt: now,
	}
	o.Payments = append(o.Payments, p)
	return p
}

func (o *order) last() *payment {
	if len(o.Payments) == 0 {
		return nil
	}
	return o.Payments[len(o.Payments)-1]
}

func (o *order) payment(id string) *payment {
	for _, p := range o.Payments {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// authorize records the bank's approval. A second payment of a paid order is refunded immediately; others are captured
// immediately if capture is automatic and its time has not passed.
func (o *order) authorize(p *payment, now time.Time, tell teller) {
	paid := o.status() == statusPaid
	p.Status, p.Failure, p.AuthorizesAt = statusAuthorized, "", time.Time{}
	tell.payment("payment.authorized", p)
	switch minutes := now.Sub(p.CreatedAt).Minutes(); {
	case paid:
		p.giveBack(&refund{Amount: p.Amount, Speed: "normal"}, now, tell)
	case o.Capture.How == captureAutomatic && !p.Held && minutes <= float64(o.Capture.AutomaticWithin):
		o.take(p, now, tell)
	}
}

// take captures an authorised payment: only now is the money the merchant's.
func (o *order) take(p *payment, now time.Time, tell teller) {
	p.Status, p.CapturedAt = statusCaptured, now
	fee := portion(p.Amount, feeBasisPoints)
	p.Tax = portion(fee, feeTaxBasisPoints)
	p.Fee = fee + p.Tax
	tell.payment("payment.captured", p)
	tell.orderPaid(o, p)
}

// portion returns a share in basis points, rounded half up to the paisa.
func portion(value, basisPoints int64) int64 { return (value*basisPoints + 5000) / 10000 }

func (o *order) fail(p *payment, tell teller) {
	p.Status, p.Failure = statusFailed, failureText
	tell.payment("payment.failed", p)
}

// giveBack starts a refund; a fully refunded payment gets the status refunded.
func (p *payment) giveBack(r *refund, now time.Time, tell teller) {
	r.ID, r.Status, r.CreatedAt, r.ProcessesAt = newID("rfnd_"), refundPending, now, now.Add(refundTakes)
	p.Refunds = append(p.Refunds, r)
	if p.refunded() == p.Amount {
		p.Status = statusRefunded
	}
	tell.refund("refund.created", p, r)
}

// finish ends a pending refund as processed or failed; on failure the money is the merchant's again.
func (p *payment) finish(r *refund, status string, now time.Time, tell teller) {
	r.Status, r.Held = status, false
	if status == refundProcessed {
		r.ARNAt = now.Add(arnTakes)
		tell.refund("refund.processed", p, r)
		return
	}
	if p.captured() {
		p.Status = statusCaptured
	}
	if r.SettlementID != "" { // it was deducted from a settlement, so a later one returns it
		p.Adjustments = append(p.Adjustments, &moneyMove{
			ID: newID("adj_"), Amount: r.Amount, Description: "Reversal of " + r.ID, CreatedAt: now,
		})
	}
	tell.refund("refund.failed", p, r)
}

// due reports whether the passing of time alone changes the order.
func (o *order) due(now, machine time.Time) bool {
	if o.moves(now) {
		return true
	}
	for _, p := range o.Payments {
		if p.timesOut(now) || p.confirmsLate(machine) || o.expires(p, now) {
			return true
		}
		for _, r := range p.Refunds {
			if r.processes(now) || r.getsReference(now) {
				return true
			}
		}
	}
	return false
}

func (p *payment) timesOut(now time.Time) bool {
	return p.Status == statusCreated && !p.Recurring && now.Sub(p.CreatedAt) >= bankAnswersWithin
}

func (p *payment) confirmsLate(machine time.Time) bool {
	return !p.AuthorizesAt.IsZero() && !machine.Before(p.AuthorizesAt)
}

func (o *order) expires(p *payment, now time.Time) bool {
	return p.Status == statusAuthorized && now.Sub(p.CreatedAt) >= time.Duration(o.Capture.ManualWithin)*time.Minute
}

func (r *refund) processes(now time.Time) bool {
	return r.Status == refundPending && !r.Held && !now.Before(r.ProcessesAt)
}

func (r *refund) getsReference(now time.Time) bool {
	return r.Status == refundProcessed && r.ARN == "" && !now.Before(r.ARNAt)
}

// advance applies the effects of time: late bank answers, expiry, and refund progress.
func (o *order) advance(now, machine time.Time, tell teller) {
	o.move(now, tell)
	for _, p := range o.Payments {
		if p.timesOut(now) {
			o.fail(p, tell)
		}
		if p.confirmsLate(machine) {
			o.authorize(p, now, tell.as(p.LateWebhook))
		}
		if o.expires(p, now) {
			p.giveBack(&refund{Amount: p.Amount, Speed: "normal"}, now, tell)
		}
		for _, r := range p.Refunds {
			if r.processes(now) {
				p.finish(r, refundProcessed, now, tell)
			}
			if r.getsReference(now) {
				r.ARN = digits(23)
			}
		}
	}
}

// decide changes a dispute's status. Money is deducted only when it is lost.
func (p *payment) decide(d *dispute, status string, now time.Time, tell teller) {
	event := status
	if status == "action_required" { // the evidence was insufficient: open again
		status = disputeOpen
	}
	d.Status = status
	if status == disputeLost {
		d.Deducted = d.Amount
		p.Adjustments = append(p.Adjustments, &moneyMove{
			ID: newID("adj_"), Amount: -d.Amount, Description: "Dispute " + d.ID + " lost", DisputeID: d.ID, CreatedAt: now,
		})
	}
	if event == disputeOpen {
		event = statusCreated
	}
	tell.dispute("payment.dispute."+event, p, d)
}
