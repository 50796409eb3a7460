package ledger

import (
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Service posts entries inside its callers' transactions and reports on the books.
type Service struct {
	db    *sqlx.DB
	clock clock.Clock
	store store
}

// NewService returns a service on the pool; Verify and TrialBalance need the worker's.
func NewService(db *sqlx.DB, clk clock.Clock) *Service {
	return wiring.Complete(&Service{db: db, clock: clk})
}

// PostTx appends the entry in the caller's transaction. Posting the same event again changes nothing and returns nil.
// It returns ErrUnbalanced, ErrBadEntry or, for an event already posted with other lines, ErrPostedDifferently;
// roll back after any error. The database checks the balance again at COMMIT.
func (s *Service) PostTx(ctx context.Context, tx *sqlx.Tx, entry Entry) error {
	if err := entry.validate(); err != nil {
		return err
	}
	if entry.PostedAt.IsZero() {
		entry.PostedAt = s.clock.Now()
	}
	entry.PostedAt = entry.PostedAt.UTC().Truncate(time.Microsecond)
	posted, err := s.store.insert(ctx, tx, id.New(), entry)
	if err != nil || posted {
		return err
	}
	lines, err := s.store.linesOf(ctx, tx, entry)
	if err != nil {
		return err
	}
	if !slices.Equal(lines, entry.Lines) {
		return ErrPostedDifferently
	}
	return nil
}

// JournalIDTx returns the id of an entry's journal, empty if it was not posted.
func (s *Service) JournalIDTx(ctx context.Context, tx *sqlx.Tx, entry Entry) (string, error) {
	return s.store.journalID(ctx, tx, entry)
}

// ByPayment lists the journals of a payment of the franchiser, oldest first: one rupee from invoice to settlement.
func (s *Service) ByPayment(ctx context.Context, franchiserID, paymentID string) ([]Journal, error) {
	if !id.Valid(paymentID) {
		return nil, nil
	}
	var journals []Journal
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		journals, err = s.store.byPayment(ctx, tx, franchiserID, paymentID)
		return err
	})
	return journals, err
}

// TrialBalance sums every account over all franchisers; debits and credits agree. It needs the worker's role.
func (s *Service) TrialBalance(ctx context.Context) ([]Balance, error) {
	var balances []Balance
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		balances, err = s.store.balances(ctx, tx)
		return err
	})
	return balances, err
}

// Verify checks the whole books in one snapshot: journals balance, numbers have no gaps, documents add up, and every
// paid payment has exactly one order, one invoice and one set of entries. It needs the worker's role.
func (s *Service) Verify(ctx context.Context) (Report, error) {
	var report Report
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		report, err = s.store.verify(ctx, tx)
		return err
	})
	return report, err
}
