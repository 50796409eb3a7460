package mandate

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/log"
)

const (
	// lease is how long a worker owns a step that it took.
	lease = 5 * time.Minute
	// takeAtOnce is the largest batch of steps; atOnce is how many of them call a gateway at the same time.
	takeAtOnce, atOnce = 200, 20
	// again is the delay before a step is retried that failed or waits for something else.
	again = time.Hour
)

// Run runs every due step and returns their number. It logs failed steps and retries them after the lease. It stops when the context
// ends.
func (s *Service) Run(ctx context.Context) (int, error) {
	if !s.Offered() {
		return 0, nil
	}
	total, err := s.paidLate(ctx)
	if err != nil {
		return total, err
	}
	for _, sweep := range []func(context.Context) (int, error){
		func(ctx context.Context) (int, error) { return each(ctx, s, takePollsSQL, s.poll) },
		func(ctx context.Context) (int, error) { return each(ctx, s, takePlansSQL, s.plan) },
		func(ctx context.Context) (int, error) { return each(ctx, s, takeDebitsSQL, s.step) },
	} {
		n, err := sweep(ctx)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// paidLate marks failed debits as paid if their payment was captured later, including those of ended mandates. The next run retries a
// debit that this run could not update.
func (s *Service) paidLate(ctx context.Context) (int, error) {
	list, err := s.store.paidLate(ctx, s.db, s.clock.Now().Add(-lateFor))
	if err != nil {
		return 0, err
	}
	for _, m := range list {
		err := s.locked(ctx, m, func(tx *sqlx.Tx, m Mandate, now time.Time) error { return s.paidAfterAllTx(ctx, tx, m, now) })
		if err != nil {
			s.logger.WarnContext(ctx, "a debit that was paid late is not taken over", slog.String("mandate", m.ID), log.Error(err))
		}
	}
	return len(list), nil
}

// each takes due rows in batches and works on several at once, within each gateway's rate limit.
func each[T any](ctx context.Context, s *Service, query string, work func(context.Context, T) error) (int, error) {
	total := 0
	for ctx.Err() == nil {
		rows, err := take[T](ctx, s.db, query, s.clock.Now(), StepsAtOnce(s.gateways))
		if err != nil || len(rows) == 0 {
			return total, err
		}
		total += len(rows)
		var working sync.WaitGroup
		places := make(chan struct{}, atOnce)
		for _, row := range rows {
			places <- struct{}{}
			working.Go(func() {
				defer func() { <-places }()
				if err := work(ctx, row); err != nil {
					s.logger.WarnContext(ctx, "a step of automatic renewal failed", log.Error(err))
				}
			})
		}
		working.Wait()
	}
	s.logger.InfoContext(ctx, "steps of automatic renewal are left for the next run", slog.Int("taken", total))
	return total, nil
}

// step runs the next step of a debit.
func (s *Service) step(ctx context.Context, d DebitRow) error {
	switch d.State {
	case DebitPlanned:
		return s.overdue(ctx, d, s.submit(ctx, d))
	case DebitNoticed:
		return s.overdue(ctx, d, s.ask(ctx, d))
	case DebitAsked:
		return s.overdue(ctx, d, s.settle(ctx, d))
	case DebitCalledOff:
		return s.withdraw(ctx, d)
	case DebitPaid, DebitFailed:
	}
	return nil
}
