package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	deliverEvery    = 200 * time.Millisecond
	deliverTimeout  = 10 * time.Second
	deliverAttempts = 3 // source: PayU, Webhooks for Payments
	deliverAtOnce   = 32
	retryAfter      = 3 * time.Second // grows with each attempt
	lateNotice      = time.Second     // how much later an older notification arrives if reordered
)

// wake makes the delivery loop check immediately.
func (s *server) wake() {
	select {
	case s.awake <- struct{}{}:
	default:
	}
}

// deliver posts due webhooks and completes late successes until the context ends. Pending ones are in the journal, so a restart
// continues with them.
func (s *server) deliver(ctx context.Context) {
	ticker := time.NewTicker(deliverEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-s.awake:
		}
		if s.book.anyMoves() {
			s.progress(s.now())
		}
		s.attendAll(ctx, s.book.waiting(time.Now()))
	}
}

// attendAll posts everything due concurrently, so that a webhook sent twice really arrives twice at the same time.
func (s *server) attendAll(ctx context.Context, waiting []payment) {
	var posts errgroup.Group
	posts.SetLimit(deliverAtOnce)
	for _, p := range waiting {
		if err := s.succeedLate(p); err != nil {
			s.report("late success", p.TxnID, err)
		}
		for i, d := range p.Deliveries {
			if !d.due(time.Now()) {
				continue
			}
			posts.Go(func() error {
				if err := s.attempt(ctx, p.MihpayID, i, d); err != nil {
					s.report("webhook", p.TxnID, err)
				}
				return nil
			})
		}
	}
	_ = posts.Wait() // each reports its own error
}

// attempt posts one notification and records the outcome.
func (s *server) attempt(ctx context.Context, mihpayID string, i int, d delivery) error {
	result, ok := s.post(ctx, d)
	if ctx.Err() != nil { // interrupted, not refused: retried after a restart
		return nil //nolint:nilerr // shutting down is not a failure
	}
	_, err := s.book.change(mihpayID, func(p *payment) error {
		sent := &p.Deliveries[i]
		sent.Attempts++
		sent.Result = result
		sent.TimedOut = !ok && (sent.Attempts >= deliverAttempts || d.Once)
		sent.Done = ok || sent.TimedOut
		sent.Due = time.Now().Add(time.Duration(sent.Attempts) * retryAfter)
		return nil
	})
	return err
}

// succeedLate captures a failed payment whose time has come, as banks do, and queues its webhook. It does so even if another
// attempt at the txnid has been captured meanwhile: that is how a customer pays twice.
func (s *server) succeedLate(waiting payment) error {
	now, days := s.now(), s.account.get().SettlementDays
	_, err := s.book.change(waiting.MihpayID, func(p *payment) error {
		if p.SucceedsAt.IsZero() || time.Now().Before(p.SucceedsAt) {
			return nil
		}
		webhook := p.LateWebhook
		if webhook == "late" {
			webhook = "once"
		}
		if err := p.decide(decision{Outcome: "success"}, now, days); err != nil {
			return err
		}
		s.queueWebhooks(p, webhook, lateNotice)
		return nil
	})
	if errors.Is(err, errDecided) {
		return nil
	}
	return err
}

// post sends one notification. Only status 200 counts as delivered.
func (s *server) post(ctx context.Context, d delivery) (result string, ok bool) {
	address := d.URL
	if address == "" {
		address = s.webhookURL
	}
	if address == "" {
		return "no webhook address is configured", true
	}
	ctx, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(d.Body))
	if err != nil {
		return err.Error(), false
	}
	request.Header.Set("Content-Type", d.ContentType)
	request.Header.Set("User-Agent", "gateway-sandbox")
	if d.Signature != "" {
		request.Header.Set(signatureHeader, d.Signature)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return err.Error(), false
	}
	defer response.Body.Close()
	return fmt.Sprintf("HTTP %d", response.StatusCode), response.StatusCode == http.StatusOK
}

func (s *server) report(what, txnID string, err error) {
	s.log.Error(what, slog.String("txnid", txnID), slog.String("error", err.Error()))
}
