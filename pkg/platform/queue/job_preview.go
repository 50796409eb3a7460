package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// JobPreview describes what a job would do if it ran now, for staff to read before rerunning it.
type JobPreview struct {
	// Summary is one sentence in plain English.
	Summary string `json:"summary"`
	// Nothing is true if the job would no longer change anything.
	Nothing bool `json:"nothing"`
	// Again explains what a second run could charge, send or create twice, and why it does not.
	Again string `json:"again"`
}

// Missing previews a job whose row could not be read: it does nothing if the row does not exist.
func (e JobPreview) Missing(what string, err error) (JobPreview, error) {
	if !errors.Is(err, sql.ErrNoRows) && errs.KindOf(err) != errs.KindNotFound {
		return e, err
	}
	e.Nothing, e.Summary = true, fmt.Sprintf("Would look for the %s: there is none of this id → nothing.", what)
	return e, nil
}

// PreviewFunc returns the effect of a job with these arguments without running it. The transaction sees the rows of the job's franchiser,
// or those without a franchiser; now is business time.
type PreviewFunc func(ctx context.Context, tx *sqlx.Tx, args json.RawMessage, now time.Time) (JobPreview, error)

// JobPreviews maps kinds of jobs to their previews.
type JobPreviews map[string]PreviewFunc

// AddPreview adds the preview for jobs of type A.
func AddPreview[A river.JobArgs](l JobPreviews, look func(ctx context.Context, tx *sqlx.Tx, args A, now time.Time) (JobPreview, error)) {
	var kind A
	l[kind.Kind()] = func(ctx context.Context, tx *sqlx.Tx, raw json.RawMessage, now time.Time) (JobPreview, error) {
		var args A
		if err := json.Unmarshal(raw, &args); err != nil {
			return JobPreview{}, fmt.Errorf("read arguments of %s: %w", args.Kind(), err)
		}
		return look(ctx, tx, args, now)
	}
}

// AddSweepPreview adds the preview for a sweep that finds its own rows: does and what describe it, such as "end" and
// "cancelled add-ons". count is a statement that counts the rows that the sweep would take at $1, up to 10,001, and late is
// how long after its time a row counts as due; args follow $1.
func AddSweepPreview[A river.JobArgs](l JobPreviews, does, what, count string, late time.Duration, args ...any) {
	AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, _ A, now time.Time) (JobPreview, error) {
		var n int64
		if err := tx.GetContext(ctx, &n, count, append([]any{now.Add(-late)}, args...)...); err != nil {
			return JobPreview{}, fmt.Errorf("count what is due: %w", err)
		}
		e := JobPreview{
			Summary: fmt.Sprintf("Would %s %s %s.", does, counted(n), what),
			Again:   "It takes only what is due at that moment, so that a second run finds nothing left to do.",
		}
		if n == 0 {
			e.Nothing, e.Summary = true, fmt.Sprintf("Would look for %s: none are due → nothing.", what)
		}
		return e, nil
	})
}

// countLimit is the highest number of due rows counted.
const countLimit = 10_000

func counted(n int64) string {
	if n > countLimit {
		return "more than 10,000"
	}
	return fmt.Sprint(n)
}
