package main

import (
	"context"
	"fmt"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// renewers is the most customers whose renewals are debited: each of their days is lived step by step.
const renewers = 25

// renewals simulates a last year in which monthly plans renew by mandate, day by day.
func (l *life) renewals(ctx context.Context) error {
	for l.world.Catalogue.Plans[0].Tiers[0].Monthly > 9_000*money.Rupee { // what is debited without an approval, with room to rise
		if err := l.world.Reprice(ctx, l.db.Worker, -1500); err != nil {
			return fmt.Errorf("new prices: %w", err)
		}
	}
	var all []*world.Renewer
	for i := range min(l.tenants, renewers) {
		r, err := l.world.NewRenewer(ctx, newDice(l.seed, worldStream+1+uint64(i)))
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	for month := l.years*12 + 1; month <= l.years*12+12; month++ {
		if err := l.world.LiveRenewals(ctx, all, 30, l.dice); err != nil {
			return fmt.Errorf("month %d, of renewals by mandate: %w", month, err)
		}
		if err := l.settle(ctx); err != nil {
			return fmt.Errorf("month %d, of renewals by mandate: %w", month, err)
		}
		if err := l.check(ctx, month); err != nil {
			return fmt.Errorf("month %d, of renewals by mandate: %w", month, err)
		}
		if err := l.world.Reprice(ctx, l.db.Worker, int64(l.dice.Int(300))-100); err != nil {
			return fmt.Errorf("new prices: %w", err)
		}
	}
	fmt.Fprintf(l.out, "renewals by mandate: %d customers, 12 months, %d debits asked for, none twice, after a stop, without a day's notice or in closed hours\n",
		len(all), len(l.world.Mandates.Debits()))
	return nil
}
