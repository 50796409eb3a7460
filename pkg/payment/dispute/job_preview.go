package dispute

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns what this package's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewDispute)
	return l
}

func previewDispute(ctx context.Context, tx *sqlx.Tx, args CheckArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "It only asks; a dispute is decided once."}
	d, err := disputeTx(ctx, tx, args.DisputeID)
	if err != nil {
		return e.Missing("dispute", err)
	}
	if d.State == payment.DisputeLost {
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at dispute %s: it is `%s` → nothing.", d.GatewayDisputeID, d.State)
		return e, nil
	}
	p, err := store.Find(ctx, tx, d.PaymentID)
	if err != nil {
		return e, err
	}
	after, err := refund.AfterLossTx(ctx, tx, p, d.Amount)
	if err != nil {
		return e, err
	}
	lost := ""
	if after == refund.AftermathEnds {
		lost = " If it is lost, what the payment bought ends that day."
	}
	e.Summary = fmt.Sprintf("Would ask the gateway how dispute %s stands: it is now `%s`.%s", d.GatewayDisputeID, d.State, lost)
	return e, nil
}
