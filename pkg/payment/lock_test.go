package payment_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func november() subscription.Day { return subscription.NewDay(2026, time.November, 30) }

// december sets the clock to the morning of 3 December 2026 in India.
func (b *bundle) december() {
	b.Clock.Set(time.Date(2026, time.December, 3, 10, 0, 0, 0, clock.IST))
}

// Given locked books, then no role can date an entry inside the lock, even bypassing the services, and all operations continue.
func TestLock_EntryInsideALockedMonth_IsRefusedForEachRole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.december()
	l, err := b.Locks.Lock(b.Asha.Sign(t.Context()), b.Asha, november(), "Return of November is filed")
	require.NoError(t, err)
	require.Equal(t, november(), l.Through)

	inside, after := "2026-11-30T18:29:59.999999Z", "2026-11-30T18:30:00Z"
	for name, want := range map[string]bool{inside: true, "2026-11-02": true, after: false} {
		for role, statement := range map[string]string{
			"journal": `INSERT INTO ledger_journals (id, franchiser_id, kind, reference, description, posted_at) VALUES ($1, $2, 'refund', $1::uuid::text, 'x', $3)`,
			"document": `INSERT INTO invoices SELECT (jsonb_populate_record(i, jsonb_build_object('id', $1::uuid, 'issued_at', $3::timestamptz, 'sequence', 9, 'number', 'FP/26-27/000009',
				'payment_id', i.payment_id, 'franchiser_id', $2::uuid))).* FROM invoices i`,
		} {
			tx, err := b.DB.Owner.Beginx()
			require.NoError(t, err)
			_, err = tx.Exec(statement, id.New(), b.Buyer, name)
			require.Equal(t, want, postgres.Violates(err, "23514", "books_locked"), "%s %s: %v", role, name, err)
			require.NoError(t, tx.Rollback())
		}
	}
	require.NoError(t, b.GiveBack(b.PaymentOf(r), 11_800_00))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note' AND issued_at >= '2026-11-30T18:30:00Z'`))
	b.Balanced()
}

// Given a settlement of a locked month that arrives late, then it is booked on the first open day, with its true date recorded.
func TestLock_LateSettlementOfALockedMonth_IsBookedOnTheFirstOpenDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paidOut := b.Clock.Now().Add(48 * time.Hour)
	b.december()
	_, err := b.Locks.Lock(b.Asha.Sign(t.Context()), b.Asha, november(), "Return of November is filed")
	require.NoError(t, err)
	b.Gateway.Lines = []settlement.Line{world.Line(r, paidOut)}
	for range 2 {
		require.Empty(t, b.compare(subscription.DayOf(paidOut)))
	}
	require.Equal(t, "2026-11-30 18:30:00+00 2026-11-04 04:30:00+00", b.Text(`SELECT concat_ws(' ', posted_at AT TIME ZONE 'UTC' || '+00', happened_at AT TIME ZONE 'UTC' || '+00')
		FROM ledger_journals WHERE kind = 'settlement'`))
	trail, err := b.API.Trails.Trail(b.Asha.Sign(t.Context()), ledger.NewService(b.DB.API, b.Clock), r.TransactionID)
	require.NoError(t, err)
	last := trail.Journals[len(trail.Journals)-1]
	require.Equal(t, ledger.KindSettlement, last.Kind)
	require.Equal(t, paidOut.UTC(), last.HappenedAt)
	require.True(t, trail.Journals[0].HappenedAt.IsZero(), "a journal in an open month has its own date")
	b.Balanced()
}

// Given a posting in progress while an admin locks, then the lock waits, and nothing is posted inside it afterwards.
func TestLock_PostingInProgress_WaitsForIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.december()
	tx, err := b.DB.Owner.Beginx()
	require.NoError(t, err)
	_, err = tx.Exec(`INSERT INTO ledger_journals (id, franchiser_id, kind, reference, description, posted_at) VALUES ($1, $2, 'refund', 'x', 'x', '2026-11-30')`, id.New(), b.Buyer)
	require.NoError(t, err)
	locked := make(chan error, 1)
	go func() {
		_, err := b.Locks.Lock(b.Asha.Sign(t.Context()), b.Asha, november(), "Return of November is filed")
		locked <- err
	}()
	select {
	case err := <-locked:
		t.Fatalf("the lock did not wait: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	require.NoError(t, tx.Rollback())
	require.NoError(t, <-locked)
}

func TestLock_OnlyCompletedMonths_CanBeLocked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.december()
	locks := b.Locks
	october, february := subscription.NewDay(2026, time.October, 31), subscription.NewDay(2024, time.February, 29)
	require.Equal(t, november(), locks.LastMonthEnd())
	for name, through := range map[string]subscription.Day{
		"zero": 0, "in a month": november() - 1, "a month that runs": subscription.NewDay(2026, time.December, 31), "no leap year": subscription.NewDay(2025, time.February, 27),
	} {
		_, err := locks.Lock(b.Asha.Sign(t.Context()), b.Asha, through, "Return is filed")
		require.Equal(t, errs.KindInvalid, errs.As(err).Kind, name)
	}
	_, err := locks.Lock(b.Asha.Sign(t.Context()), b.Asha, november(), " ")
	require.Equal(t, errs.KindInvalid, errs.As(err).Kind, "why")
	open := func(through subscription.Day, reason string) error {
		return postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
			return ledger.OpenBooksTx(t.Context(), tx, staff.NewRecorder(b.Clock), b.Ravi, through, reason, b.Clock.Now())
		})
	}
	err = open(0, "Nothing is locked")
	require.ErrorIs(t, err, ledger.ErrNotLocked)
	for _, through := range []subscription.Day{february, october, november()} {
		_, err = locks.Lock(b.Asha.Sign(t.Context()), b.Asha, through, "Return is filed")
		require.NoError(t, err)
	}
	_, err = locks.Lock(b.Asha.Sign(t.Context()), b.Asha, october, "Again")
	require.ErrorIs(t, err, ledger.ErrLocked)
	err = open(november(), "Not at all")
	require.ErrorIs(t, err, ledger.ErrNotLocked)
	require.NoError(t, open(october, "An invoice of November was wrong"))
	require.NoError(t, open(0, "All of it is audited anew"))
	history, err := locks.History(t.Context())
	require.NoError(t, err)
	require.Len(t, history, 5)
	require.Equal(t, []any{subscription.Day(0), "All of it is audited anew", b.Ravi.Name}, []any{history[0].Through, history[0].Reason, history[0].By})
	require.Equal(t, october, history[1].Through)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM staff_actions WHERE action = 'unlock_books'`))
	require.Equal(t, 3, b.Count(`SELECT count(*) FROM staff_actions WHERE action = 'lock_books'`))
	_, err = b.DB.Owner.Exec(`DELETE FROM book_locks`)
	require.True(t, postgres.Violates(err, "23001", ""), "the history only grows: %v", err)
	_, err = b.DB.Owner.Exec(`INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at) VALUES (9, '2026-11-29', 'abc', $1, 'Asha', now())`, b.Asha.StaffID)
	require.True(t, postgres.Violates(err, "23514", ""), "to the end of a month alone: %v", err)
}
