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
	// lease is how long a step that was taken is left to the worker that took it.
	lease = 5 * time.Minute
	// takeAtOnce is how many steps are taken at a time at most, atOnce how many of them wait for a gateway at the same time.
	takeAtOnce, atOnce = 200, 20
	// again is when a step is repeated that failed or has to wait for something else.
	again = time.Hour
)

// Run takes every step that is due and returns how many. Steps that fail are logged and taken again after the lease. It stops in time
// when the context ends.
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

// paidLate takes over the debits that failed and whose payment was captured all the same, also those of mandates that have ended. What cannot
// be taken over now is found again by the next run.
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

// each takes what is due in batches and works on it, several at once; each gateway's pace holds its own requests back.
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

// step takes the next step of a debit.
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
