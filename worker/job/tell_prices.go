package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// TellPrices tells customers of another price of their next renewal.
type TellPrices struct {
	river.WorkerDefaults[subscription.TellPricesArgs]
	subs *subscription.Service
}

// NewTellPrices returns the worker over the service.
func NewTellPrices(subs *subscription.Service) *TellPrices {
	return &TellPrices{subs: subs}
}

// Timeout is long: a change of prices concerns nearly everybody.
func (*TellPrices) Timeout(*river.Job[subscription.TellPricesArgs]) time.Duration {
	return 4 * time.Minute
}

// Work tells each price of a renewal once.
func (w *TellPrices) Work(ctx context.Context, _ *river.Job[subscription.TellPricesArgs]) error {
	_, err := w.subs.TellPrices(ctx)
	return err
}
