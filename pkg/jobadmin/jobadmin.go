// Package jobadmin shows staff failures in the background and their causes, and lets them act: failed jobs, queues, workers and schedules,
// changes of many jobs, and previews of a job's effect.
package jobadmin

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// maxFilter is the maximum length of a filter text in characters.
const maxFilter = 100

// Service lets staff see what failed in the background and why, and fix it.
type Service struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	previews queue.JobPreviews
	failing  Failing
}

// Failing returns, for each kind of job whose provider fails at the moment, who that is.
type Failing func(ctx context.Context, tx *sqlx.Tx) (map[string]string, error)

// NothingFails is the Failing of a process that makes no dry runs.
func NothingFails(context.Context, *sqlx.Tx) (map[string]string, error) {
	return map[string]string{}, nil
}

// Options are the parts of a Service. NewService panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Jobs  *queue.Inserter
	Clock clock.Clock
	// Recorder records every change in the same transaction.
	Recorder Recorder
	// Previews are those of every kind of job.
	Previews queue.JobPreviews
	// Failing tells dry runs which providers fail.
	Failing Failing
}

// NewService returns a service.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{db: o.DB, jobs: o.Jobs, clock: o.Clock, recorder: o.Recorder, previews: o.Previews, failing: o.Failing})
}

// JobCursor points into the list of failed jobs, which is sorted by the time of each job's last failure.
type JobCursor struct {
	At time.Time
	ID int64
}

// String returns the cursor as used in URLs, or "".
func (m JobCursor) String() string {
	if m == (JobCursor{}) {
		return ""
	}
	return fmt.Sprintf("%d-%d", m.At.UnixMicro(), m.ID)
}

// ParseJobCursor parses what JobCursor.String wrote; an empty text is no cursor.
func ParseJobCursor(text string) (JobCursor, error) {
	if text == "" {
		return JobCursor{}, nil
	}
	micros, number, _ := strings.Cut(text, "-")
	at, err := strconv.ParseInt(micros, 10, 64)
	jobID, idErr := strconv.ParseInt(number, 10, 64)
	if err != nil || idErr != nil || at <= 0 || jobID <= 0 {
		return JobCursor{}, errs.Invalid("Please check the marked fields.").Field("after", "This position in the list is not valid.")
	}
	return JobCursor{At: time.UnixMicro(at).UTC(), ID: jobID}, nil
}

// JobFilter narrows the failed jobs; empty fields do not filter.
type JobFilter struct {
	// State is discarded, retryable or cancelled; or snoozed or dismissed, which are otherwise left out of the list.
	State string `json:"state,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Queue string `json:"queue,omitempty"`
	// Error is part of the last error's text, Cause the key of a JobGroup.
	Error string `json:"error,omitempty"`
	Cause string `json:"cause,omitempty"`
	// By says whether Cause, and the groups of a summary, are those of the first error or of the last one.
	By           CauseOf `json:"by,omitempty"`
	FranchiserID string  `json:"customer_id,omitempty"`
	// Arg is a value among a job's arguments, or one under its key, as "payment_id:019a…".
	Arg string `json:"arg,omitempty"`
	// From and To bound the time of the last failure, in UTC; To is exclusive.
	From *time.Time `json:"from,omitempty"`
	To   *time.Time `json:"to,omitempty"`
	// Seen excludes later failures, so that a change only affects jobs that a person has seen.
	Seen JobCursor `json:"-"`
}

// CauseOf chooses the error by which failed jobs are grouped; the last one if it is empty.
type CauseOf string

// CauseFirst groups jobs by their first error, which a later one such as "too late" may hide.
const CauseFirst CauseOf = "first"

// FailedJob is one line of the list.
type FailedJob struct {
	ID           int64     `json:"id"           db:"id"`
	Kind         string    `json:"kind"         db:"kind"`
	Queue        string    `json:"queue"        db:"queue"`
	State        string    `json:"state"        db:"state"`
	Attempt      int       `json:"attempt"      db:"attempt"`
	MaxAttempts  int       `json:"max_attempts" db:"max_attempts"`
	FailedAt     time.Time `json:"failed_at"    db:"failed_at"`
	ScheduledAt  time.Time `json:"scheduled_at" db:"scheduled_at"`
	FranchiserID string    `json:"customer_id"  db:"franchiser_id"`
	LastError    string    `json:"last_error"   db:"last_error"`
	// CustomerName is empty for a customer without a name; SignUp is the masked mobile of an unfinished sign-up, if it is one's job.
	CustomerName string `json:"customer_name" db:"-"`
	SignUp       string `json:"sign_up"       db:"sign_up"`
}

// JobError is one failed attempt.
type JobError struct {
	At      time.Time `json:"at"`
	Attempt int       `json:"attempt"`
	Error   string    `json:"error"`
}

// Job is a job as staff see it. Arguments hold identifiers only; RequestID is that of the request that enqueued it, if
// any; Kept is true if River has already deleted it.
type Job struct {
	ID           int64          `json:"id"`
	Kind         string         `json:"kind"`
	Queue        string         `json:"queue"`
	State        string         `json:"state"`
	Attempt      int            `json:"attempt"`
	MaxAttempts  int            `json:"max_attempts"`
	CreatedAt    time.Time      `json:"created_at"`
	ScheduledAt  time.Time      `json:"scheduled_at"`
	AttemptedAt  *time.Time     `json:"attempted_at"`
	FinalizedAt  *time.Time     `json:"finalized_at"`
	FranchiserID string         `json:"customer_id"`
	PaymentID    string         `json:"payment_id"`
	RequestID    string         `json:"request_id"`
	Args         map[string]any `json:"args"`
	LastError    string         `json:"last_error"`
	Errors       []JobError     `json:"errors"`
	CanRerun     bool           `json:"can_rerun"`
	CanCancel    bool           `json:"can_cancel"`
	CanDismiss   bool           `json:"can_dismiss"`
	Kept         bool           `json:"kept"`
	// Effect is the effect of the job if it ran now.
	Effect queue.JobPreview `json:"effect"`

	rawArgs json.RawMessage
}

// JobPage is a page of failed jobs, newest failure first; Next is the cursor of the next page, if any.
type JobPage struct {
	Jobs []FailedJob
	Next JobCursor
}

// FailedJobs lists the jobs that were discarded, were cancelled, or wait for another attempt after an error.
func (s *Service) FailedJobs(ctx context.Context, f JobFilter, after JobCursor, limit int) (JobPage, error) {
	if err := f.validate(); err != nil {
		return JobPage{}, err
	}
	return failedJobs(ctx, s.db, f, after, limit)
}

// Job returns one job with every failed attempt and its effect now; KindNotFound if there never was such a job.
func (s *Service) Job(ctx context.Context, jobID int64) (Job, error) {
	var job Job
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		job, err = jobTx(ctx, tx, jobID, false)
		if errs.KindOf(err) == errs.KindNotFound && err != nil {
			job, err = outcomeTx(ctx, tx, jobID)
		}
		return err
	})
	if err != nil {
		return Job{}, err
	}
	job.Effect, err = s.effect(ctx, job)
	return job, err
}

func (f JobFilter) validate() error {
	var v errs.Validation
	_, known := statePredicates()[f.State]
	v.Check(known, "state", "Kindly choose one")
	v.Check(f.FranchiserID == "" || id.Valid(f.FranchiserID), "customer_id", "This is no customer's id.")
	v.Check(f.From == nil || f.To == nil || f.From.Before(*f.To), "to", "The end must lie after the beginning.")
	v.Check(f.By == "" || f.By == CauseFirst, "by", "Kindly choose one")
	for field, text := range map[string]string{"arg": f.Arg, "kind": f.Kind, "queue": f.Queue, "search": f.Error, "cause": f.Cause} {
		v.Check(utf8.RuneCountInString(text) <= maxFilter, field, "Up to 100 characters.")
	}
	return v.Err()
}

func canRerun(state string) bool {
	return state == "discarded" || state == "cancelled" || state == "retryable" || state == "scheduled"
}

func canCancel(state string) bool {
	return state == "retryable" || state == "scheduled" || state == "available" || state == "pending" || state == "running"
}

func canDismiss(state string) bool { return state == "discarded" || state == "cancelled" }
