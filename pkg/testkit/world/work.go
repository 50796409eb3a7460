package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
)

// job is a row of River's table.
type job struct {
	ID   int64           `db:"id"`
	Kind string          `db:"kind"`
	Args json.RawMessage `db:"args"`
}

// River delays jobs by the machine's clock: jobs ahead of the moved clock are not due.
const (
	dueSQL = `SELECT id, kind, args FROM river_job
		WHERE state = 'available' AND kind = ANY ('{verify_payment,refund_payment,reverse_payment,check_dispute}')`
	dueOfSQL = dueSQL + ` AND metadata ->> 'franchiser_id' = $1 ORDER BY id`
	doneSQL  = `DELETE FROM river_job WHERE id = ANY ($1)`
)

// Work runs every due money job, and all that these enqueue; of one franchiser, or of all if franchiserID is empty.
func (w *World) Work(ctx context.Context, franchiserID string) error {
	for {
		var jobs []job
		var err error
		if franchiserID == "" {
			err = w.Owner.SelectContext(ctx, &jobs, dueSQL+` ORDER BY id`)
		} else {
			err = w.Owner.SelectContext(ctx, &jobs, dueOfSQL, franchiserID)
		}
		if err != nil || len(jobs) == 0 {
			return err
		}
		ids := make([]int64, 0, len(jobs))
		for _, j := range jobs {
			if err := w.do(ctx, j); err != nil {
				return fmt.Errorf("job %s %s: %w", j.Kind, j.Args, err)
			}
			ids = append(ids, j.ID)
		}
		w.jobs.Add(int64(len(ids)))
		if _, err := w.Owner.ExecContext(ctx, doneSQL, pq.Array(ids)); err != nil {
			return fmt.Errorf("end jobs: %w", err)
		}
	}
}

// Jobs returns how many jobs were run.
func (w *World) Jobs() int64 { return w.jobs.Load() }

func (w *World) do(ctx context.Context, j job) error {
	var args struct {
		payment.VerifyArgs
		RefundID   string `json:"refund_id"`
		ReversalID string `json:"reversal_id"`
		DisputeID  string `json:"dispute_id"`
	}
	if err := json.Unmarshal(j.Args, &args); err != nil {
		return fmt.Errorf("read job: %w", err)
	}
	switch j.Kind {
	case args.Kind():
		return w.Worker.Captures.Verify(ctx, args.VerifyArgs)
	case refund.Args{}.Kind():
		return w.Worker.Refunds.Send(ctx, args.RefundID)
	case reversal.Args{}.Kind():
		return w.Worker.Reversals.Reverse(ctx, args.ReversalID)
	case dispute.CheckArgs{}.Kind():
		return w.Worker.Disputes.Check(ctx, args.DisputeID)
	default:
		return errors.New("nobody does this")
	}
}

// lockBooks locks the books of all customers up to the end of the last month, unless they are locked already.
func (c *Customer) lockBooks(ctx context.Context) error {
	_, err := c.w.Locks.Lock(c.w.Asha.Sign(ctx), c.w.Asha, c.w.Locks.LastMonthEnd(), "the month is closed")
	if errors.Is(err, ledger.ErrLocked) {
		return nil
	}
	return err
}
