package mandate_test

import (
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// stage is the world of all stories, which take turns on it: a database for each took most of their time. A story that ends leaves a
// customer behind whose mandate has ended.
var stage struct { //nolint:gochecknoglobals // one world a test process
	turn  sync.Mutex
	world *world.World
	db    *testkit.Database
	after []func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, f := range slices.Backward(stage.after) {
		f()
	}
	os.Exit(code)
}

// lasting postpones clean-up to the end of the process.
type lasting struct{ testing.TB }

func (lasting) Cleanup(f func()) { stage.after = append(stage.after, f) }

// life is a story whose buyer has a monthly plan and a mandate for its renewals.
type life struct {
	*story.Story

	id string // of the mandate at the gateway
	// rest is the least time between two looks of the worker; 0 means that it takes each step when it is due. A story that waits for days
	// while a gateway fails or decides nothing need not live through a look every few minutes.
	rest time.Duration
}

// enter locks the shared world, and adds a customer to it.
func enter(t *testing.T) *life {
	t.Helper()
	stage.turn.Lock()
	t.Cleanup(stage.turn.Unlock)
	if stage.world == nil {
		stage.db = testkit.NewDatabase(lasting{t})
		w, err := world.New(t.Context(), world.Databases{Owner: stage.db.Owner, API: stage.db.API, Worker: stage.db.Worker}, testkit.Start(),
			testkit.NewSilentLogger())
		require.NoError(t, err)
		stage.world = w
	}
	b := &life{Story: &story.Story{World: stage.world, T: t, DB: stage.db}}
	now := b.Clock.Now().In(clock.IST) // every story begins on the 2nd of a month, as a rail's cycle is the calendar month
	b.Pass(time.Date(now.Year(), now.Month()+1, 2, 10, 0, 0, 0, clock.IST).Sub(now))
	b.Buyer = b.Franchiser("29")
	b.Mandates.Set(func(m *world.Mandates) {
		m.Cause, m.Refuses, m.Processing, m.Loses, m.Unheard, m.Cap = mandate.CauseNone, mandate.CauseNone, false, false, false, 0
	})
	t.Cleanup(b.leave)
	return b
}

// leave ends the test's mandates and debits, so that later tests do not meet them.
func (b *life) leave() {
	for _, q := range []string{
		`UPDATE mandates SET state = CASE state WHEN 'requested' THEN 'failed' ELSE 'revoked' END, ended_at = $2, poll_at = NULL, plan_at = NULL
			WHERE franchiser_id = $1 AND state IN ('requested', 'active', 'paused') AND $2::timestamptz IS NOT NULL`,
		`UPDATE mandate_debits SET next_at = NULL WHERE franchiser_id = $1 AND $2::timestamptz IS NOT NULL`,
	} {
		if _, err := b.DB.Owner.Exec(q, b.Buyer, b.Clock.Now()); err != nil {
			b.T.Errorf("end the story: %v", err)
		}
	}
	b.Mandates.Forget(b.id)
}

func begin(t *testing.T) *life {
	t.Helper()
	b := enter(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(24) // the renewal is open
	b.register(mandate.MethodUPI)
	return b
}

func (b *life) register(m mandate.Method) {
	b.T.Helper()
	v, err := b.APIMandates.View(b.T.Context(), b.Buyer)
	require.NoError(b.T, err)
	for _, terms := range v.Terms {
		if terms.Method != m {
			continue
		}
		begun, err := b.APIMandates.Register(b.T.Context(), b.Buyer, mandate.Input{
			Method: m, Consented: true, Version: terms.Version, Text: terms.Text(i18n.English),
		})
		require.NoError(b.T, err)
		txn := begun.Session.Fields["txnid"]
		amount, err := money.Parse(begun.Session.Fields["amount"])
		require.NoError(b.T, err)
		b.Gateway.Decide(txn, payment.StatusPaid, amount)
		_, err = b.API.Notices.Returned(b.T.Context(), b.Gateway.Notice(txn))
		require.NoError(b.T, err)
		b.id = "M" + txn
	}
	b.hours(1)
	require.Equal(b.T, "active", b.state())
}

// state returns the state of the buyer's mandate, mandate our id of it.
func (b *life) state() string {
	b.T.Helper()
	return b.Text(`SELECT state FROM mandates WHERE franchiser_id = $1`, b.Buyer)
}

func (b *life) mandate() string {
	b.T.Helper()
	return b.Text(`SELECT id FROM mandates WHERE franchiser_id = $1`, b.Buyer)
}

// hours passes time as the worker lives it, from one step that is due to the next.
func (b *life) hours(n int) {
	b.T.Helper()
	for end := b.Clock.Now().Add(time.Duration(n) * time.Hour); b.Clock.Now().Before(end); {
		b.next(end)
	}
}

// next passes to the next step that is due, to the evening's sweep, or to the end, whichever comes first.
func (b *life) next(end time.Time) {
	b.T.Helper()
	now := b.Clock.Now()
	evening := time.Date(now.Year(), now.Month(), now.Day(), 19, 0, 0, 0, time.UTC)
	if !evening.After(now) {
		evening = evening.AddDate(0, 0, 1)
	}
	at := end
	if evening.Before(at) {
		at = evening
	}
	rested := now.Add(b.rest)
	var due *time.Time
	require.NoError(b.T, b.DB.Owner.Get(&due, `SELECT min(at) FROM (SELECT poll_at AS at FROM mandates UNION ALL SELECT plan_at FROM mandates
		UNION ALL SELECT next_at FROM mandate_debits) x WHERE at > $1`, now))
	if due != nil && due.Before(rested) {
		due = &rested
	}
	if due != nil && due.Before(at) {
		at = *due
	}
	b.Pass(at.Sub(now))
	b.run()
	if at.Equal(evening) {
		b.Sweep()
	}
}

func (b *life) run() {
	b.T.Helper()
	_, err := b.WorkerMandates.Run(b.T.Context())
	require.NoError(b.T, err)
	b.Work()
}

// made returns the debits that were requested at the gateway.
func (b *life) made() []world.Debited { return b.Mandates.DebitsOf(b.id) }

// debits returns the buyer's debits in a line each.
func (b *life) debits() string {
	b.T.Helper()
	return b.Text(`SELECT coalesce(string_agg(number || ' ' || state || ' ' || cause, ', ' ORDER BY created_at, number), '') FROM mandate_debits
		WHERE franchiser_id = $1`, b.Buyer)
}

// are counts the buyer's debits in a state.
func (b *life) are(state string) int {
	b.T.Helper()
	return b.Count(`SELECT count(*) FROM mandate_debits WHERE state = $1 AND franchiser_id = $2`, state, b.Buyer)
}

// until passes time until one of the buyer's debits is in a state.
func (b *life) until(state string) {
	b.T.Helper()
	for end := b.Clock.Now().AddDate(0, 0, 45); b.Clock.Now().Before(end); b.next(end) {
		if b.are(state) > 0 {
			return
		}
	}
	require.Fail(b.T, "no debit", "none became %s: %s", state, b.debits())
}

// safe checks the invariants of every history.
func (b *life) safe() {
	b.T.Helper()
	b.Balanced()
	require.Empty(b.T, b.Mandates.Broken(), "what must never be asked of a gateway")
	paid := 0
	for _, d := range b.made() {
		if d.Status == payment.StatusPaid {
			paid++
		}
	}
	require.Zero(b.T, b.Count(`SELECT count(*) FROM (SELECT FROM mandate_debits WHERE state = 'paid' GROUP BY subscription_id, renew_on
		HAVING count(*) > 1) x`))
	require.Equal(b.T, paid, b.Count(`SELECT count(*) FROM payments WHERE by_mandate AND state = 'paid' AND franchiser_id = $1`, b.Buyer))
	require.Zero(b.T, b.Count(`SELECT count(*) FROM payments WHERE by_mandate AND surplus AND franchiser_id = $1`, b.Buyer), "a debit bought nothing")
}
