// Package queue puts jobs for the workers into the same transaction as the rows they belong to.
package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

// FetchCooldown is the least time between two fetches of a worker, set on inserters too, because it also
// throttles their notifications.
const FetchCooldown = 5 * time.Millisecond

// The queues: an OTP never waits behind a slow document.
const (
	QueueOTP       = "otp"
	QueuePayments  = "payments"
	QueueDocuments = "documents"
	QueueDefault   = river.QueueDefault
	// QueueClock is for the steps of the development clock, which wait for all other queues.
	QueueClock = "dev_clock"
)

// Args are a job's arguments: identifiers only, never personal data or secrets.
type Args = river.JobArgs

// Options says where and when a job runs and whom it concerns.
type Options struct {
	// Queue is QueueDefault unless set.
	Queue string
	// Delay is how long after now the job may start; real time, whatever the business clock says.
	Delay time.Duration
	// MaxAttempts is 25 unless set; with River's back-off that is about three weeks.
	MaxAttempts int
	// Unique inserts no second job with the same kind and arguments while one is waiting or running.
	Unique bool
	// Subject names the rows that the job concerns, so that support finds every job of a customer.
	Subject Subject
}

// Subject holds the identifiers by which support finds a job.
type Subject struct {
	FranchiserID string `json:"franchiser_id,omitempty"`
	PaymentID    string `json:"payment_id,omitempty"`
	InvoiceID    string `json:"invoice_id,omitempty"`
}

// Inserter puts jobs into transactions; it never works any.
type Inserter struct{ client *river.Client[*sql.Tx] }

// NewInserter returns an inserter over the pool.
func NewInserter(db *sqlx.DB, logger *slog.Logger) (*Inserter, error) {
	client, err := river.NewClient(riverdatabasesql.New(db.DB), &river.Config{
		FetchCooldown: FetchCooldown,
		Logger:        logger.With(slog.String("component", "river")),
	})
	if err != nil {
		return nil, fmt.Errorf("make river client: %w", err)
	}
	return &Inserter{client: client}, nil
}

// InsertTx adds the job to the transaction and returns its number; the job exists if and only if tx commits. It keeps the
// request that ctx serves.
// A failure leaves the transaction aborted.
func (i *Inserter) InsertTx(ctx context.Context, tx *sqlx.Tx, args Args, o Options) (int64, error) {
	res, err := i.client.InsertTx(ctx, tx.Tx, args, o.insertOpts(id.OfRequest(ctx)))
	if err != nil {
		return 0, fmt.Errorf("insert job %s: %w", args.Kind(), err)
	}
	return res.Job.ID, nil
}

// RetryTx makes the job run again as soon as a worker is free; a job that has used up its attempts gets one more.
func (i *Inserter) RetryTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	if _, err := i.client.JobRetryTx(ctx, tx.Tx, jobID); err != nil {
		return fmt.Errorf("retry job: %w", err)
	}
	return nil
}

// CancelTx ends the job; one that is running is asked to stop.
func (i *Inserter) CancelTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	if _, err := i.client.JobCancelTx(ctx, tx.Tx, jobID); err != nil {
		return fmt.Errorf("cancel job: %w", err)
	}
	return nil
}

// metadata is what a job tells of itself beside its arguments.
type metadata struct {
	Subject

	RequestID string `json:"request_id,omitempty"`
}

func (o Options) insertOpts(requestID string) *river.InsertOpts {
	opts := &river.InsertOpts{Queue: o.Queue, MaxAttempts: o.MaxAttempts}
	if o.Delay > 0 {
		opts.ScheduledAt = time.Now().Add(o.Delay) //nolint:forbidigo // River runs on the machine's time
	}
	if m := (metadata{Subject: o.Subject, RequestID: requestID}); m != (metadata{}) {
		opts.Metadata, _ = json.Marshal(m) // strings always marshal
	}
	if o.Unique {
		opts.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
			rivertype.JobStateRunning, rivertype.JobStateScheduled,
		}}
	}
	return opts
}
