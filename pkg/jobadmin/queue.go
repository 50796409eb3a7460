package jobadmin

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Queue is the current state of a queue. Ages are in seconds; throughput, failures and attempts are those of the last
// hour.
type Queue struct {
	Name string `json:"name" db:"name"`
	// Depth is the number of jobs that could start, OldestAge how long the first of them has waited.
	Depth     int   `json:"depth"      db:"depth"`
	OldestAge int64 `json:"oldest_age" db:"oldest_age"`
	Running   int   `json:"running"    db:"running"`
	// Capacity is how many of its jobs the live workers run concurrently.
	Capacity int `json:"capacity" db:"capacity"`
	// Failed is the number of jobs that wait for staff or for another attempt after an error.
	Failed         int        `json:"failed"          db:"failed"`
	Completed      int        `json:"completed"       db:"completed"`
	FailedAttempts int        `json:"failed_attempts" db:"failed_attempts"`
	PausedAt       *time.Time `json:"paused_at"       db:"paused_at"`
	// AgesAfter is the age of the oldest job that raises an alert.
	AgesAfter int64 `json:"ages_after" db:"-"`
}

// RunningJob is a job that a worker is running; Age is in seconds.
type RunningJob struct {
	ID           int64  `json:"id"          db:"id"`
	Kind         string `json:"kind"        db:"kind"`
	Queue        string `json:"queue"       db:"queue"`
	Attempt      int    `json:"attempt"     db:"attempt"`
	MaxAttempts  int    `json:"max_attempts" db:"max_attempts"`
	Age          int64  `json:"age"         db:"age"`
	FranchiserID string `json:"customer_id" db:"franchiser_id"`
	Worker       string `json:"worker"      db:"worker"`
	Overdue      bool   `json:"overdue"     db:"overdue"`
}

// WorkerProcess is a process that runs jobs and reported recently.
type WorkerProcess struct {
	ID        string    `json:"id"         db:"id"`
	StartedAt time.Time `json:"started_at" db:"started_at"`
	SeenAt    time.Time `json:"seen_at"    db:"seen_at"`
	Running   int       `json:"running"    db:"running"`
	Capacity  int       `json:"capacity"   db:"capacity"`
}

// Schedule is a recurring job. LastRunAt is when a worker last started one, and LastState its state, empty before the
// first; NextRunAt is the next run planned by the leader, nil until it has reported one.
type Schedule struct {
	Kind         string     `json:"kind"          db:"kind"`
	Queue        string     `json:"queue"         db:"queue"`
	EverySeconds int64      `json:"every_seconds" db:"every_seconds"`
	LastRunAt    *time.Time `json:"last_run_at"   db:"last_run_at"`
	LastState    string     `json:"last_state"    db:"last_state"`
	NextRunAt    *time.Time `json:"next_run_at"   db:"next_run_at"`
}

// Queues is all of the above.
type Queues struct {
	Queues    []Queue
	Running   []RunningJob
	Workers   []WorkerProcess
	Schedules []Schedule
}

// Board returns the state of queues, workers and schedules.
func (s *Service) Board(ctx context.Context) (Queues, error) {
	var b Queues
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return b.read(ctx, tx) })
	return b, err
}

// Pause stops the workers from taking jobs of the queue and records who did it and why.
func (s *Service) Pause(ctx context.Context, p staff.Principal, name, reason string) error {
	return s.control(ctx, p, name, reason, "pause_queue", s.jobs.PauseTx)
}

// Resume lets the workers take jobs of the queue again and records who did it and why.
func (s *Service) Resume(ctx context.Context, p staff.Principal, name, reason string) error {
	return s.control(ctx, p, name, reason, "resume_queue", s.jobs.ResumeTx)
}

func (s *Service) control(ctx context.Context, p staff.Principal, name, reason, action string,
	do func(ctx context.Context, tx *sqlx.Tx, name string) error,
) error {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		before, err := queue.PausedTx(ctx, tx, name)
		if err != nil {
			return err
		}
		if err := do(ctx, tx, name); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: action, Target: "queue:" + name, Reason: reason,
			Before: staff.JSON(map[string]any{"paused": before}), After: staff.JSON(map[string]any{"paused": action == "pause_queue"}),
		})
	})
}

// scheduledArgs are the empty arguments of a scheduled job.
type scheduledArgs struct{ kind string }

// Kind returns the job's kind.
func (a scheduledArgs) Kind() string { return a.kind }

// MarshalJSON writes no arguments.
func (scheduledArgs) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// RunSchedule makes a worker run a scheduled job now and returns its number. KindConflict if one is queued already, KindNotFound if no
// schedule has that kind.
func (s *Service) RunSchedule(ctx context.Context, p staff.Principal, kind, reason string) (jobID int64, err error) {
	if reason, err = staff.CleanReason(reason); err != nil {
		return 0, err
	}
	return jobID, postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		name, err := queueOfScheduleTx(ctx, tx, kind)
		if err != nil {
			return err
		}
		twin, err := queue.TwinTx(ctx, tx, 0, kind, "{}")
		if err != nil {
			return err
		}
		if twin != 0 {
			return errs.New(errs.KindConflict, "schedule_runs", fmt.Sprintf("Job %d does this already, or is about to.", twin))
		}
		if jobID, err = s.jobs.InsertTx(ctx, tx, scheduledArgs{kind}, queue.Options{Queue: name}); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "run_schedule", Target: "schedule:" + kind, Reason: reason, After: staff.JSON(map[string]any{"job": jobID}),
		})
	})
}
