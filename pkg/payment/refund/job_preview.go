package refund

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
	queue.AddPreview(l, previewRefund)
	return l
}

func previewRefund(ctx context.Context, tx *sqlx.Tx, args Args, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "Each refund has a token of its own, by which the gateway knows a repeated request: the money goes back once."}
	r, err := refundTx(ctx, tx, args.RefundID, false)
	if err != nil {
		return e.Missing("refund", err)
	}
	p, err := store.Find(ctx, tx, r.PaymentID)
	if err != nil {
		return e, err
	}
	if r.State == payment.RefundDone || r.State == payment.RefundFailed {
		e.Nothing = true
		e.Summary = fmt.Sprintf("Would look at the refund of %s for txn %s: it is `%s` already → nothing.", r.Amount.Display(), p.TransactionID, r.State)
		return e, nil
	}
	after := ""
	if r.GatewayPaymentID == p.GatewayPaymentID {
		what, err := afterRefundTx(ctx, tx, p, r)
		if err != nil {
			return e, err
		}
		after = what.Sentence()
	}
	if r.State == payment.RefundRequested {
		e.Summary = fmt.Sprintf("Would ask the gateway to give %s of txn %s back.%s", r.Amount.Display(), p.TransactionID, after)
	} else {
		e.Summary = fmt.Sprintf("Would ask the gateway how far the refund of %s for txn %s is.%s", r.Amount.Display(), p.TransactionID, after)
	}
	return e, nil
}
