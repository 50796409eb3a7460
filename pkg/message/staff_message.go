package message

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// StaffPause is the minimum time between two staff messages about the same thing.
const StaffPause = 59 * time.Second

// SendStaffMessageArgs are the arguments of the job that sends one staff message; its text is never an argument.
type SendStaffMessageArgs struct {
	MessageID string `json:"message_id"`
}

// Kind returns the job's kind.
func (SendStaffMessageArgs) Kind() string { return "send_support_message" }

// RowID implements RowArgs.
func (a SendStaffMessageArgs) RowID() string { return a.MessageID }

// StaffMessage is a message from staff to a customer, about an invoice or a view of the account, depending on its
// template.
type StaffMessage struct {
	ID           string    `db:"id"`
	FranchiserID string    `db:"franchiser_ref"`
	Template     string    `db:"kind"`
	InvoiceID    *string   `db:"invoice_id"`
	ViewID       *string   `db:"view_id"`
	CreatedAt    time.Time `db:"created_at"`
	ExpiresAt    time.Time `db:"expires_at"`
}

// EnqueueTx stores the message under a new id, with the job that sends it, and returns the job's id. It fails with
// KindRateLimited if one about the same thing was requested less than StaffPause ago.
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
		o.Queue = queue.QueueOTP // the customer is waiting on the phone
	}
	if m.InvoiceID != nil {
		o.Subject.InvoiceID = *m.InvoiceID
	}
	return jobs.InsertTx(ctx, tx, SendStaffMessageArgs{MessageID: m.ID}, o)
}

// Addressee returns the mobile to which the message is sent, empty if it is no longer needed.
type Addressee func(ctx context.Context, tx *sqlx.Tx, m StaffMessage) (mobile string, err error)

// Content is supplied by the owner of a template.
type Content struct {
	Addressee Addressee
	// Values returns the values of the template's variables.
	Values func(ctx context.Context, tx *sqlx.Tx, m StaffMessage) ([]string, error)
	// Language returns the customer's language; nil is English.
	Language func(ctx context.Context, tx *sqlx.Tx, m StaffMessage) (i18n.Language, error)
}

// NewStaffOutbox returns the sender of staff messages, with the content of each template that staff can send.
func NewStaffOutbox(db *sqlx.DB, clk clock.Clock, outbox *Outbox, contents map[string]Content) *RowSender {
	return NewRowSender(db, outbox, clk, Rows{
		What:   "a staff message",
		Sent:   `UPDATE support_messages SET sent_at = $2, send_error = NULL WHERE id = $1`,
		Failed: `UPDATE support_messages SET send_error = $2 WHERE id = $1`,
		Waiting: func(ctx context.Context, tx *sqlx.Tx, messageID string) (*Message, error) {
			m, err := unsentTx(ctx, tx, messageID)
			if err != nil || m == nil {
				return nil, err
			}
			content := contents[m.Template]
			if content.Addressee == nil {
				return nil, fmt.Errorf("nobody knows what a message of %q says", m.Template)
			}
			mobile, err := content.Addressee(ctx, tx, *m)
			if err != nil || mobile == "" {
				return nil, err
			}
			values, err := content.Values(ctx, tx, *m)
			if err != nil {
				return nil, err
			}
			out := &Message{ID: m.ID, Mobile: mobile, Template: m.Template, Values: values, ExpiresAt: m.ExpiresAt}
			if content.Language != nil {
				var reads i18n.Language
				reads, err = content.Language(ctx, tx, *m)
				out.Language = outbox.LanguageOf(m.Template, reads)
			}
			return out, err
		},
	})
}
