package payment

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Effects tells what the jobs of this domain would do now.
func Effects() queue.Looks {
	l := queue.Looks{}
	queue.Add(l, lookAtVerify)
	queue.Add(l, lookAtRefund)
	queue.Add(l, lookAtReversal)
	queue.Add(l, lookAtDispute)
	queue.AddSweep[SweepArgs](l, "put a check into the queue for", "open payments whose check was lost", overdueAfter)
	queue.Add(l, func(_ context.Context, _ *sqlx.Tx, _ CompareArgs, now time.Time) (queue.Effect, error) {
		return queue.Effect{
			Summary: fmt.Sprintf("Would ask the gateway for its settlements up to %s and compare each day with the books.",
				(subscription.DayOf(now) - 1).Human()),
			Again: "A day that was compared is written over by the same comparison; no money moves.",
		}, nil
	})
	return l
}

func lookAtVerify(ctx context.Context, tx *sqlx.Tx, args VerifyArgs, _ time.Time) (queue.Effect, error) {
	e := queue.Effect{Again: "It only asks. A capture has its effect once, however often the gateway confirms it; nothing is charged."}
	var s store
	p, err := s.find(ctx, tx, args.PaymentID)
	if gone(err) {
		e.Nothing, e.Summary = true, "Would look for the payment: there is none of this id → nothing."
		return e, nil
	}
	if err != nil {
		return e, err
	}
	if p.State == StateRefunded || p.State == StateHeld || p.State == StatePaid && args.Event == "" {
		e.Nothing = true
		e.Summary = fmt.Sprintf("Would look at txn %s: payment is now `%s` → nothing.", p.TransactionID, p.State)
		return e, nil
	}
	e.Summary = fmt.Sprintf("Would ask the gateway about txn %s over %s: payment is now `%s`.", p.TransactionID, p.Amount.Display(), p.State)
	return e, nil
}

func lookAtRefund(ctx context.Context, tx *sqlx.Tx, args RefundArgs, _ time.Time) (queue.Effect, error) {
	e := queue.Effect{Again: "Each refund has a token of its own, by which the gateway knows a repeated request: the money goes back once."}
	var s store
	r, err := s.refund(ctx, tx, args.RefundID, false)
	if gone(err) {
		e.Nothing, e.Summary = true, "Would look for the refund: there is none of this id → nothing."
		return e, nil
	}
	if err != nil {
		return e, err
	}
	p, err := s.find(ctx, tx, r.PaymentID)
	if err != nil {
		return e, err
	}
	switch r.State {
	case RefundDone, RefundFailed:
		e.Nothing = true
		e.Summary = fmt.Sprintf("Would look at the refund of %s for txn %s: it is `%s` already → nothing.", r.Amount.Display(), p.TransactionID, r.State)
	case RefundRequested:
		e.Summary = fmt.Sprintf("Would ask the gateway to give %s of txn %s back.", r.Amount.Display(), p.TransactionID)
	default:
		e.Summary = fmt.Sprintf("Would ask the gateway how far the refund of %s for txn %s is.", r.Amount.Display(), p.TransactionID)
	}
	return e, nil
}
