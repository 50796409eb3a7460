package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// The default numbers of subscriptions, and of due ones among them.
const (
	sweepRows   = 1_000_000
	sweepDue    = 20_000
	sweepRounds = 3
)

const fillSubscriptionsSQL = `
	INSERT INTO subscriptions (id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id, plan_type, anchor_day,
		starts_on, renew_on, paid_until, due_on, created_at, updated_at)
	SELECT uuidv7(), uuidv7(), 'active', 1, 1, s.plan_id, s.id, 'monthly', 1, '2026-10-01', '2027-11-01', '2027-11-01',
		'2027-11-01', now(), now()
	FROM (SELECT id, plan_id FROM plan_services LIMIT 1) s, generate_series(1, %d)`

// The due rows are spread evenly over the table, as in practice.
const makeDueSQL = `
	UPDATE subscriptions SET state = 'active', renew_on = '2026-11-01', paid_until = '2026-11-01', due_on = '2026-11-01'
	WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM subscriptions) x WHERE n %% %d = 0 LIMIT %d)`

const resetDueSQL = `
	UPDATE subscriptions SET state = 'active', due_on = '2026-11-01', expired_on = NULL WHERE renew_on = '2026-11-01' AND state IN ('active', 'grace')`

// sweepLimitSQL is the least the sweep must do: one set-based statement and the history row.
const sweepLimitSQL = `
	WITH moved AS (
		UPDATE subscriptions SET state = 'grace', due_on = renew_on + 7, updated_at = now() WHERE due_on <= '2026-11-02'
		RETURNING id, franchiser_id
	)
	INSERT INTO subscription_events (franchiser_id, subscription_id, at, kind, from_state, to_state)
	SELECT franchiser_id, id, now(), 'grace', 'active', 'grace' FROM moved`

// sweepRate compares the sweep over due rows with a single statement over the same rows.
func sweepRate(ctx context.Context, s stack) (result, error) {
	x, err := openScratch(ctx, s)
	if err != nil {
		return result{}, err
	}
	defer x.end()
	if err := x.fillDue(ctx, sweepRows); err != nil {
		return result{}, err
	}
	var ours, limit []float64
	for range sweepRounds {
		took, err := x.sweep(ctx, sweepDue)
		if err != nil {
			return result{}, err
		}
		ours = append(ours, sweepDue/took.Seconds())
		if took, err = x.once(ctx, sweepLimitSQL); err != nil {
			return result{}, err
		}
		limit = append(limit, sweepDue/took.Seconds())
	}
	return compare(ours, limit, 0.6), nil
}

// sweepGrowth compares the sweep of the same number of due rows in a table and in one ten times as large.
func sweepGrowth(ctx context.Context, s stack) (result, error) {
	var times [2][]float64
	var tables [2]*scratch
	for i, rows := range []int{s.rows / 10, s.rows} {
		x, err := openScratch(ctx, s)
		if err != nil {
			return result{}, err
		}
		defer x.end()
		if err := x.fillDue(ctx, rows); err != nil {
			return result{}, err
		}
		tables[i] = x
	}
	for range sweepRounds {
		for i, x := range tables {
			took, err := x.sweep(ctx, sweepDue)
			if err != nil {
				return result{}, err
			}
			times[i] = append(times[i], took.Seconds()*1000)
		}
	}
	return atMost(times[1], times[0], 2, fmt.Sprintf("%d due of %d and of %d rows", sweepDue, s.rows, s.rows/10)), nil
}

func (x *scratch) fillDue(ctx context.Context, rows int) error {
	return x.fill(ctx, fmt.Sprintf(fillSubscriptionsSQL, rows), fmt.Sprintf(makeDueSQL, rows/sweepDue, sweepDue))
}

// sweep makes the rows due again and runs the worker's sweep over them.
func (x *scratch) sweep(ctx context.Context, due int) (time.Duration, error) {
	if _, err := x.Owner.ExecContext(ctx, resetDueSQL); err != nil {
		return 0, fmt.Errorf("make due: %w", err)
	}
	logger := slog.New(slog.DiscardHandler)
	today := clock.NewFake(time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST))
	billing, err := x.billing(x.Worker, today, logger)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	moved, err := billing.Subscriptions.Advance(ctx)
	took := time.Since(begun)
	if err == nil && moved != due {
		err = fmt.Errorf("moved %d of %d", moved, due)
	}
	return took, err
}

// once makes the rows due again and runs the statement over them.
func (x *scratch) once(ctx context.Context, sql string) (time.Duration, error) {
	if _, err := x.Owner.ExecContext(ctx, resetDueSQL); err != nil {
		return 0, fmt.Errorf("make due: %w", err)
	}
	begun := time.Now()
	_, err := x.Worker.ExecContext(ctx, sql)
	return time.Since(begun), err
}
