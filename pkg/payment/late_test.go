package payment_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// result returns what the payment's result page shows: state, reason and whether money left the account.
func (b *bundle) result(r checkout.Requested) []string {
	b.T.Helper()
	found, err := b.API.History.Result(context.Background(), b.Buyer, r.TransactionID)
	require.NoError(b.T, err)
	state, reason, charged := found.Outcome()
	return []string{state, reason, charged}
}

// refunds returns all refunds with their reasons.
func (b *bundle) refunds() string {
	b.T.Helper()
	return b.Text(`SELECT coalesce(string_agg(concat_ws(' ', reason, amount_paise, state), ', ' ORDER BY created_at), '') FROM refunds`)
}

func TestAddOn_PaidLate_CostsTheRemainingDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	a := tier.AddOns[1]
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	b.Live(9)
	r := b.Ask(b.Buyer, b.AddOns(b.Buyer, a.ID))
	asked := story.WithTax(testkit.Share(a.Monthly, 21, 30))
	require.Equal(t, asked, r.Amount)
	b.Settle(r, payment.StatusFailed)
	b.Live(4)
	b.Settle(r, payment.StatusPaid)

	due := story.WithTax(testkit.Share(a.Monthly, 17, 30))
	require.Equal(t, "Software subscription: Users extension, 17 of 30 days | 15 Nov 2026 to 1 Dec 2026 | 283333", b.InvoiceLines())
	require.Equal(t, int(due), b.Count(`SELECT total_paise FROM invoices ORDER BY sequence DESC LIMIT 1`))
	require.Equal(t, int(due), b.Count(`SELECT total_paise FROM orders WHERE kind = 'add_on'`))
	require.Equal(t, "283333 2026-11-15 2026-12-02", b.Text(`SELECT concat_ws(' ', l.amount_paise, l.period_from, l.period_to)
		FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.kind = 'add_on'`))
	require.Equal(t, "surplus "+paise(asked-due)+" done", b.refunds())
	require.Equal(t, []string{"paid", due.Display() + " was due on the day this payment arrived. The other " + (asked - due).Display() +
		" was refunded.", "charged"}, b.result(r))
	require.Equal(t, "paid", b.State(r))
	require.Zero(t, b.Count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`), "what was not invoiced has no credit note")
	b.Balanced()

	// the remainder is refunded like any other payment, and then all of it is back
	paymentID := b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
	require.ErrorIs(t, b.GiveBack(paymentID, due+1), reversal.ErrRefundTooMuch)
	require.NoError(t, b.GiveBack(paymentID, due))
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, int(due), b.Count(`SELECT total_paise FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NOT NULL`))
	b.Balanced()
}

func TestUpgrade_PaidLateForLessThanNowDue_IsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small, large := b.Tier(0, 0), b.Tier(1, 0)
	b.Pay(b.Buyer, story.Buy(small, plan.TypeMonthly))
	b.Live(5)
	r := b.Ask(b.Buyer, story.Buy(large, plan.TypeYearly))
	price := large.Yearly - large.YearlyDiscount
	require.Equal(t, story.WithTax(price-testkit.Share(small.Monthly, 25, 30)), r.Amount)
	b.Live(4)
	before := b.Standing(b.Buyer)
	b.Settle(r, payment.StatusPaid)

	due := story.WithTax(price - testkit.Share(small.Monthly, 21, 30))
	require.Greater(t, due, r.Amount)
	require.Equal(t, before, b.Standing(b.Buyer), "nothing was changed")
	require.Equal(t, "surplus "+paise(r.Amount)+" done", b.refunds())
	require.Equal(t, []string{"failed", "On the day this payment arrived, " + due.Display() + " was due instead of " + r.Amount.Display() +
		". Nothing was changed and all of it was refunded. Please order again.", "charged"}, b.result(r))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM invoices`))
	b.Balanced()

	// the same thing can be ordered again at once, at today's price
	again := b.Pay(b.Buyer, story.Buy(large, plan.TypeYearly))
	require.Equal(t, due, again.Amount)
	require.Equal(t, "paid", b.State(again))
	b.Balanced()
}

func TestUpgrade_PaidOnTheDayItWasPriced_IsAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(5)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeYearly))
	b.Pass(13 * time.Hour)
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "paid", b.State(r))
	require.Empty(t, b.refunds())
	b.Balanced()
}

func TestUpgrade_PaidJustAfterMidnight_KeepsItsPrice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		after time.Duration
		state string
	}{
		{"four minutes later", 4 * time.Minute, "paid"},
		{"an hour later", time.Hour, "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			b.Live(5)
			now := b.Clock.Now()
			b.Pass((subscription.DayOf(now) + 1).Start().Add(-2 * time.Minute).Sub(now))
			r := b.Ask(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeYearly))
			b.Pass(c.after)
			b.Sweep()
			b.Settle(r, payment.StatusPaid)
			require.Equal(t, c.state, b.result(r)[0])
			if c.state == "paid" {
				require.Empty(t, b.refunds())
				require.Equal(t, "active 2026-11-07 2027-11-07 2027-11-07", b.Standing(b.Buyer), "the term begins on the day it was priced for")
				require.Equal(t, int(r.Amount), b.Count(`SELECT sum(CASE kind WHEN 'credit_note' THEN -total_paise ELSE total_paise END)
					FROM invoices WHERE id <> (SELECT id FROM invoices ORDER BY issued_at LIMIT 1)`))
			}
			b.Balanced()
		})
	}
}

func TestUpgrade_PaidInTheNextTerm_IsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(4)
	now := b.Clock.Now()
	b.Pass((subscription.DayOf(now) + 1).Start().Add(-2 * time.Minute).Sub(now))
	r := b.Ask(b.Buyer, story.Buy(b.Tier(1, 0), plan.TypeYearly))
	b.Pass(4 * time.Minute)
	b.Sweep()
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer), "the next term has begun meanwhile")
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "failed", b.result(r)[0], "another term is left to credit than when it was asked for")
	require.Equal(t, "surplus "+paise(r.Amount)+" done", b.refunds())
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer))
	b.Balanced()
}

func TestPlan_PaidWeeksLate_StartsOnThatDayAtItsPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	r := b.Ask(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	b.Live(72)
	require.Equal(t, "expired", b.State(r))
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "active 2027-01-13 2027-02-13 2027-02-13", b.Standing(b.Buyer))
	require.Equal(t, "Software subscription: Start up · Expansion, monthly | 13 Jan 2027 to 12 Feb 2027 | 1250000", b.InvoiceLines())
	require.Empty(t, b.refunds())
	b.Balanced()
}

func TestRenewal_PaidAfterExpiry_StartsANewTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	b.Live(25)
	r := b.Ask(b.Buyer, b.Renewal(b.Buyer))
	b.Live(20)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "active 2026-12-17 2027-01-17 2027-01-17", b.Standing(b.Buyer))
	require.Equal(t, "Software subscription: Start up · Expansion, monthly | 17 Dec 2026 to 16 Jan 2027 | 1250000", b.InvoiceLines())
	b.Balanced()
}

func TestUpgrade_CreditRefundedBeforePayment_IsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	r := b.Ask(b.Buyer, story.Buy(b.Tier(1, 1), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, first.TransactionID)
	require.NoError(t, b.GiveBack(paymentID, 50_000_00))
	b.Settle(r, payment.StatusPaid)
	require.Equal(t, "failed", b.result(r)[0])
	require.Contains(t, b.Standing(b.Buyer), "2026-11-02")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM orders WHERE state = 'paid'`))
	b.Balanced()
}

func paise(p money.Paise) string { return fmt.Sprint(int64(p)) }

func TestReversal_SurplusRefundPending_DoesNotDecideWhetherThePlanEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(tier, plan.TypeMonthly))
	r := b.Ask(b.Buyer, b.AddOns(b.Buyer, tier.AddOns[1].ID))
	b.Live(4)
	b.Gateway.SetSlow(true)
	b.Settle(r, payment.StatusPaid)
	b.Gateway.SetSlow(false)
	paymentID := b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
	_, err := b.Reversals.Request(b.Asha.Sign(context.Background()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: paymentID, Kind: reversal.KindRefund, All: true, KeepPlan: true, Reason: "as agreed", Key: "key-one-1",
	})
	require.NoError(t, err)
	b.Work()
	require.Equal(t, "paid", b.State(r), "what was overpaid is on its way")
	name := b.Text(`SELECT gateway_refund_id FROM refunds WHERE reason = 'surplus'`)
	b.Gateway.EndRefund(payment.RefundOutcome{RefundID: name, Done: true})
	b.Live(1)
	require.Equal(t, "refunded", b.State(r))
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NOT NULL`))
	b.Balanced()
}

func TestRequest_KeyOfAPaidPayment_OpensNoSecondPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := checkout.Input{Intent: story.Buy(b.Tier(0, 0), plan.TypeMonthly), Key: "key-00000001", Request: [32]byte{1}}
	first, err := b.API.Checkout.Request(context.Background(), b.Buyer, in)
	require.NoError(t, err)
	again, err := b.API.Checkout.Request(context.Background(), b.Buyer, in)
	require.NoError(t, err)
	require.Equal(t, first, again)
	b.Settle(first, payment.StatusPaid)
	_, err = b.API.Checkout.Request(context.Background(), b.Buyer, in)
	require.ErrorIs(t, err, checkout.ErrAlreadyPaid)
	require.Equal(t, "/checkout/result/success?transaction_id="+first.TransactionID, errs.As(err).Data["redirect_to"])
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM orders`))
	in.Request = [32]byte{2}
	_, err = b.API.Checkout.Request(context.Background(), b.Buyer, in)
	require.ErrorIs(t, err, payment.ErrKeyReused)
}

func TestSecondCapture_RefundedByTheGatewayFirst_IsRefundedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.DecideAs(r.TransactionID, "ANOTHER", payment.StatusPaid, r.Amount)
	b.Gateway.RefundNotice(r.TransactionID, "ITS-OWN", r.Amount)
	require.NoError(t, b.Worker.Captures.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.Text(`SELECT id FROM payments`), Event: "x"}))
	b.Work()
	require.Equal(t, "surplus "+paise(r.Amount)+" done", b.refunds())
	require.Equal(t, "ITS-OWN", b.Text(`SELECT gateway_refund_id FROM refunds`))
	require.Equal(t, "paid", b.State(r), "what the first capture bought goes on")
	b.Balanced()
}
