package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/subscription"
)

// SendReminder sends one reminder by SMS.
type SendReminder struct {
	river.WorkerDefaults[subscription.SendReminderArgs]
	reminders *subscription.Reminders
	waits     Waits
}

// NewSendReminder returns the worker over the reminders; waits keeps why a message waits.
func NewSendReminder(reminders *subscription.Reminders, waits Waits) *SendReminder {
	return &SendReminder{reminders: reminders, waits: waits}
}

// Timeout leaves room for one try of the slowest provider.
func (*SendReminder) Timeout(*river.Job[subscription.SendReminderArgs]) time.Duration {
	return 20 * time.Second
}

// Work sends the message; a number that the provider refuses for good ends the job.
func (w *SendReminder) Work(ctx context.Context, j *river.Job[subscription.SendReminderArgs]) error {
	return afterMessage(ctx, w.waits, j.JobRow, w.reminders.Send(ctx, j.Args.ReminderID))
}
