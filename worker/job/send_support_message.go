package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/message"
)

// SendSupportMessage sends what staff have sent to a customer: an invoice's link, or the code of a consent.
type SendSupportMessage struct {
	river.WorkerDefaults[message.SendStaffMessageArgs]
	outbox *message.StaffOutbox
	waits  Waits
}

// NewSendSupportMessage returns the worker over the outbox; waits keeps why a message waits.
func NewSendSupportMessage(outbox *message.StaffOutbox, waits Waits) *SendSupportMessage {
	return &SendSupportMessage{outbox: outbox, waits: waits}
}

// Timeout leaves room for one try of the slowest provider.
func (*SendSupportMessage) Timeout(*river.Job[message.SendStaffMessageArgs]) time.Duration {
	return 20 * time.Second
}

// NextRetry waits 2, 4, 8, 16 and then 60 seconds: staff and customer may be on the phone.
func (*SendSupportMessage) NextRetry(j *river.Job[message.SendStaffMessageArgs]) time.Time {
	wait := time.Minute
	if j.Attempt <= 4 {
		wait = time.Second << j.Attempt
	}
	return time.Now().Add(wait) //nolint:forbidigo // River runs on the machine's time
}

// Work sends the message; one that expired, or a number that the provider refuses for good, ends the job.
func (w *SendSupportMessage) Work(ctx context.Context, j *river.Job[message.SendStaffMessageArgs]) error {
	return afterMessage(ctx, w.waits, j.JobRow, w.outbox.Send(ctx, j.Args.MessageID))
}
