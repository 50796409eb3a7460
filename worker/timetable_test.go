package main

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/worker/job"
)

func TestTimetable_ReportFails_IsRepeated(t *testing.T) {
	t.Parallel()
	table := newTimetable()
	entry := job.Periodic{Every: time.Hour, Queue: queue.QueueDefault, Args: ledger.VerifyArgs{}}
	began := testkit.Start()
	kind := entry.Args.Kind()
	schedule := table.of(entry)
	require.Equal(t, began.Add(time.Hour), schedule.Next(began))
	<-table.changed
	first := table.take()
	require.Equal(t, map[string]time.Time{kind: began.Add(time.Hour)}, first)
	require.Empty(t, table.take(), "told once")
	table.giveBack(first)
	require.Equal(t, first, table.take())
	schedule.Next(began.Add(time.Hour))
	table.giveBack(first)
	require.Equal(t, map[string]time.Time{kind: began.Add(2 * time.Hour)}, table.take(), "what is newer stays")
}

// The worker leads and plans its schedule, and the console shows what River is waiting for.
func TestTimetable_EqualsRiversPlannedRuns(t *testing.T) {
	t.Parallel()
	full, cfg, db := newDeps(t)
	logger := testkit.NewLogger(t)
	services, err := app.NewWorker(t.Context(), cfg, full.Connections, logger)
	require.NoError(t, err)
	pool, err := pgxpool.New(t.Context(), db.DSN(testkit.RoleWorker))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	d := &deps{
		Connections: &process.Connections{DB: db.Worker, Clock: testkit.NewClock()}, pool: pool, presence: queue.NewPresence(queue.PresenceOptions{
			DB: db.Worker, Worker: queue.NewWorkerName(), Logger: logger,
		}),
		table: newTimetable(),
	}
	d.watch = alert.NewWatch(alert.WatchOptions{
		DB: db.Worker, Jobs: testkit.NewInserter(t, db.Worker), Clock: testkit.NewClock(),
		Deliverer: alert.NewDeliverer(db.Worker, testkit.NewClock()), Limits: alert.Thresholds{},
		Refusals: &postgres.Refusals{}, Logger: logger,
	})
	d.checks = newLastChecks(d.Connections, services)
	workers := river.NewWorkers()
	admin := jobadmin.NewService(jobadmin.Options{
		DB: db.Worker, Jobs: testkit.NewInserter(t, db.Worker), Clock: testkit.NewClock(),
		Recorder: staff.NewRecorder(testkit.NewClock()), Previews: app.JobPreviews(), Failing: jobadmin.NothingFails,
	})
	river.AddWorker(workers, job.NewPruneOutcomes(admin))
	client, err := newClient(d, workers, logger)
	require.NoError(t, err)
	// The test's context has ended by the time of the clean-up, which would prevent a clean stop.
	ctx := context.WithoutCancel(t.Context())
	require.NoError(t, client.Start(ctx))
	t.Cleanup(func() { require.NoError(t, client.StopAndCancel(ctx)) })

	p := newPulse(d, logger)
	planned := map[string]time.Time{}
	for len(planned) < len(schedule()) {
		select {
		case <-d.table.changed:
		case <-time.After(waitLimit):
			require.Fail(t, "River planned nothing")
		}
		p.once(t.Context())
		maps.Copy(planned, p.beat.NextRuns)
	}
	board, err := jobadmin.NewService(jobadmin.Options{
		DB: db.API, Jobs: testkit.NewInserter(t, db.API), Clock: testkit.NewClock(),
		Recorder: staff.NewRecorder(testkit.NewClock()), Previews: app.JobPreviews(), Failing: jobadmin.NothingFails,
	}).Board(t.Context())
	require.NoError(t, err)
	require.Len(t, board.Schedules, len(schedule()))
	for _, s := range board.Schedules {
		require.NotNil(t, s.NextRunAt, s.Kind)
		require.WithinDuration(t, planned[s.Kind], *s.NextRunAt, time.Microsecond, s.Kind)
	}
}
