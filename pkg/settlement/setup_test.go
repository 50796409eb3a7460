package settlement_test

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

// bundle is a world on a database of its own, with the helpers that stories of payouts need.
type bundle struct {
	t           testing.TB
	db          *testkit.Database
	world       *world.World
	clock       *clock.Fake
	gateway     *world.Gateway
	api, worker *payment.Service
	settlements *settlement.Service // the worker's
	ledger      *ledger.Service
	desk        *payment.ReversalRequests
	asha, ravi  staff.Principal // two of the staff
	owner       string          // a franchiser with an address in Karnataka
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	db := testkit.NewDatabase(tb)
	w, err := world.New(context.Background(), world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker}, testkit.Start(), testkit.NewLogger(tb))
	require.NoError(tb, err)
	b := &bundle{
		t: tb, db: db, world: w, clock: w.Clock, gateway: w.Gateway, api: w.API, worker: w.Worker, settlements: w.Settlements,
		ledger: w.Books, desk: w.Reversals, asha: w.Asha, ravi: w.Ravi,
	}
	b.owner = b.franchiser("29")
	return b
}

// compare reads a day's settlement anew; the differences are all that disagrees now.
func (b *bundle) compare(day subscription.Day) settlement.ComparedDay {
	b.t.Helper()
	report, err := b.settlements.CompareDay(context.Background(), b.gateway, day)
	require.NoError(b.t, err)
	return report
}

// compareAll is the daily job.
func (b *bundle) compareAll() {
	b.t.Helper()
	require.NoError(b.t, b.settlements.Compare(context.Background(), settlement.CompareArgs{}))
}

// franchiser adds a franchiser with an address in the State.
func (b *bundle) franchiser(state string) string {
	b.t.Helper()
	f, err := b.world.Franchiser(context.Background(), state)
	require.NoError(b.t, err)
	return f
}

func (b *bundle) tier() plan.Tier { return b.world.Catalogue.Plans[0].Tiers[0] }

func buy(t plan.Tier, typ plan.Type) subscription.PurchaseIntent { return world.Buy(t, typ) }

// ask requests a charge.
func (b *bundle) ask(franchiser string, w subscription.PurchaseIntent) payment.Requested {
	b.t.Helper()
	r, err := b.api.Request(context.Background(), franchiser, payment.RequestInput{Intent: w})
	require.NoError(b.t, err)
	return r
}

// pay asks for a charge and has it paid.
func (b *bundle) pay(franchiser string, w subscription.PurchaseIntent) payment.Requested {
	b.t.Helper()
	r := b.ask(franchiser, w)
	b.settle(r, payment.StatusPaid)
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

// giveBack has Asha ask for a refund of a payment, of all that is left for 0, and Ravi approve it where that is needed.
func (b *bundle) giveBack(paymentID string, amount money.Paise) error {
	r, err := b.desk.Request(b.asha.Sign(context.Background()), b.asha, payment.ReversalInput{
		FranchiserID: b.text(`SELECT franchiser_id FROM payments WHERE id = $1`, paymentID), PaymentID: paymentID,
		Kind: payment.ReversalRefund, Amount: amount, All: amount == 0, Reason: "goodwill", Key: id.New(),
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

// dispute tells of a dispute and does what follows.
func (b *bundle) dispute(r payment.Requested, o payment.DisputeOutcome) {
	b.t.Helper()
	require.NoError(b.t, b.api.Notified(b.t.Context(), "fake", b.gateway.DisputeNotice(r.TransactionID, "D1", o)))
	b.work()
}

// work does every job of money that is due by the business clock, until none is left.
func (b *bundle) work() {
	b.t.Helper()
	require.NoError(b.t, b.world.Work(context.Background(), ""))
}

// nextDay lets a day go by and does what falls due by then.
func (b *bundle) nextDay() {
	b.t.Helper()
	require.NoError(b.t, b.world.Pass(context.Background(), 24*time.Hour))
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

func (b *bundle) balance(account string) money.Paise {
	b.t.Helper()
	return money.Paise(b.count(`SELECT coalesce(sum(debit_paise - credit_paise), 0) FROM ledger_lines WHERE account = $1`, account))
}

func (b *bundle) paymentOf(r payment.Requested) string {
	b.t.Helper()
	return b.text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
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
