package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// ApplyAddOnChanges ends cancelled add-ons at the end of their billing cycle.
type ApplyAddOnChanges struct {
	river.WorkerDefaults[subscription.EndAddOnsArgs]
	subs *subscription.Service
}

// NewApplyAddOnChanges returns the worker over the service.
func NewApplyAddOnChanges(subs *subscription.Service) *ApplyAddOnChanges {
	return &ApplyAddOnChanges{subs: subs}
}

// Timeout is long: after a day without workers everything is due at once.
func (*ApplyAddOnChanges) Timeout(*river.Job[subscription.EndAddOnsArgs]) time.Duration {
	return 4 * time.Minute
}

// Work ends every cancelled add-on whose cycle is over.
func (w *ApplyAddOnChanges) Work(ctx context.Context, _ *river.Job[subscription.EndAddOnsArgs]) error {
	_, err := w.subs.EndAddOns(ctx)
	return err
}
