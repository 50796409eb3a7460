package support

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// JobPreviews are the effects of every kind of job that there is.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	for _, of := range []func() queue.JobPreviews{
		account.JobPreviews, invoice.JobPreviews, ledger.JobPreviews, payment.JobPreviews, subscription.JobPreviews, tenant.JobPreviews, devclock.Effects, effects,
	} {
		maps.Copy(l, of())
	}
	return l
}

func effects() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewSendMessage)
	queue.AddPreview(l, previewVerifyAudit)
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
			Summary: "Would delete the outcomes of jobs that are too old to be kept.",
			Again:   "It takes only what is old enough, so that a second run finds nothing left to do.",
		}, nil
	})
	return l
}

// effect looks at the job as its franchiser, or as nobody.
func (w *JobAdmin) effect(ctx context.Context, job Job) (e queue.JobPreview, err error) {
	look, known := w.looks[job.Kind]
	if !known {
		return queue.JobPreview{Summary: "No worker of this release knows this kind of job.", Nothing: true}, nil
	}
	fn := func(tx *sqlx.Tx) error {
		var err error
		e, err = look(ctx, tx, job.rawArgs, w.clock.Now())
		return err
	}
	if id.Valid(job.FranchiserID) {
		err = postgres.InTenantTx(ctx, w.db, job.FranchiserID, fn)
	} else {
		err = postgres.InTx(ctx, w.db, fn)
	}
	if postgres.Violates(err, "22P02", "") {
		return queue.JobPreview{Summary: "Would fail: its arguments name nothing.", Nothing: true, Again: "It fails before it does anything."}, nil
	}
	return e, err
}
