package payment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// invoiced returns the rate, value and tax of the newest invoice's lines in total.
func (b *bundle) invoiced() string {
	b.T.Helper()
	return b.Text(`SELECT concat_ws(' ', min(l.rate_bps), max(l.rate_bps), sum(l.taxable_paise), sum(l.igst_paise)) FROM invoice_lines l
		WHERE l.invoice_id = (SELECT id FROM invoices WHERE kind = 'invoice' ORDER BY sequence DESC LIMIT 1)`)
}

func TestTaxRate_LoweredBeforePayment_InvoicesAtTheNewRateAndRefundsTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Tax(3, 1200)
	r := b.Ask(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	require.Equal(t, money.FromRupees(14_750), r.Amount, "until then the old rate is in force")
	b.Live(3)
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "1200 1200 1250000 150000", b.invoiced())
	require.Equal(t, "surplus 75000 done", b.refunds())
	require.Equal(t, "1400000 150000", b.Text(`SELECT concat_ws(' ', total_paise, igst_paise) FROM orders`))
	b.Balanced()
}

func TestTaxRate_RaisedBeforePayment_RefundsThePayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Tax(3, 2800)
	r := b.Ask(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	b.Live(3)
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "surplus 1475000 done", b.refunds())
	require.Contains(t, b.result(r)[1], "₹16,000 was due instead of ₹14,750")
	again := b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	require.Equal(t, money.FromRupees(16_000), again.Amount)
	require.Equal(t, "2800 2800 1250000 350000", b.invoiced())
	b.Balanced()
}

func TestTaxRate_AddOnDuringATerm_HasTheCurrentRateAtTheTermsPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	require.Equal(t, "1800 1800 1250000 225000", b.invoiced())
	b.Tax(10, 1200)
	require.NoError(t, b.Reprice(context.Background(), b.DB.Worker, 400))
	b.Live(15)
	r := b.Pay(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[1].ID))
	net := testkit.Share(tier.AddOns[1].Monthly, 15, 30)
	require.Equal(t, net+testkit.Share(net, 12, 100), r.Amount)
	require.Equal(t, "1200 1200 250000 30000", b.invoiced())
	bill, err := b.APISubs.NextBill(context.Background(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, int64(1200), bill.Lines[0].RateBps)
	b.Balanced()
}

// The term of a yearly plan can be paid from 30 days before its end, so that a rate approved for a day before that applies to it.
func TestNextBill_RateThatComesBeforeTheRenewalCanBePaid_IsUsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Tax(60, 500)
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.EqualValues(t, 500, bill.Lines[0].RateBps)
	b.Tax(350, 1200) // within the window: a payment before the new rate starts has the rate of its day (section 14)
	bill, err = b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.EqualValues(t, 500, bill.Lines[0].RateBps)
}
