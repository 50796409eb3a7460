package figures

import (
	"context"
	_ "embed" // the SQL beside this file
	"fmt"

	"github.com/jmoiron/sqlx"
)

const (
	// trialWindow is within how many days of a trial's start a purchase counts as its conversion.
	trialWindow = 60
	// recoveryWindow is within how many days of a failure a payment recovers it.
	recoveryWindow = 14
	// codesSettle is after how many days a day's codes are final: their rows are deleted after thirty days, or earlier by an erasure.
	codesSettle = 3
	// codesKept is for how many days their rows are certainly there.
	codesKept = 28
)

var (
	//go:embed cohorts.sql
	insertCohortsSQL string
	//go:embed check_cohorts.sql
	checkCohortsSQL string
	//go:embed trials.sql
	countTrialsSQL string
	//go:embed failures.sql
	countFailuresSQL string
	//go:embed codes.sql
	countCodesSQL string
)

// cohortsTx recounts the cohorts from one month on, and all of them if they do not add up to the customers.
func cohortsTx(ctx context.Context, tx *sqlx.Tx, run Run, known bool) (found []Finding, err error) {
	if err := rewriteCohortsTx(ctx, tx, run.From, run.AsOf); err != nil {
		return nil, err
	}
	if err := tx.SelectContext(ctx, &found, checkCohortsSQL, run.AsOf, maxFindings); err != nil {
		return nil, fmt.Errorf("check cohorts: %w", err)
	}
	if !known || len(found) == 0 {
		return found, nil
	}
	var first string
	if err := tx.GetContext(ctx, &first, earliestSQL, run.AsOf); err != nil {
		return nil, fmt.Errorf("find the first month: %w", err)
	}
	return found, rewriteCohortsTx(ctx, tx, first, run.AsOf)
}

func rewriteCohortsTx(ctx context.Context, tx *sqlx.Tx, from, asOf string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM figure_cohorts WHERE month >= $1::date`, from); err != nil {
		return fmt.Errorf("drop cohorts: %w", err)
	}
	_, err := tx.ExecContext(ctx, insertCohortsSQL, from, asOf)
	return wrap("count cohorts", err)
}

// compared is a table that is counted whole: the stored rows of months without changes since the previous count are compared, and then
// replaced. Changes in later months are no findings.
type compared struct {
	what    string
	count   string // makes counted
	window  int
	changed string // from which day on it may have changed since $1; $2 is the day of the count before, $3 the window
	table   string
	counted string
	key     string
	columns string
}

func trialsTable() compared {
	return compared{
		what: "trials", count: countTrialsSQL, window: trialWindow,
		changed: `SELECT ($2::date - $3::int - 1)::text WHERE $1::timestamptz IS NOT NULL`,
		table:   "figure_trials", counted: "counted_trials", key: "month", columns: "month, started, converted, undecided",
	}
}

func failuresTable() compared {
	return compared{
		what: "failed payments", count: countFailuresSQL, window: recoveryWindow,
		changed: `SELECT (least($2::date, attempts_changed_from($1)) - $3::int - 1)::text`,
		table:   "figure_failures", counted: "counted_failures", key: "month, plan_id, plan_type, state_code, by_mandate",
		columns: "month, plan_id, plan_type, state_code, by_mandate, failed, recovered, undecided, failed_paise, recovered_paise, undecided_paise",
	}
}

// wholeTx counts one of the tables, compares and replaces it.
func wholeTx(ctx context.Context, tx *sqlx.Tx, t compared, last *Run, asOf string) (found []Finding, err error) {
	if _, err := tx.ExecContext(ctx, t.count, asOf, t.window); err != nil {
		return nil, fmt.Errorf("count %s: %w", t.what, err)
	}
	if last != nil {
		var from string
		if err := tx.GetContext(ctx, &from, t.changed, last.At.Add(-overlap), last.AsOf, t.window); err != nil {
			return nil, fmt.Errorf("find what changed of %s: %w", t.what, err)
		}
		compare := `SELECT to_char(month, 'YYYY-MM') || ' ` + t.what + `' AS subject,
				format('kept are %s, the rows say %s', to_jsonb(k), to_jsonb(c)) AS detail
			FROM ` + t.table + ` k FULL JOIN ` + t.counted + ` c USING (` + t.key + `)
			WHERE month < date_trunc('month', $1::date::timestamp)::date
				AND to_jsonb(k) IS DISTINCT FROM to_jsonb(c) ORDER BY month LIMIT $2`
		if err := tx.SelectContext(ctx, &found, compare, from, maxFindings); err != nil {
			return nil, fmt.Errorf("check %s: %w", t.what, err)
		}
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM `+t.table); err != nil {
		return nil, fmt.Errorf("drop %s: %w", t.what, err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO `+t.table+` (`+t.columns+`) SELECT `+t.columns+` FROM `+t.counted)
	return found, wrap("keep "+t.what, err)
}

const (
	// An erasure takes codes of a day away, and nothing adds any, so no day can have fewer kept than there are rows.
	checkCodesSQL = `SELECT to_char(c.day, 'YYYY-MM-DD') || ' codes' AS subject,
			format('kept are %s asked for, %s delivered and %s used, the rows say %s, %s and %s', sum(k.asked), sum(k.delivered), sum(k.used),
				sum(c.asked), sum(c.delivered), sum(c.used)) AS detail
		FROM (SELECT day, sum(asked) AS asked, sum(used) AS used, sum(delivered) AS delivered FROM counted_codes WHERE day < $1::date GROUP BY day) c
			LEFT JOIN (SELECT day, sum(asked) AS asked, sum(used) AS used, sum(delivered) AS delivered FROM figure_codes GROUP BY day) k USING (day)
		WHERE coalesce(k.asked, 0) < c.asked OR coalesce(k.used, 0) < c.used
		GROUP BY c.day ORDER BY c.day LIMIT $2`
	deleteCodesSQL = `DELETE FROM figure_codes WHERE day >= $1::date`
	insertCodesSQL = `INSERT INTO figure_codes (day, purpose, provider, asked, sent, delivered, failed, used)
		SELECT day, purpose, provider, asked, sent, delivered, failed, used FROM counted_codes WHERE day >= $1::date`
)

// codesTx recounts the days that may still change, and compares the others if their rows exist.
func codesTx(ctx context.Context, tx *sqlx.Tx, last *Run, asOf string) (found []Finding, err error) {
	var days struct {
		First   string `db:"first"`
		Settled string `db:"settled"`
	}
	before := asOf
	if last != nil {
		before = last.AsOf
	}
	if err := tx.GetContext(ctx, &days, `SELECT ($1::date - $3::int)::text AS first,
			greatest($1::date - $3::int, $2::date - $4::int)::text AS settled`, asOf, before, codesKept, codesSettle); err != nil {
		return nil, fmt.Errorf("find days of codes: %w", err)
	}
	if last == nil {
		days.Settled = days.First
	}
	if _, err := tx.ExecContext(ctx, countCodesSQL, days.First, asOf); err != nil {
		return nil, fmt.Errorf("count codes: %w", err)
	}
	if err := tx.SelectContext(ctx, &found, checkCodesSQL, days.Settled, maxFindings); err != nil {
		return nil, fmt.Errorf("check codes: %w", err)
	}
	from := days.Settled
	if len(found) > 0 {
		from = days.First
	}
	if _, err := tx.ExecContext(ctx, deleteCodesSQL, from); err != nil {
		return nil, fmt.Errorf("drop codes: %w", err)
	}
	_, err = tx.ExecContext(ctx, insertCodesSQL, from)
	return found, wrap("keep codes", err)
}
