package world

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// act is what staff asked for and nobody has approved yet: the plan is cancelled, or switched where how is set.
type act struct {
	sel    subscription.Selection
	how    subscription.Settlement
	day    subscription.Day
	amount money.Paise
}

// askAct has staff ask for the plan to be cancelled, or switched in any of the ways in which that is settled; what they asked for before
// is forgotten.
func (c *Customer) askAct(ctx context.Context) error {
	a := act{day: subscription.DayOf(c.w.Clock.Now())}
	if c.choose.Int(3) > 0 {
		tier := pick(c.choose, pick(c.choose, c.w.Catalogue.Plans).Tiers)
		a.sel = subscription.Selection{ServiceID: tier.ID, Type: pick(c.choose, []plan.Type{plan.TypeMonthly, plan.TypeMonthly, plan.TypeYearly})}
		for _, one := range tier.AddOns {
			if c.choose.Int(4) == 3 {
				a.sel.AddOnIDs = append(a.sel.AddOnIDs, one.ID)
			}
		}
		a.how = pick(c.choose, []subscription.Settlement{
			subscription.SettleRefund, subscription.SettleRefund, subscription.SettleGoodwill, subscription.SettlePay, subscription.SettleRenewal,
		})
	}
	err := c.inWorker(ctx, func(tx *sqlx.Tx) error {
		if a.how == "" {
			would, err := c.w.Worker.CancellationTx(ctx, tx, c.ID, a.day)
			a.amount = would.Total()
			return err
		}
		would, err := c.w.Worker.PlanSwitchTx(ctx, tx, c.ID, a.sel, a.how, a.day, c.w.Clock.Now())
		a.amount = would.Amount()
		return err
	})
	if err != nil {
		return c.refused(err)
	}
	c.asked = &a
	if c.choose.Int(2) == 1 {
		return nil // it waits for a second person, while life goes on
	}
	return c.performAct(ctx)
}

// performAct does what staff asked for, as a worker does once it is approved.
func (c *Customer) performAct(ctx context.Context) error {
	if c.asked == nil {
		return nil
	}
	a := *c.asked
	c.asked = nil
	err := c.inWorker(ctx, func(tx *sqlx.Tx) error {
		if a.how == "" {
			return c.w.Worker.CancelTx(ctx, tx, c.ID, a.day, a.amount, "as agreed", c.w.Clock.Now())
		}
		_, _, err := c.w.Worker.SwitchPlanTx(ctx, tx, c.ID, a.sel, a.how, a.day, a.amount, "as agreed", c.w.Clock.Now())
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
