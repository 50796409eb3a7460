package support

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

// JobPreviews returns what this domain's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewPerform)
	return l
}

func previewPerform(ctx context.Context, tx *sqlx.Tx, args PerformArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "An act has its effect in the transaction that marks it done, or that notes how far it is: it happens once."}
	act, err := readActTx(ctx, tx, args.ActID)
	if errs.KindOf(err) == errs.KindNotFound {
		e.Nothing, e.Summary = true, "Would look for the act: there is none of this id → nothing."
		return e, nil
	}
	if err != nil {
		return e, err
	}
	if act.State != approval.Approved {
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at the act `%s`: it is `%s` → nothing.", act.Kind, act.State)
		return e, nil
	}
	e.Summary = fmt.Sprintf("Would do the approved act `%s` over %s.", act.Kind, act.Amount.Display())
	return e, nil
}
