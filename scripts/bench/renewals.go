package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

const (
	// renewalsDue debits are due at the same time. The first renewalsMeasured of them are made in earnest, in the time that it takes; how
	// long the others take is extrapolated, as they need the same requests at the same pace.
	renewalsDue      = 100_000
	renewalsMeasured = 2_000
	// gatewayTakes is the gateway's response time, by the machine's clock.
	gatewayTakes = 300 * time.Millisecond
	// asksASecond is the limit of requests to a gateway (perSecond of pkg/platform/config).
	asksASecond = 50
)

// renewalsByMandate measures how fast one worker notices, and three days later debits, the mandates that are due at six in the morning,
// and says how long 100,000 take at that pace. UPI is open from midnight to 10:00.
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
	if err := paced(w, x); err != nil {
		return result{}, err
	}
	if err := x.fill(ctx, othersPlannedSQL()); err != nil {
		return result{}, err
	}
	noticed, err := runsFor(ctx, w, time.Date(2026, time.November, 28, 6, 1, 0, 0, clock.IST), "noticed")
	if err != nil {
		return result{}, err
	}
	if err := x.fill(ctx, othersNoticedSQL); err != nil {
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
		Met: all(debited) < open && all(noticed) < open,
		Note: fmt.Sprintf("measured: notices for the first %d of %d due renewals took %s, debits %s; extrapolated for all: %s and %s. "+
			"A gateway call takes %s; a notice needs two calls, a debit four, at most %d calls a second",
			renewalsMeasured, renewalsDue, noticed.Round(time.Second), debited.Round(time.Second), all(noticed), all(debited), gatewayTakes, asksASecond),
	}, nil
}

// paced limits the worker's requests to the gateway as in production.
func paced(w *world.World, x *scratch) error {
	logger := slog.New(slog.DiscardHandler)
	jobs, err := queue.NewInserter(x.Worker, logger)
	if err != nil {
		return err
	}
	settings := mandate.DefaultSettings()
	settings.PerSecond = map[string]int{world.GatewayName: asksASecond}
	w.WorkerMandates = mandate.NewService(mandate.Options{
		DB: x.Worker, Jobs: jobs, Clock: w.Clock, Gateways: []mandate.Gateway{w.Mandates}, Checkout: w.Worker.Checkout, Captures: w.Worker.Captures,
		Subscriptions: w.WorkerSubs, Settings: settings, Email: true, Logger: logger,
	})
	return nil
}

// othersPlannedSQL adds the due debits that are not measured, behind the measured ones. They have no customer: the run ends before their
// turn.
func othersPlannedSQL() string {
	return fmt.Sprintf(`INSERT INTO mandate_debits (id, franchiser_id, mandate_id, subscription_id, renew_on, number, state,
		amount_paise, debit_at, next_at, notice_token, created_at)
	SELECT uuidv7(), uuidv7(), uuidv7(), uuidv7(), d.renew_on, 1, 'planned', d.amount_paise, d.debit_at, d.next_at + interval '1 second',
		'OTHER' || n, d.created_at
	FROM generate_series(1, %d) n, (SELECT * FROM mandate_debits LIMIT 1) d`, renewalsDue-renewalsMeasured)
}

const othersNoticedSQL = `UPDATE mandate_debits SET state = 'noticed', order_id = uuidv7(), noticed_at = debit_at - interval '3 days',
	next_at = debit_at + interval '1 second' WHERE notice_token LIKE 'OTHER%'`

// mandated adds customers of monthly plans with mandates, all due on the same day.
func mandated(ctx context.Context, w *world.World) error {
	var all errgroup.Group
	all.SetLimit(8)
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
		provider_mandate_id, cap_paise, agreed_cap_paise, yearly, ends_on, agreed_ends_on, consent_version, consent_text, consented_at, plan_at, created_at, active_at)
		SELECT uuidv7(), franchiser_id, id, $1, 'upi', 'active', 'BENCH' || row_number() OVER (), 'MB' || row_number() OVER (), $2, $2, false,
			'2036-11-01', '2036-11-01', '1', 'bench', $3, $3, $3, $3 FROM subscriptions`, world.GatewayName, int64(mandate.AFALimit), w.Clock.Now())
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

// runsFor runs the worker's sweep at a moment, and returns how long it took to bring every measured debit into a state.
func runsFor(ctx context.Context, w *world.World, at time.Time, state string) (time.Duration, error) {
	w.Clock.Set(at)
	running, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	begun := time.Now()
	go func() {
		_, err := w.WorkerMandates.Run(running)
		ended <- err
	}()
	for tick := time.NewTicker(250 * time.Millisecond); ; {
		var n int
		if err := w.Owner.GetContext(ctx, &n, `SELECT count(*) FROM mandate_debits WHERE state = $1 AND notice_token NOT LIKE 'OTHER%'`, state); err != nil {
			return 0, fmt.Errorf("count debits: %w", err)
		}
		if n == renewalsMeasured {
			took := time.Since(begun)
			stop()
			if err := <-ended; err != nil && running.Err() == nil {
				return 0, err
			}
			return took, nil
		}
		select {
		case err := <-ended:
			return 0, fmt.Errorf("%d of %d debits are %s, and the sweep is over: %w", n, renewalsMeasured, state, errors.Join(errors.New("it ended early"), err))
		case <-tick.C:
		}
	}
}
