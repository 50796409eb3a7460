package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// handleOutcome decides a payment as a test or a script wants it, and answers the form that the browser would post
// back: `return_url` and `fields`, both empty when the return is lost. 404 for an unknown txnid, 409 for a paid one.
func (s *server) handleOutcome(w http.ResponseWriter, r *http.Request) {
	var chosen decision
	if err := readJSON(w, r, &chosen); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	p, err := s.conclude(r.PathValue("txnid"), chosen)
	if err != nil {
		writeError(w, statusOf(err), err)
		return
	}
	answer := map[string]any{"return_url": "", "fields": map[string]string{}}
	if chosen.Return != "lost" {
		answer = map[string]any{"return_url": returnURL(p), "fields": s.merchant.answerFields(p)}
	}
	writeJSON(w, http.StatusOK, answer)
}

// conclude decides the payment and queues its webhooks in the same change.
func (s *server) conclude(txnID string, d decision) (payment, error) {
	if err := d.validate(); err != nil {
		return payment{}, err
	}
	delay := s.lateAfter
	if d.DelaySeconds != nil {
		delay = time.Duration(*d.DelaySeconds) * time.Second
	}
	now := s.now()
	p, err := s.book.change(txnID, func(p *payment) error {
		if err := p.decide(d, now); err != nil {
			return err
		}
		if d.Outcome == "late_success" {
			p.SucceedsAt, p.LateWebhook = time.Now().Add(delay), d.Webhook
		}
		s.queueWebhooks(p, d.Webhook, delay)
		return nil
	})
	s.wake()
	return p, err
}

func (s *server) queueWebhooks(p *payment, webhook string, delay time.Duration) {
	fields, now := s.merchant.answerFields(*p), time.Now()
	switch webhook {
	case "once":
		p.Deliveries = append(p.Deliveries, delivery{Fields: fields, Due: now})
	case "twice":
		p.Deliveries = append(p.Deliveries, delivery{Fields: fields, Due: now}, delivery{Fields: fields, Due: now})
	case "late":
		p.Deliveries = append(p.Deliveries, delivery{Fields: fields, Due: now.Add(delay)})
	}
}

// handleRefund gives back part or all of a payment as somebody at the gateway's own desk does: nobody asked for it, and the
// merchant hears of it by webhook. The answer is the refund; 404 for an unknown txnid.
func (s *server) handleRefund(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Amount string `json:"amount"` // in rupees, such as "10.00"
	}
	if err := readJSON(w, r, &asked); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	made, err := s.giveBack(r.PathValue("txnid"), rand.Text(), asked.Amount, func(p *payment, made refund) {
		p.Deliveries = append(p.Deliveries, delivery{Fields: s.merchant.refundFields(*p, made), Due: time.Now()})
	})
	if err != nil {
		writeError(w, statusOf(err), err)
		return
	}
	s.wake()
	writeJSON(w, http.StatusOK, made)
}

// handlePayments lists the payments, newest first; handlePayment shows one.
func (s *server) handlePayments(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.book.all())
}

func (s *server) handlePayment(w http.ResponseWriter, r *http.Request) {
	p, ok := s.book.find(r.PathValue("txnid"))
	if !ok {
		writeError(w, http.StatusNotFound, errUnknown)
		return
	}
	writeJSON(w, http.StatusOK, p)
}

// handleMode makes the merchant API misbehave from now on, or for so many calls.
func (s *server) handleMode(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Mode  string `json:"mode"`
		Calls int    `json:"calls"`
	}
	if err := readJSON(w, r, &asked); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	if err := s.mood.set(asked.Mode, asked.Calls); err != nil {
		writeError(w, http.StatusBadRequest, err)
		return
	}
	s.handleMood(w, r)
}

// handleMood tells how the merchant API behaves at its next call.
func (s *server) handleMood(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"mode": s.mood.current()})
}

func readJSON(w http.ResponseWriter, r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("read the JSON body: %w", err)
	}
	return nil
}

func statusOf(err error) int {
	switch {
	case errors.Is(err, errUnknown):
		return http.StatusNotFound
	case errors.Is(err, errDecided):
		return http.StatusConflict
	default:
		return http.StatusBadRequest
	}
}

func writeError(w http.ResponseWriter, status int, err error) {
	writeJSON(w, status, map[string]string{"error": err.Error()})
}
