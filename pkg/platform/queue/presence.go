package queue

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const (
	// beatInterval is how often a worker sends a heartbeat and checks for jobs of dead workers.
	beatInterval    = 500 * time.Millisecond
	presenceTimeout = 5 * time.Second
	// frozenAfter is how long a worker that holds its lock may be silent before others take over jobs that someone is
	// waiting for. Including the beats before and after, and the second in which a free worker polls, that takes under five
	// seconds.
	frozenAfter = 2500 * time.Millisecond
	// steadyGap is the longest gap between beats for a worker to judge others. If the database was slow or down, every
	// worker was silent.
	steadyGap = time.Second
)

// Presence tells other workers that this one is alive, and takes over the jobs of dead ones.
//
// River judges a running job by its age alone, which leaves the jobs of a killed worker untouched for minutes. Here each
// worker holds an advisory lock of its own for as long as its connection lives; Postgres releases it the moment the process
// ends, however it ends. A live worker that loses its lock may see one of its jobs run twice, which every job must tolerate
// anyway.
//
// A frozen worker keeps its connection and thus its lock, but stops beating. Only those of its jobs that someone is waiting
// for are taken over, as it may thaw in the middle of them. Its transactions are ended, because others wait for their locks.
type Presence struct {
	db      *sqlx.DB
	worker  string
	awaited []string
	known   []string
	logger  *slog.Logger
	hand    *inHand
	conn    *sql.Conn `wiring:"later"`
	// steady is when this worker's unbroken run of beats began; beaten is its last beat.
	steady, beaten time.Time
	// searched is when this worker last looked for stuck jobs.
	searched time.Time
}

// NewWorkerName returns a name for a new worker. Its database connections bear it as their application name, by which others
// end its transactions if it freezes.
func NewWorkerName() string { return "worker-" + id.New() }

// PresenceOptions are the parts and settings of a Presence. NewPresence panics if a part is nil.
type PresenceOptions struct {
	DB *sqlx.DB
	// Worker is the name of the worker.
	Worker string
	// Awaited are the kinds of jobs that someone waits for.
	Awaited []string
	// Known are the kinds of jobs of this release: only jobs of these are given up.
	Known  []string
	Logger *slog.Logger
}

// NewPresence returns the presence of a worker; call Hold before the first job is fetched.
func NewPresence(o PresenceOptions) *Presence {
	return wiring.Complete(&Presence{
		db: o.DB, worker: o.Worker, awaited: o.Awaited, known: append([]string{}, o.Known...), logger: o.Logger,
		hand: &inHand{ended: map[int64]time.Time{}},
	})
}

// Middleware tells the presence which jobs this process works; River must have it.
func (p *Presence) Middleware() rivertype.Middleware { return p.hand }

// Worker returns the name under which the worker must fetch its jobs.
func (p *Presence) Worker() string { return p.worker }

// Hold takes the lock; it fails if the database does not respond.
func (p *Presence) Hold(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, presenceTimeout)
	defer cancel()
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect presence: %w", err)
	}
	if _, err := conn.ExecContext(ctx, endFormerSQL, p.worker); err != nil {
		_ = conn.Close()
		return fmt.Errorf("end former presence: %w", err)
	}
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(hashtextextended($1, 0))`, p.worker); err != nil {
		_ = conn.Close()
		return fmt.Errorf("lock presence: %w", err)
	}
	p.conn = conn
	return p.beat(ctx)
}

// After a broken network the server may keep this worker's former connection for hours, and with it the lock and the last beat.
const endFormerSQL = `
SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
WHERE datname = current_database() AND usename = session_user AND split_part(application_name, ' ', 1) = $1
  AND application_name <> $1 AND pid <> pg_backend_pid() AND pg_has_role(usesysid, 'USAGE')`

// The application name tells other workers who holds the connection, and the time of its last beat in milliseconds.
const beatSQL = `SELECT set_config('application_name', $1 || ' ' || floor(extract(epoch FROM clock_timestamp()) * 1000)::text, false)`

// beat fails if the connection, and with it the lock, is lost.
func (p *Presence) beat(ctx context.Context) error {
	if _, err := p.conn.ExecContext(ctx, beatSQL, p.worker); err != nil {
		return fmt.Errorf("show presence: %w", err)
	}
	return nil
}

// Keep renews the lock after a lost connection and rescues abandoned jobs until the context ends, then releases the lock;
// so end it after the last job.
func (p *Presence) Keep(ctx context.Context) {
	tick := time.NewTicker(beatInterval)
	defer tick.Stop()
	defer p.release()
	// It beats on while a statement of the take-over waits for a lock or a connection; otherwise others would think it frozen.
	var takeOver sync.WaitGroup
	defer takeOver.Wait()
	idle := make(chan struct{}, 1)
	idle <- struct{}{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := p.renew(ctx); err != nil {
			p.logger.WarnContext(ctx, "presence", log.Error(err))
			continue
		}
		p.noteBeat(time.Now()) //nolint:forbidigo // elapsed time, not business time
		steady := p.beaten.Sub(p.steady)
		select {
		case <-idle:
			takeOver.Go(func() {
				p.takeOver(ctx, steady)
				idle <- struct{}{}
			})
		default:
		}
	}
}

// noteBeat records a beat, and whether it continues an unbroken run.
func (p *Presence) noteBeat(now time.Time) {
	if now.Sub(p.beaten) > beatInterval+steadyGap {
		p.steady = now
	}
	p.beaten = now
}

// takeOver rescues the jobs of dead workers and, after a steady run of beats that is long enough, the awaited jobs of frozen
// ones.
func (p *Presence) takeOver(ctx context.Context, steady time.Duration) {
	rescued, err := p.Rescue(ctx)
	if err != nil {
		p.logger.WarnContext(ctx, "rescue jobs", log.Error(err))
	}
	if rescued > 0 {
		p.logger.WarnContext(ctx, "took over the jobs of a worker that is gone", slog.Int64("jobs", rescued))
	}
	p.searchStuck(ctx)
	if steady < frozenAfter {
		return
	}
	ended, err := p.unlock(ctx)
	if err != nil {
		p.logger.WarnContext(ctx, "unlock what a frozen worker holds", log.Error(err))
	}
	if ended > 0 {
		p.logger.WarnContext(ctx, "ended transactions of a worker that is frozen", slog.Int64("transactions", ended))
	}
	if rescued, err = p.relieve(ctx); err != nil {
		p.logger.WarnContext(ctx, "relieve a frozen worker", log.Error(err))
	}
	if rescued > 0 {
		p.logger.WarnContext(ctx, "took over what somebody waits for from a worker that is frozen", slog.Int64("jobs", rescued))
	}
}

func (p *Presence) renew(ctx context.Context) error {
	if p.conn != nil {
		pingCtx, cancel := context.WithTimeout(ctx, presenceTimeout)
		defer cancel()
		if p.beat(pingCtx) == nil {
			return nil
		}
		p.release()
	}
	return p.Hold(ctx)
}

// release drops the connection instead of returning it, so that the pool does not keep the lock.
func (p *Presence) release() {
	if p.conn == nil {
		return
	}
	_ = p.conn.Raw(func(any) error { return driver.ErrBadConn }) // makes the pool close the connection
	_ = p.conn.Close()
	p.conn = nil
}

// A dead worker's job without attempts is discarded by RescueStuck instead: it may be the cause of the worker's death.
const rescueSQL = `
WITH gone AS (
  SELECT worker FROM (
    SELECT DISTINCT attempted_by[array_upper(attempted_by, 1)] AS worker FROM river_job WHERE state = 'running'
  ) AS running
  WHERE worker LIKE 'worker-%' AND worker <> $1 AND pg_try_advisory_xact_lock(hashtextextended(worker, 0))
)
UPDATE river_job
SET state = 'available', scheduled_at = now(),
    errors = array_append(errors, jsonb_build_object(
      'at', now(), 'attempt', attempt, 'error', 'the worker ended in the middle of this attempt', 'trace', ''))
FROM gone
WHERE river_job.state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = gone.worker AND attempt < max_attempts`

// Rescue makes the jobs of dead workers available at once and returns how many there were.
func (p *Presence) Rescue(ctx context.Context) (int64, error) {
	return p.change(ctx, rescueSQL, p.worker)
}

const missedSQL = `
UPDATE river_job
SET state = 'available', scheduled_at = now(),
    errors = array_append(errors, jsonb_build_object(
      'at', now(), 'attempt', attempt, 'error', 'the worker never got this attempt, or could not store its end', 'trace', ''))
WHERE state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $1 AND attempt < max_attempts
  AND attempted_at < now() - make_interval(secs => $2) AND NOT id = ANY($3)`

// RescueMissed makes jobs available that run in this worker's name although it does not work them, and returns how many there were. That
// happens if the connection breaks between the fetch of a job and its answer.
func (p *Presence) RescueMissed(ctx context.Context) (int64, error) {
	now := time.Now() //nolint:forbidigo // elapsed time, not business time
	return p.change(ctx, missedSQL, p.worker, missedAfter.Seconds(), pq.Array(p.hand.jobs(now)))
}

// stuckEvery is how often each worker looks for stuck and missed jobs.
const stuckEvery = 30 * time.Second

func (p *Presence) searchStuck(ctx context.Context) {
	now := time.Now() //nolint:forbidigo // elapsed time, not business time
	if now.Sub(p.searched) < stuckEvery {
		return
	}
	p.searched = now
	missed, err := p.RescueMissed(ctx)
	if err != nil {
		p.logger.WarnContext(ctx, "rescue missed jobs", log.Error(err))
	}
	if missed > 0 {
		p.logger.WarnContext(ctx, "gave back jobs that this worker never got", slog.Int64("jobs", missed))
	}
	stuck, err := p.RescueStuck(ctx)
	if err != nil {
		p.logger.WarnContext(ctx, "rescue stuck jobs", log.Error(err))
	}
	if stuck > 0 {
		p.logger.WarnContext(ctx, "took over jobs that ran for too long", slog.Int64("jobs", stuck))
	}
}

// It does to a stuck job what River's rescuer would, but for one of an unknown kind: that is run again by a newer worker, and never given
// up. The pause before the next attempt is River's, the fourth power of the attempts in seconds.
const stuckSQL = `
UPDATE river_job
SET state = CASE WHEN metadata ? 'cancel_attempted_at' THEN 'cancelled' WHEN attempt < max_attempts THEN 'retryable' ELSE 'discarded' END::river_job_state,
    finalized_at = CASE WHEN metadata ? 'cancel_attempted_at' OR attempt >= max_attempts THEN now() END,
    scheduled_at = CASE WHEN metadata ? 'cancel_attempted_at' OR attempt >= max_attempts THEN scheduled_at
      ELSE now() + make_interval(secs => least(power(attempt, 4), 86400)) END,
    errors = array_append(errors, jsonb_build_object(
      'at', now(), 'attempt', attempt, 'error', 'the attempt took too long and its worker did not end it', 'trace', ''))
WHERE state = 'running' AND attempted_at < now() - make_interval(secs => $1)
  AND (metadata ? 'cancel_attempted_at' OR attempt < max_attempts OR kind = ANY($2))`

// RescueStuck gives jobs that run for longer than RescueAfter to other workers and returns how many there were.
func (p *Presence) RescueStuck(ctx context.Context) (int64, error) {
	return p.change(ctx, stuckSQL, RescueAfter.Seconds(), pq.Array(p.known))
}

// frozenSQL lists the workers other than $1 whose last beat is more than $2 milliseconds ago. Anybody may choose an application
// name, so only those logged in with the worker's role count.
const frozenSQL = `
WITH frozen AS (
  SELECT split_part(application_name, ' ', 1) AS worker FROM pg_stat_activity
  WHERE datname = current_database() AND usename = session_user AND split_part(application_name, ' ', 1) <> $1
    AND CASE WHEN application_name ~ '^worker-[^ ]+ [0-9]{1,15}$' -- other programs have names of other forms
      THEN extract(epoch FROM clock_timestamp()) * 1000 - split_part(application_name, ' ', 2)::bigint > $2 END
)`

// A transaction that runs a statement is ended once the statement is done, unless the statement waits for a lock, which it would
// get for a worker that does nothing with it, or for that worker to read the result.
const unlockSQL = frozenSQL + `
SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM (
  SELECT a.pid FROM pg_stat_activity a JOIN frozen ON a.application_name = frozen.worker
  WHERE a.datname = current_database() AND a.usename = session_user
    AND (a.state LIKE 'idle in transaction%' OR a.state = 'active' AND a.wait_event_type IN ('Lock', 'Client'))
  ORDER BY a.state -- those that wait ('active') end before what they wait for is free
) AS held`

// unlock ends the transactions in which frozen workers hold locks or wait for them, and returns how many there were. Without it
// each of them holds the invoice counter until the server ends it for idling (postgres.Working), one after the other.
func (p *Presence) unlock(ctx context.Context) (ended int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, presenceTimeout)
	defer cancel()
	if err := p.db.GetContext(ctx, &ended, unlockSQL, p.worker, frozenAfter.Milliseconds()); err != nil {
		return 0, fmt.Errorf("end transactions: %w", err)
	}
	return ended, nil
}

const relieveSQL = frozenSQL + `
UPDATE river_job
SET state = 'available', scheduled_at = now(),
    errors = array_append(errors, jsonb_build_object(
      'at', now(), 'attempt', attempt, 'error', 'the worker stood still in the middle of this attempt', 'trace', ''))
FROM frozen
WHERE river_job.state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = frozen.worker AND attempt < max_attempts
  AND kind = ANY($3)`

// relieve makes awaited jobs available again if their worker holds its lock but is frozen.
func (p *Presence) relieve(ctx context.Context) (int64, error) {
	return p.change(ctx, relieveSQL, p.worker, frozenAfter.Milliseconds(), pq.Array(p.awaited))
}

func (p *Presence) change(ctx context.Context, query string, args ...any) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, presenceTimeout)
	defer cancel()
	res, err := p.db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("take over jobs: %w", err)
	}
	return res.RowsAffected()
}
