package payment

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

func previewReversal(ctx context.Context, tx *sqlx.Tx, args ReverseArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "A request has its effect in the transaction that marks it done: it moves money once."}
	var s store
	r, err := s.reversal(ctx, tx, args.ReversalID)
	if err != nil {
		return previewMissing(e, "request", err)
	}
	if r.State != ReversalApproved {
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at the %s over %s: it is `%s` → nothing.", r.Kind, r.Amount.Display(), r.State)
		return e, nil
	}
	p, err := s.find(ctx, tx, r.PaymentID)
	if err != nil {
		return e, err
	}
	after, err := s.afterReversal(ctx, tx, p, r)
	if err != nil {
		return e, err
	}
	e.Summary = fmt.Sprintf("Would do the approved %s over %s.%s", r.Kind, r.Amount.Display(), after.sentence())
	return e, nil
}

func previewDispute(ctx context.Context, tx *sqlx.Tx, args CheckDisputeArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "It only asks; a dispute is decided once."}
	var s store
	d, err := s.dispute(ctx, tx, args.DisputeID)
	if err != nil {
		return previewMissing(e, "dispute", err)
	}
	if d.State == DisputeLost {
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at dispute %s: it is `%s` → nothing.", d.GatewayDisputeID, d.State)
		return e, nil
	}
	p, err := s.find(ctx, tx, d.PaymentID)
	if err != nil {
		return e, err
	}
	after, err := s.afterLoss(ctx, tx, p, d.Amount)
	if err != nil {
		return e, err
	}
	lost := ""
	if after == AftermathEnds {
		lost = " If it is lost, what the payment bought ends that day."
	}
	e.Summary = fmt.Sprintf("Would ask the gateway how dispute %s stands: it is now `%s`.%s", d.GatewayDisputeID, d.State, lost)
	return e, nil
}
