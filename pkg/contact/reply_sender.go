package contact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// SendReplyArgs are the arguments of the job that sends one reply; its text is never an argument.
type SendReplyArgs struct {
	EntryID string `json:"entry_id"`
}

// Kind returns the job's kind.
func (SendReplyArgs) Kind() string { return "send_contact_reply" }

// RowID implements message.RowArgs.
func (a SendReplyArgs) RowID() string { return a.EntryID }

// ReplySender sends the replies of staff; it runs in the worker, the only process that has the mail server.
type ReplySender struct {
	db     *sqlx.DB
	outbox *message.Outbox
	clock  clock.Clock
}

// NewReplySender returns a sender.
func NewReplySender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock) *ReplySender {
	return wiring.Complete(&ReplySender{db: db, outbox: outbox, clock: clk})
}

// Send sends the reply unless it was sent, or its person was erased; it fails as message.Outbox.Send does.
func (s *ReplySender) Send(ctx context.Context, entryID string) error {
	return s.outbox.Send(ctx, s, entryID)
}

// waitingReply is a reply that was not sent, with whom it is for.
type waitingReply struct {
	ID        string    `db:"id"`
	Text      string    `db:"text"`
	ExpiresAt time.Time `db:"expires_at"`
	Email     string    `db:"email"`
	Reference string    `db:"reference"`
	WrittenAt time.Time `db:"written_at"`
}

const waitingReplySQL = `
SELECT e.id, e.text, e.expires_at, c.email, c.id AS reference, c.created_at AS written_at
FROM contact_entries e JOIN contact_requests c ON c.id = e.contact_id
WHERE e.id = $1 AND e.kind = 'reply' AND e.sent_at IS NULL AND c.email <> ''`

func waitingReplyOf(ctx context.Context, q sqlx.QueryerContext, entryID string) (r waitingReply, ok bool, err error) {
	err = sqlx.GetContext(ctx, q, &r, waitingReplySQL, entryID)
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	if err != nil {
		return r, false, postgres.Error(fmt.Errorf("read reply to a contact request: %w", err))
	}
	return r, true, nil
}

// Waiting implements message.Source.
func (s *ReplySender) Waiting(ctx context.Context, entryID string) (*message.Message, error) {
	r, ok, err := waitingReplyOf(ctx, s.db, entryID)
	if err != nil || !ok {
		return nil, err
	}
	return &message.Message{
		ID: r.ID, Email: r.Email, ExpiresAt: r.ExpiresAt, Template: message.TemplateContactReply, Body: r.Text,
		Values: []string{r.WrittenAt.In(clock.IST).Format("2 January 2006"), r.Reference},
	}, nil
}

// MarkSent implements message.Source.
func (s *ReplySender) MarkSent(ctx context.Context, entryID string) error {
	return s.mark(ctx, `UPDATE contact_entries SET sent_at = $2, send_error = '' WHERE id = $1`, entryID, s.clock.Now())
}

// MarkFailed implements message.Source.
func (s *ReplySender) MarkFailed(ctx context.Context, entryID, code string) error {
	return s.mark(ctx, `UPDATE contact_entries SET send_error = $2 WHERE id = $1`, entryID, code)
}

func (s *ReplySender) mark(ctx context.Context, statement string, args ...any) error {
	if _, err := s.db.ExecContext(ctx, statement, args...); err != nil {
		return postgres.Error(fmt.Errorf("note what became of a reply to a contact request: %w", err))
	}
	return nil
}

// JobPreviews returns the previews of this tool's jobs; they reveal neither a reply's text nor an address of the newsletter.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewLetter)
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args SendReplyArgs, now time.Time) (queue.JobPreview, error) {
		p := queue.JobPreview{Nothing: true, Again: "A message that was sent is never sent again."}
		r, ok, err := waitingReplyOf(ctx, tx, args.EntryID)
		switch {
		case err != nil:
		case !ok:
			p.Summary = "Would look at the reply: it was sent, or its request is gone → nothing."
		case !now.Before(r.ExpiresAt):
			p.Summary = "Would look at the reply: it is too late for it → nothing is sent."
		default:
			p.Nothing, p.Summary = false, "Would ask the mail server to send the reply to a contact request to "+r.Email+"."
		}
		return p, err
	})
	return l
}
