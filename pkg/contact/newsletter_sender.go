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
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// SendNewsletterLinkArgs are the arguments of the job that sends one e-mail about the newsletter; its link is never an argument.
type SendNewsletterLinkArgs struct {
	LetterID string `json:"letter_id"`
}

// Kind returns the job's kind.
func (SendNewsletterLinkArgs) Kind() string { return "send_newsletter_link" }

// RowID implements message.RowArgs.
func (a SendNewsletterLinkArgs) RowID() string { return a.LetterID }

// NewNewsletterSender returns the sender of the links that start and end a subscription, unless they were sent or are no longer needed. Site
// is the site's URL without a trailing slash.
func NewNewsletterSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring, site string) *message.RowSender {
	return message.NewRowSender(db, outbox, clk, message.Rows{
		What:   "an e-mail about the newsletter",
		Sent:   `UPDATE newsletter_letters SET sent_at = $2, send_error = '' WHERE id = $1`,
		Failed: `UPDATE newsletter_letters SET send_error = $2 WHERE id = $1`,
		Waiting: func(ctx context.Context, tx *sqlx.Tx, letterID string) (*message.Message, error) {
			l, ok, err := waitingLetter(ctx, tx, letterID)
			if err != nil || !ok {
				return nil, err
			}
			m := &message.Message{ID: l.ID, Email: l.Email, ExpiresAt: l.ExpiresAt, Language: l.Language}
			base := site + l.Language.Base()
			if l.Kind == letterConfirm {
				token, err := keys.LinkTo(purposeConfirm, l.ID)
				m.Template, m.Link, m.Values = message.TemplateNewsletterConfirm, base+confirmPage+token, []string{l.Language.Moment(l.ExpiresAt)}
				return m, err
			}
			m.Template = message.TemplateNewsletterLeave
			m.Link, _, err = Subscriber{ID: l.SubscriptionID}.Links(keys, base)
			return m, err
		},
	})
}

func waitingLetter(ctx context.Context, q sqlx.QueryerContext, letterID string) (l letter, ok bool, err error) {
	err = sqlx.GetContext(ctx, q, &l, waitingLetterSQL, letterID)
	if errors.Is(err, sql.ErrNoRows) {
		return l, false, nil
	}
	if err != nil {
		return l, false, postgres.Error(fmt.Errorf("read an e-mail about the newsletter: %w", err))
	}
	return l, true, nil
}

// previewLetter never reveals the address to staff, who have no other view of the newsletter.
func previewLetter(context.Context, *sqlx.Tx, SendNewsletterLinkArgs, time.Time) (queue.JobPreview, error) {
	return queue.JobPreview{
		Summary: "Would send the link of the newsletter if it still waits and has not expired. Staff see no addresses of the newsletter.",
		Again:   "A message that was sent is never sent again.",
	}, nil
}
