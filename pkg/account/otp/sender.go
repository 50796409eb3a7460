package otp

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// NewSender returns the sender of the SMS that the service requested, unless they were sent, used, or superseded by a newer one. Browsers
// bind the code to the outbox's site.
func NewSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring) *message.RowSender {
	return message.NewRowSender(db, outbox, clk, message.Rows{
		What: "a one-time code", Sent: markSentSQL, Failed: markFailedSQL,
		Waiting: func(ctx context.Context, tx *sqlx.Tx, codeID string) (*message.Message, error) {
			row, ok, err := outgoingByID(ctx, tx, codeID)
			if err != nil || !ok || row.SentAt != nil || row.UsedAt != nil || row.Superseded || row.Message == MessageNone {
				return nil, err
			}
			m := row.message(keys, outbox.LanguageOf(row.template(), row.Reads))
			return &m, nil
		},
	})
}
