package payment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/cut"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// wire is a bundle whose two processes reach Postgres through a proxy that can cut connections.
type wire struct {
	*bundle
	proxy  *cut.Proxy
	moment cut.Moment
}

func setupWire(t *testing.T, m cut.Moment) *wire {
	t.Helper()
	db := testkit.NewDatabase(t)
	proxy := cut.New(t, db.DSN(""))
	open := func(role string) *sqlx.DB {
		pool, err := postgres.Open(t.Context(), proxy.DSN(t, db.DSN(role)), 5)
		require.NoError(t, err)
		t.Cleanup(func() { _ = pool.Close() })
		return pool
	}
	pools := world.Databases{Owner: db.Owner, API: open(testkit.RoleAPI), Worker: open(testkit.RoleWorker)}
	return &wire{bundle: &bundle{story.NewOn(t, db, pools)}, proxy: proxy, moment: m}
}

// cut runs deed while the connection breaks at its commit, after skip commits that pass. It expects an error that asks the caller to retry.
func (w *wire) cut(skip int, deed func() error) {
	w.T.Helper()
	before := w.proxy.Cuts()
	w.proxy.Cut(w.moment, skip)
	err := deed()
	require.Equal(w.T, before+1, w.proxy.Cuts(), "the connection was cut")
	require.Error(w.T, err)
	require.Equal(w.T, errs.KindUnavailable, errs.KindOf(err), "%v", err)
}

// Given a connection that is cut during any commit of a payment, when the caller retries, then there is one order, one payment,
// one invoice and one set of entries, whether or not the first commit succeeded.
func TestPayment_RetriedAfterACutCommit_IsDoneOnce(t *testing.T) {
	t.Parallel()
	for _, moment := range []cut.Moment{cut.Before, cut.After} {
		t.Run(string(moment), func(t *testing.T) {
			t.Parallel()
			w := setupWire(t, moment)
			// Verify commits the gateway's outcome, the settlement and further webhooks; each commit is cut once.
			keys := []string{"", "a-key-of-theirs", ""}
			for skip, key := range keys {
				w.journey(t, w.Franchiser("29"), key, skip)
			}
			require.Equal(t, len(keys), w.Count(`SELECT count(DISTINCT number) FROM invoices`))
			require.Equal(t, fmt.Sprintf("FP/26-27/%06d", len(keys)), w.Text(`SELECT max(number) FROM invoices`), "no number is missing")
			w.Balanced()
		})
	}
}

func (w *wire) journey(t *testing.T, customer, key string, skip int) {
	t.Helper()
	in := checkout.Input{Intent: story.Buy(w.Tier(0, 0), plan.TypeYearly), Key: key}
	w.cut(0, func() error {
		_, err := w.API.Checkout.Request(t.Context(), customer, in)
		return err
	})
	kept := w.Count(`SELECT count(*) FROM payments WHERE franchiser_id = $1`, customer)
	require.Equal(t, w.moment == cut.After, kept == 1, "what the server committed is there, though nobody was told")
	r, err := w.API.Checkout.Request(t.Context(), customer, in)
	require.NoError(t, err)
	again, err := w.API.Checkout.Request(t.Context(), customer, in)
	require.NoError(t, err)
	require.Equal(t, r, again)
	w.one(t, customer, "orders", "payments", "river_job")

	w.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	notice := w.Gateway.Notice(r.TransactionID)
	w.cut(0, func() error {
		_, err := w.API.Notices.Returned(t.Context(), notice)
		return err
	})
	_, err = w.API.Notices.Returned(t.Context(), notice)
	require.NoError(t, err)
	w.one(t, customer, "payment_events", "river_job WHERE args ? 'event' AND metadata ->> 'franchiser_id' = $1")

	w.cut(skip, func() error { return w.World.Work(t.Context(), customer) })
	require.NoError(t, w.World.Work(t.Context(), customer), "the queue runs the job again")
	w.one(t, customer, "orders", "payments", "invoices", "subscriptions", "terms", "subscription_events",
		"payments WHERE state = 'paid' AND franchiser_id = $1", "orders WHERE state = 'paid' AND franchiser_id = $1",
		"river_job WHERE kind = 'render_invoice' AND metadata ->> 'franchiser_id' = $1")
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM ledger_journals WHERE franchiser_id = $1`, customer))
	require.Zero(t, w.Count(`SELECT count(*) FROM refunds`))
}

// one asserts that the customer has exactly one row in each of the tables.
func (w *wire) one(t *testing.T, customer string, tables ...string) {
	t.Helper()
	for _, table := range tables {
		query := `SELECT count(*) FROM ` + table
		switch {
		case table == "river_job":
			query += ` WHERE metadata ->> 'franchiser_id' = $1`
		case !strings.Contains(table, "WHERE"):
			query += ` WHERE franchiser_id = $1`
		}
		require.Equal(t, 1, w.Count(query, customer), table)
	}
}

// Given a refund whose request, approval and every job commit are cut in turn, when each is retried, then the money is returned
// once, with one credit note.
func TestRefund_RetriedAfterACutCommit_IsPaidOnce(t *testing.T) {
	t.Parallel()
	for _, moment := range []cut.Moment{cut.Before, cut.After} {
		t.Run(string(moment), func(t *testing.T) {
			t.Parallel()
			w := setupWire(t, moment)
			r := w.Pay(w.Buyer, story.Buy(w.Tier(0, 0), plan.TypeYearly))
			in := reversal.Input{
				FranchiserID: w.Buyer, PaymentID: w.Text(`SELECT id FROM payments`), Kind: reversal.KindRefund, Amount: r.Amount,
				Reason: "goodwill", Key: "a-key-of-hers",
			}
			w.cut(0, func() error {
				_, err := w.Reversals.Request(w.Asha.Sign(t.Context()), w.Asha, in)
				return err
			})
			asked, err := w.Reversals.Request(w.Asha.Sign(t.Context()), w.Asha, in)
			require.NoError(t, err)
			require.Equal(t, approval.Waiting, asked.State)
			w.cut(0, func() error {
				_, err := w.Reversals.Approve(w.Ravi.Sign(t.Context()), w.Ravi, asked.ID, "as agreed")
				return err
			})
			_, err = w.Reversals.Approve(w.Ravi.Sign(t.Context()), w.Ravi, asked.ID, "as agreed")
			if moment == cut.After {
				require.ErrorIs(t, err, approval.ErrDecided)
			} else {
				require.NoError(t, err)
			}
			cuts := w.workCutEverywhere(t)
			require.Greater(t, cuts, 2, "the jobs commit more than once")
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM reversals`))
			w.one(t, w.Buyer, "refunds WHERE state = 'done' AND franchiser_id = $1", "invoices WHERE kind = 'credit_note' AND franchiser_id = $1")
			require.Equal(t, "refunded", w.State(r))
			require.Zero(t, w.Gateway.Left(r.TransactionID))
			require.Len(t, w.Gateway.RefundRequests(), 1, "the gateway knows it by one token")
			w.Balanced()
		})
	}
}

// workCutEverywhere runs the due jobs, cutting each at its first commit, then at its second, and so on until it succeeds.
func (w *wire) workCutEverywhere(t *testing.T) (cuts int) {
	t.Helper()
	for skip, done := 0, w.Jobs(); ; skip++ {
		before := w.proxy.Cuts()
		w.proxy.Cut(w.moment, skip)
		err := w.World.Work(t.Context(), "")
		if w.proxy.Cuts() == before {
			require.NoError(t, err)
			w.proxy.Cut("", 0)
			return cuts
		}
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "%v", err)
		cuts++
		if now := w.Jobs(); now > done { // the next job is done
			skip, done = -1, now
		}
	}
}
