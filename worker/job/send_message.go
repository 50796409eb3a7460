package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Waits records why a job waits, for support to see.
type Waits interface {
	Note(ctx context.Context, jobID int64, attempt int, reason string) error
}

// MessageSender sends the message of a row, as message.Outbox.Send does.
type MessageSender interface {
	Send(ctx context.Context, rowID string) error
}

// SendMessage sends the message of the row that its argument names. Each kind of row has its own kind of job, with its
// own retries.
type SendMessage[A message.RowArgs] struct {
	river.WorkerDefaults[A]
	sender  MessageSender
	waits   Waits
	timeout time.Duration
	// pauses are those after the first attempts, of which the last is repeated.
	pauses []time.Duration
}

// NewSendOTP returns the worker of one-time codes. A message is retried as long as its code is valid, at short intervals, because a person
// is waiting with the phone in hand; waits records why a message waits.
func NewSendOTP(sender MessageSender, waits Waits) *SendMessage[otp.SendOTPArgs] {
	return &SendMessage[otp.SendOTPArgs]{sender: sender, waits: waits, timeout: 15 * time.Second, pauses: []time.Duration{
		time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second,
	}}
}

// NewSendStaffMessage returns the worker of staff messages to a customer: the two may be talking on the phone.
func NewSendStaffMessage(sender MessageSender, waits Waits) *SendMessage[message.SendStaffMessageArgs] {
	return &SendMessage[message.SendStaffMessageArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, time.Minute,
	}}
}

// NewSendCustomerMessage returns the worker of the product's messages to customers.
func NewSendCustomerMessage(sender MessageSender, waits Waits) *SendMessage[message.SendCustomerMessageArgs] {
	return &SendMessage[message.SendCustomerMessageArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
	}}
}

// NewSendPartnerMessage returns the worker of invitations and codes to partners. A person waits for a code with the phone in hand.
func NewSendPartnerMessage(sender MessageSender, waits Waits) *SendMessage[outlet.SendPartnerMessageArgs] {
	return &SendMessage[outlet.SendPartnerMessageArgs]{sender: sender, waits: waits, timeout: 15 * time.Second, pauses: []time.Duration{
		time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second, time.Minute,
	}}
}

// NewSendTeamInvitation returns the worker of invitations to accounts.
func NewSendTeamInvitation(sender MessageSender, waits Waits) *SendMessage[team.SendArgs] {
	return &SendMessage[team.SendArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
	}}
}

// NewSendStaffInvitation returns the worker of invitations to staff.
func NewSendStaffInvitation(sender MessageSender, waits Waits) *SendMessage[staff.SendInvitationArgs] {
	return &SendMessage[staff.SendInvitationArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
	}}
}

// NewSendStaffNotice returns the worker of notices to staff about their own sign-in.
func NewSendStaffNotice(sender MessageSender, waits Waits) *SendMessage[staff.SendNoticeArgs] {
	return &SendMessage[staff.SendNoticeArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
	}}
}

// NewSendContactReply returns the worker of replies to contact requests.
func NewSendContactReply(sender MessageSender, waits Waits) *SendMessage[contact.SendReplyArgs] {
	return &SendMessage[contact.SendReplyArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour,
	}}
}

// NewSendNewsletterLink returns the worker of links about the newsletter. A person waits for the first attempts.
func NewSendNewsletterLink(sender MessageSender, waits Waits) *SendMessage[contact.SendNewsletterLinkArgs] {
	return &SendMessage[contact.SendNewsletterLinkArgs]{sender: sender, waits: waits, timeout: slowestTry, pauses: []time.Duration{
		2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
	}}
}

// slowestTry leaves room for one try of the slowest provider.
const slowestTry = 20 * time.Second

// Timeout leaves room for one try.
func (w *SendMessage[A]) Timeout(*river.Job[A]) time.Duration { return w.timeout }

// NextRetry waits as long as the kind of message requires.
func (w *SendMessage[A]) NextRetry(j *river.Job[A]) time.Time {
	pause := w.pauses[min(max(j.Attempt, 1), len(w.pauses))-1]
	return clock.Real().Add(pause)
}

// Work sends the message; if it expired, or the provider permanently refuses the number, the job ends.
func (w *SendMessage[A]) Work(ctx context.Context, j *river.Job[A]) error {
	return afterMessage(ctx, w.waits, j.JobRow, w.sender.Send(ctx, j.Args.RowID()))
}

// afterMessage decides what happens to a job that sent an SMS: it ends if the message was too late, or if the provider
// refuses it permanently; it waits as long as necessary, with the reason recorded, if the provider is too busy, it is night, or
// the message may have been delivered.
func afterMessage(ctx context.Context, waits Waits, j *rivertype.JobRow, err error) error {
	switch kind := errs.KindOf(err); {
	case err == nil:
		return nil
	case kind == errs.KindInvalid:
		return river.JobCancel(err)
	case kind == errs.KindRateLimited || errs.As(err).RetryAfter > 0:
		if noteErr := waits.Note(context.WithoutCancel(ctx), j.ID, j.Attempt, queue.ByCause(err).Error()); noteErr != nil {
			return noteErr
		}
		return river.JobSnooze(errs.As(err).RetryAfter)
	default:
		return err
	}
}
