package payment_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// bundle is a house without HTTP: the services of both processes on one database, and a gateway that does as it is told.
type bundle struct {
	t       testing.TB
	db      *testkit.Database
	clock   *clock.Fake
	gateway *fakeGateway
	api     *payment.Service
	worker  *payment.Service
	subs    *subscription.Service
	ledger  *ledger.Service
	plans   *plan.Service
	catalog *plan.Catalogue
	desk    *payment.Reversals
	asha    staff.Principal // two of the staff
	ravi    staff.Principal
	owner   string // a franchiser with an address in Karnataka
	loaded  string // the catalogue as a test changed it
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	b := &bundle{t: tb, db: testkit.NewDatabase(tb), clock: testkit.NewClock(), gateway: newFakeGateway()}
	_, err := plan.Load(context.Background(), b.db.Worker, b.clock, plan.DefaultCatalogue())
	require.NoError(tb, err)
	b.api, _ = b.services(false)
	b.worker, b.subs = b.services(true)
	b.ledger = ledger.NewService(b.db.Worker, b.clock)
	b.catalog, err = b.plans.Fresh(context.Background())
	require.NoError(tb, err)
	b.owner = b.franchiser("29")
	b.asha, b.ravi = b.member("asha"), b.member("ravi")
	b.desk = payment.NewReversals(b.db.API, testkit.NewInserter(tb, b.db.API), b.clock,
		staff.NewService(staff.Deps{DB: b.db.API, Clock: b.clock}), approveAbove)
	return b
}

// approveAbove is from where on a payment's reversals need two people in the tests.
const approveAbove = 1_00_000_00

// member adds one of the staff.
func (b *bundle) member(name string) staff.Principal {
	b.t.Helper()
	p := staff.Principal{StaffID: id.New(), Name: name, Email: name + "@franchise360.example", Role: staff.RoleAdmin}
	_, err := b.db.Owner.Exec(`INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at)
		VALUES ($1, $2, $3, $4, 'x', 'x', $5)`, p.StaffID, p.Email, p.Name, p.Role, b.clock.Now())
	require.NoError(b.t, err)
	return p
}

// giveBack has Asha ask for a refund of a payment, and Ravi approve it where that is needed.
func (b *bundle) giveBack(paymentID string, amount money.Paise) error {
	franchiser := b.text(`SELECT franchiser_id FROM payments WHERE id = $1`, paymentID)
	r, err := b.desk.RequestRefund(context.Background(), b.asha, franchiser, paymentID, amount, "goodwill", id.New())
	if err == nil && r.State == payment.ReversalWaiting {
		_, err = b.desk.Approve(context.Background(), b.ravi, r.ID, "as agreed")
	}
	if err != nil {
		return err
	}
	b.work()
	return nil
}

func (b *bundle) services(worker bool) (*payment.Service, *subscription.Service) {
	db := b.db.API
	if worker {
		db = b.db.Worker
	}
	logger, jobs := testkit.NewLogger(b.t), testkit.NewInserter(b.t, db)
	b.plans = plan.NewService(db, logger)
	supplier := invoice.Supplier{Name: "Franchise 360", Address: []string{"Mumbai"}, GSTIN: "27AAPFU0939F1ZV", StateCode: "27"}
	subs := subscription.NewService(db, jobs, b.clock, b.plans, address.NewService(db, nil, b.clock, logger), nil,
		subscription.Config{SupplierState: "27", PublicURL: "https://shop.example"}, logger)
	return payment.NewService(payment.Deps{
		DB: db, Jobs: jobs, Clock: b.clock, Gateways: []payment.Gateway{b.gateway}, Subscriptions: subs,
		Invoices: invoice.NewService(db, jobs, b.clock, nil, supplier), Ledger: ledger.NewService(db, b.clock),
		PublicURL: "https://shop.example", Logger: logger,
	}), subs
}

var mobiles struct { //nolint:gochecknoglobals // numbers are unique in a database only, but cheap to make unique here
	sync.Mutex
	next int
}

// franchiser adds a franchiser with an address in the State, or without one for an empty State.
func (b *bundle) franchiser(state string) string {
	b.t.Helper()
	mobiles.Lock()
	mobiles.next++
	n := mobiles.next
	mobiles.Unlock()
	f := id.New()
	_, err := b.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, first_name, last_name, password_hash, terms_version,
		terms_accepted_at, created_at) VALUES ($1, $2, $3, 'Asha', 'Kulkarni', 'x', '1', $4, $4)`,
		f, fmt.Sprintf("98%08d", n), fmt.Sprintf("asha%d@example.in", n), b.clock.Now())
	require.NoError(b.t, err)
	if state != "" {
		_, err = b.db.Owner.Exec(`INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id,
			city, zipcode, location, created_at, updated_at)
			VALUES ($1, $2, '12/4', 'MG Road', 'Mall', 'IN', $3, 'Bengaluru', '560001', 'Bengaluru', $4, $4)`,
			id.New(), f, state, b.clock.Now())
		require.NoError(b.t, err)
	}
	return f
}

func (b *bundle) tier(p, t int) plan.Tier { return b.catalog.Plans[p].Tiers[t] }

func buy(t plan.Tier, typ plan.Type, addOns ...string) subscription.Wish {
	return subscription.Wish{Plan: &subscription.Selection{Type: typ, ServiceID: t.ID, AddOnIDs: addOns}}
}

func (b *bundle) request(franchiser string, w subscription.Wish) (payment.Requested, error) {
	return b.api.Request(context.Background(), franchiser, payment.RequestInput{Wish: w})
}

// ask requests a charge that must be granted.
func (b *bundle) ask(franchiser string, w subscription.Wish) payment.Requested {
	b.t.Helper()
	r, err := b.request(franchiser, w)
	require.NoError(b.t, err)
	return r
}

// pay asks for a charge and has it paid.
func (b *bundle) pay(franchiser string, w subscription.Wish) payment.Requested {
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
	b.gateway.decide(r.TransactionID, status, r.Amount)
	_, err := b.api.Returned(context.Background(), b.gateway.notice(r.TransactionID))
	require.NoError(b.t, err)
	b.work()
}

// work does every job of payments that is due by the business clock, until none is left. Delays are River's, by the
// machine's clock, so a check that lies ahead is found by its payment's own time.
func (b *bundle) work() {
	b.t.Helper()
	for {
		var jobs []struct {
			ID   int64           `db:"id"`
			Kind string          `db:"kind"`
			Args json.RawMessage `db:"args"`
		}
		require.NoError(b.t, b.db.Owner.Select(&jobs, `SELECT id, kind, args FROM river_job
			WHERE state = 'available' AND kind IN ('verify_payment', 'refund_payment', 'reverse_payment', 'check_dispute') ORDER BY id`))
		if len(jobs) == 0 {
			return
		}
		for _, j := range jobs {
			require.NoError(b.t, b.do(j.Kind, j.Args))
			_, err := b.db.Owner.Exec(`UPDATE river_job SET state = 'completed', finalized_at = now() WHERE id = $1`, j.ID)
			require.NoError(b.t, err)
		}
	}
}

func (b *bundle) do(kind string, args []byte) error {
	if kind == "refund_payment" {
		var a payment.RefundArgs
		if err := json.Unmarshal(args, &a); err != nil {
			return err
		}
		return b.worker.SendRefund(context.Background(), a.RefundID)
	}
	if kind == "check_dispute" {
		var a payment.CheckDisputeArgs
		if err := json.Unmarshal(args, &a); err != nil {
			return err
		}
		return b.worker.CheckDispute(context.Background(), a.DisputeID)
	}
	if kind == "reverse_payment" {
		var a payment.ReverseArgs
		if err := json.Unmarshal(args, &a); err != nil {
			return err
		}
		return b.worker.Reverse(context.Background(), a.ReversalID)
	}
	var a payment.VerifyArgs
	if err := json.Unmarshal(args, &a); err != nil {
		return err
	}
	return b.worker.Verify(context.Background(), a)
}

// pass moves the clock and does what falls due by then: waiting jobs come nearer, as the development clock does it.
func (b *bundle) pass(d time.Duration) {
	b.t.Helper()
	b.clock.Advance(d)
	_, err := b.db.Owner.Exec(`UPDATE river_job SET scheduled_at = scheduled_at - make_interval(secs => $1),
		state = CASE WHEN scheduled_at - make_interval(secs => $1) <= now() THEN 'available'::river_job_state ELSE state END
		WHERE state = 'scheduled'`, d.Seconds())
	require.NoError(b.t, err)
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

// fakeGateway is a gateway whose outcomes a test decides; its notices are signed with a hash of their fields.
type fakeGateway struct {
	mu       sync.Mutex
	outcomes map[string]payment.Outcome
	refunds  map[string]payment.RefundOutcome
	requests map[string]int
	disputes map[string]payment.DisputeOutcome
	down     bool
	lines    []payment.SettlementLine
	verified int
}

func newFakeGateway() *fakeGateway {
	return &fakeGateway{
		outcomes: map[string]payment.Outcome{}, refunds: map[string]payment.RefundOutcome{}, requests: map[string]int{},
		disputes: map[string]payment.DisputeOutcome{},
	}
}

func (g *fakeGateway) decide(txn string, status payment.Status, amount money.Paise) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.outcomes[txn] = payment.Outcome{
		Status: status, Amount: amount, Currency: payment.Currency, GatewayPaymentID: "G" + txn, Slug: "upi",
		Fields: map[string]string{"txnid": txn, "status": string(status), "amount": amount.Decimal()},
	}
}

func (g *fakeGateway) notice(txn string) payment.Posted {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := map[string]string{"txnid": txn, "status": string(g.outcomes[txn].Status)}
	f["hash"] = sign(f)
	return payment.Posted{Form: f}
}

func sign(f map[string]string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(f["txnid"]+"/"+f["status"]+"/"+f["refund"]+"/"+f["amount"])))
}

func (*fakeGateway) Name() string { return "fake" }

func (g *fakeGateway) Begin(_ context.Context, c payment.Charge) (payment.Session, error) {
	return payment.Session{URL: "https://gateway.example/_payment", Fields: map[string]string{
		"txnid": c.TransactionID, "amount": c.Amount.Decimal(), "hash": "h",
	}}, nil
}

func (g *fakeGateway) Read(p payment.Posted) (payment.Notice, error) {
	if p.Form["hash"] == "" || p.Form["hash"] != sign(p.Form) {
		return payment.Notice{}, payment.ErrSignature
	}
	n := payment.Notice{
		Kind: payment.NoticePayment, TransactionID: p.Form["txnid"], Status: payment.Status(p.Form["status"]),
		Fields: map[string]string{"txnid": p.Form["txnid"], "status": p.Form["status"], "note": p.Form["note"]},
	}
	if p.Form["refund"] != "" {
		n.Kind, n.ExternalID = payment.NoticeRefund, p.Form["refund"]
		n.Amount, _ = money.Parse(p.Form["amount"])
		n.Fields["refund"] = p.Form["refund"]
	}
	if p.Form["dispute"] != "" {
		n.Kind, n.ExternalID, n.Fields["dispute"] = payment.NoticeDispute, p.Form["dispute"], p.Form["dispute"]
	}
	return n, nil
}

// dispute makes the gateway tell of a dispute, and answer with this when it is asked.
func (g *fakeGateway) dispute(txn, disputeID string, o payment.DisputeOutcome) payment.Posted {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.disputes[disputeID] = o
	f := map[string]string{"txnid": txn, "status": "paid", "dispute": disputeID, "note": string(o.State)}
	f["hash"] = sign(f)
	return payment.Posted{Form: f}
}

func (g *fakeGateway) Dispute(_ context.Context, disputeID string) (payment.DisputeOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.disputes[disputeID], nil
}

func (g *fakeGateway) Verify(_ context.Context, txn, _ string) (payment.Outcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.verified++
	if g.down {
		return payment.Outcome{}, errs.Unavailable(fmt.Errorf("the gateway is down"))
	}
	if o, ok := g.outcomes[txn]; ok {
		return o, nil
	}
	return payment.Outcome{Status: payment.StatusUnknown, Fields: map[string]string{"status": "unknown"}}, nil
}

func (g *fakeGateway) Refund(_ context.Context, r payment.RefundRequest) (payment.RefundOutcome, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests[r.Token]++
	o := payment.RefundOutcome{RefundID: "R" + r.Token, Done: true}
	g.refunds[o.RefundID] = o
	return o, nil
}

func (g *fakeGateway) RefundStatus(_ context.Context, _ payment.RefundRequest, refundID string) (payment.RefundOutcome, error) {
	return payment.RefundOutcome{RefundID: refundID, Done: true}, nil
}

func (g *fakeGateway) Settlements(context.Context, string) ([]payment.SettlementLine, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lines, nil
}

func subscriptionWish(subscriptionID string) subscription.Wish {
	return subscription.Wish{SubscriptionID: subscriptionID, Renew: true}
}
