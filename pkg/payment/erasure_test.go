package payment_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

func TestNothingIsSoldToAnAccountThatIsToBeErased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refused := func(w subscription.PurchaseIntent) {
		t.Helper()
		_, asked := b.request(b.owner, w)
		_, seen := b.api.Preview(t.Context(), b.owner, w)
		for _, err := range []error{asked, seen} {
			require.Error(t, err)
			require.Equal(t, errs.KindConflict, errs.KindOf(err))
			require.Equal(t, "erasure_scheduled", errs.As(err).Code)
		}
	}
	erase := func(set string) {
		t.Helper()
		_, err := b.db.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = `+set+` WHERE id = $1`, b.owner)
		require.NoError(t, err)
	}
	wish := buy(b.tier(0, 0), plan.TypeYearly)

	open := b.ask(b.owner, wish)
	require.NotNil(t, open.Session)
	erase("now()")
	refused(wish) // neither the open charge again, nor another one
	refused(buy(b.tier(1, 1), plan.TypeMonthly))
	erase("NULL")
	b.pay(b.owner, wish)

	id := b.text(`SELECT id FROM subscriptions WHERE franchiser_id = $1`, b.owner)
	b.pass(340 * 24 * time.Hour)
	erase("now()")
	refused(subscriptionWish(id))
	refused(subscription.PurchaseIntent{SubscriptionID: id, AddOnIDs: []string{b.tier(0, 0).AddOns[0].ID}})
	trial := b.franchiser("29")
	_, err := b.db.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`, trial)
	require.NoError(t, err)
	require.Equal(t, "erasure_scheduled", errs.As(startTrial(b, trial)).Code)
	erase("NULL")
	b.pay(b.owner, subscriptionWish(id))
	b.books()
}

// Given a charge that was opened before, when it is paid while the account is to be erased, or after, then all of it goes back
// and nothing was bought.
func TestWhatIsPaidWhileAnErasureIsScheduledGoesBack(t *testing.T) {
	t.Parallel()
	for name, erase := range map[string]string{
		"scheduled": `UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`,
		"done": `UPDATE franchisers SET erasure_requested_at = now() - interval '8 days', erased_at = now(), mobile = 'erased ' || id, email = ''
			WHERE id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r := b.ask(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
			require.NotNil(t, r.Session)
			_, err := b.db.Owner.Exec(erase, b.owner)
			require.NoError(t, err)
			b.settle(r, payment.StatusPaid)
			b.work()
			require.Zero(t, b.count(`SELECT count(*) FROM subscriptions WHERE franchiser_id = $1`, b.owner))
			require.Zero(t, b.count(`SELECT count(*) FROM invoices WHERE franchiser_id = $1`, b.owner))
			require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds WHERE franchiser_id = $1 AND reason = 'surplus'`, b.owner))
			o := b.order(r)
			require.Equal(t, []any{"failed", "This account was to be erased when this payment arrived, so nothing was bought. All of it was refunded."}, []any{o.PaymentState, o.Reason})
			b.books()
		})
	}
}

func startTrial(b *bundle, franchiser string) error {
	return postgres.InTx(b.t.Context(), b.db.API, func(tx *sqlx.Tx) error {
		return b.world.APISubs.StartTrialTx(b.t.Context(), tx, franchiser)
	})
}
