package outlet

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// SendPartnerMessageArgs sends one invitation or code to a partner.
type SendPartnerMessageArgs struct {
	MessageID string `json:"message_id"`
}

// Kind returns the job's kind.
func (SendPartnerMessageArgs) Kind() string { return "send_partner_message" }

// RowID implements message.RowArgs.
func (a SendPartnerMessageArgs) RowID() string { return a.MessageID }

// NewPartnerSender returns the sender of the SMS to partners, unless they were sent or are no longer needed.
func NewPartnerSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring) *message.RowSender {
	return message.NewRowSender(db, outbox, clk, message.Rows{
		What: "a message to a partner", Sent: messageSentSQL, Failed: messageFailedSQL,
		Waiting: func(ctx context.Context, tx *sqlx.Tx, messageID string) (*message.Message, error) {
			row, err := waitingMessage(ctx, tx, messageID)
			if errors.Is(err, errs.NotFound()) {
				return nil, nil // sent, or no longer needed
			}
			if err != nil {
				return nil, err
			}
			m := &message.Message{ID: row.ID, Mobile: row.Mobile, ExpiresAt: row.ExpiresAt}
			if row.Kind == messageCode {
				digits := partnerCode(keys, row.ID)
				m.Template, m.Values = message.TemplateCode, []string{digits, digits}
			} else {
				code, err := keys.LinkTo(purposeInvite, row.ID)
				if err != nil {
					return nil, err
				}
				m.Template, m.Values = message.TemplatePartnerInvitation, []string{message.LastFour(row.OwnerMobile), code}
			}
			m.Language = outbox.LanguageOf(m.Template, row.Language)
			return m, nil
		},
	})
}

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args SendPartnerMessageArgs, now time.Time) (queue.JobPreview, error) {
		p := queue.JobPreview{Again: "A message that was sent is never sent again, and the provider knows it by its number."}
		m, err := waitingMessage(ctx, tx, args.MessageID)
		switch {
		case errors.Is(err, errs.NotFound()):
			p.Nothing, p.Summary = true, "Would look at the message: it was sent, or the partner accepted or was removed meanwhile → nothing."
		case err != nil:
			return p, err
		case !now.Before(m.ExpiresAt):
			p.Nothing, p.Summary = true, "Would look at the message: it has expired → nothing is sent."
		default:
			p.Summary = "Would ask the SMS provider to send the partner's " + string(m.Kind) + " of " + m.StoreName + "."
		}
		return p, nil
	})
	return l
}
