package jobadmin

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// JobResult is the result of a change for one job.
type JobResult struct {
	ID      int64  `json:"id"      db:"job_id"`
	Done    bool   `json:"done"    db:"done"`
	Message string `json:"message" db:"message"`
}

// Operation is a change of jobs and its progress; times are UTC.
type Operation struct {
	ID         string     `json:"id"          db:"id"`
	StaffName  string     `json:"staff_name"  db:"staff_name"`
	Action     JobAction  `json:"action"      db:"action"`
	Reason     string     `json:"reason"      db:"reason"`
	Total      int        `json:"total"       db:"total"`
	Done       int        `json:"done"        db:"done"`
	Refused    int        `json:"refused"     db:"refused"`
	CreatedAt  time.Time  `json:"created_at"  db:"created_at"`
	FinishedAt *time.Time `json:"finished_at" db:"finished_at"`
}

// Aftermath counts the jobs of a change by their later fate: completed by a worker, failed again, still waiting or running, and unknown or
// ended by a colleague.
type Aftermath struct {
	Completed int `json:"completed" db:"completed"`
	Failed    int `json:"failed"    db:"failed"`
	Waiting   int `json:"waiting"   db:"waiting"`
	Other     int `json:"other"     db:"other"`
}

// OperationState is a change with its results: refused ones first, why they were refused, and what became of the others.
type OperationState struct {
	Operation Operation
	Results   []JobResult
	Refusals  []Refusal
	Aftermath Aftermath
}

const (
	// maxAtOnce is how many jobs a request changes itself; larger changes run in the background.
	maxAtOnce = 100
	// maxMatching is how many jobs a filter may match.
	maxMatching = 50_000
)

// Begin fixes the set of jobs to change and enqueues the change.
func (s *Service) Begin(ctx context.Context, p staff.Principal, c JobChange) (Operation, error) {
	return s.begin(ctx, p, c, true)
}

// Change applies the change immediately to the jobs in IDs, at most a hundred, one transaction each. A single job that
// must not be changed fails with KindConflict; for several, each has its own result.
func (s *Service) Change(ctx context.Context, p staff.Principal, c JobChange) ([]JobResult, error) {
	if len(c.IDs) == 0 || len(c.IDs) > maxAtOnce {
		return nil, errs.Invalid("Please check the marked fields.").Field("ids", "Choose 1 to 100 jobs.")
	}
	o, err := s.begin(ctx, p, c, false)
	if err != nil {
		return nil, err
	}
	if err := s.work(ctx, o.ID, p, nil); err != nil {
		return nil, err
	}
	results, err := resultsOf(ctx, s.db, o.ID, "", maxAtOnce)
	if err != nil {
		return nil, err
	}
	if len(results) == 1 && !results[0].Done {
		return nil, errs.New(errs.KindConflict, "job_refused", results[0].Message)
	}
	return results, nil
}

func (s *Service) begin(ctx context.Context, p staff.Principal, c JobChange, enqueue bool) (o Operation, err error) {
	if err := c.clean(); err != nil {
		return o, err
	}
	request, err := c.fingerprint()
	if err != nil {
		return o, err
	}
	if c.Key == "" {
		c.Key = id.New()
	}
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		o = Operation{ID: id.New(), Action: c.Action, Reason: c.Reason, CreatedAt: s.clock.Now()}
		earlier, err := insertOperationTx(ctx, tx, o, p.StaffID, c, request)
		if err != nil {
			return err
		}
		if earlier != "" {
			o, err = operationTx(ctx, tx, earlier)
			return err
		}
		if o.Total, err = fixItemsTx(ctx, tx, o.ID, c); err != nil {
			return err
		}
		if err := checkTotal(o.Total); err != nil {
			return err
		}
		if o.Total > 1 {
			if err := s.recordManyTx(ctx, tx, p, o, c); err != nil {
				return err
			}
		}
		if enqueue {
			_, err = s.jobs.InsertTx(ctx, tx, ChangeJobsArgs{OperationID: o.ID}, queue.Options{MaxAttempts: 25})
		}
		return err
	})
	return o, err
}

// Operations lists the newest changes of more than one job, with their progress.
func (s *Service) Operations(ctx context.Context) ([]Operation, error) {
	return newestOperations(ctx, s.db)
}

// Operation returns the progress of a change, with up to 500 relevant results, the refused ones first, and what became of its jobs.
func (s *Service) Operation(ctx context.Context, operationID string) (OperationState, error) {
	o := OperationState{}
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if o.Operation, err = operationTx(ctx, tx, operationID); err != nil {
			return err
		}
		if o.Refusals, err = refusalsTx(ctx, tx, operationID); err != nil {
			return err
		}
		if o.Operation.Action != JobRerun {
			return nil
		}
		o.Aftermath, err = aftermathTx(ctx, tx, operationID)
		return err
	})
	if err != nil {
		return o, err
	}
	const maxShown = 500
	o.Results, err = resultsOf(ctx, s.db, operationID, "refused first", maxShown)
	return o, err
}

// errOutOfTime ends a slice of work; the next slice does the rest.
var errOutOfTime = errors.New("out of time")

// Continue works on a change until it is finished, and returns false if enough reported that it is time to stop. A
// change requested by a former member of staff is refused.
func (s *Service) Continue(ctx context.Context, operationID string, enough func() bool) (finished bool, err error) {
	p, err := staffOfOperation(ctx, s.db, operationID)
	if errs.KindOf(err) == errs.KindNotFound && err != nil {
		return true, refuseRest(ctx, s.db, operationID, s.clock.Now())
	}
	if err != nil {
		return false, err
	}
	err = s.work(ctx, operationID, p, enough)
	if errors.Is(err, errOutOfTime) {
		return false, nil
	}
	return err == nil, err
}

// work changes the remaining jobs, each in one transaction together with its result: if it is killed at any moment, it
// resumes where it stopped.
func (s *Service) work(ctx context.Context, operationID string, p staff.Principal, enough func() bool) error {
	for {
		ids, c, single, err := waitingItems(ctx, s.db, operationID)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			return finishOperation(ctx, s.db, operationID, s.clock.Now())
		}
		for _, jobID := range ids {
			if enough != nil && enough() {
				return errOutOfTime
			}
			if err := s.changeOne(ctx, operationID, p, jobID, c, single); err != nil {
				return err
			}
		}
	}
}

func (s *Service) changeOne(ctx context.Context, operationID string, p staff.Principal, jobID int64, c JobChange, single bool) error {
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		mine, err := takeItemTx(ctx, tx, operationID, jobID, true, "", "")
		if err != nil || !mine {
			return err
		}
		return s.changeTx(ctx, tx, p, jobID, c, single)
	})
	if err == nil {
		return nil
	}
	code, message, refused := refusalOf(err, jobID)
	if !refused {
		return err
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		_, err := takeItemTx(ctx, tx, operationID, jobID, false, code, message)
		return err
	})
}
