package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// pulse reports to the console that this process is alive, and looks for anything that needs attention. It is not a
// job, because it must continue when no job runs.
type pulse struct {
	db     *sqlx.DB
	table  *timetable
	logger *slog.Logger
	beat   jobadmin.Heartbeat
	meter  *metrics.Metrics
	// told are the alerts already logged, so that each is logged once while it lasts.
	told map[jobadmin.Alert]bool
}

const (
	pulseEvery   = 15 * time.Second
	pulseTimeout = 10 * time.Second
)

func newPulse(d *deps, logger *slog.Logger) *pulse {
	p := &pulse{
		db: d.DB, table: d.table, logger: logger, told: map[jobadmin.Alert]bool{},
		meter: d.Meter(),
		beat:  jobadmin.Heartbeat{Worker: d.presence.Worker(), Queues: map[string]int{}},
	}
	for name, q := range queues(false) {
		p.beat.Queues[name] = q.MaxWorkers
	}
	for _, e := range schedule() {
		p.beat.Schedules = append(p.beat.Schedules, jobadmin.ScheduleEntry{Kind: e.Args.Kind(), Queue: e.Queue, Every: e.Every})
	}
	return p
}

// run beats until the context ends, and then reports that the process is gone.
func (p *pulse) run(ctx context.Context) {
	tick := time.NewTicker(pulseEvery)
	defer tick.Stop()
	for {
		p.once(ctx)
		select {
		case <-ctx.Done():
			leaveCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pulseTimeout)
			defer cancel()
			if err := jobadmin.Leave(leaveCtx, p.db, p.beat.Worker); err != nil {
				p.logger.WarnContext(ctx, "pulse", log.Error(err))
			}
			return
		case <-p.table.changed:
		case <-tick.C:
		}
	}
}

func (p *pulse) once(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pulseTimeout)
	defer cancel()
	p.beat.NextRuns = p.table.take()
	if err := jobadmin.Beat(ctx, p.db, p.beat); err != nil {
		p.table.giveBack(p.beat.NextRuns)
		p.logger.WarnContext(ctx, "pulse", log.Error(err))
		return
	}
	found, err := jobadmin.Alerts(ctx, p.db)
	if err != nil {
		p.logger.WarnContext(ctx, "look for alerts", log.Error(err))
		return
	}
	p.tell(ctx, found)
}

// tell sets the metric and logs new alerts; an alert is identified by its subject, not by its changing text.
func (p *pulse) tell(ctx context.Context, found []jobadmin.Alert) {
	counts, now := map[jobadmin.AlertKind]int{}, map[jobadmin.Alert]bool{}
	for _, a := range found {
		counts[a.Kind]++
		about := jobadmin.Alert{Kind: a.Kind, Queue: a.Queue, JobID: a.JobID}
		now[about] = true
		if !p.told[about] {
			p.logger.WarnContext(ctx, "alert", slog.String("kind", string(a.Kind)), slog.String("queue", a.Queue),
				slog.Int64("job", a.JobID), slog.String("message", a.Message))
		}
	}
	p.told = now
	for _, kind := range jobadmin.AlertKinds() {
		p.meter.Alerts(string(kind), counts[kind])
	}
}
