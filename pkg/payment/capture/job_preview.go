package capture

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns what this package's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewVerify)
	queue.AddSweepPreview[SweepArgs](l, "put a check into the queue for", "open payments whose check was lost",
		`SELECT count_late_payment_checks($1)`, payment.OverdueAfter)
	return l
}

func previewVerify(ctx context.Context, tx *sqlx.Tx, args payment.VerifyArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "It only asks. A capture has its effect once, however often the gateway confirms it; nothing is charged."}
	p, err := store.Find(ctx, tx, args.PaymentID)
	if err != nil {
		return e.Missing("payment", err)
	}
	if p.State.Received() && args.Event == "" {
		e.Nothing = true
		e.Summary = fmt.Sprintf("Would look at txn %s: payment is now `%s` → nothing.", p.TransactionID, p.State)
		return e, nil
	}
	if p.State == payment.StateRefunded || p.State == payment.StateHeld {
		e.Summary = fmt.Sprintf("Would look at what the gateway told of txn %s: payment is now `%s`.", p.TransactionID, p.State)
		return e, nil
	}
	e.Summary = fmt.Sprintf("Would ask the gateway about txn %s over %s: payment is now `%s`.", p.TransactionID, p.Amount.Display(), p.State)
	return e, nil
}
