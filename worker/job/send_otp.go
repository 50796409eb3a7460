package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account"
)

// SendOTP sends the SMS of one-time codes. A message is tried again as long as its code lives and never after.
type SendOTP struct {
	river.WorkerDefaults[account.SendOTPArgs]
	courier *account.OTPSender
	waits   Waits
}

// NewSendOTP returns the worker over the courier; waits keeps why a message waits.
func NewSendOTP(courier *account.OTPSender, waits Waits) *SendOTP {
	return &SendOTP{courier: courier, waits: waits}
}

// Timeout leaves room for one try of the slowest provider.
func (*SendOTP) Timeout(*river.Job[account.SendOTPArgs]) time.Duration { return 15 * time.Second }

// NextRetry waits 1, 2, 4, 8 and then 15 seconds: somebody holds the phone in the hand.
func (*SendOTP) NextRetry(j *river.Job[account.SendOTPArgs]) time.Time {
	wait := 15 * time.Second
	if j.Attempt <= 4 {
		wait = time.Second << (j.Attempt - 1)
	}
	return time.Now().Add(wait) //nolint:forbidigo // River runs on the machine's time
}

// Work sends the message; a code that expired, or a number that the provider refuses for good, ends the job.
func (w *SendOTP) Work(ctx context.Context, j *river.Job[account.SendOTPArgs]) error {
	return afterMessage(ctx, w.waits, j.JobRow, w.courier.SendCode(ctx, j.Args.CodeID))
}
