package otp

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Sender sends the SMS that the service requested; it runs in the worker, the only process that has the SMS
// provider.
type Sender struct {
	db     *sqlx.DB
	outbox *message.Outbox
	clock  clock.Clock
	keys   secret.Keyring
}

// NewSender returns a sender through the outbox, whose site is the host that browsers bind the code to.
func NewSender(db *sqlx.DB, outbox *message.Outbox, clk clock.Clock, keys secret.Keyring) *Sender {
	return wiring.Complete(&Sender{db: db, outbox: outbox, clock: clk, keys: keys})
}

// Send sends the SMS of a row unless it was sent, used, or superseded by a newer one; it fails as message.Outbox.Send does.
func (c *Sender) Send(ctx context.Context, codeID string) error {
	return c.outbox.Send(ctx, c, codeID)
}

// Waiting implements message.Source.
func (c *Sender) Waiting(ctx context.Context, codeID string) (*message.Message, error) {
	row, ok, err := outgoingByID(ctx, c.db, codeID)
	if err != nil {
		return nil, err
	}
	if !ok || row.SentAt != nil || row.UsedAt != nil || row.Superseded || row.Message == MessageNone {
		return nil, nil // nothing to send
	}
	m := row.message(c.keys, c.outbox.LanguageOf(row.template(), row.Reads))
	return &m, nil
}

// MarkSent implements message.Source.
func (c *Sender) MarkSent(ctx context.Context, codeID string) error {
	_, err := store.Changed(ctx, c.db, "mark sent", markSentSQL, codeID, c.clock.Now())
	return err
}

// MarkFailed implements message.Source.
func (c *Sender) MarkFailed(ctx context.Context, codeID, code string) error {
	_, err := store.Changed(ctx, c.db, "mark failed", markFailedSQL, codeID, code)
	return err
}
