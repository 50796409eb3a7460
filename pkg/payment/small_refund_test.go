package payment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// refundStates returns the state and failure of each refund.
func (b *bundle) refundStates() (all []string) {
	b.T.Helper()
	require.NoError(b.T, b.DB.Owner.Select(&all, `SELECT state || ': ' || failure FROM refunds ORDER BY created_at, id`))
	return all
}

const tooSmall = "The payment provider refunds ₹1 or more. Return it by bank transfer."

func TestRefund_BelowGatewayMinimum_IsRefusedAtRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Gateway.Least = money.Rupee
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for _, amount := range []money.Paise{1, 29, 99} {
		err := b.GiveBack(b.PaymentOf(r), amount)
		require.Equal(t, "refund_too_small", errs.As(err).Code, amount)
		require.Equal(t, tooSmall, errs.As(err).Message)
	}
	require.NoError(t, b.GiveBack(b.PaymentOf(r), 100))
	b.Work()
	require.NoError(t, b.GiveBack(b.PaymentOf(r), r.Amount-100-50))
	b.Work()
	_, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(r), Kind: reversal.KindRefund, All: true, Reason: "the rest goes back", Key: "all-of-it",
	})
	require.Equal(t, "refund_too_small", errs.As(err).Code, "the rest of 50 paise")
	require.Equal(t, []string{"done: ", "done: "}, b.refundStates())
}

func TestRefund_AutomaticBelowTheMinimum_FailsAndIsOwedByBank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Gateway.Least = money.Rupee
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Settle(r, payment.StatusPaid)
	b.Gateway.DecideAs(r.TransactionID, "second", payment.StatusPaid, 99)
	_, err := b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Work()
	require.Equal(t, []string{"failed: " + tooSmall}, b.refundStates())
	b.Balanced()
}

func TestRefund_RequestedBeforeTheMinimumWasKnown_Fails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Gateway.AcceptsNoRefund = true
	require.NoError(t, b.GiveBack(b.PaymentOf(r), 29))
	require.Equal(t, []string{"requested: Your account balance is too low"}, b.refundStates())
	b.Gateway.Least = money.Rupee
	b.Pass(24 * time.Hour)
	b.Work()
	require.Equal(t, []string{"failed: " + tooSmall}, b.refundStates())
}

func TestRefund_GatewayNeverAcceptsIt_FailsAfterThirtyDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.AcceptsNoRefund = true
	require.NoError(t, b.GiveBack(b.PaymentOf(r), 1000))
	b.Work()
	require.Len(t, b.refundStates(), 1)
	require.Contains(t, b.refundStates()[0], "requested: ")
	for range 32 {
		b.Pass(24 * time.Hour)
		b.Work()
	}
	require.Contains(t, b.refundStates()[0], "failed: ")
}
