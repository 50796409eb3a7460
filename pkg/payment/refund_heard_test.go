package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestRefund_InFullAtTheGatewayBeforeThePayment_EndsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", b.Gateway.RefundNotice(r.TransactionID, "R1", r.Amount)))
	b.Work()
	require.Zero(t, b.Count(`SELECT count(*) FROM refunds`))
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, "expired 2026-11-02 2026-11-03 2026-11-03", b.Standing(b.Buyer), "a term has a day at least")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_events WHERE kind = 'revoked'`))
	b.Balanced()
}

// The gateway may report a refund before its answer to our request for it is stored.
func TestRefund_WebhookBeforeTheResponse_IsTheSameRefund(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	asked, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), money.FromRupees(500), "goodwill", "key-one-1")
	require.NoError(t, err)
	require.NoError(t, b.Worker.Reversals.Reverse(t.Context(), asked.ID))
	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake",
		b.Gateway.RefundNotice(r.TransactionID, "R"+b.Text(`SELECT token FROM refunds`), money.FromRupees(500))))
	require.NoError(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.PaymentOf(r), Event: "the notice"}))
	b.Work()
	require.Zero(t, b.Count(`SELECT count(*) FROM payment_events WHERE applied_at IS NULL`))
	require.Equal(t, "staff done 50000", b.Text(`SELECT string_agg(concat_ws(' ', reason, state, amount_paise), ', ') FROM refunds`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`))
	b.Balanced()
}

func TestRefund_AtTheGatewayBeyondThePaidAmount_IsIgnored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.KeepOrEnd(r, 0, false)
	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", b.Gateway.RefundNotice(r.TransactionID, "R-more", 100)))
	b.Work()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds`), "the comparison of the settlement tells staff")
	require.Zero(t, b.Count(`SELECT count(*) FROM payment_events WHERE applied_at IS NULL`))
	b.Balanced()
}

func TestReversalRequest_KeepPlan_IsStoredWithTheRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	in := reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindCreditNote, BankReference: "HDFCN52026112112345678",
		All: true, KeepPlan: true, Reason: "as agreed", Key: "key-one-1",
	}
	asked, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, in)
	require.NoError(t, err)
	require.True(t, asked.KeepPlan)
	other := in
	other.KeepPlan = false
	_, err = b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, other)
	require.ErrorIs(t, err, payment.ErrKeyReused)
	found, err := b.Reversals.Find(b.Asha.Sign(t.Context()), asked.ID)
	require.NoError(t, err)
	require.True(t, found.KeepPlan, "whoever approves it sees the choice")
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "transfer seen")
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "refunded", b.State(r))
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.Balanced()
}
