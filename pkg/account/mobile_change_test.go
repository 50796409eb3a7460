package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const fresh = "9000000001"

// moved records the mobiles of MoveTx, and may refuse.
type moved struct {
	to      []string
	refuses error
}

func (m *moved) ExportTx(context.Context, *sqlx.Tx, string) (section string, data any, err error) {
	return "moved", nil, nil
}

func (m *moved) EraseTx(context.Context, *sqlx.Tx, string) error { return nil }

func (m *moved) MoveTx(_ context.Context, _ *sqlx.Tx, _, mobile string) error {
	m.to = append(m.to, mobile)
	return m.refuses
}

// counter is where staff act on accounts, with a wait before a change of a lost mobile.
type counter struct {
	*bundle
	desk    *recovery.Desk
	changes *recovery.MobileChanges
	records *moved
}

func openDesk(t *testing.T, wait time.Duration) counter {
	t.Helper()
	c := counter{bundle: setup(t), records: &moved{}}
	cache, err := redis.Open(testkit.RedisURL(c.redis))
	require.NoError(t, err)
	t.Cleanup(func() { _ = cache.Close() })
	jobs := testkit.NewInserter(t, c.db.Worker)
	c.desk = recovery.New(session.NewCache(cache, c.keys), message.NewEnqueuer(message.EnqueuerOptions{
		Jobs: jobs, Email: true,
	}), jobs, []account.PersonalData{c.records}, wait)
	c.changes = recovery.NewMobileChanges(c.db.API, testkit.NewInserter(t, c.db.API), c.clock, c.keys)
	return c
}

func (c counter) tx(t *testing.T, fn func(tx *sqlx.Tx) error) error {
	t.Helper()
	return postgres.InTx(t.Context(), c.db.Worker, fn)
}

// schedule requests a change of the mobile and returns it with its link.
func (c counter) schedule(t *testing.T, franchiserID, mobile string) (change recovery.MobileChange, link string) {
	t.Helper()
	require.NoError(t, c.tx(t, func(tx *sqlx.Tx) (err error) {
		change, _, err = c.desk.ScheduleMoveTx(t.Context(), tx, franchiserID, mobile, id.New(), c.clock.Now())
		return err
	}))
	link, err := c.keys.LinkTo("stop a change of mobile", change.ID)
	require.NoError(t, err)
	return change, link
}

func (c counter) due(t *testing.T, changeID string) (change recovery.MobileChange, is bool, err error) {
	t.Helper()
	err = c.tx(t, func(tx *sqlx.Tx) error {
		change, is, err = c.desk.DueMoveTx(t.Context(), tx, changeID, c.clock.Now())
		return err
	})
	return change, is, err
}

func (c counter) apply(t *testing.T, change recovery.MobileChange) error {
	t.Helper()
	var after func(context.Context)
	err := c.tx(t, func(tx *sqlx.Tx) (err error) {
		after, err = c.desk.ApplyMoveTx(t.Context(), tx, change, c.clock.Now())
		return err
	})
	if err == nil {
		after(t.Context())
	}
	return err
}

// A decided change of a lost mobile applies after its wait, not before. The old number and the e-mail address are notified during the wait,
// and all sessions end after it.
func TestMobileChange_AfterItsWait_MovesTheAccount(t *testing.T) {
	t.Parallel()
	c := openDesk(t, 24*time.Hour)
	in := c.join(t, asha)
	change, _ := c.schedule(t, in.User.ID, fresh)
	require.Equal(t, []any{recovery.MobileChangeWaiting, asha, fresh, "0001", "3 November 2026, 10:00"}, []any{change.State, change.Old, change.Mobile, change.Ending(), change.Due()})
	require.Equal(t, 2, count(t, c.db.Owner, `SELECT count(*) FROM customer_messages WHERE about = $1
		AND template IN ('mobile_change_asked', 'mobile_change_asked_email')`, change.ID))
	require.Equal(t, 1, count(t, c.db.Owner, `SELECT count(*) FROM river_job WHERE kind = 'change_mobile' AND state = 'scheduled'
		AND scheduled_at BETWEEN now() + interval '23 hours' AND now() + interval '24 hours'`))
	require.NoError(t, c.tx(t, func(tx *sqlx.Tx) error {
		waits, err := recovery.PendingMoveTx(t.Context(), tx, in.User.ID)
		require.NoError(t, err)
		require.Equal(t, change.ID, waits.ID)
		none, err := recovery.PendingMoveTx(t.Context(), tx, id.New())
		require.Nil(t, none)
		return err
	}))

	c.clock.Advance(24*time.Hour - time.Microsecond)
	_, is, err := c.due(t, change.ID)
	require.NoError(t, err)
	require.False(t, is)
	require.Equal(t, 2, count(t, c.db.Owner, `SELECT count(*) FROM river_job WHERE kind = 'change_mobile'`), "it comes again for what is left")
	require.Empty(t, c.records.to)
	c.clock.Advance(time.Microsecond)
	found, is, err := c.due(t, change.ID)
	require.NoError(t, err)
	require.True(t, is)
	in, err = c.login(t, asha, goodPassword)
	require.NoError(t, err, "until it is applied, the old number signs in")
	require.NoError(t, c.apply(t, found))
	require.Equal(t, []string{fresh}, c.records.to, "with everything that knows the account by its mobile")
	require.False(t, c.lives(t, in.Tokens.Access))
	_, err = c.login(t, asha, goodPassword)
	require.Error(t, err)
	_, err = c.login(t, fresh, goodPassword)
	require.NoError(t, err, "with the same password")
	require.Contains(t, c.inbox(t, asha)[len(c.inbox(t, asha))-1].Text, "The mobile number of your Franchise 360 account was changed")
	require.Equal(t, 1, count(t, c.db.Owner, `SELECT count(*) FROM customer_messages WHERE template = 'mobile_changed_email' AND about = $1`, change.ID))
	_, is, err = c.due(t, change.ID)
	require.NoError(t, err)
	require.False(t, is, "it is applied once")
	_, _, err = c.due(t, id.New())
	require.ErrorIs(t, err, errs.NotFound())
}

// Opening the link from the message changes nothing, and stopping works once. The page says that the number was changed only if it was.
func TestMobileChange_LinkFromTheMessage_StopsIt(t *testing.T) {
	t.Parallel()
	c := openDesk(t, time.Hour)
	franchiser := c.join(t, asha).User.ID
	change, link := c.schedule(t, franchiser, fresh)
	for range 2 {
		seen, err := c.changes.Look(t.Context(), link)
		require.NoError(t, err)
		require.Equal(t, recovery.MobileChangeWaiting, seen.State)
	}
	for range 2 {
		stopped, err := c.changes.Stop(t.Context(), link)
		require.NoError(t, err)
		require.Equal(t, []any{recovery.MobileChangeStopped, "link"}, []any{stopped.State, stopped.StoppedBy})
	}
	c.clock.Advance(time.Hour)
	found, is, err := c.due(t, change.ID)
	require.NoError(t, err)
	require.False(t, is)
	require.Equal(t, recovery.MobileChangeStopped, found.State)
	require.NoError(t, c.tx(t, func(tx *sqlx.Tx) error { return c.desk.StopMoveTx(t.Context(), tx, change.ID, c.clock.Now()) }), "staff stop it once more")
	seen, err := c.changes.Look(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, "link", seen.StoppedBy, "who stopped it stays")

	// Another change may follow an ended one. A failed change has changed nothing, an applied one has.
	second, link := c.schedule(t, franchiser, fresh)
	require.NoError(t, c.tx(t, func(tx *sqlx.Tx) error { return c.desk.FailMoveTx(t.Context(), tx, second, c.clock.Now()) }))
	failed, err := c.changes.Stop(t.Context(), link)
	require.NoError(t, err, "nobody is told that a number was changed which was not")
	require.Equal(t, recovery.MobileChangeFailed, failed.State)
	third, link := c.schedule(t, franchiser, fresh)
	c.clock.Advance(time.Hour)
	require.NoError(t, c.apply(t, third))
	_, err = c.changes.Stop(t.Context(), link)
	require.ErrorIs(t, err, recovery.ErrMobileChanged)
	require.ErrorIs(t, c.tx(t, func(tx *sqlx.Tx) error { return c.desk.StopMoveTx(t.Context(), tx, third.ID, c.clock.Now()) }), recovery.ErrMobileChanged)
	require.ErrorIs(t, c.tx(t, func(tx *sqlx.Tx) error { return c.desk.StopMoveTx(t.Context(), tx, id.New(), c.clock.Now()) }), errs.NotFound())

	// A link that we did not sign for this, or of which nothing is kept, opens nothing.
	otherPurpose, err := c.keys.LinkTo("partner invitation", third.ID)
	require.NoError(t, err)
	unknown, err := c.keys.LinkTo("stop a change of mobile", id.New())
	require.NoError(t, err)
	for name, code := range map[string]string{"another purpose": otherPurpose, "unknown": unknown, "cut": link[:37], "nothing": "", "letters": strings.Repeat("A", 38)} {
		_, err = c.changes.Look(t.Context(), code)
		require.ErrorIs(t, err, recovery.ErrStopLink, name)
		_, err = c.changes.Stop(t.Context(), code)
		require.ErrorIs(t, err, recovery.ErrStopLink, name)
	}
}

// If the new number is invalid, or belongs to an account now or when the wait ends, the account keeps its own.
func TestMobileChange_NumberOfAnotherAccount_IsRefused(t *testing.T) {
	t.Parallel()
	c := openDesk(t, time.Hour)
	franchiser := c.join(t, asha).User.ID
	c.join(t, ravi)
	check := func(mobile string) error {
		return c.tx(t, func(tx *sqlx.Tx) error {
			present, err := c.desk.CheckMoveTx(t.Context(), tx, franchiser, mobile)
			if err == nil {
				require.Equal(t, asha, present)
			}
			return err
		})
	}
	require.NoError(t, check(fresh))
	for _, none := range []string{"", "12345", "+919000000001", "5000000001", "90000000010"} {
		require.Contains(t, errs.As(check(none)).Fields, "mobile", none)
	}
	requireCode(t, check(ravi), errs.KindConflict, "mobile_taken")
	requireCode(t, check(asha), errs.KindConflict, "mobile_taken")

	// Somebody signs up with the number while the change waits.
	change, _ := c.schedule(t, franchiser, fresh)
	c.join(t, fresh)
	c.clock.Advance(time.Hour)
	requireCode(t, c.apply(t, change), errs.KindConflict, "mobile_taken")
	require.NoError(t, c.tx(t, func(tx *sqlx.Tx) error { return c.desk.FailMoveTx(t.Context(), tx, change, c.clock.Now()) }))

	// The owner moved the account elsewhere while the change waited.
	change, _ = c.schedule(t, franchiser, "9000000002")
	c.db.Owner.MustExec(`UPDATE franchisers SET mobile = '9000000003' WHERE id = $1`, franchiser)
	requireCode(t, c.apply(t, change), errs.KindConflict, "mobile_changed")
	c.db.Owner.MustExec(`UPDATE franchisers SET mobile = $2 WHERE id = $1`, franchiser, asha)

	// the account refuses the change if another domain does
	c.records.refuses = errs.Unavailable(context.DeadlineExceeded)
	require.ErrorIs(t, c.apply(t, change), context.DeadlineExceeded)
	_, err := c.login(t, asha, goodPassword)
	require.NoError(t, err)
	c.db.Owner.MustExec(`UPDATE franchisers SET erased_at = now() WHERE id = $1`, franchiser)
	require.Error(t, c.apply(t, change), "an account that was erased moves no more")
}

// Without a wait, as in development, it moves at once and there is nothing to stop.
func TestMobileChange_WithoutAWait_MovesAtOnce(t *testing.T) {
	t.Parallel()
	c := openDesk(t, 0)
	in := c.join(t, asha)
	var change recovery.MobileChange
	var after func(context.Context)
	require.NoError(t, c.tx(t, func(tx *sqlx.Tx) (err error) {
		change, after, err = c.desk.ScheduleMoveTx(t.Context(), tx, in.User.ID, fresh, id.New(), c.clock.Now())
		return err
	}))
	after(t.Context())
	require.Equal(t, recovery.MobileChangeApplied, change.State)
	require.False(t, c.lives(t, in.Tokens.Access))
	_, err := c.login(t, fresh, goodPassword)
	require.NoError(t, err)
	require.Zero(t, count(t, c.db.Owner, `SELECT count(*) FROM mobile_changes`))
	require.Zero(t, count(t, c.db.Owner, `SELECT count(*) FROM river_job WHERE kind = 'change_mobile'`))
}
