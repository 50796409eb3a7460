package payment_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// Given the maximum number of forged webhooks, when staff dismiss their disputes, then a genuine dispute is processed.
func TestDispute_AfterForgedWebhooksAreDismissed_IsProcessed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	silent := gatewayOf(b.WorkerWith, &mute{b.Gateway})
	hear := func() {
		require.NoError(t, silent.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "dispute"}))
	}
	for i := range 60 {
		require.NoError(t, b.hint("refund", r, fmt.Sprint("rf", i), 100))
		require.NoError(t, b.hint("dispute", r, fmt.Sprint("cb", i), r.Amount))
		hear()
	}
	require.Equal(t, 5, b.Count(`SELECT count(*) FROM disputes WHERE state = 'open'`))
	require.LessOrEqual(t, b.Count(`SELECT count(*) FROM payment_events WHERE NOT signed`), 40)
	for range 5 {
		d := b.Text(`SELECT id FROM disputes WHERE state = 'open' LIMIT 1`)
		closed, err := b.Disputes.Close(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, d, payment.DisputeDismissed, "not in the gateway's list")
		require.NoError(t, err)
		require.Equal(t, payment.DisputeDismissed, closed.State)
		_, err = b.Disputes.Close(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, d, payment.DisputeWon, "again")
		require.ErrorIs(t, err, dispute.ErrDisputeDecided)
	}
	require.NoError(t, b.hint("dispute", r, "true", r.Amount))
	hear()
	require.Equal(t, "open", b.Text(`SELECT state FROM disputes WHERE gateway_dispute_id = 'true'`))
	require.Equal(t, 5, b.Count(`SELECT count(*) FROM staff_actions WHERE action = 'close_dispute'`))

	// a dismissed dispute is reopened once the gateway signs it
	b.Dispute(r, "cb0", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	require.Equal(t, "open", b.Text(`SELECT state FROM disputes WHERE gateway_dispute_id = 'cb0'`))
	b.Balanced()
}

func TestCloseDispute_InvalidInput_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeOpen, Amount: r.Amount})
	d := b.Text(`SELECT id FROM disputes`)
	for name, c := range map[string]struct {
		owner, dispute string
		outcome        payment.DisputeState
		reason         string
		kind           errs.Kind
	}{
		"another's":         {b.Franchiser("27"), d, payment.DisputeWon, "read there", errs.KindNotFound},
		"unknown":           {b.Buyer, "x", payment.DisputeWon, "read there", errs.KindNotFound},
		"a loss":            {b.Buyer, d, payment.DisputeLost, "read there", errs.KindInvalid},
		"without a reason":  {b.Buyer, d, payment.DisputeWon, " ", errs.KindInvalid},
		"without an ending": {b.Buyer, d, "", "read there", errs.KindInvalid},
	} {
		_, err := b.Disputes.Close(b.Asha.Sign(t.Context()), b.Asha, c.owner, c.dispute, c.outcome, c.reason)
		require.Equal(t, c.kind, errs.KindOf(err), name)
	}
	err := postgres.InTenantTx(t.Context(), b.DB.API, b.Buyer, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE disputes SET state = 'lost', decided_at = now()`)
		return err
	})
	require.ErrorContains(t, err, "won or dismissed only", "a loss moves money, which the api does not")
	closed, err := b.Disputes.Close(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, d, payment.DisputeWon, "read there")
	require.NoError(t, err)
	require.Equal(t, payment.DisputeWon, closed.State)
}

// Given an upgrade partly paid for by earlier payments, when staff refund its own payment, then the plan continues until the rest
// is returned as well.
func TestRefund_OfAnUpgradesOwnPayment_KeepsThePlanUntilTheRestIsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.PaymentOf(b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly)))
	up := b.Pay(b.Buyer, story.Buy(b.Tier(0, 2), plan.TypeYearly))
	b.Live(1)
	trail, err := b.API.Trails.Trail(b.Asha.Sign(t.Context()), ledger.NewService(b.DB.API, b.Clock), first)
	require.NoError(t, err)
	require.Less(t, trail.Left, money.FromRupees(500), "all but a day of it went into the upgrade")
	b.KeepOrEnd(up, 0, false)
	require.Equal(t, "refunded", b.State(up))
	require.Contains(t, b.Standing(b.Buyer), "active", "most of it was paid before, and is not back")
	rest, err := b.Reversals.RequestCreditNote(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(up), "HDFCN52026112112345678", "paid back by bank", "key-rest-1")
	require.NoError(t, err)
	require.Greater(t, rest.Amount, money.Paise(0))
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, rest.ID, "transfer seen")
	require.NoError(t, err)
	b.Work()
	b.Pass(time.Minute)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Balanced()
}
