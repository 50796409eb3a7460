package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/alert"
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
	watch  *alert.Watch
	checks *lastChecks
}

const (
	pulseEvery   = 15 * time.Second
	pulseTimeout = 10 * time.Second
)

func newPulse(d *deps, logger *slog.Logger) *pulse {
	p := &pulse{
		db: d.DB, table: d.table, logger: logger, watch: d.watch, checks: d.checks,
		meter: d.Meter(),
		beat:  heartbeat(d.presence.Worker(), queues(d.Shifted != nil)),
	}
	return p
}

// heartbeat is the report of a worker with these queues.
func heartbeat(worker string, of map[string]river.QueueConfig) jobadmin.Heartbeat {
	beat := jobadmin.Heartbeat{Worker: worker, Queues: map[string]int{}}
	for name, q := range of {
		beat.Queues[name] = q.MaxWorkers
	}
	for _, e := range schedule() {
		beat.Schedules = append(beat.Schedules, jobadmin.ScheduleEntry{Kind: e.Args.Kind(), Queue: e.Queue, Every: e.Every})
	}
	return beat
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

func (p *pulse) once(whole context.Context) {
	ctx, cancel := context.WithTimeout(whole, pulseTimeout)
	defer cancel()
	looked := func(err error) {
		if whole.Err() == nil {
			p.watch.Looked(whole, err)
		}
	}
	p.beat.NextRuns = p.table.take()
	if err := jobadmin.Beat(ctx, p.db, p.beat); err != nil {
		p.table.giveBack(p.beat.NextRuns)
		p.logger.WarnContext(ctx, "pulse", log.Error(err))
		looked(err)
		return
	}
	if err := p.checks.tell(ctx); err != nil {
		p.logger.WarnContext(ctx, "tell the last checks", log.Error(err))
	}
	open, err := p.watch.Look(ctx)
	looked(err)
	if err != nil {
		p.logger.WarnContext(ctx, "look for alerts", log.Error(err))
		return
	}
	p.tell(open)
	if err := p.watch.Deliver(ctx); err != nil {
		p.logger.WarnContext(ctx, "deliver alerts", log.Error(err))
	}
}

// tell sets the metric of each rule.
func (p *pulse) tell(open []alert.Alert) {
	counts := map[string]int{}
	for _, a := range open {
		counts[a.Rule]++
	}
	for _, r := range alert.Rules() {
		p.meter.Alerts(r.Name, counts[r.Name])
	}
}
