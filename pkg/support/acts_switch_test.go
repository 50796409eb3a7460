package support_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func switchTo(t plan.Tier, typ plan.Type, how subscription.Settlement, addOns ...string) support.ActContent {
	return support.ActContent{Switch: support.ActSwitch{TierID: t.ID, Type: typ, AddOnIDs: strings.Join(addOns, ","), Settlement: how}}
}

func (b *counter) fact(act support.Act, name string) string {
	b.T.Helper()
	for _, f := range act.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	b.T.Fatalf("no fact %q in %v", name, act.Facts)
	return ""
}

func (b *counter) money(query string) money.Paise {
	b.T.Helper()
	return money.Paise(b.count(query))
}

func (b *counter) service() string {
	b.T.Helper()
	return b.Text(`SELECT service_id FROM subscriptions WHERE franchiser_id = $1`, b.Buyer)
}

func TestSwitchPlan_Cheaper_RefundsTheDifferenceForTheRemainingDays(t *testing.T) {
	t.Parallel()
	b := acting(t)
	dear, cheap := b.Tier(0, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(dear, plan.TypeYearly))
	b.Live(73)
	ends := b.Text(`SELECT renew_on FROM subscriptions`)
	act, err := b.ask(support.ActSwitchPlan, switchTo(cheap, plan.TypeYearly, subscription.SettleRefund))
	require.NoError(t, err)
	require.Equal(t, dear.Title()+", by the year", b.fact(act, "Plan today"))
	require.Equal(t, cheap.Title()+", by the year", b.fact(act, "Plan after"))
	require.Equal(t, act.Amount.Display(), b.fact(act, "Goes back in all"))
	number := b.Text(`SELECT number FROM invoices`)
	require.Contains(t, b.fact(act, "Software subscription: "+dear.Title()+", yearly, invoice "+number), "292 of 365 days: ")
	// 292 of 365 days of both, with 18 % tax.
	net := func(t plan.Tier) money.Paise { return (t.Yearly - t.YearlyDiscount).Prorate(292, 365) }
	require.InDelta(t, float64((net(dear)-net(cheap))*118/100), float64(act.Amount), 3)
	require.Contains(t, b.Standing(b.Buyer), "active")
	require.Equal(t, dear.ID, b.service(), "nothing happens before it is approved")
	done := b.perform(act)
	if act.State == approval.Waiting {
		done = b.do2(act)
	}
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, cheap.ID, b.service())
	require.Equal(t, ends, b.Text(`SELECT renew_on FROM subscriptions`), "the term ends when it did")
	require.Equal(t, act.Amount, b.money(`SELECT sum(amount_paise) FROM refunds WHERE state = 'done'`))
	require.Equal(t, act.Amount, b.money(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM customer_messages WHERE template LIKE 'plan_switched%'`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM subscription_events WHERE kind = 'switch'`))
	b.Balanced()

	// Performing it again changes nothing.
	require.NoError(t, b.worker.Perform(t.Context(), act.ID))
	b.Work()
	require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds`))

	// The rest is worth the cheaper plan's days: a cancellation a quarter of a year later refunds that.
	b.Live(73)
	cancel, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	require.InDelta(t, float64((cheap.Yearly-cheap.YearlyDiscount).Prorate(219, 365)*118/100), float64(cancel.Amount), 3)
	ended := b.perform(cancel)
	if cancel.State == approval.Waiting {
		ended = b.do2(cancel)
	}
	require.Equal(t, approval.Done, ended.State, ended.Outcome)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Balanced()
}

func TestCancelPlan_OnTheDayOfASwitch_RefundsTheRest(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	b.Live(10)
	done := b.do(support.ActSwitchPlan, switchTo(b.Tier(0, 0), plan.TypeMonthly, subscription.SettleRefund))
	require.Equal(t, approval.Done, done.State, done.Outcome)
	done = b.do(support.ActCancelPlan, support.ActContent{})
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Balanced()
}

func TestSwitchPlan_RenewalAndUpgrade_UseTheRemainingValue(t *testing.T) {
	t.Parallel()
	b := acting(t)
	dear, cheap := b.Tier(0, 2), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(dear, plan.TypeMonthly))
	b.Live(10)
	done := b.do(support.ActSwitchPlan, switchTo(cheap, plan.TypeMonthly, subscription.SettleRefund))
	require.Equal(t, approval.Done, done.State, done.Outcome)
	b.Live(5)
	// A second switch counts the remaining days at the cheaper plan's price.
	_, err := b.ask(support.ActSwitchPlan, switchTo(dear, plan.TypeMonthly, subscription.SettleRefund))
	require.ErrorIs(t, err, subscription.ErrNotCheaper)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	left, term := int64(b.count(`SELECT (SELECT period_to FROM order_lines ORDER BY period_to LIMIT 1) - $1::date`, b.Today())),
		int64(b.count(`SELECT period_to - period_from FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.kind = 'new' LIMIT 1`))
	require.InDelta(t, float64(cheap.Monthly.Prorate(left, term)*118/100), float64(b.money(`SELECT sum(total_paise) FROM invoices
		WHERE kind = 'credit_note' AND applied_payment_id IS NOT NULL`)), 3)
	require.Equal(t, "paid", b.State(r))
	b.Balanced()
	b.Live(27)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Balanced()
}

func TestSwitchPlan_Goodwill_GivesADearerPlanUntilTheTermEnds(t *testing.T) {
	t.Parallel()
	b := acting(t)
	dear, cheap := b.Tier(0, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(cheap, plan.TypeMonthly, cheap.AddOns[0].ID))
	b.Live(10)
	_, err := b.ask(support.ActSwitchPlan, switchTo(dear, plan.TypeMonthly, subscription.SettleRefund, dear.AddOns[0].ID))
	require.ErrorIs(t, err, subscription.ErrNotCheaper)
	done := b.do(support.ActSwitchPlan, switchTo(dear, plan.TypeMonthly, subscription.SettleGoodwill, dear.AddOns[0].ID))
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Positive(t, done.Amount)
	require.Equal(t, dear.ID, b.service())
	require.Zero(t, b.count(`SELECT count(*) FROM refunds`)+b.count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`))
	require.Equal(t, cheap.ID, b.Text(`SELECT next_service_id FROM subscriptions`), "the renewal is what was paid for")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND next_billing_cycle_status = 1`))
	b.Balanced()
	_, err = b.ask(support.ActSwitchPlan, switchTo(b.Tier(0, 2), plan.TypeMonthly, subscription.SettleGoodwill))
	require.ErrorIs(t, err, subscription.ErrSwitchPending)
	b.Live(15)
	before := b.money(`SELECT sum(captured_paise) FROM payments`)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, 2*before, b.money(`SELECT sum(captured_paise) FROM payments`), "the renewal costs what the first term did")
	b.Live(10)
	require.Equal(t, cheap.ID, b.service())
	b.Balanced()
}

func TestSwitchPlan_Dearer_IsPaidByTheCustomer(t *testing.T) {
	t.Parallel()
	b := acting(t)
	dear, cheap := b.Tier(0, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(cheap, plan.TypeMonthly))
	b.Live(10)
	_, err := b.ask(support.ActSwitchPlan, switchTo(dear, plan.TypeMonthly, subscription.SettlePay, dear.AddOns[0].ID))
	require.ErrorIs(t, err, subscription.ErrOtherAddOns)
	done := b.do(support.ActSwitchPlan, switchTo(dear, plan.TypeYearly, subscription.SettlePay))
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Zero(t, done.Amount)
	require.Equal(t, cheap.ID, b.service(), "nothing changes before it is paid")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM orders WHERE kind = 'upgrade' AND state = 'open' AND by_staff`))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM customer_messages WHERE template LIKE 'plan_change_offered%'`))
	// The customer's own checkout takes up the very order.
	b.Pay(b.Buyer, story.Buy(dear, plan.TypeYearly))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM orders WHERE kind = 'upgrade'`))
	require.Equal(t, dear.ID, b.service())
	b.Balanced()
}

func TestSwitchPlan_AtTheRenewal_MovesNoMoney(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeYearly))
	b.Live(10)
	_, err := b.ask(support.ActSwitchPlan, switchTo(b.Tier(0, 2), plan.TypeYearly, subscription.SettleRenewal))
	require.ErrorIs(t, err, subscription.ErrDearer)
	_, err = b.ask(support.ActSwitchPlan, switchTo(b.Tier(0, 1), plan.TypeMonthly, subscription.SettleRefund))
	require.ErrorIs(t, err, subscription.ErrSwitchCycle)
	done := b.do(support.ActSwitchPlan, switchTo(b.Tier(0, 1), plan.TypeMonthly, subscription.SettleRenewal))
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, "monthly", b.Text(`SELECT next_plan_type FROM subscriptions`))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM customer_messages WHERE template LIKE 'plan_switched%'`))
	b.Balanced()
}

func TestSwitchPlan_AnotherOperationOpen_IsRefused(t *testing.T) {
	t.Parallel()
	b := acting(t)
	cheap := switchTo(b.Tier(0, 0), plan.TypeMonthly, subscription.SettleRefund)
	_, err := b.ask(support.ActSwitchPlan, cheap)
	require.ErrorIs(t, err, subscription.ErrNotSwitchable, "there is no plan")
	require.NoError(t, b.Trial(b.Franchiser("27")))
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	b.Live(3)
	for field, c := range map[string]support.ActContent{
		"plan_services_id":     {Switch: support.ActSwitch{TierID: "x", Type: plan.TypeMonthly, Settlement: subscription.SettleRefund}},
		"plan_type":            {Switch: support.ActSwitch{TierID: b.Tier(0, 0).ID, Type: "weekly", Settlement: subscription.SettleRefund}},
		"settlement":           {Switch: support.ActSwitch{TierID: b.Tier(0, 0).ID, Type: plan.TypeMonthly, Settlement: "free"}},
		"add_ons_service_id":   {Switch: support.ActSwitch{TierID: b.Tier(0, 0).ID, Type: plan.TypeMonthly, Settlement: subscription.SettleRefund, AddOnIDs: b.Tier(0, 1).ID}},
		"add_ons_service_id ":  {Switch: support.ActSwitch{TierID: b.Tier(0, 0).ID, Type: plan.TypeMonthly, Settlement: subscription.SettleRefund, AddOnIDs: "y"}},
		"plan_services_id and": {Switch: support.ActSwitch{TierID: b.Buyer, Type: plan.TypeMonthly, Settlement: subscription.SettleRefund}},
	} {
		_, err = b.ask(support.ActSwitchPlan, c)
		require.NotEmpty(t, errs.As(err).Fields[strings.Fields(field)[0]], "%s: %v", field, err)
	}
	_, err = b.ask(support.ActSwitchPlan, switchTo(b.Tier(0, 1), plan.TypeMonthly, subscription.SettleRefund))
	require.ErrorIs(t, err, subscription.ErrSwitchesNothing)
	asked, err := b.ask(support.ActSwitchPlan, cheap)
	require.NoError(t, err)

	open := b.Ask(b.Buyer, story.Buy(b.Tier(0, 2), plan.TypeMonthly))
	_, err = b.ask(support.ActSwitchPlan, cheap)
	require.ErrorIs(t, err, act.ErrPaymentUnderWay)
	failed := b.perform(asked)
	require.Equal(t, approval.Failed, failed.State, "a payment was begun between the request and its execution")
	b.Settle(open, payment.StatusFailed)
	_, err = b.DB.Owner.Exec(`INSERT INTO debited_renewals (subscription_id, franchiser_id, live_on) SELECT id, franchiser_id, renew_on FROM subscriptions
		WHERE franchiser_id = $1`, b.Buyer)
	require.NoError(t, err)
	_, err = b.ask(support.ActSwitchPlan, cheap)
	require.ErrorIs(t, err, subscription.ErrSwitchDebited)
	_, err = b.DB.Owner.Exec(`DELETE FROM debited_renewals`)
	require.NoError(t, err)

	b.Live(22)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	_, err = b.ask(support.ActSwitchPlan, cheap)
	require.ErrorIs(t, err, subscription.ErrSwitchPrepaid)
	b.Balanced()
}

func TestSwitchPlan_ConcurrentWorkers_SwitchOnce(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	b.Live(3)
	act, err := b.ask(support.ActSwitchPlan, switchTo(b.Tier(0, 0), plan.TypeMonthly, subscription.SettleRefund))
	require.NoError(t, err)
	_, err = b.ask(support.ActCancelPlan, support.ActContent{})
	require.ErrorIs(t, err, support.ErrActOpen, "one act on the plan at a time")
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() { _ = b.worker.Perform(context.Background(), act.ID) })
	}
	group.Wait()
	b.Work()
	require.Equal(t, 1, b.count(`SELECT count(*) FROM refunds`))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM orders WHERE kind = 'switch'`))
	b.Balanced()
}

func TestSwitchPlan_AboveTheLimit_NeedsASecondPerson(t *testing.T) {
	t.Parallel()
	b := acting(t)
	top := b.Catalogue.Plans[len(b.Catalogue.Plans)-1]
	b.Pay(b.Buyer, story.Buy(top.Tiers[len(top.Tiers)-1], plan.TypeYearly))
	b.Live(3)
	act, err := b.ask(support.ActSwitchPlan, switchTo(b.Tier(0, 0), plan.TypeYearly, subscription.SettleRefund))
	require.NoError(t, err)
	require.True(t, act.NeedsApproval, fmt.Sprint(act.Amount))
	_, err = b.asked.Approve(b.Asha.Sign(t.Context()), b.Asha, act.ID, "I say so")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	b.Live(2) // the act uses the days of its request
	done := b.do2(act)
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, act.Amount, b.money(`SELECT sum(amount_paise) FROM refunds WHERE state = 'done'`))
	b.Balanced()
}

func TestSwitchPlan_OpenProforma_IsRefused(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	b.Live(3)
	_, err := b.DB.Owner.Exec(`INSERT INTO proformas (id, franchiser_id, order_id, number, state, amount_paise, taxable_paise, title, document, account,
			valid_until, created_at)
		SELECT uuidv7(), franchiser_id, id, 'PF/26-27/000001', 'open', 118, 100, 'A plan', '{}', '{}', $1, $1 FROM orders`, b.Clock.Now())
	require.NoError(t, err)
	cheap := switchTo(b.Tier(0, 0), plan.TypeMonthly, subscription.SettleRefund)
	_, err = b.ask(support.ActSwitchPlan, cheap)
	require.ErrorIs(t, err, support.ErrProformaOpen)
	_, err = b.DB.Owner.Exec(`UPDATE proformas SET state = 'expired'`)
	require.NoError(t, err)
	done := b.do(support.ActSwitchPlan, cheap)
	require.Equal(t, approval.Done, done.State, done.Outcome)
}

// Given an add-on that the customer buys on the day of a switch, then it counts with the price of a full term in recurring revenue.
func TestSwitchPlan_AddOnBoughtOnItsDay_CountsWithItsFullPrice(t *testing.T) {
	t.Parallel()
	b := acting(t)
	dear, cheap := b.Tier(0, 2), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(dear, plan.TypeYearly))
	b.Live(73)
	done := b.do(support.ActSwitchPlan, switchTo(cheap, plan.TypeYearly, subscription.SettleRefund))
	require.Equal(t, approval.Done, done.State, done.Outcome)
	b.Pay(b.Buyer, b.AddOns(b.Buyer, cheap.AddOns[0].ID))
	recurring := func() money.Paise {
		return b.money(`SELECT sum(monthly_paise) FROM recurring_overview WHERE kind = 'add_on'`)
	}
	require.Equal(t, cheap.AddOns[0].Yearly/12, recurring())
	b.Live(10)
	b.Pay(b.Buyer, b.AddOns(b.Buyer, cheap.AddOns[1].ID))
	require.Equal(t, cheap.AddOns[0].Yearly/12+cheap.AddOns[1].Yearly/12, recurring())
}
