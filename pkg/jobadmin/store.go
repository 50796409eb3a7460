package jobadmin

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// The time of a job's last attempt; the index failing_jobs sorts by it.
const failedAt = `coalesce(j.attempted_at, j.finalized_at, j.created_at)`

// The last error of a job.
const lastError = `coalesce(j.errors[array_upper(j.errors, 1)] ->> 'error', '')`

// Lists show the first maxShown characters of an error; maxRead are read, because masking needs whole secrets to
// recognise them.
const maxRead, maxShown = 3000, 300

// causeKey identifies a cause in URLs.
const causeKey = `left(md5(coalesce(j.failure_cause, '')), 12)`

// firstCauseKey does the same for the cause of the first error.
const firstCauseKey = `left(md5(coalesce(j.first_cause, '')), 12)`

// A job that waits again or runs again after an error fails until it has succeeded; the condition is that of the index.
const failedStates = `(j.state IN ('discarded', 'cancelled', 'retryable') OR j.state IN ('available', 'running') AND cardinality(j.errors) > 0)`

// retried matches a job that failed and is retried automatically. A job that staff reran counts as not failed since.
const retried = `(j.state = 'retryable' OR j.state IN ('available', 'running')
	AND (j.errors[array_upper(j.errors, 1)] ->> 'at')::timestamptz > coalesce((j.metadata ->> 'rerun_at')::timestamptz, '-infinity'))`

// failing matches a job that was given up or fails at present, and that staff have not dismissed.
const failing = failedStates + ` AND (j.state IN ('discarded', 'cancelled') OR ` + retried + `) AND NOT j.metadata ? 'dismissed_at'`

// statePredicates returns the condition for each state of a filter; the first condition for failed ones is that of
// their index.
func statePredicates() map[string]string {
	const open = ` AND NOT j.metadata ? 'dismissed_at'`
	return map[string]string{
		"":          failing,
		"discarded": failedStates + ` AND j.state = 'discarded'` + open,
		"retryable": failedStates + ` AND ` + retried + open,
		"cancelled": failedStates + ` AND j.state = 'cancelled'` + open,
		"dismissed": failedStates + ` AND j.metadata ? 'dismissed_at'`,
		"snoozed":   `j.state = 'scheduled' AND j.metadata ? 'snoozed_at'`,
	}
}

// where returns the FROM and WHERE of a filter and its arguments, which are the statement's first.
func (f JobFilter) where() (clause string, args []any) {
	key := causeKey
	if f.By == CauseFirst {
		key = firstCauseKey
	}
	clause = ` FROM job_overview j WHERE ` + statePredicates()[f.State] + `
		AND ($1 = '' OR j.kind = $1) AND ($2 = '' OR j.queue = $2)
		AND ($3 = '' OR position(lower($3) IN lower(` + lastError + `)) > 0)
		AND ($4 = '' OR j.metadata ->> 'franchiser_id' = $4) AND ($5 = '' OR ` + key + ` = $5)
		AND ($6::timestamptz IS NULL OR ` + failedAt + ` >= $6) AND ($7::timestamptz IS NULL OR ` + failedAt + ` < $7)
		AND ($8::timestamptz IS NULL OR (` + failedAt + `, j.id) <= ($8, $9::bigint))`
	var seen *time.Time
	if f.Seen != (JobCursor{}) {
		seen = &f.Seen.At
	}
	args = []any{f.Kind, f.Queue, f.Error, f.FranchiserID, f.Cause, f.From, f.To, seen, f.Seen.ID}
	if f.Arg != "" {
		args = append(args, argPath(f.Arg))
		clause += fmt.Sprintf(` AND j.args @? $%d::jsonpath`, len(args))
	}
	return clause, args
}

var argForm = regexp.MustCompile(`^([a-z][a-z_]{0,40}):\s*(.+)$`)

// argPath returns the jsonpath that finds a value among the arguments of a job, under the key of a text such as "payment_id:019a…", or
// anywhere. The index failed_job_args serves it.
func argPath(text string) string {
	at, value := "$.**", strings.TrimSpace(text)
	if m := argForm.FindStringSubmatch(value); m != nil {
		at, value = `$."`+m[1]+`"`, m[2]
	}
	quoted, _ := json.Marshal(value) // a string always marshals
	path := at + ` ? (@ == ` + string(quoted)
	if n, err := strconv.ParseInt(value, 10, 64); err == nil { // in a path no number begins with + or 0
		path += ` || @ == ` + strconv.FormatInt(n, 10)
	}
	return path + `)`
}

func failedJobs(ctx context.Context, db *sqlx.DB, f JobFilter, after JobCursor, limit int) (JobPage, error) {
	clause, args := f.where()
	n := len(args)
	query := `SELECT j.id, j.kind, j.queue, j.state::text AS state, j.attempt, j.max_attempts, ` + failedAt + ` AS failed_at,
		j.scheduled_at, coalesce(j.metadata ->> 'franchiser_id', '') AS franchiser_id, left(` + lastError + `, ` + fmt.Sprint(maxRead) + `) AS last_error,
		coalesce((` + account.UnfinishedMobileSQL("j.args ->> 'code_id'") + `), '') AS sign_up` +
		clause + fmt.Sprintf(` AND ($%d::timestamptz IS NULL OR (`+failedAt+`, j.id) < ($%d, $%d::bigint))
		ORDER BY `+failedAt+` DESC, j.id DESC LIMIT $%d`, n+1, n+1, n+2, n+3)
	var from *time.Time
	if after != (JobCursor{}) {
		from = &after.At
	}
	page := JobPage{Jobs: []FailedJob{}}
	err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &page.Jobs, query, append(args, from, after.ID, limit+1)...); err != nil {
			return fmt.Errorf("list failed jobs: %w", err)
		}
		return nameCustomersTx(ctx, tx, page.Jobs)
	})
	if err != nil {
		return JobPage{}, err
	}
	if len(page.Jobs) > limit {
		page.Jobs = page.Jobs[:limit]
		last := page.Jobs[limit-1]
		page.Next = JobCursor{At: last.FailedAt.UTC(), ID: last.ID}
	}
	for i := range page.Jobs {
		j := &page.Jobs[i]
		j.FailedAt, j.ScheduledAt = j.FailedAt.UTC(), j.ScheduledAt.UTC()
		j.LastError = bothEnds(log.Mask(j.LastError)) // a truncated secret may no longer look like one
		if j.SignUp != "" {
			j.SignUp = j.SignUp[:2] + "xxxxxx" + j.SignUp[len(j.SignUp)-2:]
		}
	}
	return page, nil
}

// bothEnds shortens a long error to its beginning and most of its end, where the cause is.
func bothEnds(s string) string {
	const head = 80
	runes := []rune(s)
	if len(runes) <= maxShown {
		return s
	}
	return text.First(s, head) + " … " + string(runes[len(runes)-(maxShown-head-3):])
}

// nameCustomersTx names the customers of the jobs, to staff only.
func nameCustomersTx(ctx context.Context, tx *sqlx.Tx, jobs []FailedJob) error {
	targets := []string{}
	for _, j := range jobs {
		if id.Valid(j.FranchiserID) {
			targets = append(targets, "customer:"+j.FranchiserID)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	var found []struct {
		Subject string `db:"subject"`
		Name    string `db:"name"`
	}
	if err := tx.SelectContext(ctx, &found, `SELECT subject, name FROM named_subjects($1)`, pq.Array(targets)); err != nil {
		return fmt.Errorf("name customers of jobs: %w", err)
	}
	names := make(map[string]string, len(found))
	for _, f := range found {
		names[f.Subject] = f.Name
	}
	for i := range jobs {
		jobs[i].CustomerName = names["customer:"+jobs[i].FranchiserID]
	}
	return nil
}

type jobRow struct {
	ID           int64      `db:"id"`
	Kind         string     `db:"kind"`
	Queue        string     `db:"queue"`
	State        string     `db:"state"`
	Attempt      int        `db:"attempt"`
	MaxAttempts  int        `db:"max_attempts"`
	CreatedAt    time.Time  `db:"created_at"`
	ScheduledAt  time.Time  `db:"scheduled_at"`
	AttemptedAt  *time.Time `db:"attempted_at"`
	FinalizedAt  *time.Time `db:"finalized_at"`
	FranchiserID string     `db:"franchiser_id"`
	PaymentID    string     `db:"payment_id"`
	RequestID    string     `db:"request_id"`
	Args         []byte     `db:"args"`
	Errors       []byte     `db:"errors"`
	Dismissed    bool       `db:"dismissed"`
}

const jobSQL = `
SELECT j.id, j.kind, j.queue, j.state::text AS state, j.attempt, j.max_attempts, j.created_at, j.scheduled_at, j.attempted_at,
    j.finalized_at, coalesce(j.metadata ->> 'franchiser_id', '') AS franchiser_id, coalesce(j.metadata ->> 'payment_id', '') AS payment_id,
    coalesce(j.metadata ->> 'request_id', '') AS request_id, j.args, coalesce(to_jsonb(j.errors), '[]') AS errors, j.metadata ? 'dismissed_at' AS dismissed
FROM job_overview j WHERE j.id = $1`

// jobTx reads one of River's jobs, and locks it for a change, or returns KindNotFound.
func jobTx(ctx context.Context, tx *sqlx.Tx, jobID int64, lock bool) (Job, error) {
	if lock {
		if err := queue.LockTx(ctx, tx, jobID); err != nil {
			return Job{}, err
		}
	}
	return oneJob(ctx, tx, jobSQL, jobID)
}

func oneJob(ctx context.Context, tx *sqlx.Tx, query string, jobID int64) (Job, error) {
	var r jobRow
	err := tx.GetContext(ctx, &r, query, jobID)
	if errors.Is(err, sql.ErrNoRows) {
		return Job{}, errs.NotFound()
	}
	if err != nil {
		return Job{}, fmt.Errorf("read job: %w", err)
	}
	return r.job()
}

func (r jobRow) job() (Job, error) {
	job := Job{
		ID: r.ID, Kind: r.Kind, Queue: r.Queue, State: r.State, Attempt: r.Attempt, MaxAttempts: r.MaxAttempts,
		CreatedAt: r.CreatedAt.UTC(), ScheduledAt: r.ScheduledAt.UTC(), AttemptedAt: inUTC(r.AttemptedAt),
		FinalizedAt: inUTC(r.FinalizedAt), FranchiserID: r.FranchiserID, PaymentID: r.PaymentID, RequestID: r.RequestID,
		rawArgs: r.Args, Errors: []JobError{}, CanRerun: canRerun(r.State), CanCancel: canCancel(r.State), CanDismiss: canDismiss(r.State) && !r.Dismissed,
	}
	if err := json.Unmarshal(r.Errors, &job.Errors); err != nil {
		return Job{}, fmt.Errorf("read errors of job: %w", err)
	}
	for i := range job.Errors {
		job.Errors[i].At, job.Errors[i].Error = job.Errors[i].At.UTC(), log.Mask(job.Errors[i].Error)
	}
	if n := len(job.Errors); n > 0 {
		job.LastError = job.Errors[n-1].Error
	}
	return job, job.decodeArgs(r.Args)
}

// decodeArgs decodes the arguments, which are identifiers; anything named like a secret is masked.
func (j *Job) decodeArgs(raw []byte) error {
	if err := json.Unmarshal(raw, &j.Args); err != nil {
		return fmt.Errorf("read arguments of job: %w", err)
	}
	log.MaskValue(j.Args)
	return nil
}

func inUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	utc := at.UTC()
	return &utc
}
