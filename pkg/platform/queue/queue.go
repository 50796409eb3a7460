// Package queue enqueues jobs in the same transaction as the rows they belong to.
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

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// FetchCooldown is the minimum time between two fetches of a worker.
const FetchCooldown = 5 * time.Millisecond

// FetchPollInterval is how often a worker looks for jobs without a notification, and so the longest wait of a job whose notification was
// skipped.
const FetchPollInterval = 250 * time.Millisecond

// notifyCooldown is how long an inserter sends no second notification for the same queue. The one it leaves out may be missed: the
// first may arrive, and the worker fetch, before the second transaction commits. River accepts no shorter time.
const notifyCooldown = time.Millisecond

// The queues are separate so that an OTP never waits behind a slow document.
const (
	QueueOTP       = "otp"
	QueuePayments  = "payments"
	QueueDocuments = "documents"
	QueueDefault   = river.QueueDefault
	// QueueWebhooks is for calls of the operator's connected systems, each of which may take its time.
	QueueWebhooks = "webhooks"
	// QueueClock is for steps of the development clock, which wait for all other queues.
	QueueClock = "dev_clock"
)

// Args is a job's arguments: identifiers only, never personal data or secrets.
type Args = river.JobArgs

// Options sets where and when a job runs, and whom it concerns.
type Options struct {
	// Queue is QueueDefault unless set.
	Queue string
	// Delay is the earliest start from now, in real time regardless of the business clock.
	Delay time.Duration
	// MaxAttempts defaults to 25; with River's back-off that spans about three weeks.
	MaxAttempts int
	// Unique skips the insert if a job with the same kind and arguments is waiting or running.
	Unique bool
	// Subject names the rows the job concerns, so that support finds every job of a customer.
	Subject Subject
}

// Subject holds the identifiers by which support finds a job.
type Subject struct {
	FranchiserID string `json:"franchiser_id,omitempty"`
	PaymentID    string `json:"payment_id,omitempty"`
	InvoiceID    string `json:"invoice_id,omitempty"`
}

// Inserter enqueues jobs in transactions; it never works any.
type Inserter struct{ client *river.Client[*sql.Tx] }

// NewInserter returns an inserter that uses the pool.
func NewInserter(db *sqlx.DB, logger *slog.Logger) (*Inserter, error) {
	client, err := river.NewClient(riverdatabasesql.New(db.DB), &river.Config{
		FetchCooldown: notifyCooldown,
		Logger:        logger.With(slog.String("component", "river")),
		Test:          river.TestConfig{Time: RealTime{}}, // which River has for tests; it serves here as well
	})
	if err != nil {
		return nil, fmt.Errorf("make river client: %w", err)
	}
	return &Inserter{client: client}, nil
}

// InsertTx adds the job to the transaction and returns its id; the job exists if and only if tx commits. It stores the
// request id and trace of ctx. A failure leaves the transaction aborted.
func (i *Inserter) InsertTx(ctx context.Context, tx *sqlx.Tx, args Args, o Options) (int64, error) {
	res, err := i.client.InsertTx(ctx, tx.Tx, args, o.insertOpts(id.OfRequest(ctx), trace.Traceparent(ctx)))
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

// CancelTx cancels the job; a running job gets a request to stop.
func (i *Inserter) CancelTx(ctx context.Context, tx *sqlx.Tx, jobID int64) error {
	if _, err := i.client.JobCancelTx(ctx, tx.Tx, jobID); err != nil {
		return fmt.Errorf("cancel job: %w", err)
	}
	return nil
}

// metadata is stored with a job besides its arguments.
type metadata struct {
	Subject

	RequestID string `json:"request_id,omitempty"`
	// Traceparent is the trace that the job continues, in the format of W3C Trace Context.
	Traceparent string `json:"traceparent,omitempty"`
}

func (o Options) insertOpts(requestID, traceparent string) *river.InsertOpts {
	opts := &river.InsertOpts{Queue: o.Queue, MaxAttempts: o.MaxAttempts}
	if o.Delay > 0 {
		opts.ScheduledAt = clock.Real().Add(o.Delay)
	}
	if m := (metadata{Subject: o.Subject, RequestID: requestID, Traceparent: traceparent}); m != (metadata{}) {
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

// Traceparent returns the trace of the work that queued a job with this metadata, or "".
func Traceparent(kept []byte) string {
	var m metadata
	_ = json.Unmarshal(kept, &m) // foreign metadata has no such fields
	return m.Traceparent
}
