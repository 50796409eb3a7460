package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Waits keeps with a job why it waits, for support to see.
type Waits interface {
	Note(ctx context.Context, jobID int64, attempt int, reason string) error
}

// MessageSender sends the message of a row, as message.Outbox.Send does.
type MessageSender interface {
	Send(ctx context.Context, rowID string) error
}

// SendMessage sends the message of the row that its argument names. Each kind of row is a kind of job, by which it is retried.
type SendMessage[A message.RowArgs] struct {
	river.WorkerDefaults[A]
	sender  MessageSender
	waits   Waits
	timeout time.Duration
	// pauses are those after the first attempts, of which the last stays; none leaves it to River.
	pauses []time.Duration
}

// NewSendOTP returns the worker of one-time codes. A message is tried again as long as its code lives, soon, because somebody holds
// the phone in the hand; waits keeps why a message waits.
func NewSendOTP(sender MessageSender, waits Waits) *SendMessage[account.SendOTPArgs] {
	return &SendMessage[account.SendOTPArgs]{sender: sender, waits: waits, timeout: 15 * time.Second, pauses: []time.Duration{
		time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second,
	}}
}

// NewSendStaffMessage returns the worker of what staff have sent to a customer: both may be on the phone.
func NewSendStaffMessage(sender MessageSender, waits Waits) *SendMessage[message.SendStaffMessageArgs] {
	return &SendMessage[message.SendStaffMessageArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, time.Minute,
	}}
}

// NewSendReminder returns the worker of reminders, for which nobody waits.
func NewSendReminder(sender MessageSender, waits Waits) *SendMessage[subscription.SendReminderArgs] {
	return &SendMessage[subscription.SendReminderArgs]{sender: sender, waits: waits, timeout: slowestTry}
}

// slowestTry leaves room for one try of the slowest provider.
const slowestTry = 20 * time.Second

// Timeout leaves room for one try.
func (w *SendMessage[A]) Timeout(*river.Job[A]) time.Duration { return w.timeout }

// NextRetry waits as long as the kind of message says.
func (w *SendMessage[A]) NextRetry(j *river.Job[A]) time.Time {
	if len(w.pauses) == 0 {
		return time.Time{}
	}
	pause := w.pauses[min(max(j.Attempt, 1), len(w.pauses))-1]
	return time.Now().Add(pause) //nolint:forbidigo // River runs on the machine's time
}

// Work sends the message; one that expired, or a number that the provider refuses for good, ends the job.
func (w *SendMessage[A]) Work(ctx context.Context, j *river.Job[A]) error {
	return afterMessage(ctx, w.waits, j.JobRow, w.sender.Send(ctx, j.Args.RowID()))
}

// afterMessage says what becomes of a job that sent an SMS: a message that came too late, or that the provider refuses for
// good, ends it; a provider that is too busy, or the night, has it wait as long as it takes, with the reason noted.
func afterMessage(ctx context.Context, waits Waits, j *rivertype.JobRow, err error) error {
	switch errs.KindOf(err) {
	case errs.KindInvalid:
		return river.JobCancel(err)
	case errs.KindRateLimited:
		if noteErr := waits.Note(context.WithoutCancel(ctx), j.ID, j.Attempt, err.Error()); noteErr != nil {
			return noteErr
		}
		return river.JobSnooze(errs.As(err).RetryAfter)
	default:
		return err
	}
}
