package revenue

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Poster posts entries in the caller's transaction; ledger.Service implements it.
type Poster interface {
	PostTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) error
}

// Service books the days. It needs the worker's role.
type Service struct {
	db    *sqlx.DB
	clock clock.Clock
	books Poster
	store store
}

// NewService returns a service on the worker's pool.
func NewService(db *sqlx.DB, clk clock.Clock, books Poster) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, books: books})
}

// Recognise books every past day from the first invoice on, each in a separate transaction. Its first run also books sales that are
// older than this schedule. It returns how many days it booked.
func (s *Service) Recognise(ctx context.Context) (int, error) {
	for days := 0; ; days++ {
		more, err := s.recogniseNext(ctx)
		if err != nil || !more {
			return days, err
		}
	}
}

func (s *Service) recogniseNext(ctx context.Context) (more bool, err error) {
	now := s.clock.Now()
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := s.store.lock(ctx, tx); err != nil {
			return err
		}
		day, err := s.store.next(ctx, tx)
		if err != nil || day == 0 || day > lastDay(now) {
			return err
		}
		more = true
		return s.bookTx(ctx, tx, day, now)
	})
	return more, err
}

// bookTx adds the day's documents to the schedule, and books the day's movements.
func (s *Service) bookTx(ctx context.Context, tx *sqlx.Tx, day subscription.Day, now time.Time) error {
	if err := s.store.schedule(ctx, tx, day); err != nil {
		return err
	}
	notes, err := s.store.notes(ctx, tx, day)
	if err != nil {
		return err
	}
	for _, n := range notes {
		if err := s.creditTx(ctx, tx, day, n); err != nil {
			return err
		}
	}
	d, err := s.store.sum(ctx, tx, day)
	if err != nil {
		return err
	}
	d.BookedAt = now
	d.Recognised = d.Opening + d.Billed - d.Credited - d.Closing
	if err := s.store.insertDay(ctx, tx, d); err != nil {
		return err
	}
	if d.Billed == 0 && d.Recognised == 0 && d.Credited == 0 {
		return nil
	}
	return s.books.PostTx(ctx, tx, ledger.Recognition(ledger.RevenueDay{
		Day: day.String(), Billed: d.Billed, Recognised: d.Recognised, Credited: d.Credited,
		At: (day + 1).Start().Add(-time.Microsecond), // the day's last moment
	}))
}

// creditTx deducts a line of a credit note from the line of its invoice. For a note without GST, whose value includes the former tax,
// it deducts the same share of the line.
func (s *Service) creditTx(ctx context.Context, tx *sqlx.Tx, day subscription.Day, n note) error {
	line, err := s.store.current(ctx, tx, n)
	if err != nil {
		return err
	}
	value := n.Taxable
	if n.Commercial {
		value = n.Taxable.Prorate(int64(n.OriginalTaxable), int64(n.OriginalTotal))
	}
	left, taken := line.credited(day, value)
	if n.Correction { // the replacement invoice bills the same days again: days already earned are not earned twice
		taken = value
	}
	return s.store.replace(ctx, tx, day, left, n.DocumentID, taken)
}
