package alert

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Watch checks the product regularly, in each worker and in each API, and delivers its findings.
type Watch struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	clock     clock.Clock
	deliverer *Deliverer
	limits    Thresholds
	logger    *slog.Logger
	// worker is set in a worker, which sees everything and whose jobs deliver.
	worker bool
	outage *outage
	// observers add to each sight what this process sees without the database.
	observers []Observer
	refusals  *postgres.Refusals

	steadiness
}

// Observer adds data from outside the database to a sight. It runs before the look's transaction and within its time.
type Observer func(ctx context.Context, s *Sight)

// redisLooks is how many looks in a row have to find Redis away, so that one lost packet is no alert.
const redisLooks = 3

// RedisAway returns the observer of Redis, which ping calls.
func RedisAway(ping func(ctx context.Context) error) Observer {
	var mu sync.Mutex
	away := 0
	return func(ctx context.Context, s *Sight) {
		err := ping(ctx)
		mu.Lock()
		defer mu.Unlock()
		if away++; err == nil {
			away = 0
		}
		s.RedisAway = away >= redisLooks
	}
}

// WatchOptions are the parts and settings of a Watch. NewWatch panics if a part is nil that is not optional.
type WatchOptions struct {
	DB        *sqlx.DB
	Jobs      *queue.Inserter
	Clock     clock.Clock
	Deliverer *Deliverer
	Limits    Thresholds
	// InAPI means that an API watches. It judges only the data it may see, and itself delivers what no worker delivers.
	InAPI bool
	// Claims let one of several processes report an outage of the database; without them each process reports it.
	Claims Claims `wiring:"optional"`
	// Observers add data from outside the database to each sight.
	Observers []Observer
	// Refusals fail a look while the database refuses work of this process for a reason that an operator has to end.
	Refusals *postgres.Refusals
	Logger   *slog.Logger
}

// NewWatch returns a watch.
func NewWatch(o WatchOptions) *Watch {
	outage := newOutage(o.Deliverer.channels, o.Clock, o.Logger)
	outage.claims = o.Claims
	return wiring.Complete(&Watch{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, deliverer: o.Deliverer, limits: o.Limits, logger: o.Logger, worker: !o.InAPI,
		outage: outage, observers: o.Observers, refusals: o.Refusals,
	})
}

const (
	watchEvery  = 15 * time.Second
	watchWithin = 10 * time.Second
)

// Run looks until the context ends.
func (w *Watch) Run(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		w.once(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (w *Watch) once(ctx context.Context) {
	looking, cancel := context.WithTimeout(ctx, watchWithin)
	_, err := w.Look(looking)
	cancel()
	if ctx.Err() == nil {
		w.Looked(ctx, err)
	}
	if err != nil && ctx.Err() == nil {
		w.logger.WarnContext(ctx, "look for alerts", log.Error(err))
		return
	}
	if err := w.Deliver(ctx); err != nil && ctx.Err() == nil {
		w.logger.WarnContext(ctx, "deliver alerts", log.Error(err))
	}
}

// Deliver sends what no job has sent.
func (w *Watch) Deliver(ctx context.Context) error { return w.deliverer.Waiting(ctx, w.worker) }

// Look judges the state of the product, opens and resolves alerts, and returns the open ones. The first process to find a problem opens
// its alert; others that look at the same time wait for it and change nothing.
func (w *Watch) Look(ctx context.Context) ([]Alert, error) {
	rules := slices.DeleteFunc(Rules(), func(r Rule) bool { return !w.worker && !r.Anywhere })
	var seen Sight
	for _, observe := range w.observers {
		observe(ctx, &seen)
	}
	var open []Alert
	err := postgres.InTx(ctx, w.db, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, lockAlertsSQL); err != nil {
			return fmt.Errorf("lock alerts: %w", err)
		}
		now := w.clock.Now()
		s, err := lookTx(ctx, tx, seen, w.limits, now, w.worker)
		if err != nil {
			return err
		}
		s.Unsteady = w.unsteady(clock.Real())
		if err := w.syncTx(ctx, tx, rules, Judge(rules, s, w.limits), now); err != nil {
			return err
		}
		open, err = openAlertsTx(ctx, tx)
		return err
	})
	if !errors.Is(ctx.Err(), context.Canceled) { // a caller that left says nothing about the database
		w.note(clock.Real(), err != nil)
	}
	return open, err
}

// workersReport is within what time a worker that lives reports, by the view worker_overview.
const workersReport = 45 * time.Second

// steadiness tells whether this process has looked without a break for long enough to say that workers are silent. They could not report
// while the database was away, nor did this process look while it was frozen. Its times are real ones.
type steadiness struct {
	mu             sync.Mutex
	looked, steady time.Time
	failed         bool
}

// unsteady reports whether the last break is too recent.
func (s *steadiness) unsteady(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broke(now) || !s.steady.IsZero() && now.Sub(s.steady) < workersReport
}

func (s *steadiness) broke(now time.Time) bool {
	return s.failed || !s.looked.IsZero() && now.Sub(s.looked) > workersReport
}

// note records the outcome of a look.
func (s *steadiness) note(now time.Time, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if failed {
		s.failed = true
		return
	}
	if s.broke(now) {
		s.steady = now
	}
	s.looked, s.failed = now, false
}

// syncTx updates the open alerts to match these rules' findings.
func (w *Watch) syncTx(ctx context.Context, tx *sqlx.Tx, rules []Rule, found []Finding, now time.Time) error {
	for _, f := range found {
		if f.PartOf != "" {
			if err := joinTx(ctx, tx, f, now); err != nil {
				return err
			}
			continue
		}
		fresh, err := openTx(ctx, tx, id.New(), f, now)
		if err != nil {
			return err
		}
		if fresh != "" {
			w.logger.WarnContext(ctx, "alert", slog.String("kind", f.Rule), slog.String("subject", f.Subject), slog.String("message", f.Message))
			if err := noteTx(ctx, tx, fresh, eventFired, "", f.Message, now); err != nil {
				return err
			}
		}
	}
	names := make([]string, 0, len(rules))
	for _, r := range rules {
		names = append(names, r.Name)
	}
	gone, err := resolveTx(ctx, tx, names, now)
	if err != nil {
		return err
	}
	for _, a := range gone {
		if err := noteTx(ctx, tx, a.ID, eventResolved, "", "", now); err != nil {
			return err
		}
		if a.Told && !a.Silenced(now) {
			if err := w.tellTx(ctx, tx, a.ID, eventResolved, now); err != nil {
				return err
			}
		}
	}
	untold, err := untoldTx(ctx, tx, now)
	if err != nil {
		return err
	}
	for _, alertID := range untold {
		if err := w.tellTx(ctx, tx, alertID, eventFired, now); err != nil {
			return err
		}
	}
	grown, err := grownTx(ctx, tx, now)
	if err != nil {
		return err
	}
	for _, a := range grown {
		if err := noteTx(ctx, tx, a.ID, eventGrown, "", a.Message, now); err != nil {
			return err
		}
		if err := w.tellTx(ctx, tx, a.ID, eventGrown, now); err != nil {
			return err
		}
	}
	return nil
}

// tellTx makes a delivery for each channel, with the job that sends it.
func (w *Watch) tellTx(ctx context.Context, tx *sqlx.Tx, alertID, what string, now time.Time) error {
	for _, channel := range w.deliverer.Channels() {
		deliveryID := id.New()
		fresh, err := insertDeliveryTx(ctx, tx, deliveryID, alertID, what, channel, now)
		if err != nil || !fresh {
			return err
		}
		if _, err := w.jobs.InsertTx(ctx, tx, DeliverArgs{DeliveryID: deliveryID}, queue.Options{MaxAttempts: maxAttempts}); err != nil {
			return err
		}
	}
	return nil
}
