package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Jobs wait by the machine's clock, so passing time brings them nearer.
const (
	hastenSQL = `
	UPDATE river_job SET scheduled_at = scheduled_at - make_interval(secs => $1) WHERE state IN ('scheduled', 'available')`
	dueSQL = `
	SELECT id, kind, args FROM river_job WHERE state IN ('scheduled', 'available') AND scheduled_at <= now() ORDER BY id LIMIT 200`
	doneSQL  = `DELETE FROM river_job WHERE id = $1`
	laterSQL = `UPDATE river_job SET state = 'scheduled', scheduled_at = now() + make_interval(secs => $2) WHERE id = $1`
)

func (l *life) pass(ctx context.Context, d time.Duration) error {
	l.clock.Advance(d)
	if _, err := l.db.owner.ExecContext(ctx, hastenSQL, d.Seconds()); err != nil {
		return fmt.Errorf("pass the time of jobs: %w", err)
	}
	return nil
}

type job struct {
	ID   int64           `db:"id"`
	Kind string          `db:"kind"`
	Args json.RawMessage `db:"args"`
}

// work runs every due job, and the jobs that they enqueue.
func (l *life) work(ctx context.Context) error {
	for {
		var jobs []job
		if err := l.db.owner.SelectContext(ctx, &jobs, dueSQL); err != nil {
			return fmt.Errorf("find jobs: %w", err)
		}
		if len(jobs) == 0 {
			return nil
		}
		for _, j := range jobs {
			if err := l.finish(ctx, j); err != nil {
				return fmt.Errorf("job %s: %w", j.Kind, err)
			}
		}
	}
}

// finish runs a job. A job that must wait runs later, and a job that can never succeed is discarded, as by a worker.
func (l *life) finish(ctx context.Context, j job) error {
	err := l.do(ctx, j)
	if wait := errs.As(err).RetryAfter; err != nil && wait > 0 {
		_, err = l.db.owner.ExecContext(ctx, laterSQL, j.ID, wait.Seconds())
		return err
	}
	if err != nil && errs.KindOf(err) != errs.KindInvalid && !errors.Is(err, invoice.ErrNotFound) {
		return err
	}
	_, err = l.db.owner.ExecContext(ctx, doneSQL, j.ID)
	return err
}

// do runs a worker's jobs for a customer's money and messages. It drops other jobs: webhooks to connected systems, and staff requests.
func (l *life) do(ctx context.Context, j job) error {
	var args struct {
		payment.VerifyArgs

		RefundID   string `json:"refund_id"`
		ReversalID string `json:"reversal_id"`
		DisputeID  string `json:"dispute_id"`
		InvoiceID  string `json:"invoice_id"`
		MessageID  string `json:"message_id"`
	}
	if err := json.Unmarshal(j.Args, &args); err != nil {
		return fmt.Errorf("read the arguments: %w", err)
	}
	switch j.Kind {
	case payment.VerifyArgs{}.Kind():
		return l.worker.Payments.Captures.Verify(ctx, args.VerifyArgs)
	case refund.Args{}.Kind():
		return l.worker.Payments.Refunds.Send(ctx, args.RefundID)
	case reversal.Args{}.Kind():
		return l.worker.Payments.Reversals.Reverse(ctx, args.ReversalID)
	case dispute.CheckArgs{}.Kind():
		return l.worker.Payments.Disputes.Check(ctx, args.DisputeID)
	case invoice.RenderArgs{}.Kind():
		_, err := l.printer.Print(ctx, args.InvoiceID)
		return err
	case message.SendCustomerMessageArgs{}.Kind():
		return l.outbox.Send(ctx, args.MessageID)
	default:
		return nil
	}
}
