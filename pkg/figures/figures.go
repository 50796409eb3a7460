// Package figures keeps monthly recurring revenue and its movements by month, plan, billing period and State, so that years of a million
// customers are read at once. It also compares its figures with the rows.
package figures

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Finding is a kept figure that differs from the rows.
type Finding struct {
	Subject string `db:"subject" json:"subject"`
	Detail  string `db:"detail" json:"detail"`
}

// Run is one count of the figures.
type Run struct {
	At   time.Time `db:"ran_at"`
	AsOf string    `db:"as_of"`
	From string    `db:"from_month"`
	// Findings are the figures that no change since the run before explains, 100 at most.
	Findings []Finding
}

const (
	// maxFindings limits the findings of one run.
	maxFindings = 100
	// keepRuns is how long runs are kept.
	keepRuns = 400 * 24 * time.Hour
	// overlap is counted again before the run before, for rows that were written while it ran.
	overlap = 24 * time.Hour
)

// Counter counts the figures. It needs the worker's role.
type Counter struct {
	db    *sqlx.DB
	clock clock.Clock
}

// NewCounter returns a counter on the worker's pool.
func NewCounter(db *sqlx.DB, clk clock.Clock) *Counter {
	return wiring.Complete(&Counter{db: db, clock: clk})
}

// Count brings the figures up to now: it recounts the months that changed since the previous run, compares all months with the rows, and
// recounts everything if they differ. Running it twice changes nothing.
func (c *Counter) Count(ctx context.Context) (run Run, err error) {
	err = postgres.InTx(ctx, c.db, func(tx *sqlx.Tx) error {
		// One snapshot, so that a concurrent purchase is counted whole or not at all.
		if _, err := tx.ExecContext(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil {
			return fmt.Errorf("begin snapshot: %w", err)
		}
		run, err = c.countTx(ctx, tx)
		return err
	})
	return run, err
}

func (c *Counter) countTx(ctx context.Context, tx *sqlx.Tx) (Run, error) {
	now := c.clock.Now()
	run := Run{At: now, AsOf: now.In(clock.IST).Format(time.DateOnly)}
	last, err := lastTx(ctx, tx)
	if err != nil {
		return run, err
	}
	if err := fromTx(ctx, tx, last, now, &run.From); err != nil {
		return run, err
	}
	if err := recurringTx(ctx, tx, &run, last != nil); err != nil {
		return run, err
	}
	for _, count := range []func() ([]Finding, error){
		func() ([]Finding, error) { return cohortsTx(ctx, tx, run, last != nil) },
		func() ([]Finding, error) { return codesTx(ctx, tx, last, run.AsOf) },
		func() ([]Finding, error) { return wholeTx(ctx, tx, trialsTable(), last, run.AsOf) },
		func() ([]Finding, error) { return wholeTx(ctx, tx, failuresTable(), last, run.AsOf) },
	} {
		found, err := count()
		if err != nil {
			return run, err
		}
		run.Findings = append(run.Findings, found...)
	}
	run.Findings = run.Findings[:min(len(run.Findings), maxFindings)]
	return run, keepTx(ctx, tx, run)
}

// recurringTx recounts the changed months of recurring revenue, and all months if they differ from the rows.
func recurringTx(ctx context.Context, tx *sqlx.Tx, run *Run, known bool) (err error) {
	if err := monthsTx(ctx, tx, run.From, run.AsOf); err != nil {
		return err
	}
	if run.Findings, err = checkTx(ctx, tx, run.AsOf); err != nil || !known || len(run.Findings) == 0 {
		return err
	}
	if err := tx.GetContext(ctx, &run.From, earliestSQL, run.AsOf); err != nil {
		return fmt.Errorf("find the first month: %w", err)
	}
	return monthsTx(ctx, tx, run.From, run.AsOf)
}

const (
	earliestSQL = `SELECT date_trunc('month', least((SELECT min(starts_on) FROM recurring_overview), (SELECT min(month) FROM figure_months),
		$1::date))::date::text`
	lastSQL = `SELECT ran_at, as_of::text AS as_of FROM figure_runs ORDER BY ran_at DESC, id DESC LIMIT 1`
	fromSQL = `SELECT date_trunc('month', least($2::date, recurring_changed_from($1)))::date::text`
)

// lastTx returns the run before, nil before the first.
func lastTx(ctx context.Context, tx *sqlx.Tx) (*Run, error) {
	var runs []Run
	if err := tx.SelectContext(ctx, &runs, lastSQL); err != nil {
		return nil, fmt.Errorf("read the last count: %w", err)
	}
	if len(runs) == 0 {
		return nil, nil //nolint:nilnil // nil is that there was none
	}
	return &runs[0], nil
}

// fromTx sets the first month to be recounted.
func fromTx(ctx context.Context, tx *sqlx.Tx, last *Run, now time.Time, from *string) error {
	if last == nil {
		return wrap("find the first month", tx.GetContext(ctx, from, earliestSQL, now.In(clock.IST).Format(time.DateOnly)))
	}
	return wrap("find what changed", tx.GetContext(ctx, from, fromSQL, last.At.Add(-overlap), last.AsOf))
}

func wrap(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

const (
	insertRunSQL = `INSERT INTO figure_runs (id, ran_at, as_of, from_month, findings, rows) VALUES ($1, $2, $3, $4, $5, $6)`
	pruneRunsSQL = `DELETE FROM figure_runs WHERE ran_at < $1`
)

func keepTx(ctx context.Context, tx *sqlx.Tx, run Run) error {
	rows, err := json.Marshal(append([]Finding{}, run.Findings...))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, insertRunSQL, id.New(), run.At, run.AsOf, run.From, len(run.Findings), string(rows)); err != nil {
		return fmt.Errorf("keep the count: %w", err)
	}
	_, err = tx.ExecContext(ctx, pruneRunsSQL, run.At.Add(-keepRuns))
	return wrap("prune counts", err)
}
