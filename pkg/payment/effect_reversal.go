package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

func gone(err error) bool {
	return err != nil && (errors.Is(err, sql.ErrNoRows) || errs.KindOf(err) == errs.KindNotFound)
}

func lookAtReversal(ctx context.Context, tx *sqlx.Tx, args ReverseArgs, _ time.Time) (queue.Effect, error) {
	e := queue.Effect{Again: "A request has its effect in the transaction that marks it done: it moves money once."}
	var s store
	r, err := s.reversal(ctx, tx, args.ReversalID)
	if gone(err) {
		e.Nothing, e.Summary = true, "Would look for the request: there is none of this id → nothing."
		return e, nil
	}
	if err != nil {
		return e, err
	}
	if r.State != ReversalApproved {
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at the %s over %s: it is `%s` → nothing.", r.Kind, r.Amount.Display(), r.State)
		return e, nil
	}
	e.Summary = fmt.Sprintf("Would do the approved %s over %s.", r.Kind, r.Amount.Display())
	return e, nil
}

func lookAtDispute(ctx context.Context, tx *sqlx.Tx, args CheckDisputeArgs, _ time.Time) (queue.Effect, error) {
	e := queue.Effect{Again: "It only asks; a dispute is decided once."}
	var s store
	d, err := s.dispute(ctx, tx, args.DisputeID)
	if gone(err) {
		e.Nothing, e.Summary = true, "Would look for the dispute: there is none of this id → nothing."
		return e, nil
	}
	if err != nil {
		return e, err
	}
	if d.State != DisputeOpen {
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at dispute %s: it is `%s` → nothing.", d.GatewayDisputeID, d.State)
		return e, nil
	}
	e.Summary = fmt.Sprintf("Would ask the gateway how dispute %s stands: it is now `%s`.", d.GatewayDisputeID, d.State)
	return e, nil
}
