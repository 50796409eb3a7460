package message

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Rows describe the pending messages that a domain stores, each in a row of its table.
type Rows struct {
	// What names a row in errors, such as "invitation of staff".
	What string
	// Waiting returns the row's message as of now, without its text; nil if it was sent or is no longer needed.
	Waiting func(ctx context.Context, tx *sqlx.Tx, rowID string) (*Message, error)
	// Sent is the statement that marks row $1 as sent at $2; Failed is the one that records the error code $2.
	Sent, Failed string
}

// RowSender sends the messages of a domain's rows; it runs in the worker, the only process that has the providers. Its pool sees every
// franchiser.
type RowSender struct {
	db     *sqlx.DB
	outbox *Outbox
	clock  clock.Clock
	rows   Rows
}

// NewRowSender returns a sender of the rows. It panics if a part is nil.
func NewRowSender(db *sqlx.DB, outbox *Outbox, clk clock.Clock, rows Rows) *RowSender {
	return wiring.Complete(&RowSender{db: db, outbox: outbox, clock: clk, rows: rows})
}

// Send sends the row's message unless it was sent or is no longer needed; it fails as Outbox.Send does.
func (s *RowSender) Send(ctx context.Context, rowID string) error {
	return s.outbox.Send(ctx, s, rowID)
}

// Waiting implements Source.
func (s *RowSender) Waiting(ctx context.Context, rowID string) (m *Message, err error) {
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		m, err = s.rows.Waiting(ctx, tx, rowID)
		return err
	})
	return m, err
}

// MarkSent implements Source.
func (s *RowSender) MarkSent(ctx context.Context, rowID string) error {
	return s.mark(ctx, s.rows.Sent, rowID, s.clock.Now())
}

// MarkFailed implements Source.
func (s *RowSender) MarkFailed(ctx context.Context, rowID, code string) error {
	return s.mark(ctx, s.rows.Failed, rowID, code)
}

func (s *RowSender) mark(ctx context.Context, statement string, args ...any) error {
	if _, err := s.db.ExecContext(ctx, statement, args...); err != nil {
		return postgres.Error(fmt.Errorf("record the sending of %s: %w", s.rows.What, err))
	}
	return nil
}
