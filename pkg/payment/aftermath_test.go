package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// foretold asks for money back, has another admin read what will become of what was bought and approve it, and works it.
func (b *bundle) foretold(in payment.ReversalInput) payment.Aftermath {
	b.t.Helper()
	ctx := b.asha.Sign(b.t.Context())
	in.Reason, in.Key = "as agreed", id.New()
	in.FranchiserID = b.text(`SELECT franchiser_id FROM payments WHERE id = $1`, in.PaymentID)
	r, err := b.desk.Request(ctx, b.asha, in)
	require.NoError(b.t, err)
	list, _, err := b.desk.List(b.ravi.Sign(b.t.Context()), "", "", 10, 0)
	require.NoError(b.t, err)
	require.Equal(b.t, r.ID, list[0].ID)
	if r.State == payment.ReversalWaiting {
		_, err = b.desk.Approve(b.ravi.Sign(b.t.Context()), b.ravi, r.ID, "as agreed")
		require.NoError(b.t, err)
	}
	b.work()
	after, _, err := b.desk.List(ctx, "", "", 10, 0)
	require.NoError(b.t, err)
	require.Equal(b.t, payment.ReversalDone, after[0].State)
	require.Empty(b.t, after[0].Aftermath, "what is done is not foretold")
	return list[0].Aftermath
}

func TestARequestForetellsWhatTheWorkerDoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parts []payment.ReversalInput
		told  []payment.Aftermath
		then  string
	}{
		"a part leaves it, the rest ends it": {
			parts: []payment.ReversalInput{{Kind: payment.ReversalRefund, Amount: money.FromRupees(100)}, {Kind: payment.ReversalRefund, All: true}},
			told:  []payment.Aftermath{payment.AftermathGoesOn, payment.AftermathEnds}, then: "expired",
		},
		"goodwill of a part promises nothing of the rest": {
			parts: []payment.ReversalInput{{Kind: payment.ReversalRefund, Amount: money.FromRupees(100), KeepPlan: true}},
			told:  []payment.Aftermath{payment.AftermathGoesOn}, then: "active",
		},
		"goodwill keeps it": {
			parts: []payment.ReversalInput{{Kind: payment.ReversalCreditNote, All: true, KeepPlan: true, BankReference: "HDFCN52026112112345678"}},
			told:  []payment.Aftermath{payment.AftermathKept}, then: "active",
		},
		"a lost dispute of a part leaves it": {
			parts: []payment.ReversalInput{{Kind: payment.ReversalChargeback, DisputeID: "D1", Amount: money.FromRupees(100)}},
			told:  []payment.Aftermath{payment.AftermathGoesOn}, then: "active",
		},
		"a bank that takes more than is left ends it": {
			parts: []payment.ReversalInput{
				{Kind: payment.ReversalRefund, Amount: money.FromRupees(100)},
				{Kind: payment.ReversalChargeback, DisputeID: "D1", All: true},
			},
			told: []payment.Aftermath{payment.AftermathGoesOn, payment.AftermathEnds}, then: "expired",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
			for i, in := range c.parts {
				in.PaymentID = b.paymentOf(r)
				require.Equal(t, c.told[i], b.foretold(in))
			}
			require.Contains(t, b.standing(b.owner), c.then)
			b.books()
		})
	}
}

func TestARequestForetellsNothingOfWhatIsHeldAndNoEndOfAnUpgrade(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.heldPayment(buy(b.tier(0, 0), plan.TypeMonthly))
	require.Equal(t, payment.AftermathNone, b.foretold(payment.ReversalInput{Kind: payment.ReversalRelease, PaymentID: b.paymentOf(r)}))

	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	up := b.paymentOf(b.pay(b.owner, buy(b.tier(3, 2), plan.TypeYearly)))
	require.Equal(t, payment.AftermathGoesOn, b.foretold(payment.ReversalInput{Kind: payment.ReversalRefund, PaymentID: up, All: true}))
	require.Contains(t, b.standing(b.owner), "active")
	require.Equal(t, payment.AftermathEnds, b.foretold(payment.ReversalInput{
		Kind: payment.ReversalCreditNote, PaymentID: up, All: true, BankReference: "HDFCN52026112112345678",
	}))
	require.Contains(t, b.standing(b.owner), "expired")
}
