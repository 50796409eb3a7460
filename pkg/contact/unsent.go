package contact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// The codes of failures that message.FailureText explains.
const (
	codeTooLate     = "too_late"
	codeLate        = "whatsapp_late"
	codeUndelivered = "whatsapp_undelivered"
	codeUnconfirmed = "whatsapp_unconfirmed"
	codeReturned    = "email_returned"
)

// Send sends the reply unless it was sent or given up, or its person was erased; it fails as message.Outbox.Send does. If no retry can help,
// a reply by WhatsApp goes to the proved e-mail address, and otherwise the request opens again.
func (s *ReplySender) Send(ctx context.Context, entryID string) error {
	code, undelivered, err := message.Undelivered(ctx, s.db, entryID, message.WhatsAppProvider)
	if err != nil {
		return err
	}
	if undelivered {
		if err := s.giveUp(ctx, entryID, ChannelWhatsApp, reason(codeUndelivered, code)); err != nil {
			return err
		}
	}
	by := &attempt{ReplySender: s}
	err = s.outbox.Send(ctx, by, entryID)
	if errs.KindOf(err) != errs.KindInvalid {
		return err
	}
	provider := ""
	if f, ok := errors.AsType[*message.SendError](err); ok {
		provider = f.Code
	}
	if failed := s.giveUp(ctx, entryID, by.channel, reason(errs.As(err).Code, provider)); failed != nil {
		return failed // the job tries again
	}
	return err
}

func reason(code, provider string) string {
	if provider == message.WhatsAppWindowOver {
		return codeLate
	}
	return code
}

// attempt is one attempt to send a reply. It notes the outcome only while the reply still goes by the attempt's channel.
type attempt struct {
	*ReplySender

	channel Channel
}

// Waiting implements message.Source.
func (a *attempt) Waiting(ctx context.Context, entryID string) (*message.Message, error) {
	m, err := a.ReplySender.Waiting(ctx, entryID)
	if m != nil {
		a.channel = ChannelWhatsApp
		if m.Email != "" {
			a.channel = ChannelEmail
		}
	}
	return m, err
}

// MarkSent implements message.Source. The reason for another channel stays.
func (a *attempt) MarkSent(ctx context.Context, entryID string) error {
	return a.mark(ctx, `UPDATE contact_entries SET sent_at = $2, send_error = CASE WHEN channel = 'email' AND starts_with(send_error, 'whatsapp_') THEN send_error ELSE '' END
		WHERE id = $1 AND channel = $3 AND failed_at IS NULL`, entryID, a.clock.Now(), a.channel)
}

// MarkFailed implements message.Source.
func (a *attempt) MarkFailed(ctx context.Context, entryID, code string) error {
	return a.mark(ctx, `UPDATE contact_entries SET send_error = $2 WHERE id = $1 AND channel = $3 AND failed_at IS NULL AND sent_at IS NULL`, entryID, code, a.channel)
}

// unsentReply is a reply that its channel did not deliver. Email is the address for another attempt, or "".
type unsentReply struct {
	Channel   Channel    `db:"channel"`
	WrittenBy *string    `db:"written_by"`
	CreatedAt time.Time  `db:"created_at"`
	FailedAt  *time.Time `db:"failed_at"`
	Email     string     `db:"email"`
}

const unsentReplySQL = `
SELECT e.channel, e.written_by, e.created_at, e.failed_at, ` + replyEmailSQL + ` AS email
FROM contact_entries e JOIN contact_requests c ON c.id = e.contact_id WHERE e.id = $1`

// unsentReplyTx returns the reply and its request, locked; nil if it went by another channel, was given up, or its person was erased.
func unsentReplyTx(ctx context.Context, tx *sqlx.Tx, entryID string, by Channel) (*Request, unsentReply, error) {
	var e unsentReply
	r, err := lockedTx(ctx, tx, `c.id = (SELECT e.contact_id FROM contact_entries e WHERE e.id = $1 AND e.kind = 'reply')`, entryID)
	if err != nil || r == nil {
		return nil, e, err
	}
	err = tx.GetContext(ctx, &e, unsentReplySQL, entryID)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (e.FailedAt != nil || e.Channel != by) {
		return nil, e, nil
	}
	if err != nil {
		return nil, e, fmt.Errorf("read a reply that was not sent: %w", err)
	}
	return r, e, nil
}

// giveUp lets the reply go by e-mail, or opens its request again. It changes nothing if the reply went by another channel meanwhile, or its
// person was erased. A message that may have arrived goes by no second channel.
func (s *ReplySender) giveUp(ctx context.Context, entryID string, by Channel, code string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		r, e, err := unsentReplyTx(ctx, tx, entryID, by)
		if err != nil || r == nil {
			return err
		}
		if by == ChannelWhatsApp && e.WrittenBy != nil && e.Email != "" && s.by.Email && code != codeUnconfirmed {
			return s.emailTx(ctx, tx, entryID, code)
		}
		return s.targets.openAgainTx(ctx, tx, r, entryID, e, code, s.clock.Now())
	})
}

func (s *ReplySender) emailTx(ctx context.Context, tx *sqlx.Tx, entryID, code string) error {
	if code == codeTooLate {
		code = codeLate
	}
	_, err := tx.ExecContext(ctx, `UPDATE contact_entries SET channel = 'email', expires_at = $2, sent_at = NULL, send_error = $3 WHERE id = $1`,
		entryID, s.clock.Now().Add(replyLife), code)
	if err != nil {
		return fmt.Errorf("let a reply go by e-mail: %w", err)
	}
	_, err = s.jobs.InsertTx(ctx, tx, SendReplyArgs{EntryID: entryID}, queue.Options{MaxAttempts: replyAttempts})
	return err
}

// openAgainTx gives the reply up. The product's own replies open nothing.
func (t Targets) openAgainTx(ctx context.Context, tx *sqlx.Tx, r *Request, entryID string, e unsentReply, code string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE contact_entries SET failed_at = $2, sent_at = NULL, send_error = $3 WHERE id = $1`, entryID, now, code)
	if err != nil {
		return fmt.Errorf("give up a reply: %w", err)
	}
	if e.WrittenBy == nil {
		return nil
	}
	if r.Answered != nil && !r.Answered.Before(e.CreatedAt) {
		r.Answered = nil // this was the first answer
	}
	if err := t.move(r, StateOpen, now); err != nil {
		return err
	}
	return saveContactTx(ctx, tx, *r, nil)
}
