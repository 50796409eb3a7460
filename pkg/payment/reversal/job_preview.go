package reversal

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

// JobPreviews returns what this package's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewReversal)
	return l
}

func previewReversal(ctx context.Context, tx *sqlx.Tx, args Args, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "A request has its effect in the transaction that marks it done: it moves money once."}
	r, err := reversalTx(ctx, tx, args.ReversalID)
	if err != nil {
		return e.Missing("request", err)
	}
	if r.State != approval.Approved {
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at the %s over %s: it is `%s` → nothing.", r.Kind, r.Amount.Display(), r.State)
		return e, nil
	}
	p, err := store.Find(ctx, tx, r.PaymentID)
	if err != nil {
		return e, err
	}
	after, err := afterReversalTx(ctx, tx, p, r)
	if err != nil {
		return e, err
	}
	e.Summary = fmt.Sprintf("Would do the approved %s over %s.%s", r.Kind, r.Amount.Display(), after.Sentence())
	return e, nil
}
