package payment_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Given as many forged notices as are kept, when staff dismiss their disputes, then a true one is heard.
func TestForgedNoticesCannotHideADispute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	silent := gatewayOf(b.world.WorkerWith, &mute{b.gateway})
	hear := func() {
		require.NoError(t, silent.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.paymentOf(r), Event: "dispute"}))
	}
	for i := range 60 {
		require.NoError(t, b.hint("refund", r, fmt.Sprint("rf", i), 100))
		require.NoError(t, b.hint("dispute", r, fmt.Sprint("cb", i), r.Amount))
		hear()
	}
	require.Equal(t, 5, b.count(`SELECT count(*) FROM disputes WHERE state = 'open'`))
	require.LessOrEqual(t, b.count(`SELECT count(*) FROM payment_events WHERE NOT signed`), 40)
	for range 5 {
		d := b.text(`SELECT id FROM disputes WHERE state = 'open' LIMIT 1`)
		closed, err := b.desk.CloseDispute(b.asha.Sign(t.Context()), b.asha, b.owner, d, payment.DisputeDismissed, "not in the gateway's list")
		require.NoError(t, err)
		require.Equal(t, payment.DisputeDismissed, closed.State)
		_, err = b.desk.CloseDispute(b.asha.Sign(t.Context()), b.asha, b.owner, d, payment.DisputeWon, "again")
		require.ErrorIs(t, err, payment.ErrDisputeDecided)
	}
	require.NoError(t, b.hint("dispute", r, "true", r.Amount))
	hear()
	require.Equal(t, "open", b.text(`SELECT state FROM disputes WHERE gateway_dispute_id = 'true'`))
	require.Equal(t, 5, b.count(`SELECT count(*) FROM staff_actions WHERE action = 'close_dispute'`))

	// what was dismissed is open again once the gateway signs it
	b.dispute(r, "cb0", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	require.Equal(t, "open", b.text(`SELECT state FROM disputes WHERE gateway_dispute_id = 'cb0'`))
	b.books()
}

func TestWhoMayCloseWhichDispute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	d := b.text(`SELECT id FROM disputes`)
	for name, c := range map[string]struct {
		owner, dispute string
		outcome        payment.DisputeState
		reason         string
		kind           errs.Kind
	}{
		"another's":         {b.franchiser("27"), d, payment.DisputeWon, "read there", errs.KindNotFound},
		"none":              {b.owner, "x", payment.DisputeWon, "read there", errs.KindNotFound},
		"a loss":            {b.owner, d, payment.DisputeLost, "read there", errs.KindInvalid},
		"without a reason":  {b.owner, d, payment.DisputeWon, " ", errs.KindInvalid},
		"without an ending": {b.owner, d, "", "read there", errs.KindInvalid},
	} {
		_, err := b.desk.CloseDispute(b.asha.Sign(t.Context()), b.asha, c.owner, c.dispute, c.outcome, c.reason)
		require.Equal(t, c.kind, errs.KindOf(err), name)
	}
	err := postgres.InTenantTx(t.Context(), b.db.API, b.owner, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE disputes SET state = 'lost', decided_at = now()`)
		return err
	})
	require.ErrorContains(t, err, "won or dismissed only", "a loss moves money, which the api does not")
	closed, err := b.desk.CloseDispute(b.asha.Sign(t.Context()), b.asha, b.owner, d, payment.DisputeWon, "read there")
	require.NoError(t, err)
	require.Equal(t, payment.DisputeWon, closed.State)
}

// Given an upgrade that earlier payments paid for in part, when staff give back what was paid for it now, then the plan goes on
// until the rest is back as well.
func TestGivingBackTheDifferenceOfAnUpgradeLeavesThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.paymentOf(b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly)))
	up := b.pay(b.owner, buy(b.tier(0, 2), plan.TypeYearly))
	b.live(1)
	trail, err := b.api.Trail(b.asha.Sign(t.Context()), ledger.NewService(b.db.API, b.clock), first)
	require.NoError(t, err)
	require.Less(t, trail.Left, money.FromRupees(500), "all but a day of it went into the upgrade")
	b.keepOrEnd(up, 0, false)
	require.Equal(t, "refunded", b.state(up))
	require.Contains(t, b.standing(b.owner), "active", "most of it was paid before, and is not back")
	rest, err := b.desk.RequestCreditNote(b.asha.Sign(t.Context()), b.asha, b.owner, b.paymentOf(up), "HDFCN52026112112345678", "paid back by bank", "key-rest-1")
	require.NoError(t, err)
	require.Greater(t, rest.Amount, money.Paise(0))
	_, err = b.desk.Approve(b.ravi.Sign(t.Context()), b.ravi, rest.ID, "transfer seen")
	require.NoError(t, err)
	b.work()
	b.pass(time.Minute)
	require.Contains(t, b.standing(b.owner), "expired")
	b.books()
}
