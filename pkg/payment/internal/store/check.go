package store

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// Schedule enqueues the given check of the schedule.
func Schedule(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, p payment.Payment, check int, now time.Time) error {
	_, err := jobs.InsertTx(ctx, tx, payment.VerifyArgs{PaymentID: p.ID, Check: check}, queue.Options{
		Queue: queue.QueuePayments, Delay: p.NextCheckAt.Sub(now),
		Subject: queue.Subject{FranchiserID: p.FranchiserID, PaymentID: p.ID},
	})
	return err
}

// Ask enqueues a gateway check of the payment, after the delay, unless such a job is already waiting.
func Ask(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, p payment.Payment, kind payment.NoticeKind, delay time.Duration) error {
	args := payment.VerifyArgs{PaymentID: p.ID, Event: string(kind)}
	waits, err := queue.WaitsTx(ctx, tx, args, delay > 0)
	if err != nil || waits {
		return err
	}
	_, err = jobs.InsertTx(ctx, tx, args, queue.Options{
		Queue: queue.QueuePayments, Delay: delay, Subject: queue.Subject{FranchiserID: p.FranchiserID, PaymentID: p.ID},
	})
	return err
}
