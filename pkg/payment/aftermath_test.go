package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// foretold requests a reversal, lets another admin read its predicted aftermath and approve it, and runs the job.
func (b *bundle) foretold(in reversal.Input) refund.Aftermath {
	b.T.Helper()
	ctx := b.Asha.Sign(b.T.Context())
	in.Reason, in.Key = "as agreed", id.New()
	in.FranchiserID = b.Text(`SELECT franchiser_id FROM payments WHERE id = $1`, in.PaymentID)
	r, err := b.Reversals.Request(ctx, b.Asha, in)
	require.NoError(b.T, err)
	list, _, err := b.Reversals.List(b.Ravi.Sign(b.T.Context()), "", "", 10, 0)
	require.NoError(b.T, err)
	require.Equal(b.T, r.ID, list[0].ID)
	if r.State == approval.Waiting {
		_, err = b.Reversals.Approve(b.Ravi.Sign(b.T.Context()), b.Ravi, r.ID, "as agreed")
		require.NoError(b.T, err)
	}
	b.Work()
	after, _, err := b.Reversals.List(ctx, "", "", 10, 0)
	require.NoError(b.T, err)
	require.Equal(b.T, approval.Done, after[0].State)
	require.Empty(b.T, after[0].Aftermath, "what is done is not foretold")
	return list[0].Aftermath
}

func TestReversalRequest_EachKind_PredictsItsAftermath(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parts []reversal.Input
		told  []refund.Aftermath
		then  string
	}{
		"a part leaves it, the rest ends it": {
			parts: []reversal.Input{{Kind: reversal.KindRefund, Amount: money.FromRupees(100)}, {Kind: reversal.KindRefund, All: true}},
			told:  []refund.Aftermath{refund.AftermathGoesOn, refund.AftermathEnds}, then: "expired",
		},
		"goodwill of a part promises nothing of the rest": {
			parts: []reversal.Input{{Kind: reversal.KindRefund, Amount: money.FromRupees(100), KeepPlan: true}},
			told:  []refund.Aftermath{refund.AftermathGoesOn}, then: "active",
		},
		"goodwill keeps it": {
			parts: []reversal.Input{{Kind: reversal.KindCreditNote, All: true, KeepPlan: true, BankReference: "HDFCN52026112112345678"}},
			told:  []refund.Aftermath{refund.AftermathKept}, then: "active",
		},
		"a lost dispute of a part leaves it": {
			parts: []reversal.Input{{Kind: reversal.KindChargeback, DisputeID: "D1", Amount: money.FromRupees(100)}},
			told:  []refund.Aftermath{refund.AftermathGoesOn}, then: "active",
		},
		"a bank that takes more than the remainder ends it": {
			parts: []reversal.Input{
				{Kind: reversal.KindRefund, Amount: money.FromRupees(100)},
				{Kind: reversal.KindChargeback, DisputeID: "D1", All: true},
			},
			told: []refund.Aftermath{refund.AftermathGoesOn, refund.AftermathEnds}, then: "expired",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			for i, in := range c.parts {
				in.PaymentID = b.PaymentOf(r)
				require.Equal(t, c.told[i], b.foretold(in))
			}
			require.Contains(t, b.Standing(b.Buyer), c.then)
			b.Balanced()
		})
	}
}

func TestReversalRequest_HeldMoneyOrUpgrade_PredictsNoEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.heldPayment(story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	require.Equal(t, refund.AftermathNone, b.foretold(reversal.Input{Kind: reversal.KindRelease, PaymentID: b.PaymentOf(r)}))

	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	up := b.PaymentOf(b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly)))
	require.Equal(t, refund.AftermathGoesOn, b.foretold(reversal.Input{Kind: reversal.KindRefund, PaymentID: up, All: true}))
	require.Contains(t, b.Standing(b.Buyer), "active")
	require.Equal(t, refund.AftermathEnds, b.foretold(reversal.Input{
		Kind: reversal.KindCreditNote, PaymentID: up, All: true, BankReference: "HDFCN52026112112345678",
	}))
	require.Contains(t, b.Standing(b.Buyer), "expired")
}
