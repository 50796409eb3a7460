package payment_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// bundle is a world on a database of its own, with the helpers that stories need.
type bundle struct {
	t       testing.TB
	db      *testkit.Database
	world   *world.World
	clock   *clock.Fake
	gateway *world.Gateway
	api     *payment.Service
	worker  *payment.Service
	subs    *subscription.Service // the worker's
	ledger  *ledger.Service
	catalog *plan.Catalogue
	desk    *payment.ReversalRequests
	asha    staff.Principal // two of the staff
	ravi    staff.Principal
	owner   string // a franchiser with an address in Karnataka
	loaded  string // the catalogue as a test changed it
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	db := testkit.NewDatabase(tb)
	return setupOn(tb, db, world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker})
}

// setupOn is setup with the connections of the two processes.
func setupOn(tb testing.TB, db *testkit.Database, pools world.Databases) *bundle {
	tb.Helper()
	w, err := world.New(context.Background(), pools, testkit.Start(), testkit.NewLogger(tb))
	require.NoError(tb, err)
	b := &bundle{
		t: tb, db: db, world: w, clock: w.Clock, gateway: w.Gateway, api: w.API, worker: w.Worker, subs: w.WorkerSubs,
		ledger: w.Books, catalog: w.Catalogue, desk: w.Reversals, asha: w.Asha, ravi: w.Ravi,
	}
	b.owner = b.franchiser("29")
	return b
}

// giveBack has Asha ask for a refund of a payment, of all that is left for 0, and Ravi approve it where that is needed.
func (b *bundle) giveBack(paymentID string, amount money.Paise) error {
	franchiser := b.text(`SELECT franchiser_id FROM payments WHERE id = $1`, paymentID)
	r, err := b.desk.Request(b.asha.Sign(context.Background()), b.asha, payment.ReversalInput{
		FranchiserID: franchiser, PaymentID: paymentID, Kind: payment.ReversalRefund, Amount: amount, All: amount == 0,
		Reason: "goodwill", Key: id.New(),
	})
	if err == nil && r.State == payment.ReversalWaiting {
		_, err = b.desk.Approve(b.ravi.Sign(context.Background()), b.ravi, r.ID, "as agreed")
	}
	if err != nil {
		return err
	}
	b.work()
	return nil
}

// franchiser adds a franchiser with an address in the State, or without one for an empty State.
func (b *bundle) franchiser(state string) string {
	b.t.Helper()
	f, err := b.world.Franchiser(context.Background(), state)
	require.NoError(b.t, err)
	return f
}

func (b *bundle) tier(p, t int) plan.Tier { return b.catalog.Plans[p].Tiers[t] }

func (b *bundle) request(franchiser string, w subscription.PurchaseIntent) (payment.Requested, error) {
	return b.api.Request(context.Background(), franchiser, payment.RequestInput{Intent: w})
}

// ask requests a charge that must be granted.
func (b *bundle) ask(franchiser string, w subscription.PurchaseIntent) payment.Requested {
	b.t.Helper()
	r, err := b.request(franchiser, w)
	require.NoError(b.t, err)
	return r
}

// pay asks for a charge and has it paid.
func (b *bundle) pay(franchiser string, w subscription.PurchaseIntent) payment.Requested {
	b.t.Helper()
	r := b.ask(franchiser, w)
	if r.Session != nil {
		b.settle(r, payment.StatusPaid)
	}
	return r
}

// settle lets the gateway decide and has the notice verified.
func (b *bundle) settle(r payment.Requested, status payment.Status) {
	b.t.Helper()
	b.gateway.Decide(r.TransactionID, status, r.Amount)
	_, err := b.api.Returned(context.Background(), b.gateway.Notice(r.TransactionID))
	require.NoError(b.t, err)
	b.work()
}

// work does every job of money that is due by the business clock, until none is left.
func (b *bundle) work() {
	b.t.Helper()
	require.NoError(b.t, b.world.Work(context.Background(), ""))
}

// pass moves the clock and does what falls due by then.
func (b *bundle) pass(d time.Duration) {
	b.t.Helper()
	require.NoError(b.t, b.world.Pass(context.Background(), d))
	b.work()
}

// count answers a query for a number, seen by the owner of the tables.
func (b *bundle) count(query string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.db.Owner.Get(&n, query, args...))
	return n
}

func (b *bundle) text(query string, args ...any) string {
	b.t.Helper()
	var s string
	require.NoError(b.t, b.db.Owner.Get(&s, query, args...))
	return s
}

// state is the payment's by its transaction.
func (b *bundle) state(r payment.Requested) string {
	return b.text(`SELECT state FROM payments WHERE transaction_id = $1`, r.TransactionID)
}

// books must be in order after every story.
func (b *bundle) books() {
	b.t.Helper()
	report, err := b.ledger.Verify(context.Background())
	require.NoError(b.t, err)
	require.Empty(b.t, report.Findings)
}

func buy(t plan.Tier, typ plan.Type, addOns ...string) subscription.PurchaseIntent {
	return world.Buy(t, typ, addOns...)
}

func subscriptionWish(subscriptionID string) subscription.PurchaseIntent {
	return world.Renewal(subscriptionID)
}

// compare reads a day's settlement anew and returns all that disagrees now.
func (b *bundle) compare(day subscription.Day) []settlement.Difference {
	b.t.Helper()
	report, err := b.world.Settlements.CompareDay(context.Background(), b.gateway, day)
	require.NoError(b.t, err)
	return report.Differences
}

// nextDays lets days go by, each with the daily comparison of what the gateway pays out.
func (b *bundle) nextDays(n int) {
	b.t.Helper()
	for range n {
		b.pass(24 * time.Hour)
		require.NoError(b.t, b.world.Settlements.Compare(b.t.Context(), settlement.CompareArgs{}))
		b.work()
	}
}
