package payment_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// history is what one customer did so far.
type history struct {
	*bundle
	customer string
	sessions []payment.Requested
}

// rules are what holds for a customer after every step, each a query for what breaks it.
func rules() map[string]string {
	return map[string]string{
		"one open order":          `SELECT count(*) - 1 FROM orders WHERE franchiser_id = $1 AND state = 'open' HAVING count(*) > 1`,
		"one term in force":       `SELECT count(*) - 1 FROM terms WHERE franchiser_id = $1 AND status = 'current' HAVING count(*) > 1`,
		"one open try an order":   `SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state IN ('created', 'pending') GROUP BY order_id HAVING count(*) > 1`,
		"a payment has an effect": `SELECT count(*) FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.franchiser_id = $1 AND p.state IN ('paid', 'refunded') AND NOT p.surplus AND o.state <> 'paid' HAVING count(*) > 0`,
		"an order is paid once": `SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state IN ('paid', 'refunded') AND NOT surplus
			GROUP BY order_id HAVING count(*) > 1`,
		"a paid order was paid for": `SELECT count(*) FROM orders o WHERE o.franchiser_id = $1 AND o.state = 'paid' AND o.total_paise > 0
			AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.state IN ('paid', 'refunded') AND NOT p.surplus) HAVING count(*) > 0`,
		"one invoice a payment": `SELECT count(*) FROM payments p WHERE p.franchiser_id = $1 AND
			(p.state IN ('paid', 'refunded') AND NOT p.surplus) <> EXISTS (SELECT FROM invoices i WHERE i.payment_id = p.id AND i.kind = 'invoice') HAVING count(*) > 0`,
		"a surplus goes back once": `SELECT count(*) FROM payments p WHERE p.franchiser_id = $1 AND p.surplus
			AND (SELECT count(*) FROM refunds r WHERE r.payment_id = p.id AND r.reason = 'surplus') <> 1 HAVING count(*) > 0`,
		"an order applies to what it was priced for": `SELECT count(*) FROM orders WHERE franchiser_id = $1 AND state = 'paid'
			GROUP BY base_revision HAVING count(*) > 1`,
		"terms do not overlap": `SELECT count(*) FROM terms a JOIN terms b ON b.franchiser_id = a.franchiser_id AND b.id <> a.id
			AND b.starts_on >= a.starts_on AND b.starts_on < a.renew_on AND a.status <> 'replaced' AND b.status <> 'replaced'
			WHERE a.franchiser_id = $1 HAVING count(*) > 0`,
		"dates follow the terms": `SELECT count(*) FROM subscriptions s WHERE s.franchiser_id = $1 AND s.paid_until <>
			(SELECT max(t.renew_on) FROM terms t WHERE t.subscription_id = s.id AND t.status <> 'replaced') HAVING count(*) > 0`,
		"add-ons belong to the plan": `SELECT count(*) FROM subscription_add_ons a JOIN subscriptions s ON s.id = a.subscription_id
			JOIN plan_add_ons p ON p.id = a.add_on_id
			WHERE a.franchiser_id = $1 AND a.ended_on IS NULL AND a.next_billing_cycle_status = 1 AND s.state = 'active'
				AND s.paid_until = s.renew_on AND p.service_id <> s.service_id HAVING count(*) > 0`,
		"add-ons end within what is paid": `SELECT count(*) FROM subscription_add_ons a JOIN subscriptions s ON s.id = a.subscription_id
			WHERE a.franchiser_id = $1 AND a.ended_on IS NULL AND a.paid_until > s.paid_until HAVING count(*) > 0`,
	}
}

// hold checks the rules, and the state of the subscription against the calendar.
func (h *history) hold(t *rapid.T) {
	for name, query := range rules() {
		var broken []int
		require.NoError(t, h.db.Owner.Select(&broken, query, h.customer), name)
		require.Empty(t, broken, name)
	}
	var s []struct {
		State   subscription.State `db:"state"`
		RenewOn subscription.Day   `db:"renew_on"`
		Expired subscription.Day   `db:"expired_on"`
	}
	require.NoError(t, h.db.Owner.Select(&s, `SELECT state, renew_on, expired_on FROM subscriptions WHERE franchiser_id = $1`, h.customer))
	if len(s) == 0 {
		return
	}
	today := subscription.DayOf(h.clock.Now())
	switch s[0].State {
	case subscription.StateTrialing, subscription.StateActive:
		require.Less(t, today, s[0].RenewOn)
	case subscription.StateGrace:
		require.True(t, today >= s[0].RenewOn && today < s[0].RenewOn+subscription.GraceDays)
	case subscription.StateExpired:
		require.True(t, today >= s[0].Expired && today < s[0].Expired+subscription.LapseDays)
	case subscription.StateLapsed:
		require.GreaterOrEqual(t, today, s[0].Expired+subscription.LapseDays)
	}
}

// refusals are what a customer may be told; anything else is a fault.
func refused(err error) bool {
	kind := errs.KindOf(err)
	return kind == errs.KindConflict || kind == errs.KindInvalid || kind == errs.KindNotFound
}

func (h *history) ask(t *rapid.T, w subscription.Wish) {
	r, err := h.request(h.customer, w)
	if err != nil {
		require.True(t, refused(err), "%v", err)
		return
	}
	if r.Session != nil {
		h.sessions = append(h.sessions, r)
	}
}

func (h *history) buy(t *rapid.T) {
	tier := rapid.SampledFrom(rapid.SampledFrom(h.catalog.Plans).Draw(t, "plan").Tiers).Draw(t, "tier")
	var addOns []string
	for _, a := range tier.AddOns {
		if rapid.IntRange(0, 3).Draw(t, "add-on") == 0 {
			addOns = append(addOns, a.ID)
		}
	}
	h.ask(t, buy(tier, rapid.SampledFrom([]plan.Type{plan.TypeMonthly, plan.TypeMonthly, plan.TypeYearly}).Draw(t, "type"), addOns...))
}

// subscriptionID is the customer's, or one that does not exist.
func (h *history) subscriptionID() string {
	var ids []string
	require.NoError(h.t, h.db.Owner.Select(&ids, `SELECT id FROM subscriptions WHERE franchiser_id = $1`, h.customer))
	return append(ids, "00000000-0000-7000-8000-000000000000")[0]
}

func (h *history) renew(t *rapid.T) { h.ask(t, subscriptionWish(h.subscriptionID())) }

func (h *history) extend(t *rapid.T) {
	var keys []string
	require.NoError(t, h.db.Owner.Select(&keys, `SELECT a.id FROM plan_add_ons a JOIN subscriptions s ON s.service_id = a.service_id
		WHERE s.franchiser_id = $1 ORDER BY a.key`, h.customer))
	if len(keys) == 0 {
		return
	}
	h.ask(t, subscription.Wish{SubscriptionID: h.subscriptionID(), AddOnIDs: []string{rapid.SampledFrom(keys).Draw(t, "key")}})
}

// decide lets the gateway settle any session of the past, in any way, and tells of it once, twice or not at all.
func (h *history) decide(t *rapid.T) {
	if len(h.sessions) == 0 {
		return
	}
	r := rapid.SampledFrom(h.sessions).Draw(t, "session")
	status := rapid.SampledFrom([]payment.Status{
		payment.StatusPaid, payment.StatusPaid, payment.StatusPaid, payment.StatusFailed, payment.StatusPending,
	}).Draw(t, "status")
	amount := r.Amount
	if rapid.IntRange(0, 19).Draw(t, "wrong") == 0 {
		amount--
	}
	h.gateway.decide(r.TransactionID, status, amount)
	for range rapid.IntRange(0, 2).Draw(t, "notices") {
		_, err := h.api.Returned(context.Background(), h.gateway.notice(r.TransactionID))
		require.NoError(t, err)
	}
	h.work()
	if rapid.Bool().Draw(t, "again") { // a job that was killed after its effect runs once more
		paymentID := h.text(`SELECT id FROM payments WHERE transaction_id = $1`, r.TransactionID)
		require.NoError(t, h.worker.Verify(context.Background(), payment.VerifyArgs{PaymentID: paymentID, Event: "again"}))
		h.work()
	}
}

// toggle cancels or reactivates any add-on that was ever owned.
func (h *history) toggle(t *rapid.T) {
	var owned []string
	require.NoError(t, h.db.Owner.Select(&owned, `SELECT id FROM subscription_add_ons WHERE franchiser_id = $1 ORDER BY id`, h.customer))
	if len(owned) == 0 {
		return
	}
	_, err := h.subs.SetAddOn(context.Background(), h.customer, rapid.SampledFrom(owned).Draw(t, "owned"), rapid.Bool().Draw(t, "renews"))
	require.True(t, err == nil || refused(err), "%v", err)
}

// giveBack refunds a part of any payment that was received.
func (h *history) giveBack(t *rapid.T) {
	var paid []string
	require.NoError(t, h.db.Owner.Select(&paid, `SELECT id FROM payments WHERE franchiser_id = $1 ORDER BY id`, h.customer))
	if len(paid) == 0 {
		return
	}
	err := h.bundle.giveBack(rapid.SampledFrom(paid).Draw(t, "payment"), 100)
	require.True(t, err == nil || errors.Is(err, payment.ErrNotRefundable) || errors.Is(err, payment.ErrRefundTooMuch), "%v", err)
}

// jump lets days pass, with sweeps at their end only: nobody worked meanwhile.
func (h *history) jump(t *rapid.T) {
	h.live(rapid.SampledFrom([]int{0, 1, 3, 8, 20, 31, 100}).Draw(t, "days"))
}

// restart loses every job that waited, as a flushed queue would; the hourly sweep has to find what they were for.
func (h *history) restart(t *rapid.T) {
	_, err := h.db.Owner.Exec(`DELETE FROM river_job WHERE kind = 'verify_payment'`)
	require.NoError(t, err)
	h.clock.Advance(time.Hour)
	require.NoError(t, h.worker.Sweep(context.Background()))
	h.work()
	h.sweep()
}

func TestRandomHistoriesKeepTheRulesAndTheBooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rapid.Check(t, func(t *rapid.T) {
		h := &history{bundle: b, customer: b.franchiser(rapid.SampledFrom([]string{"27", "29", "04"}).Draw(t, "state"))}
		if rapid.Bool().Draw(t, "trial") {
			require.NoError(t, b.trial(h.customer))
		}
		h.buy(t)
		steps := []func(*rapid.T){
			h.buy, h.renew, h.renew, h.extend, h.decide, h.decide, h.decide, h.toggle, h.giveBack, h.jump, h.jump, h.restart,
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			rapid.SampledFrom(steps).Draw(t, "step")(t)
			h.hold(t)
		}
		report, err := b.ledger.Verify(context.Background())
		require.NoError(t, err)
		require.Empty(t, report.Findings)
	})
}
