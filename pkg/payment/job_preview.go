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

// JobPreviews returns what this domain's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewVerify)
	queue.AddPreview(l, previewRefund)
	queue.AddPreview(l, previewReversal)
	queue.AddPreview(l, previewDispute)
	queue.AddSweepPreview[SweepArgs](l, "put a check into the queue for", "open payments whose check was lost",
		`SELECT count_late_payment_checks($1)`, overdueAfter)
	return l
}

// previewMissing previews a job whose row could not be read: no effect if the row does not exist.
func previewMissing(e queue.JobPreview, what string, err error) (queue.JobPreview, error) {
	if !errors.Is(err, sql.ErrNoRows) && errs.KindOf(err) != errs.KindNotFound {
		return e, err
	}
	e.Nothing, e.Summary = true, fmt.Sprintf("Would look for the %s: there is none of this id → nothing.", what)
	return e, nil
}

func previewVerify(ctx context.Context, tx *sqlx.Tx, args VerifyArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "It only asks. A capture has its effect once, however often the gateway confirms it; nothing is charged."}
	var s store
	p, err := s.find(ctx, tx, args.PaymentID)
	if err != nil {
		return previewMissing(e, "payment", err)
	}
	if p.State.settled() && args.Event == "" {
		e.Nothing = true
		e.Summary = fmt.Sprintf("Would look at txn %s: payment is now `%s` → nothing.", p.TransactionID, p.State)
		return e, nil
	}
	if p.State == StateRefunded || p.State == StateHeld {
		e.Summary = fmt.Sprintf("Would look at what the gateway told of txn %s: payment is now `%s`.", p.TransactionID, p.State)
		return e, nil
	}
	e.Summary = fmt.Sprintf("Would ask the gateway about txn %s over %s: payment is now `%s`.", p.TransactionID, p.Amount.Display(), p.State)
	return e, nil
}

func previewRefund(ctx context.Context, tx *sqlx.Tx, args RefundArgs, _ time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "Each refund has a token of its own, by which the gateway knows a repeated request: the money goes back once."}
	var s store
	r, err := s.refund(ctx, tx, args.RefundID, false)
	if err != nil {
		return previewMissing(e, "refund", err)
	}
	p, err := s.find(ctx, tx, r.PaymentID)
	if err != nil {
		return e, err
	}
	if r.State == RefundDone || r.State == RefundFailed {
		e.Nothing = true
		e.Summary = fmt.Sprintf("Would look at the refund of %s for txn %s: it is `%s` already → nothing.", r.Amount.Display(), p.TransactionID, r.State)
		return e, nil
	}
	after := ""
	if r.GatewayPaymentID == p.GatewayPaymentID {
		what, err := s.afterRefund(ctx, tx, p, r)
		if err != nil {
			return e, err
		}
		after = what.sentence()
	}
	if r.State == RefundRequested {
		e.Summary = fmt.Sprintf("Would ask the gateway to give %s of txn %s back.%s", r.Amount.Display(), p.TransactionID, after)
	} else {
		e.Summary = fmt.Sprintf("Would ask the gateway how far the refund of %s for txn %s is.%s", r.Amount.Display(), p.TransactionID, after)
	}
	return e, nil
}

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
