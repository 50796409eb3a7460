package alert

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Watch looks at the product regularly, in each worker and in each api, and has what it finds delivered.
type Watch struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	clock     clock.Clock
	deliverer *Deliverer
	limits    Thresholds
	logger    *slog.Logger
	// worker is set in a worker, which sees everything and whose jobs deliver.
	worker bool
	// observers add to each sight what this process sees without the database.
	observers []Observer
}

// Observer adds to a sight what a process sees without the database. It runs before the look's transaction and within its time.
type Observer func(ctx context.Context, s *Sight)

// Observing adds observers and returns w.
func (w *Watch) Observing(o ...Observer) *Watch {
	w.observers = append(w.observers, o...)
	return w
}

// NewWatch returns the watch of a worker; InAPI makes it that of an api.
func NewWatch(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, d *Deliverer, limits Thresholds, logger *slog.Logger) *Watch {
	return wiring.Complete(&Watch{db: db, jobs: jobs, clock: clk, deliverer: d, limits: limits, logger: logger, worker: true, observers: []Observer{}})
}

// InAPI makes it the watch of an api, which judges what it may see, and delivers by itself what no worker delivers.
func (w *Watch) InAPI() *Watch {
	w.worker = false
	return w
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

// Look judges how the product stands, opens and resolves alerts, and returns the open ones. Whoever finds something first opens its
// alert; others that look at the same time wait for it and change nothing.
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
		if err := w.syncTx(ctx, tx, rules, Judge(rules, s, w.limits), now); err != nil {
			return err
		}
		open, err = openAlertsTx(ctx, tx)
		return err
	})
	return open, err
}

// syncTx brings the open alerts in line with what was found by these rules.
func (w *Watch) syncTx(ctx context.Context, tx *sqlx.Tx, rules []Rule, found []Finding, now time.Time) error {
	for _, f := range found {
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
