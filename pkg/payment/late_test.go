package payment_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// result is what the page of a payment shows: state, reason and whether money left the account.
func (b *bundle) result(r payment.Requested) []string {
	b.t.Helper()
	found, err := b.api.Result(context.Background(), b.owner, r.TransactionID)
	require.NoError(b.t, err)
	state, reason, charged := found.Outcome()
	return []string{state, reason, charged}
}

// refunds are those of the owner, with what they are for.
func (b *bundle) refunds() string {
	b.t.Helper()
	return b.text(`SELECT coalesce(string_agg(concat_ws(' ', reason, amount_paise, state), ', ' ORDER BY created_at), '') FROM refunds`)
}

func TestAnAddOnThatIsPaidLateCostsTheDaysThatAreLeft(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.tier(0, 0)
	a := tier.AddOns[1]
	b.pay(b.owner, buy(tier, plan.TypeMonthly))
	b.live(9)
	r := b.ask(b.owner, b.addOns(b.owner, a.ID))
	asked := withTax(share(a.Monthly, 21, 30))
	require.Equal(t, asked, r.Amount)
	b.settle(r, payment.StatusFailed)
	b.live(4)
	b.settle(r, payment.StatusPaid)

	due := withTax(share(a.Monthly, 17, 30))
	require.Equal(t, "Software subscription: Users extension, 17 of 30 days | 15 Nov 2026 to 1 Dec 2026 | 283333", b.invoiceLines())
	require.Equal(t, int(due), b.count(`SELECT total_paise FROM invoices ORDER BY sequence DESC LIMIT 1`))
	require.Equal(t, int(due), b.count(`SELECT total_paise FROM orders WHERE kind = 'add_on'`))
	require.Equal(t, "283333 2026-11-15 2026-12-02", b.text(`SELECT concat_ws(' ', l.amount_paise, l.period_from, l.period_to)
		FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.kind = 'add_on'`))
	require.Equal(t, "surplus "+paise(asked-due)+" done", b.refunds())
	require.Equal(t, []string{"paid", due.Display() + " was due on the day this payment arrived. The other " + (asked - due).Display() +
		" was refunded.", "charged"}, b.result(r))
	require.Equal(t, "paid", b.state(r))
	require.Zero(t, b.count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`), "what was not invoiced has no credit note")
	b.books()

	// the rest is refunded like any other payment, and then all of it is back
	paymentID := b.text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
	require.ErrorIs(t, b.giveBack(paymentID, due+1), payment.ErrRefundTooMuch)
	require.NoError(t, b.giveBack(paymentID, due))
	require.Equal(t, "refunded", b.state(r))
	require.Equal(t, int(due), b.count(`SELECT total_paise FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NOT NULL`))
	b.books()
}

func TestAnUpgradeThatIsPaidLateAndCostsMoreByThenIsGivenBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small, large := b.tier(0, 0), b.tier(1, 0)
	b.pay(b.owner, buy(small, plan.TypeMonthly))
	b.live(5)
	r := b.ask(b.owner, buy(large, plan.TypeYearly))
	price := large.Yearly - large.YearlyDiscount
	require.Equal(t, withTax(price-share(small.Monthly, 25, 30)), r.Amount)
	b.live(4)
	before := b.standing(b.owner)
	b.settle(r, payment.StatusPaid)

	due := withTax(price - share(small.Monthly, 21, 30))
	require.Greater(t, due, r.Amount)
	require.Equal(t, before, b.standing(b.owner), "nothing was changed")
	require.Equal(t, "surplus "+paise(r.Amount)+" done", b.refunds())
	require.Equal(t, []string{"failed", "On the day this payment arrived, " + due.Display() + " was due instead of " + r.Amount.Display() +
		". Nothing was changed and all of it was refunded. Please order again.", "charged"}, b.result(r))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM invoices`))
	b.books()

	// the same thing can be ordered again at once, at today's price
	again := b.pay(b.owner, buy(large, plan.TypeYearly))
	require.Equal(t, due, again.Amount)
	require.Equal(t, "paid", b.state(again))
	b.books()
}

func TestAnUpgradeThatIsPaidOnItsDayIsAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(5)
	r := b.ask(b.owner, buy(b.tier(1, 0), plan.TypeYearly))
	b.pass(13 * time.Hour)
	b.settle(r, payment.StatusPaid)
	require.Equal(t, "paid", b.state(r))
	require.Empty(t, b.refunds())
	b.books()
}

func TestAnUpgradeThatIsPaidJustAfterMidnightKeepsItsPrice(t *testing.T) {
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
			b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
			b.live(5)
			now := b.clock.Now()
			b.pass((subscription.DayOf(now) + 1).Start().Add(-2 * time.Minute).Sub(now))
			r := b.ask(b.owner, buy(b.tier(1, 0), plan.TypeYearly))
			b.pass(c.after)
			b.sweep()
			b.settle(r, payment.StatusPaid)
			require.Equal(t, c.state, b.result(r)[0])
			if c.state == "paid" {
				require.Empty(t, b.refunds())
				require.Equal(t, "active 2026-11-07 2027-11-07 2027-11-07", b.standing(b.owner), "the term begins on the day it was priced for")
				require.Equal(t, int(r.Amount), b.count(`SELECT sum(CASE kind WHEN 'credit_note' THEN -total_paise ELSE total_paise END)
					FROM invoices WHERE id <> (SELECT id FROM invoices ORDER BY issued_at LIMIT 1)`))
			}
			b.books()
		})
	}
}

func TestAnUpgradeThatIsPaidInTheNextTermIsGivenBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(25)
	b.pay(b.owner, b.renewal(b.owner))
	b.live(4)
	now := b.clock.Now()
	b.pass((subscription.DayOf(now) + 1).Start().Add(-2 * time.Minute).Sub(now))
	r := b.ask(b.owner, buy(b.tier(1, 0), plan.TypeYearly))
	b.pass(4 * time.Minute)
	b.sweep()
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.standing(b.owner), "the next term has begun meanwhile")
	b.settle(r, payment.StatusPaid)
	require.Equal(t, "failed", b.result(r)[0], "another term is left to credit than when it was asked for")
	require.Equal(t, "surplus "+paise(r.Amount)+" done", b.refunds())
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.standing(b.owner))
	b.books()
}

func TestAPlanThatIsPaidWeeksLateBeginsOnThatDayAtItsPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.tier(0, 0)
	r := b.ask(b.owner, buy(tier, plan.TypeMonthly))
	b.live(72)
	require.Equal(t, "expired", b.state(r))
	b.settle(r, payment.StatusPaid)
	require.Equal(t, "active 2027-01-13 2027-02-13 2027-02-13", b.standing(b.owner))
	require.Equal(t, "Software subscription: Start up · Expansion, monthly | 13 Jan 2027 to 12 Feb 2027 | 1250000", b.invoiceLines())
	require.Empty(t, b.refunds())
	b.books()
}

func TestARenewalThatIsPaidAfterExpiryBeginsAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.tier(0, 0)
	b.pay(b.owner, buy(tier, plan.TypeMonthly))
	b.live(25)
	r := b.ask(b.owner, b.renewal(b.owner))
	b.live(20)
	require.Contains(t, b.standing(b.owner), "expired")
	b.settle(r, payment.StatusPaid)
	require.Equal(t, "active 2026-12-17 2027-01-17 2027-01-17", b.standing(b.owner))
	require.Equal(t, "Software subscription: Start up · Expansion, monthly | 17 Dec 2026 to 16 Jan 2027 | 1250000", b.invoiceLines())
	b.books()
}

func TestAnUpgradeIsGivenBackWhereItsCreditWasRefundedMeanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	r := b.ask(b.owner, buy(b.tier(1, 1), plan.TypeYearly))
	paymentID := b.text(`SELECT id FROM payments WHERE transaction_id = $1`, first.TransactionID)
	require.NoError(t, b.giveBack(paymentID, 50_000_00))
	b.settle(r, payment.StatusPaid)
	require.Equal(t, "failed", b.result(r)[0])
	require.Contains(t, b.standing(b.owner), "2026-11-02")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM orders WHERE state = 'paid'`))
	b.books()
}

func paise(p money.Paise) string { return fmt.Sprint(int64(p)) }

func TestWhatWasOverpaidDecidesNothingAboutKeepingThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tier := b.tier(0, 0)
	b.pay(b.owner, buy(tier, plan.TypeMonthly))
	r := b.ask(b.owner, b.addOns(b.owner, tier.AddOns[1].ID))
	b.live(4)
	b.gateway.SetSlow(true)
	b.settle(r, payment.StatusPaid)
	b.gateway.SetSlow(false)
	paymentID := b.text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
	_, err := b.desk.Request(b.asha.Sign(context.Background()), b.asha, payment.ReversalInput{
		FranchiserID: b.owner, PaymentID: paymentID, Kind: payment.ReversalRefund, All: true, KeepPlan: true, Reason: "as agreed", Key: "key-one-1",
	})
	require.NoError(t, err)
	b.work()
	require.Equal(t, "paid", b.state(r), "what was overpaid is on its way")
	name := b.text(`SELECT gateway_refund_id FROM refunds WHERE reason = 'surplus'`)
	b.gateway.EndRefund(payment.RefundOutcome{RefundID: name, Done: true})
	b.live(1)
	require.Equal(t, "refunded", b.state(r))
	require.Zero(t, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NOT NULL`))
	b.books()
}

func TestAKeyIsNoWayToPayASecondTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := payment.RequestInput{Intent: buy(b.tier(0, 0), plan.TypeMonthly), Key: "key-00000001", Request: [32]byte{1}}
	first, err := b.api.Request(context.Background(), b.owner, in)
	require.NoError(t, err)
	again, err := b.api.Request(context.Background(), b.owner, in)
	require.NoError(t, err)
	require.Equal(t, first, again)
	b.settle(first, payment.StatusPaid)
	_, err = b.api.Request(context.Background(), b.owner, in)
	require.ErrorIs(t, err, payment.ErrAlreadyPaid)
	require.Equal(t, "/checkout/result/success?transaction_id="+first.TransactionID, errs.As(err).Data["redirect_to"])
	require.Equal(t, 1, b.count(`SELECT count(*) FROM orders`))
	in.Request = [32]byte{2}
	_, err = b.api.Request(context.Background(), b.owner, in)
	require.ErrorIs(t, err, payment.ErrKeyReused)
}

func TestASecondCaptureThatTheGatewayGaveBackFirstIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	b.gateway.DecideAs(r.TransactionID, "ANOTHER", payment.StatusPaid, r.Amount)
	b.gateway.RefundNotice(r.TransactionID, "ITS-OWN", r.Amount)
	require.NoError(t, b.worker.Verify(t.Context(), payment.VerifyArgs{PaymentID: b.text(`SELECT id FROM payments`), Event: "x"}))
	b.work()
	require.Equal(t, "surplus "+paise(r.Amount)+" done", b.refunds())
	require.Equal(t, "ITS-OWN", b.text(`SELECT gateway_refund_id FROM refunds`))
	require.Equal(t, "paid", b.state(r), "what the first capture bought goes on")
	b.books()
}
