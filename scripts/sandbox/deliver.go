package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	deliverEvery    = 200 * time.Millisecond
	deliverTimeout  = 10 * time.Second
	deliverAttempts = 4
	deliverAtOnce   = 32
	retryAfter      = 3 * time.Second // grows with each attempt
)

// wake asks the delivery loop to look at once.
func (s *server) wake() {
	select {
	case s.awake <- struct{}{}:
	default:
	}
}

// deliver posts due webhooks and completes late successes until the context ends. What is still due is in the
// journal, so that a restart goes on with it.
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
		s.attendAll(ctx, s.book.waiting(time.Now()))
	}
}

// attendAll posts everything that is due at once, so that a webhook sent twice really arrives twice at a time.
func (s *server) attendAll(ctx context.Context, waiting []payment) {
	var posts errgroup.Group
	posts.SetLimit(deliverAtOnce)
	for _, p := range waiting {
		if err := s.succeedLate(p); err != nil {
			s.log.Error("late success", slog.String("txnid", p.TxnID), slog.String("error", err.Error()))
		}
		for i, d := range p.Deliveries {
			if !d.due(time.Now()) {
				continue
			}
			posts.Go(func() error {
				if err := s.attempt(ctx, p.TxnID, i, d); err != nil {
					s.log.Error("webhook", slog.String("txnid", p.TxnID), slog.String("error", err.Error()))
				}
				return nil
			})
		}
	}
	_ = posts.Wait() // each reported its own error
}

// attempt posts one webhook and notes how it went.
func (s *server) attempt(ctx context.Context, txnID string, i int, d delivery) error {
	result, ok := s.post(ctx, d.Fields)
	if ctx.Err() != nil { // interrupted, not refused: the next start tries again
		return nil //nolint:nilerr // ending is no failure
	}
	_, err := s.book.change(txnID, func(p *payment) error {
		sent := &p.Deliveries[i]
		sent.Attempts++
		sent.Result = result
		sent.Done = ok || sent.Attempts >= deliverAttempts
		sent.Due = time.Now().Add(time.Duration(sent.Attempts) * retryAfter)
		return nil
	})
	return err
}

// succeedLate turns a failed payment whose time has come into a captured one, as banks do, and queues its webhook.
func (s *server) succeedLate(waiting payment) error {
	now := s.now()
	_, err := s.book.change(waiting.TxnID, func(p *payment) error {
		if p.SucceedsAt.IsZero() || time.Now().Before(p.SucceedsAt) {
			return nil
		}
		webhook := p.LateWebhook
		if webhook == "late" {
			webhook = "once"
		}
		if err := p.decide(decision{Outcome: "success"}, now); err != nil {
			return err
		}
		s.queueWebhooks(p, webhook, 0)
		return nil
	})
	if errors.Is(err, errDecided) {
		return nil
	}
	return err
}

// post sends one webhook, form-encoded; anything but a 2xx is tried again later.
func (s *server) post(ctx context.Context, fields map[string]string) (result string, ok bool) {
	if s.webhookURL == "" {
		return "no webhook address is configured", true
	}
	form := url.Values{}
	for name, value := range fields {
		form.Set(name, value)
	}
	ctx, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.webhookURL, strings.NewReader(form.Encode()))
	if err != nil {
		return err.Error(), true
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("User-Agent", "gateway-sandbox")
	response, err := s.client.Do(request)
	if err != nil {
		return err.Error(), false
	}
	defer response.Body.Close()
	return fmt.Sprintf("HTTP %d", response.StatusCode), response.StatusCode/100 == 2
}
