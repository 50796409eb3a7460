// Package story simulates payments on the test's database, with the steps of its stories: a customer buys, days pass, payments arrive and
// are refunded. The tests of subscriptions, payments and settlements share it.
package story

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// Day is 24 hours.
const Day = 24 * time.Hour

// Story is a world with one franchiser. Its steps fail the test if the world returns an error.
type Story struct {
	*world.World
	T  testing.TB
	DB *testkit.Database
	// Buyer is a franchiser with an address in Karnataka.
	Buyer string
}

// New begins a story on a new database.
func New(tb testing.TB) *Story {
	tb.Helper()
	db := testkit.NewDatabase(tb)
	return NewOn(tb, db, world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker})
}

// NewOn is New with the given connections of the two processes.
func NewOn(tb testing.TB, db *testkit.Database, pools world.Databases) *Story {
	tb.Helper()
	w, err := world.New(context.Background(), pools, testkit.Start(), testkit.NewLogger(tb))
	require.NoError(tb, err)
	b := &Story{World: w, T: tb, DB: db}
	b.Buyer = b.Franchiser("29")
	return b
}

// Franchiser adds a franchiser with an address in the State.
func (b *Story) Franchiser(state string) string {
	b.T.Helper()
	f, err := b.World.Franchiser(context.Background(), state)
	require.NoError(b.T, err)
	return f
}

// Tier returns a tier of the catalogue, by the indices of its plan and of itself.
func (b *Story) Tier(p, t int) plan.Tier { return b.Catalogue.Plans[p].Tiers[t] }

// Trial starts a franchiser's free trial.
func (b *Story) Trial(franchiser string) error {
	return b.World.Trial(context.Background(), franchiser)
}

// Work runs all money jobs that are due by the business clock.
func (b *Story) Work() {
	b.T.Helper()
	require.NoError(b.T, b.World.Work(context.Background(), ""))
}

// Pass moves the clock and runs what falls due.
func (b *Story) Pass(d time.Duration) {
	b.T.Helper()
	require.NoError(b.T, b.World.Pass(context.Background(), d))
	b.Work()
}

// Live moves the clock by days and runs the sweeps once at the end, as after that many days without a worker.
func (b *Story) Live(days int) {
	b.T.Helper()
	b.Pass(time.Duration(days) * Day)
	b.Sweep()
}

// Sweep runs the scheduled jobs once.
func (b *Story) Sweep() {
	b.T.Helper()
	require.NoError(b.T, b.World.Sweep(context.Background()))
}

// Today returns the current day of the business clock.
func (b *Story) Today() subscription.Day { return subscription.DayOf(b.Clock.Now()) }

// Tax changes the tax rate from that many days after today.
func (b *Story) Tax(days int, rateBps int64) {
	b.T.Helper()
	require.NoError(b.T, b.World.Tax(context.Background(), b.DB.Worker, b.Today()+subscription.Day(days), rateBps)) //nolint:gosec // few
}

// Standing returns a subscription in one line: its state and its days.
func (b *Story) Standing(franchiser string) string {
	b.T.Helper()
	return b.Text(`SELECT concat_ws(' ', state, starts_on, renew_on, paid_until) FROM subscriptions WHERE franchiser_id = $1`, franchiser)
}

// Message returns the message that a franchiser sees above the plans.
func (b *Story) Message(franchiser string) string {
	b.T.Helper()
	m, _, err := b.APISubs.Message(b.T.Context(), franchiser)
	require.NoError(b.T, err)
	return m
}

// InvoiceLines returns those of the newest invoice.
func (b *Story) InvoiceLines() string {
	b.T.Helper()
	return b.Text(`SELECT string_agg(concat_ws(' | ', l.description, l.detail, l.amount_paise), ', ' ORDER BY l.position) FROM invoice_lines l
		WHERE l.invoice_id = (SELECT id FROM invoices WHERE kind = 'invoice' ORDER BY sequence DESC LIMIT 1)`)
}

// Count runs a query for a number as the owner of the tables.
func (b *Story) Count(query string, args ...any) int {
	b.T.Helper()
	var n int
	require.NoError(b.T, b.DB.Owner.Get(&n, query, args...))
	return n
}

// Text runs a query for a text as the owner of the tables.
func (b *Story) Text(query string, args ...any) string {
	b.T.Helper()
	var s string
	require.NoError(b.T, b.DB.Owner.Get(&s, query, args...))
	return s
}

// Balance returns the balance of a ledger account, debits less credits.
func (b *Story) Balance(account string) money.Paise {
	b.T.Helper()
	return money.Paise(b.Count(`SELECT coalesce(sum(debit_paise - credit_paise), 0) FROM ledger_lines WHERE account = $1`, account))
}

// Balanced verifies the books against everything they are derived from; they must be in order after every story.
func (b *Story) Balanced() {
	b.T.Helper()
	report, err := b.Books.Verify(context.Background())
	require.NoError(b.T, err)
	require.Empty(b.T, report.Findings)
}
