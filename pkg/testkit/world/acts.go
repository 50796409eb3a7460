package world

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// act is an action that staff requested and that is not approved yet: the plan is cancelled, or switched if how is set.
type act struct {
	sel    subscription.Selection
	how    subscription.Settlement
	day    subscription.Day
	amount money.Paise
}

// askAct has staff request the plan's cancellation, or a switch with the first settlement that is not refused. It forgets the earlier
// request. A customer without a plan buys one first.
func (c *Customer) askAct(ctx context.Context) error {
	known := len(c.sessions)
	if err := c.begin(ctx); err != nil {
		return err
	}
	if err := c.payNewest(ctx, known); err != nil {
		return err
	}
	types, err := c.list(ctx, `SELECT plan_type FROM subscriptions WHERE franchiser_id = $1`)
	if err != nil {
		return err
	}
	ways := []act{{}} // cancelled
	if c.choose.Int(4) < 3 {
		ways = nil
		tier := pick(c.choose, pick(c.choose, c.w.Catalogue.Plans).Tiers)
		sel := subscription.Selection{ServiceID: tier.ID, Type: plan.Type(pick(c.choose, append(types, "monthly")))}
		for _, one := range tier.AddOns {
			if c.choose.Int(4) == 3 {
				sel.AddOnIDs = append(sel.AddOnIDs, one.ID)
			}
		}
		for _, how := range []subscription.Settlement{subscription.SettleRefund, subscription.SettleGoodwill, subscription.SettlePay, subscription.SettleRenewal} {
			ways = append(ways, act{sel: sel, how: how})
		}
		if c.choose.Int(3) == 2 {
			ways = ways[2:]
		}
	}
	return c.askOneOf(ctx, ways)
}

// regretUpgrade buys twice on one day, so that the first payment pays for a part of an upgrade, and has staff cancel it or switch it to a
// cheaper plan at once.
func (c *Customer) regretUpgrade(ctx context.Context) error {
	for range 2 {
		known := len(c.sessions)
		if err := c.buy(ctx); err != nil {
			return err
		}
		if err := c.payNewest(ctx, known); err != nil {
			return err
		}
	}
	types, err := c.list(ctx, `SELECT plan_type FROM subscriptions WHERE franchiser_id = $1`)
	if err != nil || len(types) == 0 {
		return err
	}
	ways := []act{{}}
	if c.choose.Int(2) == 1 {
		tier := pick(c.choose, c.w.Catalogue.Plans[0].Tiers)
		ways = []act{{sel: subscription.Selection{ServiceID: tier.ID, Type: plan.Type(types[0])}, how: subscription.SettleRefund}, {}}
	}
	return c.askOneOf(ctx, ways)
}

func (c *Customer) askOneOf(ctx context.Context, ways []act) error {
	for _, a := range ways {
		a.day = subscription.DayOf(c.w.Clock.Now())
		err := c.inWorker(ctx, func(tx *sqlx.Tx) error {
			if a.how == "" {
				would, err := c.w.Worker.Acts.CancellationTx(ctx, tx, c.ID, a.day)
				a.amount = would.Total()
				return err
			}
			would, err := c.w.Worker.Acts.PlanSwitchTx(ctx, tx, c.ID, a.sel, a.how, a.day, c.w.Clock.Now())
			a.amount = would.Amount()
			return err
		})
		if err == nil {
			c.asked = &a
			if c.choose.Int(2) == 1 {
				return nil // it waits for a second person, while life goes on
			}
			return c.performAct(ctx)
		}
		if err := c.refused(err); err != nil {
			return err
		}
	}
	return nil
}

// performAct performs the requested action, as a worker does after its approval.
func (c *Customer) performAct(ctx context.Context) error {
	if c.asked == nil {
		return nil
	}
	a := *c.asked
	c.asked = nil
	err := c.inWorker(ctx, func(tx *sqlx.Tx) error {
		if a.how == "" {
			_, err := c.w.Worker.Acts.CancelTx(ctx, tx, c.ID, a.day, a.amount, "as agreed", c.w.Clock.Now())
			return err
		}
		_, _, err := c.w.Worker.Acts.SwitchPlanTx(ctx, tx, c.ID, a.sel, a.how, a.day, a.amount, "as agreed", c.w.Clock.Now())
		return err
	})
	if err != nil {
		return c.refused(err)
	}
	return c.w.Work(ctx, c.ID)
}

func (c *Customer) inWorker(ctx context.Context, do func(tx *sqlx.Tx) error) error {
	return postgres.InTenantTx(ctx, c.w.worker.DB, c.ID, do)
}
