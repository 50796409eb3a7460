package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"time"
)

const idempotencyHeader = "X-Refund-Idempotency"

// The refusals of a refund, in the documented wording (Create a Normal Refund, Idempotent Request; Handle Refund Errors).
var (
	errInProgress = apiError{status: http.StatusConflict, bare: true, description: "Another request with the same idempotency key is still in progress."}
	// The page's text says BAD_REQUEST, its list of errors 409; we follow the text and the sample.
	errOtherBody  = apiError{bare: true, description: "Different request with the same idempotency key has already been processed."}
	errShortKey   = apiError{bare: true, description: "The idempotency key must be at least 10 characters long."}
	errKeyLetters = apiError{bare: true, description: "The idempotency key must only contain alphanumeric characters, underscores, and hyphens"}
	errAllBack    = apiError{description: "The payment has been fully refunded already."}
	errTooMuch    = apiError{description: "The refund amount provided is greater than amount captured.", field: "amount"}
	errTooOld     = apiError{description: "Refund is not supported by the bank because the payment is more than 6 months old"}
	errUncaptured = apiError{description: "The payment status should be captured for action to be taken"}
)

func (s *server) fetchPayment(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		_, p := st.findPayment(r.PathValue("id"))
		if p == nil {
			return nil, false
		}
		return p.entity(), true
	})
}

// look returns one entity, or the error for an unknown id.
func (s *server) look(find func(st *state) (fields, bool)) (any, error) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	f, ok := find(&s.book.state)
	if !ok {
		return nil, errNoID
	}
	return f, nil
}

// capturePayment captures an authorised payment (Capture a Payment).
func (s *server) capturePayment(r *http.Request) (any, error) {
	given, _, err := body(r, "amount", "currency")
	if err != nil {
		return nil, err
	}
	value, err := amount(given["amount"])
	if err != nil {
		return nil, err
	}
	return s.onPayment(r.PathValue("id"), func(o *order, p *payment, tell teller) (fields, error) {
		switch {
		case p.captured():
			return nil, apiError{description: "This payment has already been captured"}
		case o.status() == statusPaid:
			return nil, apiError{description: "Your payment has been declined as the order is already paid. Please initiate the payment with a new order."}
		case p.Status != statusAuthorized:
			return nil, apiError{description: "Only payments which have been authorized and not yet captured can be captured"}
		case value != p.Amount:
			return nil, apiError{description: "Capture amount must be equal to the amount authorized", field: "amount"}
		}
		o.take(p, tell.now, tell)
		return p.entity(), nil
	})
}

// onPayment changes a payment and queues its events.
func (s *server) onPayment(id string, fn func(o *order, p *payment, tell teller) (fields, error)) (any, error) {
	now := s.now()
	var answer fields
	err := s.book.change(func(d *draft) error {
		found, _ := d.before.findPayment(id)
		if found == nil {
			return errNoID
		}
		o := d.order(found.ID)
		var err error
		answer, err = fn(o, o.payment(id), teller{draft: d, now: now, webhook: webhookOnce})
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// refundPayment refunds part or all of a captured payment. The same key with the same body returns the same refund.
func (s *server) refundPayment(r *http.Request) (any, error) {
	key := r.Header.Get(idempotencyHeader)
	given, raw, err := body(r, "amount", "speed", "notes", "receipt")
	if err != nil {
		return nil, err
	}
	if err := checkKey(key); err != nil {
		return nil, err
	}
	asked := &refund{Key: key, Notes: given["notes"], Speed: "normal"}
	if speed, ok := text(given["speed"]); !ok || speed != "" && speed != "normal" && speed != "optimum" {
		return nil, bad("The selected speed is invalid.", "speed")
	} else if speed != "" {
		asked.Speed = speed
	}
	receipt, ok := text(given["receipt"])
	if !ok {
		return nil, bad("The receipt must be a string.", "receipt")
	}
	if receipt != "" {
		asked.Receipt = &receipt
	}
	if err := checkNotes(asked.Notes); err != nil {
		return nil, err
	}
	hash := sha256.Sum256(raw)
	asked.BodyHash = hex.EncodeToString(hash[:])
	return s.onPayment(r.PathValue("id"), func(_ *order, p *payment, tell teller) (fields, error) {
		if before := p.byKey(key); before != nil {
			if before.BodyHash != asked.BodyHash {
				return nil, errOtherBody
			}
			return before.entity(p), nil
		}
		if err := p.checkRefund(asked, given["amount"], tell.now); err != nil {
			return nil, err
		}
		p.giveBack(asked, tell.now, tell)
		return asked.entity(p), nil
	})
}

func checkKey(key string) error {
	switch {
	case key == "":
		return nil
	case len(key) < 10:
		return errShortKey
	case !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(key):
		return errKeyLetters
	}
	return nil
}

func (p *payment) byKey(key string) *refund {
	for _, r := range p.Refunds {
		if key != "" && r.Key == key {
			return r
		}
	}
	return nil
}

// checkRefund sets the amount, by default the whole remainder, and rejects what cannot be refunded.
func (p *payment) checkRefund(asked *refund, raw json.RawMessage, now time.Time) error {
	left := p.Amount - p.refunded()
	asked.Amount = left
	if len(raw) > 0 {
		value, err := amount(raw)
		if err != nil {
			return err
		}
		asked.Amount = value
	}
	switch {
	case p.captured() && left == 0 || p.Status == statusRefunded:
		return errAllBack
	case !p.captured():
		return errUncaptured
	case asked.Amount > left:
		return errTooMuch
	case now.Sub(p.CreatedAt) > refundableFor:
		return errTooOld
	}
	return nil
}

// paymentRefunds lists a payment's refunds, the last ten by default; count and skip override that.
func (s *server) paymentRefunds(r *http.Request) (any, error) {
	s.book.mu.Lock()
	_, p := s.book.state.findPayment(r.PathValue("id"))
	var items []fields
	if p != nil {
		for _, refund := range slices.Backward(p.Refunds) {
			items = append(items, refund.entity(p))
		}
	}
	s.book.mu.Unlock()
	if p == nil {
		return nil, errNoID
	}
	return listed(items, r)
}

func (s *server) paymentRefund(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		_, p, refund := st.findRefund(r.PathValue("refund"))
		if p == nil || p.ID != r.PathValue("id") {
			return nil, false
		}
		return refund.entity(p), true
	})
}

func (s *server) fetchRefund(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		_, p, refund := st.findRefund(r.PathValue("id"))
		if refund == nil {
			return nil, false
		}
		return refund.entity(p), true
	})
}

func (s *server) listDisputes(r *http.Request) (any, error) {
	var items []fields
	for _, o := range s.book.orders() {
		for _, p := range o.Payments {
			for _, d := range p.Disputes {
				items = append(items, d.entity(p))
			}
		}
	}
	return listed(items, r)
}

func (s *server) fetchDispute(r *http.Request) (any, error) {
	return s.look(func(st *state) (fields, bool) {
		for _, o := range st.Orders {
			for _, p := range o.Payments {
				for _, d := range p.Disputes {
					if d.ID == r.PathValue("id") {
						return d.entity(p), true
					}
				}
			}
		}
		return nil, false
	})
}
