package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Locking errors, safe to show.
var (
	// ErrLocked reports that the books are already locked up to that day, or a later one.
	ErrLocked = errs.New(errs.KindConflict, "books_locked", "The books are locked up to that day already.")
	// ErrNotLocked reports that nothing is locked after that day.
	ErrNotLocked = errs.New(errs.KindConflict, "books_not_locked", "The books are open after that day already.")
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Lock is one decision on how far the books are locked. Through is the last locked day in India, 0 if all is open.
type Lock struct {
	Sequence int              `db:"sequence"`
	Through  subscription.Day `db:"locked_through"`
	Reason   string           `db:"reason"`
	By       string           `db:"staff_name"`
	At       time.Time        `db:"recorded_at"`
}

// Locks lets admins lock the books up to the end of a month. Opening them again takes two people (OpenBooksTx). It runs with the API's
// role; the database ensures that nothing is dated inside a lock.
type Locks struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
}

// NewLocks returns Locks on the API's pool; the recorder logs every decision in the same transaction.
func NewLocks(db *sqlx.DB, clk clock.Clock, recorder Recorder) *Locks {
	return wiring.Complete(&Locks{db: db, clock: clk, recorder: recorder})
}

// maxLocks limits how much of the history is shown.
const maxLocks = 100

// History returns every decision, newest first; the first is in force. It is empty if the books were never locked.
func (s *Locks) History(ctx context.Context) ([]Lock, error) {
	var list []Lock
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		list, err = locksTx(ctx, tx, maxLocks)
		return err
	})
	return list, err
}

// LastMonthEnd returns the last day of the latest month that is over: the furthest that the books can be locked now.
func (s *Locks) LastMonthEnd() subscription.Day {
	today := subscription.DayOf(s.clock.Now())
	return today - subscription.Day(today.DayOfMonth()) //nolint:gosec // at most 31
}

// Lock locks the books up to the last day of a month that is over. It returns a validation error for the day or the reason, or ErrLocked.
func (s *Locks) Lock(ctx context.Context, p staff.Principal, through subscription.Day, reason string) (Lock, error) {
	if !monthEnd(through) || through > s.LastMonthEnd() {
		return Lock{}, errs.Invalid("Please check the marked fields.").Field("through", "Choose the last day of a month that is over.")
	}
	return s.decide(ctx, p, through, reason, "lock_books", func(now Lock) error {
		if through <= now.Through {
			return ErrLocked
		}
		return nil
	})
}

func monthEnd(day subscription.Day) bool { return day > 0 && (day+1).DayOfMonth() == 1 }

// LockedThroughTx returns the last locked day, 0 if all is open.
func LockedThroughTx(ctx context.Context, tx *sqlx.Tx) (subscription.Day, error) {
	list, err := locksTx(ctx, tx, 1)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[0].Through, nil
}

// CheckOpenTx refuses to open the books after a day that is no end of a month, or after which they are open.
func CheckOpenTx(ctx context.Context, tx *sqlx.Tx, through subscription.Day) (locked subscription.Day, err error) {
	if through != 0 && !monthEnd(through) {
		return 0, errs.Invalid("Please check the marked fields.").Field("to", "Choose the last day of a month, or none.")
	}
	locked, err = LockedThroughTx(ctx, tx)
	if err == nil && through >= locked {
		err = ErrNotLocked
	}
	return locked, err
}

// OpenBooksTx opens the books after the day, or entirely if it is 0, in the name of the requesting person. The caller makes sure that
// another person has approved it. It fails as CheckOpenTx does and runs with the worker's role.
func OpenBooksTx(ctx context.Context, tx *sqlx.Tx, recorder Recorder, p staff.Principal, through subscription.Day, reason string, now time.Time) error {
	_, err := changeLockTx(ctx, tx, recorder, p, Lock{Through: through, Reason: reason, At: now}, "unlock_books", func(Lock) error {
		_, err := CheckOpenTx(ctx, tx, through)
		return err
	})
	return err
}

func (s *Locks) decide(ctx context.Context, p staff.Principal, through subscription.Day, reason, action string, allowed func(now Lock) error) (Lock, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Lock{}, err
	}
	var l Lock
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		l, err = changeLockTx(ctx, tx, s.recorder, p, Lock{Through: through, Reason: reason, At: s.clock.Now()}, action, allowed)
		return err
	})
	return l, err
}

// changeLockTx appends the next decision if it is allowed now, and records it.
func changeLockTx(
	ctx context.Context, tx *sqlx.Tx, recorder Recorder, p staff.Principal, next Lock, action string, allowed func(now Lock) error,
) (Lock, error) {
	if _, err := tx.ExecContext(ctx, lockBooksSQL); err != nil {
		return Lock{}, fmt.Errorf("wait for whoever books: %w", err)
	}
	list, err := locksTx(ctx, tx, 1)
	if err != nil {
		return Lock{}, err
	}
	var now Lock
	if len(list) > 0 {
		now = list[0]
	}
	if err := allowed(now); err != nil {
		return Lock{}, err
	}
	next.Sequence, next.By, next.At = now.Sequence+1, p.Name, next.At.UTC().Truncate(time.Microsecond)
	if _, err := tx.ExecContext(ctx, insertLockSQL, next.Sequence, next.Through, next.Reason, p.StaffID, next.By, next.At); err != nil {
		return Lock{}, fmt.Errorf("lock the books: %w", err)
	}
	return next, recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: action, Target: "books", Reason: next.Reason, Before: throughText(now.Through), After: throughText(next.Through),
	})
}

func throughText(day subscription.Day) string {
	b, _ := json.Marshal(map[string]any{"locked_through": day}) // a day always marshals
	return string(b)
}

const (
	// Every posting holds this lock in shared mode until its transaction ends (refuse_locked).
	lockBooksSQL  = `SELECT pg_advisory_xact_lock(hashtextextended('book_locks', 0))`
	insertLockSQL = `INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at) VALUES ($1, $2, $3, $4, $5, $6)`
	locksSQL      = `SELECT sequence, locked_through, reason, staff_name, recorded_at FROM book_locks ORDER BY sequence DESC LIMIT $1`
)

func locksTx(ctx context.Context, tx *sqlx.Tx, limit int) ([]Lock, error) {
	var list []Lock
	if err := tx.SelectContext(ctx, &list, locksSQL, limit); err != nil {
		return nil, fmt.Errorf("read how far the books are locked: %w", err)
	}
	for i := range list {
		list[i].At = list[i].At.UTC()
	}
	return list, nil
}

// OpenTx returns the moment, or the first one after the locked books: nothing is dated before that.
func OpenTx(ctx context.Context, tx *sqlx.Tx, wanted time.Time) (time.Time, error) {
	var at time.Time
	if err := tx.GetContext(ctx, &at, `SELECT greatest($1::timestamptz, books_open_from())`, wanted); err != nil {
		return at, fmt.Errorf("read how far the books are locked: %w", err)
	}
	return at.UTC(), nil
}
