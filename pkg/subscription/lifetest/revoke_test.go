package lifetest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func (b *bundle) revoked() int {
	b.T.Helper()
	return b.Count(`SELECT count(*) FROM subscription_events WHERE kind = 'revoked'`)
}

func TestRefund_Full_EndsThePlanThatDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly, b.Tier(0, 0).AddOns[0].ID))
	b.Live(40)
	b.KeepOrEnd(r, 0, false)
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, "expired 2026-11-02 2026-12-12 2026-12-12", b.Standing(b.Buyer))
	require.Equal(t, "Your plan ended on 11 Dec 2026 with a refund", b.Message(b.Buyer))
	require.Equal(t, 1, b.revoked())
	b.Balanced()
	bill, err := b.WorkerSubs.NextBill(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.Nil(t, bill, "there is no next bill of a plan that ended so")
	require.Equal(t, "Refunded 2026-12-11 -", b.OrderLine(0))
	b.Live(1)
	require.Zero(t, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL AND paid_until > '2026-12-12'`))
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	require.Contains(t, b.Standing(b.Buyer), "active", "the customer may come back")
	require.Equal(t, "Active", b.OrderLine(0)[:len("Active")])
	require.Equal(t, "Refunded 2026-12-11 -", b.OrderLine(1))
	require.Empty(t, b.Message(b.Buyer))
	b.Balanced()
}

func TestRefund_FullOnTheFirstDayOfARenewedTerm_EndsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(27)
	r := b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(3)
	require.Equal(t, "2026-12-02", b.Today().String(), "the renewed term begins")
	b.KeepOrEnd(r, 0, false)
	require.Equal(t, "refunded", b.State(r))
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Balanced()
}

func TestRefund_FullAsGoodwill_KeepsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Live(40)
	b.KeepOrEnd(r, 0, true)
	require.Equal(t, "refunded", b.State(r))
	require.Equal(t, "active 2026-11-02 2027-11-02 2027-11-02", b.Standing(b.Buyer))
	require.Equal(t, `true true`, b.Text(`SELECT concat_ws(' ', min((after::jsonb -> 'keep_plan')::text), max((after::jsonb -> 'keep_plan')::text))
		FROM staff_actions WHERE action IN ('request_refund', 'approve_refund')`), "the record says what was chosen")
	b.Balanced()

	b.Dispute(r, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: r.Amount})
	require.Contains(t, b.Standing(b.Buyer), "expired", "nobody keeps what he took the money back for twice")
	b.Balanced()
}

func TestRefund_Partial_KeepsThePlanAndTheLastDecides(t *testing.T) {
	t.Parallel()
	for keepLast, want := range map[bool]string{false: "expired", true: "active"} {
		b := setup(t)
		r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
		b.KeepOrEnd(r, r.Amount-1, !keepLast)
		require.Equal(t, "paid", b.State(r))
		require.Contains(t, b.Standing(b.Buyer), "active")
		b.KeepOrEnd(r, 1, keepLast)
		require.Equal(t, "refunded", b.State(r))
		require.Contains(t, b.Standing(b.Buyer), want)
		b.Balanced()
	}
}

// Given two refunds of one payment that are slow at the gateway, then nothing ends while one of them may still fail.
func TestRefund_TwoSlowRefunds_EndThePlanWhenBothComplete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Gateway.SetSlow(true)
	b.KeepOrEnd(r, money.FromRupees(59_300), false)
	b.KeepOrEnd(r, 0, false)
	refund := func(amount money.Paise, end payment.RefundOutcome) {
		end.RefundID = b.Text(`SELECT gateway_refund_id FROM refunds WHERE amount_paise = $1 AND state = 'sent'`, int64(amount))
		b.Gateway.EndRefund(end)
		require.NoError(t, b.Worker.Refunds.Send(t.Context(), b.Text(`SELECT id FROM refunds WHERE gateway_refund_id = $1`, end.RefundID)))
	}
	refund(money.FromRupees(59_300), payment.RefundOutcome{Done: true})
	require.Equal(t, "paid", b.State(r), "the rest is on its way only")
	refund(money.FromRupees(1_00_000), payment.RefundOutcome{Failed: true, Reason: "The account is closed"})
	require.Equal(t, "paid", b.State(r))
	require.Contains(t, b.Standing(b.Buyer), "active")

	b.KeepOrEnd(r, 0, false)
	refund(money.FromRupees(1_00_000), payment.RefundOutcome{Done: true})
	require.Equal(t, "refunded", b.State(r))
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Balanced()
}

// Given two slow refunds of one payment, then the one that staff requested last decides about the plan, in whichever order the gateway
// completes them. A refund that fails decides nothing.
func TestRefund_CompletedInAnotherOrder_FollowsTheLastRequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		keeps    []bool // of a part, another part, the remainder
		finishes []int  // the order in which the gateway completes them
		fails    int    // the refund that the gateway refuses, or -1
		again    *bool  // keep_plan of the request that replaces it
		want     string
	}{
		{"kept parts, then the rest: the rest completes last", []bool{true, true, false}, []int{0, 1, 2}, -1, nil, "expired"},
		{"kept parts, then the rest: a kept part completes last", []bool{true, true, false}, []int{0, 2, 1}, -1, nil, "expired"},
		{"kept parts, then the rest: the rest completes first", []bool{true, true, false}, []int{2, 1, 0}, -1, nil, "expired"},
		{"a part, then the kept rest: the rest completes last", []bool{false, false, true}, []int{0, 1, 2}, -1, nil, "active"},
		{"a part, then the kept rest: a part completes last", []bool{false, false, true}, []int{2, 1, 0}, -1, nil, "active"},
		{"all kept", []bool{true, true, true}, []int{2, 0, 1}, -1, nil, "active"},
		{"a kept part fails, so the customer keeps its money's worth", []bool{true, true, false}, []int{0, 2, 1}, 1, nil, "active"},
		{"a kept part fails and is requested again without keeping", []bool{true, true, false}, []int{0, 2, 1}, 1, new(false), "expired"},
		{"the rest fails and is requested again as kept", []bool{true, true, false}, []int{0, 2, 1}, 2, new(true), "active"},
		{"the kept rest fails and is requested again without keeping", []bool{false, true, true}, []int{2, 1, 0}, 2, new(false), "expired"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
			b.Gateway.SetSlow(true)
			amounts := []money.Paise{money.FromRupees(40_000), money.FromRupees(30_000), 0}
			for i, keep := range c.keeps {
				b.Pass(time.Minute)
				b.KeepOrEnd(r, amounts[i], keep)
			}
			ids := strings.Fields(b.Text(`SELECT string_agg(id::text, ' ' ORDER BY created_at) FROM refunds`))
			finish := func(refundID string, end payment.RefundOutcome) {
				b.Pass(time.Minute)
				end.RefundID = b.Text(`SELECT gateway_refund_id FROM refunds WHERE id = $1`, refundID)
				b.Gateway.EndRefund(end)
				require.NoError(t, b.Worker.Refunds.Send(t.Context(), refundID))
			}
			for n, i := range c.finishes {
				require.Contains(t, b.Standing(b.Buyer), "active", "after %d", n)
				finish(ids[i], payment.RefundOutcome{Done: i != c.fails, Failed: i == c.fails, Reason: "The account is closed"})
			}
			if c.again != nil {
				require.Contains(t, b.Standing(b.Buyer), "active")
				b.KeepOrEnd(r, 0, *c.again)
				finish(b.Text(`SELECT id FROM refunds ORDER BY created_at DESC LIMIT 1`), payment.RefundOutcome{Done: true})
			}
			require.Contains(t, b.Standing(b.Buyer), c.want)
			if c.fails < 0 || c.again != nil {
				require.Equal(t, "refunded", b.State(r))
			}
			require.Equal(t, c.want == "expired", b.revoked() == 1)
			b.Balanced()
		})
	}
}

func TestRefund_OfTheNextTerm_EndsOnlyThatTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(25)
	next := b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer))
	b.KeepOrEnd(next, 0, false)
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.Standing(b.Buyer))
	b.Dispute(next, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: next.Amount})
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.Standing(b.Buyer), "once only: the running term was paid by another order")
	b.KeepOrEnd(first, 0, false)
	require.Equal(t, "expired 2026-11-02 2026-11-27 2026-11-27", b.Standing(b.Buyer))
	b.Balanced()
}

func TestRefund_OfTheRunningTermWithNextPaid_KeepsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(25)
	next := b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.KeepOrEnd(first, 0, false)
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer), "the customer has paid for being here")
	require.Zero(t, b.revoked())
	b.KeepOrEnd(next, 0, false)
	require.Equal(t, "expired 2026-11-02 2026-11-27 2026-11-27", b.Standing(b.Buyer), "nothing of it is paid any more")
	require.Equal(t, 2, b.revoked())
	b.Balanced()
}

func TestRefund_OfAddOns_EndsOnlyThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t00 := b.Tier(0, 0)
	b.Pay(b.Buyer, story.Buy(t00, plan.TypeMonthly, t00.AddOns[0].ID))
	b.Live(10)
	extra := b.Pay(b.Buyer, b.AddOns(b.Buyer, t00.AddOns[2].ID))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	b.KeepOrEnd(extra, 0, false)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM subscription_add_ons WHERE ended_on IS NULL`))
	require.Equal(t, "active 2026-11-02 2026-12-02 2026-12-02", b.Standing(b.Buyer))
	b.Balanced()
}

func TestRefund_OfAnOldTerm_KeepsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(20)
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer))
	b.KeepOrEnd(old, 0, false)
	require.Equal(t, "refunded", b.State(old))
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer))
	b.Balanced()
}

// Given an upgrade paid partly with unused days, when staff refund the earlier plan's remainder, then the upgrade stays. When the bank
// takes back the whole earlier payment, the upgrade ends, but not a later term that was paid in full.
func TestRefund_OfAPlanCreditedToAnUpgrade_KeepsOrEndsTheUpgrade(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Live(10)
	b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	credited := money.Paise(b.Count(`SELECT total_paise FROM invoices WHERE kind = 'credit_note'`))
	b.KeepOrEnd(first, 0, false)
	require.Equal(t, first.Amount-credited, money.Paise(b.Count(`SELECT amount_paise FROM refunds`)), "ten days were used")
	require.Contains(t, b.Standing(b.Buyer), "active")
	b.Balanced()
	b.Dispute(first, "D1", payment.DisputeOutcome{State: payment.DisputeLost, Amount: first.Amount})
	require.Contains(t, b.Standing(b.Buyer), "expired")
	b.Balanced()

	b.Buyer = b.Franchiser("29")
	first = b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Live(330)
	b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeMonthly))
	b.Live(25)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(8)
	before := b.Standing(b.Buyer)
	require.Contains(t, before, "active")
	b.Dispute(first, "D2", payment.DisputeOutcome{State: payment.DisputeLost, Amount: first.Amount})
	require.Equal(t, before, b.Standing(b.Buyer))
	b.Balanced()
}
