package alert

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// Sight is the state of the product for the rules. Ages are in seconds.
type Sight struct {
	// Full is set for a process with the rights of workers or staff.
	Full      bool
	Workers   int
	Queues    []Queue
	Stuck     []StuckJob
	Kinds     []Kind
	Schedules []Schedule
	Faults    []message.Fault
	Lost      int64
	// Refused counts debits of renewals whose request the gateway did not accept.
	Refused int64
	Stopped []webhook.Endpoint
	// Payments are the payments as a worker sees them.
	Payments desk.Watched
	// Books is the last check of the books, nil before the first.
	Books *Books
	// BackupAge is the age of the last backup or, without a backup, the time since backups have been recorded.
	BackupAge time.Duration
	// SiteAway is how long the site has not answered at its public address, 0 while it does.
	SiteAway time.Duration
	// Unregistered are the ages of the documents that the Invoice Registration Portal has not registered for 20 days or more.
	Unregistered []time.Duration
	// LateDeliveries is the number of bought features that are not delivered on their promised day.
	LateDeliveries int
	// Trail is the last check of the audit trail, nil before the first.
	Trail *Trail
	// SMS is the number of requested SMS with codes.
	SMS otp.Volume
	// Unsteady is set while the database has been back for too short a time for workers to have reported.
	Unsteady bool
	// RedisAway is set while Redis does not answer this process.
	RedisAway bool
	// WAL is what keeps Postgres from deleting its log.
	WAL WAL
}

// Trail is the last check of the audit trail. Changed is set if the trail was altered.
type Trail struct {
	Age     time.Duration
	Changed bool
	Problem string
}

// Queue is the state of a queue. YoungestRun is the running time of its youngest running job.
type Queue struct {
	Name        string `db:"name"`
	Depth       int    `db:"depth"`
	OldestAge   int64  `db:"oldest_age"`
	Running     int    `db:"running"`
	YoungestRun int64  `db:"youngest_run"`
	Capacity    int    `db:"capacity"`
	Paused      bool   `db:"paused"`
}

// StuckJob is a job that another worker should have by now.
type StuckJob struct {
	ID   int64  `db:"id"`
	Kind string `db:"kind"`
	Age  int64  `db:"age"`
}

// The causes of a failed attempt; empty for the job itself.
const (
	byProvider = "provider"
	byDatabase = "database"
)

// Kind counts the attempts at one kind of job over the window that failed for one cause, and the jobs that fail for it now. Done, which has
// no cause, counts successes. FailingFor is how long the first of the failing has been, LastFailed and LastDone when an attempt last
// failed and succeeded, Sample the last error without identifiers.
type Kind struct {
	Kind       string    `db:"kind"`
	Cause      string    `db:"cause"`
	Sample     string    `db:"sample"`
	Failing    int       `db:"failing"`
	Failed     int       `db:"failed"`
	Done       int       `db:"done"`
	FailingFor int64     `db:"failing_for"`
	LastFailed time.Time `db:"last_failed"`
	LastDone   time.Time `db:"last_done"`
}

// Schedule is a recurring job: how late its next run is, and whether its last one failed.
type Schedule struct {
	Kind       string `db:"kind"`
	Every      int64  `db:"every_seconds"`
	Late       int64  `db:"late"`
	LastFailed bool   `db:"last_failed"`
	Sample     string `db:"sample"`
}

// Books is the last check of the books.
type Books struct {
	Age      time.Duration
	Findings int
}

// Jobs run on the database's time, so their ages are computed from it.
const queuesSQL = `
WITH live AS (
    SELECT queue, count(*) FILTER (WHERE state = 'available') AS depth, count(*) FILTER (WHERE state = 'running') AS running,
        extract(epoch FROM clock_timestamp() - min(scheduled_at) FILTER (WHERE state = 'available')) AS age,
        extract(epoch FROM clock_timestamp() - max(attempted_at) FILTER (WHERE state = 'running')) AS run
    FROM job_overview WHERE state IN ('available', 'running') GROUP BY 1
), capacity AS (
    SELECT q.key AS queue, sum(q.value::int) AS workers FROM worker_overview w, jsonb_each_text(w.queues) q WHERE w.lives GROUP BY 1
)
SELECT n.name, coalesce(l.depth, 0) AS depth, coalesce(greatest(l.age, 0), 0)::bigint AS oldest_age, coalesce(l.running, 0) AS running,
    coalesce(greatest(l.run, 0), 0)::bigint AS youngest_run, coalesce(c.workers, 0) AS capacity, coalesce(r.paused_at IS NOT NULL, false) AS paused
FROM (SELECT name FROM queue_overview UNION SELECT queue FROM live) n LEFT JOIN live l ON l.queue = n.name
LEFT JOIN capacity c ON c.queue = n.name LEFT JOIN queue_overview r ON r.name = n.name ORDER BY 1`

const stuckSQL = `
SELECT id, kind, greatest(extract(epoch FROM clock_timestamp() - attempted_at), 0)::bigint AS age FROM job_overview
WHERE state = 'running' AND attempted_at < clock_timestamp() - make_interval(secs => $1) ORDER BY attempted_at LIMIT 50`

// A job that waits or runs again after an error counts as failing until it succeeds. A job that staff reran has not failed since.
func kindsSQL() string {
	return `
WITH recent AS (
    SELECT kind, errors, state = 'retryable' OR state IN ('available', 'running') AND (errors[array_upper(errors, 1)] ->> 'at')::timestamptz
            > coalesce((metadata ->> 'rerun_at')::timestamptz, '-infinity') AS failing,
        greatest((errors[1] ->> 'at')::timestamptz, (metadata ->> 'rerun_at')::timestamptz) AS failing_since, NULL::timestamptz AS done_at
    FROM job_overview
    WHERE (state IN ('discarded', 'cancelled', 'retryable') OR state IN ('available', 'running') AND cardinality(errors) > 0)
        AND (coalesce(attempted_at, finalized_at, created_at) > clock_timestamp() - make_interval(secs => $1) OR state IN ('retryable', 'available', 'running'))
        AND NOT metadata ? 'dismissed_at'
    UNION ALL
    SELECT kind, errors, false, NULL, finalized_at
    FROM job_overview WHERE state = 'completed' AND finalized_at > clock_timestamp() - make_interval(secs => $1)
), failed AS (
    SELECT kind, ` + causeSQL("e.error ->> 'error'") + ` AS cause, e.error ->> 'error' AS error, (e.error ->> 'at')::timestamptz AS at,
        failing AND e.n = cardinality(errors) AS failing, failing_since
    FROM recent, unnest(errors) WITH ORDINALITY AS e (error, n)
    WHERE (e.error ->> 'at')::timestamptz > clock_timestamp() - make_interval(secs => $1) OR e.n = cardinality(errors)
)
SELECT kind, cause, count(*) FILTER (WHERE failing) AS failing,
    count(*) FILTER (WHERE at > clock_timestamp() - make_interval(secs => $1)) AS failed, 0 AS done,
    coalesce(greatest(extract(epoch FROM clock_timestamp() - min(failing_since) FILTER (WHERE failing)), 0), 0)::bigint AS failing_for,
    max(at) AS last_failed, 'epoch'::timestamptz AS last_done, coalesce((array_agg(error ORDER BY at DESC))[1], '') AS sample
FROM failed GROUP BY 1, 2
UNION ALL
SELECT kind, '', 0, 0, count(*), 0, 'epoch', max(done_at), '' FROM recent WHERE done_at IS NOT NULL GROUP BY 1
ORDER BY 1, 2`
}

// causeSQL tells who caused an attempt's failure from its error, which queue.ByCause begins with the words.
func causeSQL(text string) string {
	return fmt.Sprintf(`CASE WHEN starts_with(%[1]s, '%[2]s') THEN '%[4]s' WHEN starts_with(%[1]s, '%[3]s') THEN '%[5]s' ELSE '' END`,
		text, queue.ProviderFailed, queue.DatabaseFailed, byProvider, byDatabase)
}

// What is inserted late or not at all is late; a run that waits for a worker is the queue's.
const schedulesSQL = `
SELECT s.kind, s.every_seconds, coalesce(greatest(extract(epoch FROM clock_timestamp() - s.next_run_at), 0), 0)::bigint AS late,
    coalesce(run.failed, false) AS last_failed, coalesce(run.error, '') AS sample
FROM schedule_overview s LEFT JOIN LATERAL (
    SELECT state IN ('discarded', 'cancelled', 'retryable') AND NOT metadata ? 'dismissed_at' AS failed, errors[array_upper(errors, 1)] ->> 'error' AS error
    FROM job_overview WHERE kind = s.kind AND attempted_at IS NOT NULL ORDER BY id DESC LIMIT 1) run ON true
WHERE s.seen_at > clock_timestamp() - interval '1 day' ORDER BY s.kind`

// refusedFor is how long debits count that the gateway did not accept; they are requested again after four hours.
const refusedFor = 6 * time.Hour

// lookTx adds the state of the product to the sight; full adds data reserved for the worker and staff.
func lookTx(ctx context.Context, tx *sqlx.Tx, s Sight, t Thresholds, now time.Time, full bool) (Sight, error) {
	if err := tx.GetContext(ctx, &s.Workers, `SELECT count(*) FROM worker_overview WHERE lives`); err != nil {
		return s, fmt.Errorf("count workers: %w", err)
	}
	for _, part := range []struct {
		into  any
		query string
		args  []any
	}{
		{&s.Queues, queuesSQL, nil},
		{&s.Stuck, stuckSQL, []any{queue.RescueAfter.Seconds()}},
		{&s.Kinds, kindsSQL(), []any{t.Window.Seconds()}},
		{&s.Schedules, schedulesSQL, nil},
	} {
		if err := tx.SelectContext(ctx, part.into, part.query, part.args...); err != nil {
			return s, fmt.Errorf("look at the jobs: %w", err)
		}
	}
	var err error
	if s.Faults, err = message.FaultsTx(ctx, tx); err != nil {
		return s, err
	}
	lost, err := invoice.LossesTx(ctx, tx)
	if err != nil {
		return s, err
	}
	s.Lost = lost.Count
	if s.Refused, err = mandate.RefusedTx(ctx, tx, now.Add(-refusedFor)); err != nil {
		return s, err
	}
	if s.SMS, err = otp.VolumeTx(ctx, tx, now); err != nil {
		return s, err
	}
	if s.WAL, err = walTx(ctx, tx); err != nil {
		return s, err
	}
	if s.Full = full; !full {
		return s, nil
	}
	if s.Stopped, err = webhook.StoppedTx(ctx, tx); err != nil {
		return s, err
	}
	if s.Payments, err = desk.WatchedTx(ctx, tx, now, t.Window); err != nil {
		return s, err
	}
	saved, err := lastBackupTx(ctx, tx)
	if err != nil {
		return s, err
	}
	if saved != nil {
		s.BackupAge = now.Sub(*saved)
	}
	if s.Trail, err = trailTx(ctx, tx, now); err != nil {
		return s, err
	}
	issued, err := einvoice.RunningOutTx(ctx, tx, now.Add(-firstWarning))
	if err != nil {
		return s, err
	}
	for _, at := range issued {
		s.Unregistered = append(s.Unregistered, now.Sub(at))
	}
	if s.LateDeliveries, err = delivery.CountLateTx(ctx, tx, now); err != nil {
		return s, err
	}
	last, err := ledger.LastCheckTx(ctx, tx)
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	if err == nil {
		s.Books = &Books{Age: now.Sub(last.At), Findings: last.Findings}
	}
	return s, err
}
