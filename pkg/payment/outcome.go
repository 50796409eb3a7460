package payment

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Fail marks an open payment as failed.
func (p *Payment) Fail(o Outcome, now time.Time) error {
	if !p.State.Open() {
		return nil
	}
	if err := States().Move(&p.State, StateFailed); err != nil {
		return err
	}
	p.DecidedAt, p.Reason, p.Slug = now, o.Reason, o.Slug
	switch {
	case o.Cancelled:
		p.Reason = ReasonCancelled
	case p.Reason == "":
		p.Reason = ReasonFailed
	}
	return nil
}

// Wait marks the gateway as processing the payment: money may have left.
func (p *Payment) Wait(o Outcome) error {
	if p.State != StateCreated || o.Fields == nil {
		return nil
	}
	p.Slug = o.Slug
	return States().Move(&p.State, StatePending)
}

// PlanCheck sets the time of the next check and reports whether there is one; without it, an open payment expires. A debit by mandate is
// checked after it expired too: no customer is there to report a late debit.
func (p *Payment) PlanCheck(now time.Time) (further bool, err error) {
	if !p.State.Open() && p.State != StateFailed && p.State != StateExpired {
		p.NextCheckAt = time.Time{}
		return false, nil
	}
	at, ok := NextCheck(p.CreatedAt, now)
	if !ok && p.State.Open() {
		if err := p.Expire(now); err != nil {
			return false, err
		}
	}
	if !ok && p.ByMandate && p.State == StateExpired && now.Sub(p.CreatedAt) < lateDebit {
		at, ok = now.Add(lateDebitCheck), true
	}
	p.NextCheckAt = at
	return ok, nil
}

// Expire ends an open payment that was not decided in time.
func (p *Payment) Expire(now time.Time) error {
	p.DecidedAt, p.Reason = now, reasonExpired
	if p.ByMandate {
		p.Reason = reasonUndecided
	}
	return States().Move(&p.State, StateExpired)
}

// NewlyCaptured returns the newly captured amount, 0 if it is not new.
func (p *Payment) NewlyCaptured(before State, o Outcome) (amount money.Paise) {
	if p.State != before && (p.State == StatePaid || p.State == StateHeld) {
		return o.Amount
	}
	return 0
}
