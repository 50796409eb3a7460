package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// forgetful is a recorder that records nothing, or fails to.
type forgetful struct{ err error }

func (f forgetful) RecordTx(context.Context, *sqlx.Tx, staff.Principal, staff.Action) error {
	return f.err
}

func TestLocks_Month_EndsAtMidnightInIndia(t *testing.T) {
	t.Parallel()
	clk := testkit.NewClock()
	locks := ledger.NewLocks(&sqlx.DB{}, clk, forgetful{})
	for now, want := range map[string]string{
		"2026-10-31T18:29:59.999999Z": "2026-09-30", // 23:59:59.999999 of the 31st
		"2026-10-31T18:30:00Z":        "2026-10-31",
		"2026-11-30T18:29:59Z":        "2026-10-31",
		"2026-12-31T18:30:00Z":        "2026-12-31", // New Year in India
		"2027-03-31T18:29:59Z":        "2027-02-28",
		"2027-03-31T18:30:00Z":        "2027-03-31", // the financial year is over
		"2028-02-29T18:29:59Z":        "2028-01-31",
		"2028-02-29T18:30:00Z":        "2028-02-29",
		"2027-02-28T18:30:00Z":        "2027-02-28",
		"2026-11-15T00:00:00Z":        "2026-10-31",
	} {
		at, err := time.Parse(time.RFC3339, now)
		require.NoError(t, err)
		clk.Set(at)
		require.Equal(t, want, locks.LastMonthEnd().String(), now)
	}
}

func TestLockBooks_DayIsNotTheEndOfAFinishedMonth_IsRefused(t *testing.T) {
	t.Parallel()
	// no database: invalid input is refused before any query
	locks := ledger.NewLocks(&sqlx.DB{}, testkit.NewClock(), forgetful{})
	day := subscription.NewDay
	for name, through := range map[string]subscription.Day{
		"none":                  0,
		"before the epoch":      -1,
		"the day before":        day(2026, time.October, 30),
		"the day after":         day(2026, time.November, 1),
		"this month":            day(2026, time.November, 30),
		"a month to come":       day(2027, time.March, 31),
		"no leap year's 28th":   day(2028, time.February, 28),
		"centuries to come":     day(3000, time.January, 31),
		"30 of a month with 31": day(2026, time.August, 30),
	} {
		_, err := locks.Lock(t.Context(), staff.Principal{}, through, "Return is filed")
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Contains(t, errs.As(err).Fields, "through", name)
	}
	for name, reason := range map[string]string{"none": "", "blank": " \t\n ", "two letters": " a  ", "too long": strings.Repeat("क", 501)} {
		_, err := locks.Lock(t.Context(), staff.Principal{}, day(2026, time.October, 31), reason)
		require.Contains(t, errs.As(err).Fields, "reason", name)
	}
}

func TestLockBooks_OnlyAdmins_InTheirName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := console.Hire(t, b.db, b.clock)
	locks := ledger.NewLocks(b.db.API, b.clock, staff.NewRecorder(b.clock))
	october := subscription.NewDay(2026, time.October, 31)
	history, err := locks.History(t.Context())
	require.NoError(t, err)
	require.Empty(t, history, "never locked")

	// if recording fails, nothing is locked
	broken := errors.New("no record")
	_, err = ledger.NewLocks(b.db.API, b.clock, forgetful{broken}).Lock(people.Ravi.Sign(t.Context()), people.Ravi, october, "Return is filed")
	require.ErrorIs(t, err, broken)
	_, err = locks.Lock(people.Sunita.Sign(t.Context()), people.Sunita, october, "Return is filed")
	require.Error(t, err, "support locks nothing")
	_, err = locks.Lock(people.Sunita.Sign(t.Context()), people.Ravi, october, "Return is filed")
	require.Error(t, err, "nor in the name of an admin")
	_, err = locks.Lock(t.Context(), people.Ravi, october, "Return is filed")
	require.Error(t, err, "a name without its proof is nobody's")
	history, err = locks.History(t.Context())
	require.NoError(t, err)
	require.Empty(t, history)

	// of several concurrent locks, one succeeds
	results := make([]error, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			_, results[i] = locks.Lock(people.Ravi.Sign(t.Context()), people.Ravi, october, "  Return   is filed ")
		})
	}
	all.Wait()
	var done int
	for _, err := range results {
		if err == nil {
			done++
			continue
		}
		require.ErrorIs(t, err, ledger.ErrLocked)
	}
	require.Equal(t, 1, done)
	b.clock.Advance(time.Minute)
	open := func(through subscription.Day) error {
		return postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) error {
			return ledger.OpenBooksTx(t.Context(), tx, staff.NewRecorder(b.clock), people.Ravi, through, "An invoice was wrong", b.clock.Now())
		})
	}
	require.Contains(t, errs.As(open(october-1)).Fields, "to")
	require.NoError(t, open(0))
	require.ErrorIs(t, open(0), ledger.ErrNotLocked, "the second time")

	history, err = locks.History(t.Context())
	require.NoError(t, err)
	require.Len(t, history, 2)
	require.Equal(t, ledger.Lock{Sequence: 2, Reason: "An invoice was wrong", By: people.Ravi.Name, At: b.clock.Now().UTC()}, history[0], "newest first")
	require.Equal(t, "Return is filed", history[1].Reason, "cleaned of what nobody sees")
	require.Equal(t, testkit.Start().UTC(), history[1].At)

	var before, after []string
	require.NoError(t, b.db.Owner.Select(&before, `SELECT before FROM staff_actions WHERE action LIKE '%lock_books' ORDER BY sequence`))
	require.NoError(t, b.db.Owner.Select(&after, `SELECT after FROM staff_actions WHERE action LIKE '%lock_books' ORDER BY sequence`))
	require.Equal(t, before[1], after[0], "what one left is what the next found")
	var kept struct {
		Through *subscription.Day `json:"locked_through"`
	}
	require.NoError(t, json.Unmarshal([]byte(after[0]), &kept))
	require.Equal(t, october, *kept.Through)
}

// With the api's role and an admin's proof, the database accepts a later lock and refuses to open the books.
func TestLockedBooks_OneAdmin_CannotOpenThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := console.Hire(t, b.db, b.clock)
	october := subscription.NewDay(2026, time.October, 31)
	locks := ledger.NewLocks(b.db.API, b.clock, staff.NewRecorder(b.clock))
	_, err := locks.Lock(people.Ravi.Sign(t.Context()), people.Ravi, october, "Return is filed")
	require.NoError(t, err)
	for _, through := range []any{nil, subscription.NewDay(2026, time.September, 30), october} {
		err := postgres.InTx(people.Ravi.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at)
				VALUES (2, $1, 'Opened alone', $2, 'Ravi', now())`, through, people.Ravi.StaffID)
			return err
		})
		require.ErrorContains(t, err, "row-level security", "%v", through)
	}
}

func TestLockedBooks_LateEvent_IsBookedOnceOnTheFirstOpenDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	people := console.Hire(t, b.db, b.clock)
	locks := ledger.NewLocks(b.db.API, b.clock, staff.NewRecorder(b.clock))
	october := subscription.NewDay(2026, time.October, 31)
	_, err := locks.Lock(people.Ravi.Sign(t.Context()), people.Ravi, october, "Return is filed")
	require.NoError(t, err)

	open := time.Date(2026, time.November, 1, 0, 0, 0, 0, clock.IST)
	last := open.Add(-time.Microsecond)
	event := func(reference string, at time.Time) ledger.Entry {
		return ledger.ExtraCapture(ledger.Movement{FranchiserID: b.asha, Reference: reference, Amount: 1, At: at})
	}
	dated := func(reference string) (posted time.Time, happened *time.Time) {
		var row struct {
			Posted   time.Time  `db:"posted_at"`
			Happened *time.Time `db:"happened_at"`
		}
		require.NoError(t, b.db.Owner.Get(&row, `SELECT posted_at, happened_at FROM ledger_journals WHERE reference = $1`, reference))
		return row.Posted, row.Happened
	}
	for range 2 {
		require.NoError(t, b.post(b.asha, event("late", last), event("first", open), event("now", time.Time{})))
	}
	posted, happened := dated("late")
	require.WithinDuration(t, open, posted, 0)
	require.WithinDuration(t, last, *happened, 0, "to the microsecond")
	for reference, at := range map[string]time.Time{"first": open, "now": testkit.Start()} {
		posted, happened = dated(reference)
		require.WithinDuration(t, at, posted, 0, reference)
		require.Nil(t, happened, reference)
	}
	require.NoError(t, postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) error {
		return ledger.OpenBooksTx(t.Context(), tx, staff.NewRecorder(b.clock), people.Ravi, 0, "An invoice was wrong", b.clock.Now())
	}))
	require.NoError(t, b.post(b.asha, event("late", last)), "it stays where it was booked")
	posted, _ = dated("late")
	require.WithinDuration(t, open, posted, 0)
	require.NoError(t, b.post(b.asha, event("later", last)))
	posted, happened = dated("later")
	require.WithinDuration(t, last, posted, 0, "open books take the true date")
	require.Nil(t, happened)
}
