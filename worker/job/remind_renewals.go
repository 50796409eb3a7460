package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// RemindRenewals finds the customers to remind of a renewal or of the end of a trial.
type RemindRenewals struct {
	river.WorkerDefaults[subscription.EnqueueRemindersArgs]
	subs *subscription.Service
}

// NewRemindRenewals returns the worker over the service.
func NewRemindRenewals(subs *subscription.Service) *RemindRenewals {
	return &RemindRenewals{subs: subs}
}

// Timeout is long: on some days a great many are due.
func (*RemindRenewals) Timeout(*river.Job[subscription.EnqueueRemindersArgs]) time.Duration {
	return 4 * time.Minute
}

// Work writes each reminder once, with the job that sends it.
func (w *RemindRenewals) Work(ctx context.Context, _ *river.Job[subscription.EnqueueRemindersArgs]) error {
	_, err := w.subs.Remind(ctx)
	return err
}
