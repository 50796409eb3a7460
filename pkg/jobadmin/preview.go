package jobadmin

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args ChangeJobsArgs, _ time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "Each job of the change has its result noted with it, and is not changed twice."}
		o, err := operationTx(ctx, tx, args.OperationID)
		if err != nil {
			return e, err
		}
		left := o.Total - o.Done - o.Refused
		e.Nothing = left == 0
		e.Summary = fmt.Sprintf("Would go on to %s %d of %d jobs.", o.Action, left, o.Total)
		if e.Nothing {
			e.Summary = fmt.Sprintf("Would look at a change of %d jobs: it is finished → nothing.", o.Total)
		}
		return e, nil
	})
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, PruneOutcomesArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would delete the outcomes of jobs, and changes of jobs, that are too old to be kept.",
			Again:   "It takes only what is old enough, so that a second run finds nothing left to do.",
		}, nil
	})
	return l
}

// effect previews the job in its franchiser's transaction, if it has a franchiser.
func (s *Service) effect(ctx context.Context, job Job) (e queue.JobPreview, err error) {
	preview, known := s.previews[job.Kind]
	if !known {
		return queue.JobPreview{Summary: "No worker of this release knows this kind of job.", Nothing: true}, nil
	}
	fn := func(tx *sqlx.Tx) error {
		var err error
		e, err = preview(ctx, tx, job.rawArgs, s.clock.Now())
		return err
	}
	if id.Valid(job.FranchiserID) {
		err = postgres.InTenantTx(ctx, s.db, job.FranchiserID, fn)
	} else {
		err = postgres.InTx(ctx, s.db, fn)
	}
	if postgres.Violates(err, "22P02", "") {
		return queue.JobPreview{Summary: "Would fail: its arguments name nothing.", Nothing: true, Again: "It fails before it does anything."}, nil
	}
	return e, err
}
