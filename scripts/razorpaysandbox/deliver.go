package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	deliverEvery   = 200 * time.Millisecond
	advanceEvery   = time.Second
	deliverTimeout = 5 * time.Second // documented: an answer after that counts as a failure
	deliverAtOnce  = 32
	retryAfter     = 2 * time.Second // doubles with each attempt
	retryAtMost    = time.Hour
	keptDeliveries = 2000 // completed ones
)

// wake makes the loop check immediately.
func (s *server) wake() {
	select {
	case s.awake <- struct{}{}:
	default:
	}
}

// attend posts due webhooks and advances time until the context ends. Pending ones are in the journal, so a restart continues
// with them.
func (s *server) attend(ctx context.Context) {
	ticker := time.NewTicker(deliverEvery)
	defer ticker.Stop()
	var advanced time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-s.awake:
		}
		if time.Since(advanced) >= advanceEvery {
			advanced = time.Now()
			if err := s.advance(); err != nil {
				s.log.Error("time", slog.String("error", err.Error()))
			}
		}
		s.deliverDue(ctx)
	}
}

// advance processes everything that has fallen due: bank answers, refunds, settlements.
func (s *server) advance() error {
	now, machine := s.now(), time.Now()
	return s.book.change(func(d *draft) error {
		tell := teller{draft: d, now: now, webhook: webhookOnce}
		for id, o := range d.before.Orders {
			if o.due(now, machine) {
				d.order(id).advance(now, machine, tell)
			}
		}
		d.advanceTokens(now, tell)
		d.advanceAccounts(now, tell)
		d.settle(now)
		return nil
	})
}

// deliverDue posts everything due concurrently: no order is promised, and none is kept.
func (s *server) deliverDue(ctx context.Context) {
	var posts errgroup.Group
	posts.SetLimit(deliverAtOnce)
	for _, d := range s.book.waiting(time.Now()) {
		posts.Go(func() error {
			if err := s.attempt(ctx, d); err != nil {
				s.log.Error("webhook", slog.String("event", d.Event), slog.String("error", err.Error()))
			}
			return nil
		})
	}
	_ = posts.Wait() // each reports its own error
}

// waiting returns the deliveries that are due; none while webhooks are disabled.
func (b *book) waiting(now time.Time) []delivery {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []delivery
	if b.state.Account.Disabled != "" {
		return nil
	}
	done := 0
	for id, d := range b.state.Deliveries {
		switch {
		case d.Done:
			if done++; done > keptDeliveries {
				delete(b.state.Deliveries, id)
			}
		case !now.Before(d.Due):
			list = append(list, *d)
		}
	}
	return list
}

// attempt posts one webhook and records the outcome. A webhook that has failed for a day disables all of them.
func (s *server) attempt(ctx context.Context, sent delivery) error {
	result, ok := s.post(ctx, sent)
	if ctx.Err() != nil { // interrupted, not refused: retried after a restart
		return nil //nolint:nilerr // shutting down is not a failure
	}
	now := time.Now()
	return s.book.change(func(d *draft) error {
		one := d.delivery(sent.ID)
		one.Attempts++
		one.Result, one.Done = result, ok
		one.Due = now.Add(min(retryAfter<<min(one.Attempts-1, 20), retryAtMost))
		if !ok && now.Sub(one.CreatedAt) >= s.disableAfter {
			one.Done = true
			d.change.Account.Disabled, d.change.Account.DisabledAt = "Deliveries of "+one.Event+" kept failing: "+result, now
		}
		return nil
	})
}

// post sends one webhook; anything but a 2xx within five seconds is retried later.
func (s *server) post(ctx context.Context, d delivery) (result string, ok bool) {
	if s.webhookURL == "" {
		return "no webhook address is configured", true
	}
	ctx, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.webhookURL, strings.NewReader(d.Body))
	if err != nil {
		return err.Error(), true
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Razorpay-Webhook/v1")
	request.Header.Set("X-Razorpay-Event-Id", d.EventID)
	if s.webhookSecret != "" { // no secret, no signature
		request.Header.Set("X-Razorpay-Signature", sign(s.webhookSecret, d.Body))
	}
	response, err := s.client.Do(request)
	if err != nil {
		return err.Error(), false
	}
	defer response.Body.Close()
	return fmt.Sprintf("HTTP %d", response.StatusCode), response.StatusCode/100 == 2
}
