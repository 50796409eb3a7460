package outlet

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// SendPartnerMessageArgs sends one invitation or code to a partner.
type SendPartnerMessageArgs struct {
	MessageID string `json:"message_id"`
}

// Kind returns the job's kind.
func (SendPartnerMessageArgs) Kind() string { return "send_partner_message" }

// RowID implements message.RowArgs.
func (a SendPartnerMessageArgs) RowID() string { return a.MessageID }

// PartnerSender sends the SMS to partners; it runs in the worker, the only process that has the SMS provider.
type PartnerSender struct {
	db     *sqlx.DB
	outbox *message.Outbox
	clock  clock.Clock
	keys   secret.Keyring
}

// NewPartnerSender returns a sender whose pool sees every franchiser.
func NewPartnerSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring) *PartnerSender {
	return wiring.Complete(&PartnerSender{db: db, outbox: outbox, clock: clk, keys: keys})
}

// Send sends the message unless it was sent or is no longer needed; it fails as message.Outbox.Send does.
func (s *PartnerSender) Send(ctx context.Context, messageID string) error {
	return s.outbox.Send(ctx, s, messageID)
}

// Waiting implements message.Source.
func (s *PartnerSender) Waiting(ctx context.Context, messageID string) (*message.Message, error) {
	var row partnerMessage
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) (err error) {
		row, err = waitingMessage(ctx, tx, messageID)
		return err
	})
	if errors.Is(err, errs.NotFound()) {
		return nil, nil // sent, or no longer needed
	}
	if err != nil {
		return nil, err
	}
	m := &message.Message{ID: row.ID, Mobile: row.Mobile, ExpiresAt: row.ExpiresAt}
	if row.Kind == messageCode {
		digits := partnerCode(s.keys, row.ID)
		m.Template, m.Values = message.TemplateCode, []string{digits, digits}
	} else {
		code, err := s.keys.LinkTo(purposeInvite, row.ID)
		if err != nil {
			return nil, err
		}
		m.Template, m.Values = message.TemplatePartnerInvitation, []string{message.LastFour(row.OwnerMobile), code}
	}
	m.Language = s.outbox.LanguageOf(m.Template, row.Language)
	return m, nil
}

// MarkSent implements message.Source.
func (s *PartnerSender) MarkSent(ctx context.Context, messageID string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return execute(ctx, tx, "note a sent message", messageSentSQL, messageID, s.clock.Now())
	})
}

// MarkFailed implements message.Source.
func (s *PartnerSender) MarkFailed(ctx context.Context, messageID, code string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return execute(ctx, tx, "note a failed message", messageFailedSQL, messageID, code)
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
