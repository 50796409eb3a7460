package message

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// StaffPause is the least time between two messages of staff about the same thing.
const StaffPause = 59 * time.Second

// SendStaffMessageArgs asks a worker to send one message of staff; what it says is never an argument.
type SendStaffMessageArgs struct {
	MessageID string `json:"message_id"`
}

// Kind names the job.
func (SendStaffMessageArgs) Kind() string { return "send_support_message" }

// RowID fills RowArgs.
func (a SendStaffMessageArgs) RowID() string { return a.MessageID }

// StaffMessage is what staff have sent to a customer. It is about an invoice or about a view of the account, by its template.
type StaffMessage struct {
	ID           string    `db:"id"`
	FranchiserID string    `db:"franchiser_ref"`
	Template     string    `db:"kind"`
	InvoiceID    *string   `db:"invoice_id"`
	ViewID       *string   `db:"view_id"`
	CreatedAt    time.Time `db:"created_at"`
	ExpiresAt    time.Time `db:"expires_at"`
}

// EnqueueTx keeps the message, under an id of its own, and the job that sends it, and returns the job's id. KindRateLimited
// where one about the same thing was asked for less than StaffPause ago.
func EnqueueTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, m StaffMessage) (int64, error) {
	if err := lockStaffMessagesTx(ctx, tx, m); err != nil {
		return 0, err
	}
	last, err := lastStaffMessageTx(ctx, tx, m)
	if err != nil {
		return 0, err
	}
	if last != nil && m.CreatedAt.Sub(*last) < StaffPause {
		return 0, errs.RateLimited(StaffPause - m.CreatedAt.Sub(*last))
	}
	m.ID = id.New()
	if err := insertStaffMessageTx(ctx, tx, m); err != nil {
		return 0, err
	}
	o := queue.Options{MaxAttempts: 8, Subject: queue.Subject{FranchiserID: m.FranchiserID}}
	if m.ViewID != nil {
		o.Queue = queue.QueueOTP // somebody waits on the phone
	}
	if m.InvoiceID != nil {
		o.Subject.InvoiceID = *m.InvoiceID
	}
	return jobs.InsertTx(ctx, tx, SendStaffMessageArgs{MessageID: m.ID}, o)
}

// Addressee returns the mobile that the message goes to, empty where nobody needs it any more.
type Addressee func(ctx context.Context, tx *sqlx.Tx, m StaffMessage) (mobile string, err error)

// Content is what the owner of a template knows of its messages.
type Content struct {
	Addressee Addressee
	// Values are those of the template's variables.
	Values func(ctx context.Context, tx *sqlx.Tx, m StaffMessage) ([]string, error)
}

// StaffOutbox sends the messages of staff.
type StaffOutbox struct {
	db       *sqlx.DB
	clock    clock.Clock
	outbox   *Outbox
	contents map[string]Content
}

// NewStaffOutbox returns it over the contents of each template that staff can send.
func NewStaffOutbox(db *sqlx.DB, clk clock.Clock, outbox *Outbox, contents map[string]Content) *StaffOutbox {
	return wiring.Complete(&StaffOutbox{db: db, clock: clk, outbox: outbox, contents: contents})
}

// Send sends the message unless it was sent, or nobody needs it any more; it fails as Outbox.Send does.
func (s *StaffOutbox) Send(ctx context.Context, messageID string) error {
	return s.outbox.Send(ctx, s, messageID)
}

// Waiting fills Source.
func (s *StaffOutbox) Waiting(ctx context.Context, messageID string) (out *Message, err error) {
	return out, postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		m, err := unsentTx(ctx, tx, messageID)
		if err != nil || m == nil {
			return err
		}
		content := s.contents[m.Template]
		if content.Addressee == nil {
			return fmt.Errorf("nobody knows what a message of %q says", m.Template)
		}
		mobile, err := content.Addressee(ctx, tx, *m)
		if err != nil || mobile == "" {
			return err
		}
		values, err := content.Values(ctx, tx, *m)
		if err == nil {
			out = &Message{ID: m.ID, Mobile: mobile, Template: m.Template, Values: values, ExpiresAt: m.ExpiresAt}
		}
		return err
	})
}

// MarkSent fills Source.
func (s *StaffOutbox) MarkSent(ctx context.Context, messageID string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return markSentTx(ctx, tx, messageID, s.clock.Now()) })
}

// MarkFailed fills Source.
func (s *StaffOutbox) MarkFailed(ctx context.Context, messageID, code string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return markFailedTx(ctx, tx, messageID, code) })
}
