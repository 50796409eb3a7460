package mandate

import (
	"context"
	"time"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// pacer limits how many requests begin in any one second; the others wait.
type pacer chan struct{}

// wait returns when a request may begin. It returns errs.Unavailable if the context ends first.
func (p pacer) wait(ctx context.Context) error {
	select {
	case p <- struct{}{}:
		time.AfterFunc(time.Second, func() { <-p })
		return nil
	case <-ctx.Done():
		return errs.Unavailable(ctx.Err())
	}
}

// Paced limits a gateway to perSecond requests in any one second; 0 or less sets no limit.
func Paced(g Gateway, perSecond int) Gateway {
	if perSecond <= 0 {
		return g
	}
	return paced{Gateway: g, pace: make(pacer, perSecond)}
}

// paced is a rate-limited gateway. Register is exempt, so that customers do not wait for debits.
type paced struct {
	Gateway

	pace pacer
}

// after calls fn when the rate limit allows it.
func after[T any](ctx context.Context, p pacer, fn func() (T, error)) (T, error) {
	if err := p.wait(ctx); err != nil {
		var none T
		return none, err
	}
	return fn()
}

// turn waits until a request to a gateway may begin, and returns the gateway without its rate limit.
func turn(ctx context.Context, g Gateway) (Gateway, error) {
	held, ok := g.(paced)
	if !ok {
		return g, nil
	}
	return held.Gateway, held.pace.wait(ctx)
}

// Registered is the gateway's, rate-limited, as are the methods below.
func (g paced) Registered(ctx context.Context, transactionID, reference string) (Details, error) {
	return after(ctx, g.pace, func() (Details, error) { return g.Gateway.Registered(ctx, transactionID, reference) })
}

// State queries the mandate's state, rate-limited.
func (g paced) State(ctx context.Context, m Reference) (Details, error) {
	return after(ctx, g.pace, func() (Details, error) { return g.Gateway.State(ctx, m) })
}

// Notify submits a notice, rate-limited.
func (g paced) Notify(ctx context.Context, m Reference, n Notice) (NoticeOutcome, error) {
	return after(ctx, g.pace, func() (NoticeOutcome, error) { return g.Gateway.Notify(ctx, m, n) })
}

// WithdrawNotice withdraws a notice, rate-limited.
func (g paced) WithdrawNotice(ctx context.Context, m Reference, n Notice) (bool, error) {
	return after(ctx, g.pace, func() (bool, error) { return g.Gateway.WithdrawNotice(ctx, m, n) })
}

// Debit requests a debit, rate-limited.
func (g paced) Debit(ctx context.Context, m Reference, d Debit) (DebitOutcome, error) {
	return after(ctx, g.pace, func() (DebitOutcome, error) { return g.Gateway.Debit(ctx, m, d) })
}

// Revoke ends a mandate, rate-limited.
func (g paced) Revoke(ctx context.Context, m Reference) (Details, error) {
	return after(ctx, g.pace, func() (Details, error) { return g.Gateway.Revoke(ctx, m) })
}

// Read is the gateway's; it makes no request.
func (g paced) Read(p payment.Incoming) (payment.Notice, error) { return g.Gateway.Read(p) }

// callsOfAStep is the most requests of one step: the mandate's state, a notice or a debit, and the cause of a failure.
const callsOfAStep = 4

// StepsAtOnce is the batch size of steps: no more than the slowest gateway completes in half the lease.
func StepsAtOnce(gateways []Gateway) int {
	n := takeAtOnce
	for _, g := range gateways {
		if p, ok := g.(paced); ok {
			n = min(n, max(1, cap(p.pace)*int(lease/time.Second)/(2*callsOfAStep)))
		}
	}
	return n
}

// heard records the answer about a debit. Recording an answer other than failed queries the gateway again, which also counts against the
// rate limit.
func (s *Service) heard(ctx context.Context, g Gateway, paymentID string, out DebitOutcome) error {
	if out.Status != payment.StatusFailed {
		if _, err := turn(ctx, g); err != nil {
			return err
		}
	}
	return s.captures.DebitHeard(ctx, paymentID, out.Reference, out.Status, out.Reason)
}
