package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// askBy requests a charge by a method, with an idempotency key unless the key is empty.
func (b *bundle) askBy(w subscription.PurchaseIntent, m payment.Method, key string) checkout.Requested {
	b.T.Helper()
	r, err := b.API.Checkout.Request(b.T.Context(), b.Buyer, checkout.Input{Intent: w, Method: m, Key: key})
	require.NoError(b.T, err)
	return r
}

func TestRequest_OpenChargeWithAnotherMethod_FollowsLastChoice(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]payment.Method{
		"UPI then card":        {payment.MethodUPI, payment.MethodCard},
		"card then netbanking": {payment.MethodCard, payment.MethodNetbanking},
		"any then UPI":         {payment.MethodAny, payment.MethodUPI},
		"UPI then any":         {payment.MethodUPI, payment.MethodAny},
	} {
		for at, end := range map[string]payment.Status{
			"before the payer reached the page": "", "after the payer left the page": payment.StatusOpened,
			"while the gateway calls it pending": payment.StatusPending,
		} {
			t.Run(name+" "+at, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				monthly := story.Buy(b.Tier(0, 0), plan.TypeMonthly)
				first := b.askBy(monthly, change[0], "first-key")
				require.Equal(t, string(change[0]), first.Session.Fields["method"])
				if end != "" {
					b.Settle(first, end)
				}
				last := b.askBy(monthly, change[1], "second-key")
				require.Equal(t, string(change[1]), last.Session.Fields["method"])
				require.Equal(t, first.TransactionID, last.TransactionID, "one transaction cannot be paid twice")
				require.Equal(t, string(change[1]), b.Text(`SELECT method FROM payments`))

				p, err := b.API.Checkout.Preview(t.Context(), b.Buyer, monthly)
				require.NoError(t, err)
				require.Equal(t, string(change[1]), p.Open.Fields["method"], "resuming follows the choice as well")

				again := b.askBy(monthly, change[0], "first-key")
				require.Equal(t, first.Session.Fields, again.Session.Fields, "a repeated key gets the same answer")
				require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments`))
			})
		}
	}
}

func TestRequest_RenewalAddOnAndUpgrade_FollowLastChoice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	charges := map[string]subscription.PurchaseIntent{
		"add-on": b.AddOns(b.Buyer, tier.AddOns[0].ID), "upgrade": story.Buy(b.Tier(1, 0), plan.TypeMonthly),
	}
	for name, w := range charges {
		first := b.askBy(w, payment.MethodCard, "")
		last := b.askBy(w, payment.MethodNetbanking, "")
		require.Equal(t, "netbanking", last.Session.Fields["method"], name)
		require.Equal(t, first.TransactionID, last.TransactionID, name)
	}
	b.Live(25)
	first := b.askBy(b.Renewal(b.Buyer), payment.MethodNetbanking, "")
	last := b.askBy(b.Renewal(b.Buyer), payment.MethodCard, "")
	require.Equal(t, []string{"card", first.TransactionID}, []string{last.Session.Fields["method"], last.TransactionID})
}

func TestRequest_UPIAboveItsLimit_IsNotEnforced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	yearly := story.Buy(b.Tier(0, 0), plan.TypeYearly) // ₹1,59,300
	r := b.askBy(yearly, payment.MethodUPI, "")
	require.Empty(t, r.Session.Fields["method"])
	p, err := b.API.Checkout.Preview(t.Context(), b.Buyer, yearly)
	require.NoError(t, err)
	require.Equal(t, "₹1,00,000", p.UPILimit.Display())
	require.Equal(t, "card", b.askBy(yearly, payment.MethodCard, "").Session.Fields["method"])

	p, err = b.API.Checkout.Preview(t.Context(), b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	require.NoError(t, err)
	require.Zero(t, p.UPILimit, "₹14,750 can be paid by UPI")
}

func TestRequest_OpenChargeBegunWithUPIAboveItsLimit_IsResumedWithoutIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	yearly := story.Buy(b.Tier(0, 0), plan.TypeYearly)
	r := b.askBy(yearly, payment.MethodCard, "")
	b.DB.Owner.MustExecContext(t.Context(), `UPDATE payments SET method = 'upi'`) // as if the limit had been higher then
	p, err := b.API.Checkout.Preview(t.Context(), b.Buyer, yearly)
	require.NoError(t, err)
	require.Empty(t, p.Open.Fields["method"])
	again := b.askBy(yearly, payment.MethodUPI, "")
	require.Equal(t, []string{"", r.TransactionID}, []string{again.Session.Fields["method"], again.TransactionID})
}
