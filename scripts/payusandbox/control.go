package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// handleOutcome ends a payment as a test or script requests and returns the form the browser would post back: `return_url` and
// `fields`, both empty if the return is lost. 404 for an unknown txnid, 409 for a paid one.
func (s *server) handleOutcome(w http.ResponseWriter, r *http.Request) {
	var chosen decision
	if err := sandbox.ReadJSON(w, r, &chosen); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	p, err := s.conclude(r.PathValue("txnid"), chosen)
	if err != nil {
		sandbox.WriteError(w, statusOf(err), err)
		return
	}
	answer := map[string]any{"return_url": "", "fields": map[string]string{}}
	if chosen.Return != "lost" {
		answer = map[string]any{"return_url": returnURL(p), "fields": s.merchant.returnFields(p)}
	}
	sandbox.WriteJSON(w, http.StatusOK, answer)
}

// conclude ends the attempt that counts for a txnid, and queues its webhooks in the same change.
func (s *server) conclude(txnID string, d decision) (payment, error) {
	found, ok := s.book.find(txnID)
	if !ok {
		return payment{}, errUnknown
	}
	return s.concludeAttempt(found.MihpayID, d)
}

func (s *server) concludeAttempt(mihpayID string, d decision) (payment, error) {
	if err := d.validate(); err != nil {
		return payment{}, err
	}
	if found, ok := s.book.findByID(mihpayID); ok {
		if counts, _ := s.book.find(found.TxnID); counts.Status == statusSuccess {
			return counts, errDecided
		}
	}
	delay := s.lateAfter
	if d.DelaySeconds != nil {
		delay = time.Duration(*d.DelaySeconds) * time.Second
	}
	now, days := s.now(), s.account.get().SettlementDays
	d.mandateDays = s.account.get().MandateDays
	p, err := s.book.change(mihpayID, func(p *payment) error {
		if err := p.decide(d, now, days); err != nil {
			return err
		}
		webhook, wait := d.Webhook, delay
		if d.Outcome == "late_success" {
			p.SucceedsAt, p.LateWebhook = time.Now().Add(delay), d.Webhook
		}
		if d.Webhook == "reordered" {
			wait = lateNotice
			if d.Outcome == "late_success" { // the failure is reported after the success
				webhook, wait, p.LateWebhook = "late", delay+lateNotice, "once"
			}
		}
		s.queueWebhooks(p, webhook, wait)
		return nil
	})
	s.wake()
	return p, err
}

// handleRefund refunds part or all of a captured payment as from the gateway's dashboard: the merchant did not request it and
// learns of it by webhook. The answer is the refund; 404 for an unknown txnid.
func (s *server) handleRefund(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Amount string `json:"amount"` // in rupees, such as "10.00"
	}
	if err := sandbox.ReadJSON(w, r, &asked); err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	found, ok := s.book.find(r.PathValue("txnid"))
	if !ok {
		sandbox.WriteError(w, http.StatusNotFound, errUnknown)
		return
	}
	made, err := s.giveBack(found.MihpayID, rand.Text()[:20], asked.Amount, "")
	if err != nil {
		sandbox.WriteError(w, statusOf(err), err)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, made)
}

// handleMoveRefund moves a refund to a state now: the merchant is notified of success and failure; bank_arn gives a successful
// refund its bank reference, with another notification. The answer is the refund.
func (s *server) handleMoveRefund(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Status  string `json:"status"`
		BankARN bool   `json:"bank_arn"`
	}
	err := sandbox.ReadJSON(w, r, &asked)
	if err == nil && asked.Status != "" && !slices.Contains(refundStates(), asked.Status) {
		err = fmt.Errorf("status is not one of: %s", strings.Join(refundStates(), ", "))
	}
	if err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	found, before, ok := s.book.findRefund(r.PathValue("id"))
	if !ok {
		sandbox.WriteError(w, http.StatusNotFound, errors.New("no such refund"))
		return
	}
	now := s.now()
	var moved refund
	_, err = s.book.change(found.MihpayID, func(p *payment) error {
		i := slices.IndexFunc(p.Refunds, func(r refund) bool { return r.RequestID == before.RequestID })
		if asked.Status != "" {
			s.endRefund(p, &p.Refunds[i], asked.Status, now)
		}
		if asked.BankARN {
			p.Refunds[i].ARNAt = now
		}
		if err := s.moveRefund(p, &p.Refunds[i], now); err != nil {
			return err
		}
		moved = p.Refunds[i]
		return nil
	})
	s.wake()
	if err != nil {
		sandbox.WriteError(w, http.StatusInternalServerError, err)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, moved)
}

// handleSecondCapture captures a paid transaction again under another mihpayid, like the late success of an earlier attempt.
// The answer is the second payment.
func (s *server) handleSecondCapture(w http.ResponseWriter, r *http.Request) {
	now, days := s.now(), s.account.get().SettlementDays
	p, err := s.book.second(r.PathValue("txnid"), now, func(p *payment) error {
		if err := p.decide(decision{Outcome: "success"}, now, days); err != nil {
			return err
		}
		s.queueWebhooks(p, "once", 0)
		return nil
	})
	s.wake()
	if err != nil {
		sandbox.WriteError(w, statusOf(err), err)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, p)
}

// handleAgain posts the notification of a payment's current state again.
func (s *server) handleAgain(w http.ResponseWriter, r *http.Request) {
	found, ok := s.book.find(r.PathValue("txnid"))
	if !ok {
		sandbox.WriteError(w, http.StatusNotFound, errUnknown)
		return
	}
	p, err := s.book.change(found.MihpayID, func(p *payment) error {
		p.Deliveries = append(p.Deliveries, s.paymentNotice(*p))
		return nil
	})
	s.wake()
	if err != nil {
		sandbox.WriteError(w, http.StatusInternalServerError, err)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, p)
}

// handlePayments lists the payments, newest first; handlePayment shows one.
func (s *server) handlePayments(w http.ResponseWriter, _ *http.Request) {
	sandbox.WriteJSON(w, http.StatusOK, s.book.all())
}

func (s *server) handlePayment(w http.ResponseWriter, r *http.Request) {
	p, ok := s.book.find(r.PathValue("txnid"))
	if !ok {
		sandbox.WriteError(w, http.StatusNotFound, errUnknown)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, p)
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
