package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// heldPayment asks for a charge and has the gateway capture less than that.
func (b *bundle) heldPayment(w subscription.Wish, missing money.Paise) payment.Requested {
	b.t.Helper()
	r := b.ask(b.owner, w)
	asked := r.Amount
	r.Amount -= missing
	b.settle(r, payment.StatusPaid)
	require.Equal(b.t, "held", b.state(r))
	r.Amount = asked
	return r
}

// heldBack is what both the preview and the request of a wish answer while money is held: nothing may be begun for it.
func (b *bundle) heldBack(w subscription.Wish, r payment.Requested, amount string) {
	b.t.Helper()
	_, preview := b.api.Preview(b.t.Context(), b.owner, w)
	_, request := b.request(b.owner, w)
	for _, err := range []error{preview, request} {
		require.ErrorIs(b.t, err, payment.ErrHeld)
		require.Contains(b.t, errs.As(err).Message, amount)
		require.Equal(b.t, "/checkout/result/success?transaction_id="+r.TransactionID, errs.As(err).Data["redirect_to"])
	}
}

// Given a payment that is held because another amount came in, then nobody is charged for the same need again until staff give
// it back; a free change, and what the held money was not for, stay possible.
func TestNothingIsChargedTwiceWhileMoneyIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	monthly := buy(b.tier(0, 0), plan.TypeMonthly)
	r := b.heldPayment(monthly, 100)

	b.heldBack(monthly, r, "₹14,749")
	b.heldBack(buy(b.tier(1, 0), plan.TypeYearly), r, "₹14,749")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM payments`), "no second transaction")
	other := b.franchiser("27")
	b.ask(other, monthly)

	orders, _, err := b.api.Orders(t.Context(), b.owner, payment.Query{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "Under review", orders[0].Status)
	require.Equal(t, money.FromRupees(14_749), orders[0].Back.Captured)
	rows, _, err := b.api.Payments(t.Context(), b.owner, payment.Query{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(14_749), rows[0].Moved(), "what left the account")

	_, err = b.desk.RequestRelease(t.Context(), b.asha, b.owner, b.paymentOf(r), "another amount came", "release-1")
	require.NoError(t, err)
	b.work()
	require.Equal(t, "refunded", b.state(r))
	orders, _, err = b.api.Orders(t.Context(), b.owner, payment.Query{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "Inactive", orders[0].Status, "it can be paid again")
	b.pay(b.owner, monthly)
	b.books()
}

func TestHeldMoneyForAPlanHoldsBackNoAddOns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.tier(0, 0)
	b.pay(b.owner, buy(tier, plan.TypeYearly))
	upgrade := buy(b.tier(1, 0), plan.TypeYearly)
	r := b.heldPayment(upgrade, 100)
	b.heldBack(upgrade, r, r.Amount.Display()[:len("₹3")])
	b.pay(b.owner, b.addOns(b.owner, tier.AddOns[1].ID))
	_, err := b.api.Preview(t.Context(), b.owner, buy(tier, plan.TypeMonthly))
	require.NoError(t, err, "a smaller plan at the renewal costs nothing now")
}

func TestHeldMoneyForAnAddOnHoldsBackAddOnsOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.tier(0, 0)
	b.pay(b.owner, buy(tier, plan.TypeYearly))
	addOn := b.addOns(b.owner, tier.AddOns[1].ID)
	r := b.heldPayment(addOn, 100)
	b.heldBack(addOn, r, (r.Amount - 100).Display())
	b.ask(b.owner, buy(b.tier(1, 0), plan.TypeYearly))
}

// Given a key whose payment is held, then asking again with it says so and not that it was paid.
func TestARepeatedKeyOfHeldMoneySaysThatItIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := payment.RequestInput{Wish: buy(b.tier(0, 0), plan.TypeMonthly), Key: "key-held-1"}
	r, err := b.api.Request(t.Context(), b.owner, in)
	require.NoError(t, err)
	r.Amount--
	b.settle(r, payment.StatusPaid)
	_, err = b.api.Request(t.Context(), b.owner, in)
	require.ErrorIs(t, err, payment.ErrHeld)
}
