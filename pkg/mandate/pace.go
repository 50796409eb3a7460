package mandate

import (
	"context"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
)

// MostASecond is how often a gateway is asked within any second, by all sweeps of a process together.
const MostASecond = 50

// paced is a gateway that is asked no more often than it has turns for in a second; whoever comes too early waits.
type paced struct {
	Gateway

	turns chan struct{}
}

func pace(g Gateway, aSecond int) paced {
	p := paced{g, make(chan struct{}, aSecond)}
	for range aSecond {
		p.turns <- struct{}{}
	}
	return p
}

// wait takes a turn, which is there again a second later.
func (p paced) wait(ctx context.Context) error {
	select {
	case <-p.turns:
		time.AfterFunc(time.Second, func() { p.turns <- struct{}{} })
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Registered waits for a turn first, as all that follow.
func (p paced) Registered(ctx context.Context, transactionID, reference string) (Details, error) {
	if err := p.wait(ctx); err != nil {
		return Details{}, err
	}
	return p.Gateway.Registered(ctx, transactionID, reference)
}

func (p paced) State(ctx context.Context, m Reference) (Details, error) {
	if err := p.wait(ctx); err != nil {
		return Details{}, err
	}
	return p.Gateway.State(ctx, m)
}

func (p paced) Notify(ctx context.Context, m Reference, n Notice) (NoticeOutcome, error) {
	if err := p.wait(ctx); err != nil {
		return NoticeOutcome{}, err
	}
	return p.Gateway.Notify(ctx, m, n)
}

func (p paced) WithdrawNotice(ctx context.Context, m Reference, n Notice) (bool, error) {
	if err := p.wait(ctx); err != nil {
		return false, err
	}
	return p.Gateway.WithdrawNotice(ctx, m, n)
}

func (p paced) Debit(ctx context.Context, m Reference, d Debit) (DebitOutcome, error) {
	if err := p.wait(ctx); err != nil {
		return DebitOutcome{}, err
	}
	return p.Gateway.Debit(ctx, m, d)
}

func (p paced) Revoke(ctx context.Context, m Reference) (Details, error) {
	if err := p.wait(ctx); err != nil {
		return Details{}, err
	}
	return p.Gateway.Revoke(ctx, m)
}

// heard records the answer about a debit, which is asked about again unless it has failed.
func (s *Service) heard(ctx context.Context, g paced, paymentID string, out DebitOutcome) error {
	if out.Status != payment.StatusFailed {
		if err := g.wait(ctx); err != nil {
			return err
		}
	}
	return s.payments.DebitHeard(ctx, paymentID, out.Reference, out.Status, out.Reason)
}
