package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

const (
	// renewalsMeasured of renewalsDue mandates are debited in earnest; the rest is the same work again, at the same pace.
	renewalsMeasured = 400
	renewalsDue      = 100_000
	// gatewayTakes is how long the gateway takes for each answer.
	gatewayTakes = 300 * time.Millisecond
)

// renewalsByMandate measures how long one worker takes to notice, and then to debit, the mandates that are due on one day, and says how
// long 100,000 would take at that pace. UPI is open from midnight to 10:00, and debits are due from 06:00.
func renewalsByMandate(ctx context.Context, s stack) (result, error) {
	x, err := openScratch(ctx, s)
	if err != nil {
		return result{}, err
	}
	defer x.end()
	w, err := world.New(ctx, world.Databases{Owner: x.Owner, API: x.API, Worker: x.Worker}, time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST),
		slog.New(slog.DiscardHandler))
	if err != nil {
		return result{}, fmt.Errorf("begin a world: %w", err)
	}
	if err := mandated(ctx, w); err != nil {
		return result{}, err
	}
	w.Gateway.Takes = gatewayTakes
	noticed, err := runsFor(ctx, w, time.Date(2026, time.November, 28, 6, 1, 0, 0, clock.IST), "noticed")
	if err != nil {
		return result{}, err
	}
	debited, err := runsFor(ctx, w, time.Date(2026, time.December, 1, 6, 1, 0, 0, clock.IST), "paid")
	if err != nil {
		return result{}, err
	}
	if broken := w.Mandates.Broken(); len(broken) > 0 {
		return result{}, fmt.Errorf("a debit that must not be: %s", broken[0])
	}
	all := func(took time.Duration) time.Duration {
		return (took * renewalsDue / renewalsMeasured).Round(time.Minute)
	}
	open := 4 * time.Hour
	return result{
		Ours: all(debited).String(), Limit: open.String(), Ratio: fmt.Sprintf("%.2f", all(debited).Seconds()/open.Seconds()), Wanted: "debited by 10:00",
		Met: all(debited) < open && all(noticed) < 24*time.Hour,
		Note: fmt.Sprintf("%d of %d mandates: noticed in %s, debited in %s, extrapolated to %s and %s; an answer takes %s", renewalsMeasured, renewalsDue,
			noticed.Round(time.Second), debited.Round(time.Second), all(noticed), all(debited), gatewayTakes),
	}, nil
}

// mandated adds customers of monthly plans with mandates, all due on the same day.
func mandated(ctx context.Context, w *world.World) error {
	var all errgroup.Group
	all.SetLimit(4)
	for range renewalsMeasured {
		all.Go(func() error {
			_, err := w.NewRenewer(ctx, first{})
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return fmt.Errorf("add customers: %w", err)
	}
	_, err := w.Owner.ExecContext(ctx, `INSERT INTO mandates (id, franchiser_id, subscription_id, gateway, method, state, transaction_id,
		provider_mandate_id, cap_paise, yearly, ends_on, consent_version, consent_text, consented_at, plan_at, created_at, active_at)
		SELECT uuidv7(), franchiser_id, id, $1, 'upi', 'active', 'BENCH' || row_number() OVER (), 'MB' || row_number() OVER (), $2, false,
			'2036-11-01', '1', 'bench', $3, $3, $3, $3 FROM subscriptions`, world.GatewayName, int64(mandate.AFALimit), w.Clock.Now())
	if err != nil {
		return fmt.Errorf("add mandates: %w", err)
	}
	for i := range renewalsMeasured {
		w.Mandates.SetState(fmt.Sprintf("MB%d", i+1), mandate.ProviderActive)
	}
	w.Clock.Set(time.Date(2026, time.November, 25, 12, 0, 0, 0, clock.IST))
	if _, err := w.WorkerMandates.Run(ctx); err != nil {
		return fmt.Errorf("announce the debits: %w", err)
	}
	return nil
}

// first makes the first choice of all.
type first struct{}

// Int returns 0.
func (first) Int(int) int { return 0 }

// runsFor runs the worker's sweep at a moment, and returns how long it took to bring every debit into a state.
func runsFor(ctx context.Context, w *world.World, at time.Time, state string) (time.Duration, error) {
	w.Clock.Set(at)
	begun := time.Now()
	if _, err := w.WorkerMandates.Run(ctx); err != nil {
		return 0, fmt.Errorf("run: %w", err)
	}
	took := time.Since(begun)
	var n int
	if err := w.Owner.GetContext(ctx, &n, `SELECT count(*) FROM mandate_debits WHERE state = $1`, state); err != nil {
		return 0, fmt.Errorf("count debits: %w", err)
	}
	if n != renewalsMeasured {
		return 0, fmt.Errorf("%d of %d debits are %s", n, renewalsMeasured, state)
	}
	return took, nil
}
