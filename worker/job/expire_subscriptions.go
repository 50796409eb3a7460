package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// ExpireSubscriptions moves subscriptions to the stage where they belong today: next term, grace, expiry, lapse.
type ExpireSubscriptions struct {
	river.WorkerDefaults[subscription.ExpireSubscriptionsArgs]
	subs *subscription.Service
}

// NewExpireSubscriptions returns the worker over the service.
func NewExpireSubscriptions(subs *subscription.Service) *ExpireSubscriptions {
	return &ExpireSubscriptions{subs: subs}
}

// Timeout is long: after a day without workers everything is due at once.
func (*ExpireSubscriptions) Timeout(*river.Job[subscription.ExpireSubscriptionsArgs]) time.Duration {
	return 4 * time.Minute
}

// Work moves all that are due, however long no worker has run.
func (w *ExpireSubscriptions) Work(ctx context.Context, _ *river.Job[subscription.ExpireSubscriptionsArgs]) error {
	_, err := w.subs.Advance(ctx)
	return err
}
