package world

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Step is one thing that can happen to a customer; Weight is its relative frequency.
type Step struct {
	Name   string
	Weight int
	Do     func(*Customer, context.Context) error
}

// Steps returns everything that can happen. None of them moves the clock.
func Steps() []Step {
	return []Step{
		{"buy", 3, (*Customer).buy},
		{"renew", 4, (*Customer).renew},
		{"extend", 2, (*Customer).extend},
		{"decide", 8, (*Customer).decide},
		{"pay what is due", 5, (*Customer).payDue},
		{"prepay another", 3, (*Customer).prepayAnother},
		{"pay twice", 1, (*Customer).payTwice},
		{"toggle", 2, (*Customer).toggle},
		{"give back", 1, (*Customer).giveBack},
		{"pay what is owed", 1, (*Customer).payOwed},
		{"gateway refund", 1, (*Customer).gatewayRefund},
		{"slow refund", 1, (*Customer).slowRefund},
		{"refund ends", 1, (*Customer).refundEnds},
		{"dispute", 1, (*Customer).dispute},
		{"forge", 2, (*Customer).forge},
		{"staff ask", 2, (*Customer).askAct},
		{"staff approve", 1, (*Customer).performAct},
		{"regret an upgrade", 1, (*Customer).regretUpgrade},
		{"more grace", 1, (*Customer).moreGrace},
		{"lose jobs", 1, (*Customer).loseJobs},
		{"lock the books", 1, (*Customer).lockBooks},
	}
}

// Step performs one step, chosen by weight, with all jobs that follow from it, and returns its name.
func (c *Customer) Step(ctx context.Context) (string, error) {
	total := 0
	for _, s := range Steps() {
		total += s.Weight
	}
	at := c.choose.Int(total)
	for _, s := range Steps() {
		if at -= s.Weight; at < 0 {
			if err := s.Do(c, ctx); err != nil {
				return s.Name, fmt.Errorf("%s: %w", s.Name, err)
			}
			return s.Name, nil
		}
	}
	return "", errors.New("no step")
}

func (c *Customer) buy(ctx context.Context) error {
	tier := pick(c.choose, pick(c.choose, c.w.Catalogue.Plans).Tiers)
	var addOns []string
	for _, a := range tier.AddOns {
		if c.choose.Int(4) == 3 {
			addOns = append(addOns, a.ID)
		}
	}
	return c.ask(ctx, Buy(tier, pick(c.choose, []plan.Type{plan.TypeMonthly, plan.TypeMonthly, plan.TypeYearly}), addOns...))
}

func (c *Customer) renew(ctx context.Context) error {
	sub, err := c.subscriptionID(ctx)
	if err != nil {
		return err
	}
	return c.ask(ctx, Renewal(sub))
}

// extend requests one more add-on for the running plan.
func (c *Customer) extend(ctx context.Context) error {
	ids, err := c.list(ctx, `SELECT a.id FROM plan_add_ons a JOIN subscriptions s ON s.service_id = a.service_id
		WHERE s.franchiser_id = $1 ORDER BY a.key`)
	if err != nil || len(ids) == 0 {
		return err
	}
	sub, err := c.subscriptionID(ctx)
	if err != nil {
		return err
	}
	return c.ask(ctx, subscription.PurchaseIntent{SubscriptionID: sub, AddOnIDs: []string{pick(c.choose, ids)}})
}

// decide lets the gateway settle any past charge, in any way except undoing a payment, and notify once, twice or not at
// all. A job killed after its effect runs once more.
func (c *Customer) decide(ctx context.Context) error {
	r, ok := c.session()
	if !ok {
		return nil
	}
	status := pick(c.choose, []payment.Status{
		payment.StatusPaid, payment.StatusPaid, payment.StatusPaid, payment.StatusFailed, payment.StatusPending,
	})
	amount := r.Amount
	if c.choose.Int(20) == 19 {
		amount--
	}
	if c.w.Gateway.Outcome(r.TransactionID).Status != payment.StatusPaid {
		c.w.Gateway.Decide(r.TransactionID, status, amount)
	}
	return c.settles(ctx, r, func() error { return c.deliverNotices(ctx, r) })
}

// deliverNotices delivers a transaction's notice twice, once or not at all, and may repeat a job of the newest payment.
func (c *Customer) deliverNotices(ctx context.Context, r checkout.Requested) error {
	for range c.choose.Int(3) {
		if err := c.notify(ctx, c.w.Gateway.Notice(r.TransactionID)); err != nil {
			return err
		}
	}
	if c.choose.Int(2) == 1 {
		ids, err := c.list(ctx, `SELECT id FROM payments WHERE franchiser_id = $1 ORDER BY created_at DESC LIMIT 1`)
		if err != nil {
			return err
		}
		if err := c.w.Worker.Captures.Verify(ctx, payment.VerifyArgs{PaymentID: ids[0], Event: "again"}); err != nil {
			return err
		}
	}
	return c.w.Work(ctx, c.ID)
}

// payDue renews the plan if it is due, or buys the smallest plan without one, and pays as most people do: immediately and with a webhook.
func (c *Customer) payDue(ctx context.Context) error {
	known := len(c.sessions)
	if err := c.renew(ctx); err != nil {
		return err
	}
	if len(c.sessions) == known {
		tier := c.w.Catalogue.Plans[0].Tiers[0]
		if err := c.ask(ctx, Buy(tier, pick(c.choose, []plan.Type{plan.TypeMonthly, plan.TypeYearly}))); err != nil {
			return err
		}
	}
	return c.payNewest(ctx, known)
}

// payNewest pays the newest charge, if there are more charges than known.
func (c *Customer) payNewest(ctx context.Context, known int) error {
	if len(c.sessions) == known {
		return nil
	}
	r := c.sessions[len(c.sessions)-1]
	if c.w.Gateway.Outcome(r.TransactionID).Status != payment.StatusPaid {
		c.w.Gateway.Decide(r.TransactionID, payment.StatusPaid, r.Amount)
	}
	return c.settles(ctx, r, func() error {
		if err := c.notify(ctx, c.w.Gateway.Notice(r.TransactionID)); err != nil {
			return err
		}
		return c.w.Work(ctx, c.ID)
	})
}

// prepayAnother schedules a smaller plan for the renewal, pays for that early, and requests an add-on immediately; each
// is paid or left for later. A customer without a plan buys one first.
func (c *Customer) prepayAnother(ctx context.Context) error {
	for _, ask := range []func(context.Context) error{c.begin, c.shrink, c.renew, c.extend} {
		known := len(c.sessions)
		if err := ask(ctx); err != nil {
			return err
		}
		if c.choose.Int(4) == 3 {
			return nil
		}
		if err := c.payNewest(ctx, known); err != nil {
			return err
		}
	}
	return nil
}

func (c *Customer) notify(ctx context.Context, p payment.Incoming) error {
	_, err := c.w.API.Notices.Returned(ctx, p)
	return err
}

// begin buys a monthly plan if no plan is running.
func (c *Customer) begin(ctx context.Context) error {
	running, err := c.list(ctx, `SELECT id FROM subscriptions WHERE franchiser_id = $1 AND state = 'active'`)
	if err != nil || len(running) > 0 {
		return err
	}
	return c.ask(ctx, Buy(pick(c.choose, c.w.Catalogue.Plans).Tiers[1+c.choose.Int(2)], plan.TypeMonthly))
}

// shrink requests a plan cheaper than the running one, which is scheduled for the renewal.
func (c *Customer) shrink(ctx context.Context) error {
	services, err := c.list(ctx, `SELECT service_id FROM subscriptions WHERE franchiser_id = $1`)
	if err != nil || len(services) == 0 {
		return err
	}
	current, _ := c.w.Catalogue.Tier(services[0])
	for _, p := range c.w.Catalogue.Plans {
		for _, t := range p.Tiers {
			if t.Yearly < current.Yearly && c.choose.Int(3) < 2 {
				return c.ask(ctx, Buy(t, pick(c.choose, []plan.Type{plan.TypeYearly, plan.TypeMonthly})))
			}
		}
	}
	return nil
}

// payTwice has the gateway capture a captured payment again.
func (c *Customer) payTwice(ctx context.Context) error {
	r, ok := c.session()
	if !ok || c.w.Gateway.Outcome(r.TransactionID).Status != payment.StatusPaid {
		return nil
	}
	first := c.w.Gateway.Outcome(r.TransactionID)
	c.w.Gateway.DecideAs(r.TransactionID, c.name("G2"), payment.StatusPaid, r.Amount)
	if err := c.notify(ctx, c.w.Gateway.Notice(r.TransactionID)); err != nil {
		return err
	}
	if err := c.w.Work(ctx, c.ID); err != nil {
		return err
	}
	ids, err := c.list(ctx, `SELECT gateway_payment_id FROM payments WHERE franchiser_id = $1 AND gateway_payment_id IS NOT NULL`)
	for _, known := range ids {
		if known == first.GatewayPaymentID { // ours stays the same, whichever the gateway names first
			c.w.Gateway.Change(r.TransactionID, func(o *payment.Outcome) { *o = first })
		}
	}
	return err
}

// toggle cancels or reactivates any add-on ever owned.
func (c *Customer) toggle(ctx context.Context) error {
	owned, err := c.list(ctx, `SELECT id FROM subscription_add_ons WHERE franchiser_id = $1 ORDER BY created_at, key, id`)
	if err != nil || len(owned) == 0 {
		return err
	}
	if _, err := c.w.APISubs.SetAddOn(ctx, c.ID, pick(c.choose, owned), c.choose.Int(2) == 1); err != nil {
		return c.refused(err)
	}
	return nil
}

// giveBack has staff reverse any payment, in any possible way, approved or declined by a second member of staff.
func (c *Customer) giveBack(ctx context.Context) error {
	payments, err := c.list(ctx, `SELECT id FROM payments WHERE franchiser_id = $1 ORDER BY created_at, id`)
	if err != nil || len(payments) == 0 {
		return err
	}
	in := reversal.Input{
		FranchiserID: c.ID, PaymentID: pick(c.choose, payments), Kind: reversal.KindRefund, Reason: "goodwill", Key: c.name("reversal"),
		Amount: pick(c.choose, []money.Paise{1, 100, 10_000 * money.Rupee, 0}),
	}
	switch c.choose.Int(4) {
	case 1:
		in.Kind, in.BankReference = reversal.KindCreditNote, c.name("UTR")
	case 2:
		in.Kind, in.Amount = reversal.KindRelease, 0
	}
	in.All = in.Amount == 0 && in.Kind != reversal.KindRelease
	in.KeepPlan = in.Kind != reversal.KindRelease && c.choose.Int(3) == 2
	asked, err := c.w.Reversals.Request(c.w.Asha.Sign(ctx), c.w.Asha, in)
	if err != nil {
		return c.refused(err)
	}
	if asked.State == approval.Waiting {
		decide := c.w.Reversals.Approve
		if c.choose.Int(4) == 3 {
			decide = c.w.Reversals.Decline
		}
		if _, err := decide(c.w.Ravi.Sign(ctx), c.w.Ravi, asked.ID, "looked at it"); err != nil {
			return err
		}
	}
	return c.w.Work(ctx, c.ID)
}

// payOwed has staff pay the debt of a failed refund by bank transfer.
func (c *Customer) payOwed(ctx context.Context) error {
	payments, err := c.list(ctx, `SELECT payment_id FROM refunds WHERE franchiser_id = $1 AND reason = 'surplus' AND state = 'failed'
		ORDER BY created_at, id`)
	if err != nil || len(payments) == 0 {
		return err
	}
	asked, err := c.w.Reversals.Request(c.w.Asha.Sign(ctx), c.w.Asha, reversal.Input{
		FranchiserID: c.ID, PaymentID: pick(c.choose, payments), Kind: reversal.KindBankTransfer, Reason: "the account is closed",
		BankReference: c.name("UTR"), Key: c.name("reversal"),
	})
	if err != nil {
		return c.refused(err)
	}
	if asked.State == approval.Waiting {
		if _, err := c.w.Reversals.Approve(c.w.Ravi.Sign(ctx), c.w.Ravi, asked.ID, "looked at it"); err != nil {
			return err
		}
	}
	return c.w.Work(ctx, c.ID)
}

// gatewayRefund makes a refund on the gateway's dashboard, of a little or of the whole remainder.
func (c *Customer) gatewayRefund(ctx context.Context) error {
	r, ok := c.session()
	if !ok {
		return nil
	}
	left, err := c.left(ctx, r)
	amount := pick(c.choose, []money.Paise{100, 100, left})
	if err != nil || left < 1 || left < amount {
		return err
	}
	if err := c.w.API.Notices.Notified(ctx, GatewayName, c.w.Gateway.RefundNotice(r.TransactionID, c.name("RG"), amount)); err != nil {
		return err
	}
	return c.w.Work(ctx, c.ID)
}

// slowRefund has staff refund a little of a charge, which the gateway deducts from its next payout and completes later.
func (c *Customer) slowRefund(ctx context.Context) error {
	r, ok := c.session()
	if !ok {
		return nil
	}
	ids, err := c.list(ctx, `SELECT id FROM payments WHERE franchiser_id = $1 AND transaction_id = '`+r.TransactionID+`'`)
	if err != nil || len(ids) == 0 {
		return err
	}
	c.w.Gateway.SlowRefunds(r.TransactionID)
	_, err = c.w.Reversals.RequestRefund(c.w.Asha.Sign(ctx), c.w.Asha, c.ID, ids[0], pick(c.choose, []money.Paise{100, 500 * money.Rupee}), "goodwill", c.name("slow"))
	if err != nil {
		return c.refused(err)
	}
	return c.w.Work(ctx, c.ID)
}

// refundEnds completes a slow refund, or fails it, which pays it out to us again.
func (c *Customer) refundEnds(ctx context.Context) error {
	sent, err := c.list(ctx, `SELECT id::text || ' ' || gateway_refund_id FROM refunds WHERE franchiser_id = $1 AND state = 'sent' ORDER BY created_at, id`)
	if err != nil || len(sent) == 0 {
		return err
	}
	refundID, name, _ := strings.Cut(pick(c.choose, sent), " ")
	o := payment.RefundOutcome{RefundID: name, Done: c.choose.Int(4) != 3}
	if !o.Done {
		o.Failed, o.Reason = true, "The account is closed"
	}
	c.w.Gateway.EndRefund(o)
	if err := c.w.Worker.Refunds.Send(ctx, refundID); err != nil {
		return err
	}
	return c.w.Work(ctx, c.ID)
}

// left returns how much of the charge neither the gateway nor the books have refunded.
func (c *Customer) left(ctx context.Context, r checkout.Requested) (money.Paise, error) {
	var left money.Paise
	err := c.w.Owner.GetContext(ctx, &left, `SELECT coalesce(max(p.captured_paise - coalesce((SELECT sum(f.amount_paise) FROM refunds f
		WHERE f.payment_id = p.id AND f.gateway_payment_id = p.gateway_payment_id AND f.state <> 'failed'), 0)), 0)::bigint
		FROM payments p WHERE p.transaction_id = $1 AND p.state IN ('paid', 'refunded')`, r.TransactionID)
	if err != nil {
		return 0, fmt.Errorf("ask what is left: %w", err)
	}
	return min(left, c.w.Gateway.Left(r.TransactionID)), nil
}

// dispute lets a customer's bank reclaim the money, with any outcome.
func (c *Customer) dispute(ctx context.Context) error {
	r, ok := c.session()
	if !ok || c.w.Gateway.Outcome(r.TransactionID).Status != payment.StatusPaid {
		return nil
	}
	o := payment.DisputeOutcome{
		State:  pick(c.choose, []payment.DisputeState{payment.DisputeOpen, payment.DisputeWon, payment.DisputeLost, payment.DisputeLost}),
		Amount: c.w.Gateway.Outcome(r.TransactionID).Amount,
	}
	if c.choose.Int(4) == 3 {
		o.Amount /= 2
	}
	if err := c.notify(ctx, c.w.Gateway.DisputeNotice(r.TransactionID, c.name("D"), o)); err != nil {
		return err
	}
	return c.w.Work(ctx, c.ID)
}

func (c *Customer) moreGrace(ctx context.Context) error {
	if _, err := c.w.Grace.ExtendGrace(c.w.Asha.Sign(ctx), c.w.Asha, c.ID, 1+c.choose.Int(10), "the bank is slow"); err != nil {
		return c.refused(err)
	}
	return nil
}

// loseJobs deletes every pending check of the customer's payments, as a flushed queue would; the hourly sweep must find the payments.
func (c *Customer) loseJobs(ctx context.Context) error {
	_, err := c.w.Owner.ExecContext(ctx, `DELETE FROM river_job WHERE kind = 'verify_payment' AND metadata ->> 'franchiser_id' = $1`, c.ID)
	return err
}
