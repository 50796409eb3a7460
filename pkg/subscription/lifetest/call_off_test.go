package lifetest_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// callOffs counts the history entries of it.
func (b *bundle) callOffs() int {
	b.T.Helper()
	return b.Count(`SELECT count(*) FROM subscription_events WHERE kind = 'change_called_off'`)
}

// Given a scheduled change that the customer cancels twice, then the running plan renews unchanged, and the history has one entry.
func TestCancelChange_Twice_IsRecordedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	running, small := b.Tier(1, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(running, plan.TypeMonthly, running.AddOns[0].ID))
	change := b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly)).OrderID
	bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Equal(t, []string{running.AddOns[0].Name}, bill.Dropped, "the change drops what it does not hold")

	require.Equal(t, errs.KindNotFound, errs.KindOf(b.APISubs.CallOffChange(t.Context(), b.Franchiser("27"), change)), "another's")
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.APISubs.CallOffChange(t.Context(), b.Buyer, id.New())))
	bought := b.Text(`SELECT id FROM orders WHERE kind = 'new'`)
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.APISubs.CallOffChange(t.Context(), b.Buyer, bought)), "no change")
	require.Equal(t, "scheduled", b.changes())
	for range 2 {
		require.NoError(t, b.APISubs.CallOffChange(t.Context(), b.Buyer, change))
	}
	require.Equal(t, "cancelled", b.changes())
	require.Equal(t, 1, b.callOffs())
	require.Empty(t, b.Message(b.Buyer))
	bill, err = b.APISubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Empty(t, bill.ScheduledPlan)
	require.Empty(t, bill.Dropped)
	require.Equal(t, running.Monthly+running.AddOns[0].Monthly, bill.Totals.Taxable)

	second := b.Ask(b.Buyer, story.Buy(small, plan.TypeYearly)).OrderID
	require.NoError(t, b.APISubs.CallOffChange(t.Context(), b.Buyer, change), "the first is off still")
	require.Equal(t, "cancelled scheduled", b.changes(), "and the second waits")
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.ErrorIs(t, b.APISubs.CallOffChange(t.Context(), b.Buyer, second), subscription.ErrChangeDone, "it is paid")
	b.Live(10)
	require.ErrorIs(t, b.APISubs.CallOffChange(t.Context(), b.Buyer, second), subscription.ErrChangeDone, "and has come")
	require.Equal(t, small.ID, b.Text(`SELECT service_id FROM subscriptions`))
	require.Equal(t, 1, b.callOffs())
	b.Balanced()
}

// Given a renewal requested with a change, when the customer cancels the change before paying, then the payment is refunded and the running
// plan can be renewed.
func TestCancelChange_BeforeTheRenewalIsPaid_RefundsThePayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	running, small := b.Tier(1, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(running, plan.TypeMonthly))
	change := b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly)).OrderID
	b.Live(25)
	asked := b.Ask(b.Buyer, b.Renewal(b.Buyer))
	require.NoError(t, b.APISubs.CallOffChange(t.Context(), b.Buyer, change))
	b.Settle(asked, payment.StatusPaid)
	b.Work()
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.Standing(b.Buyer), "nothing is renewed")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM refunds WHERE amount_paise = $1`, int64(asked.Amount)), "and all of it goes back")

	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(8)
	require.Equal(t, running.ID, b.Text(`SELECT service_id FROM subscriptions`))
	b.Balanced()
}

// Given a change that is cancelled while its renewal is paid, then either the change applies and the cancellation is refused, or the change
// is cancelled and the payment refunded.
func TestCancelChange_ConcurrentRenewal_OneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	running, small := b.Tier(1, 1), b.Tier(0, 0)
	for range 4 {
		buyer := b.Franchiser("27")
		b.Pay(buyer, story.Buy(running, plan.TypeMonthly))
		change := b.Ask(buyer, story.Buy(small, plan.TypeMonthly)).OrderID
		b.Live(25)
		asked := b.Ask(buyer, b.Renewal(buyer))
		var calls sync.WaitGroup
		failures := make([]error, 3)
		for i := range failures {
			calls.Go(func() { failures[i] = b.APISubs.CallOffChange(t.Context(), buyer, change) })
		}
		b.Settle(asked, payment.StatusPaid)
		calls.Wait()
		b.Work()
		state := b.Text(`SELECT state FROM orders WHERE id = $1`, change)
		back := b.Count(`SELECT count(*) FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.franchiser_id = $1`, buyer)
		if state == "done" {
			require.Zero(t, back)
		} else {
			require.Equal(t, "cancelled", state)
			require.Equal(t, 1, back)
		}
		for _, err := range failures {
			if state == "done" && err != nil {
				require.ErrorIs(t, err, subscription.ErrChangeDone)
			} else {
				require.Equal(t, "cancelled", state)
				require.NoError(t, err)
			}
		}
		require.LessOrEqual(t, b.Count(`SELECT count(*) FROM subscription_events WHERE franchiser_id = $1 AND kind = 'change_called_off'`, buyer), 1)
	}
	b.Balanced()
}

// Given a change that waits, when an add-on that goes along is cancelled, or taken up again, then the bill of the change follows.
func TestCancelAddOn_ChangeScheduled_UpdatesItsBill(t *testing.T) {
	t.Parallel()
	b := setup(t)
	running, small := b.Tier(1, 1), b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(running, plan.TypeMonthly, running.AddOns[0].ID, running.AddOns[2].ID))
	b.Ask(b.Buyer, story.Buy(small, plan.TypeMonthly, small.AddOns[0].ID, small.AddOns[2].ID))
	owned := b.Text(`SELECT id FROM subscription_add_ons WHERE add_on_id = $1`, running.AddOns[0].ID)
	for _, renews := range []bool{false, true} {
		_, err := b.APISubs.SetAddOn(t.Context(), b.Buyer, owned, renews)
		require.NoError(t, err)
		want, dropped := small.Monthly+small.AddOns[2].Monthly, []string{running.AddOns[0].Name}
		if renews {
			want, dropped = want+small.AddOns[0].Monthly, []string{}
		}
		bill, err := b.APISubs.NextBill(t.Context(), b.Buyer)
		require.NoError(t, err)
		require.Equal(t, want, bill.Totals.Taxable)
		require.Equal(t, dropped, bill.Dropped)
	}
}

// Given a plan with two extensions, then every other plan is priced with both, a larger plan now and a smaller one from the renewal, and
// the checkout charges that price.
func TestChanges_OwnedAddOns_AreInEachPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	none, err := b.APISubs.Changes(t.Context(), b.Buyer, nil, nil)
	require.NoError(t, err)
	require.Nil(t, none, "without a plan there is nothing to change")
	running := b.Tier(1, 1)
	extension := running.AddOns[2]
	require.Equal(t, plan.KeyFranchiseExtension, extension.Key)
	b.Pay(b.Buyer, story.Buy(running, plan.TypeMonthly, extension.ID))
	b.Pay(b.Buyer, b.AddOns(b.Buyer, extension.ID))

	changes, err := b.APISubs.Changes(t.Context(), b.Buyer, nil, nil)
	require.NoError(t, err)
	require.Len(t, changes.AddOns, 2)
	require.Equal(t, running.FranchiseLimit+20, changes.FranchiseLimit)
	require.Len(t, changes.Options, 24)
	asked := 0
	for _, o := range changes.Options {
		if o.Current {
			require.Equal(t, running.ID, o.Tier.ID)
			continue
		}
		require.Len(t, o.AddOnIDs(), 2, o.Tier.Title())
		require.Equal(t, o.Payable() > 0, o.Kind == subscription.KindUpgrade)
		if o.Kind == subscription.KindDowngrade {
			require.Equal(t, "2026-12-02", o.EffectiveOn.String())
		}
		offer, err := b.API.Checkout.Preview(t.Context(), b.Buyer, story.Buy(o.Tier, o.Type, o.AddOnIDs()...))
		require.NoError(t, err)
		require.Equal(t, o.Payable(), offer.Payable())
		asked++
	}
	require.Equal(t, 23, asked)

	fewer, err := b.APISubs.Changes(t.Context(), b.Buyer, []string{changes.AddOns[0].ID}, nil)
	require.NoError(t, err)
	require.Len(t, fewer.Options[0].AddOnIDs(), 1)
	_, err = b.API.Checkout.Preview(t.Context(), b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeMonthly, repeat(b.Tier(2, 0).AddOns[2].ID, 3)...))
	require.Equal(t, errs.KindInvalid, errs.KindOf(err), "no more go along than are owned")
	large := b.Tier(3, 2)
	b.Pay(b.Buyer, story.Buy(large, plan.TypeMonthly, repeat(large.AddOns[2].ID, 2)...))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND add_on_id = $1`, large.AddOns[2].ID))
	b.Balanced()
}

// Given a yearly plan with a cancelled add-on, then an upgrade names the add-on with its credit, and keeps it on request.
func TestChanges_CancelledAddOnStillPaid_IsNamedWithItsCreditAndKeptOnRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	running, larger := b.Tier(1, 0), b.Tier(3, 2)
	app, extension := running.AddOns[0], running.AddOns[2]
	b.Pay(b.Buyer, story.Buy(running, plan.TypeYearly, app.ID, extension.ID))
	owned := b.Text(`SELECT id FROM subscription_add_ons WHERE add_on_id = $1`, app.ID)
	_, err := b.APISubs.SetAddOn(t.Context(), b.Buyer, owned, false)
	require.NoError(t, err)

	optionOf := func(off, keep []string) subscription.ChangeOption {
		changes, err := b.APISubs.Changes(t.Context(), b.Buyer, off, keep)
		require.NoError(t, err)
		require.Len(t, changes.Cancelled, 1)
		require.Equal(t, owned, changes.Cancelled[0].ID)
		for _, o := range changes.Options {
			if o.Tier.ID == larger.ID && o.Type == plan.TypeYearly {
				return o
			}
		}
		return subscription.ChangeOption{}
	}
	ends := optionOf(nil, nil)
	require.Len(t, ends.Ending, 1)
	require.Equal(t, []any{owned, app.Yearly.MulBps(11_800)}, []any{ends.Ending[0].ID, ends.Ending[0].Credit}, "unused as a whole, with 18% GST")
	require.Equal(t, []string{larger.AddOns[2].ID}, ends.AddOnIDs())
	preview, err := b.API.Checkout.Preview(t.Context(), b.Buyer, story.Buy(larger, plan.TypeYearly, ends.AddOnIDs()...))
	require.NoError(t, err)
	require.Equal(t, ends.Ending, preview.Ending, "the review names the same")

	kept := optionOf(nil, []string{owned})
	require.Empty(t, kept.Ending)
	require.Equal(t, []string{larger.AddOns[0].ID, larger.AddOns[2].ID}, kept.AddOnIDs())
	require.Len(t, optionOf([]string{b.Text(`SELECT id FROM subscription_add_ons WHERE add_on_id = $1`, extension.ID)}, nil).Ending, 2)
	b.Pay(b.Buyer, story.Buy(larger, plan.TypeYearly, kept.AddOnIDs()...))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND key = $1 AND next_billing_cycle_status = 1`, app.Key))
	b.Balanced()
}

func repeat(text string, times int) []string {
	var list []string
	for range times {
		list = append(list, text)
	}
	return list
}
