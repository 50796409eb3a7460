package testkit

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// errOther reports a clone that differs from the template in a way that emptying does not undo, or that is still in use.
var errOther = errors.New("testkit: the database cannot be lent again")

// filled is the template's content: the tables with rows, and a fingerprint of them and of the schema. Rows are recognised by their
// transaction ids, which are the template's in every clone.
type filled struct {
	empty, seeded []string // the tables without rows and with rows, quoted
	fingerprint   string
	err           error
}

const tablesSQL = `SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`

// templateOf reads the template's state from the first clone, before a test has used it.
func templateOf(ctx context.Context, db *sqlx.DB) (t filled) {
	var tables []string
	if t.err = db.SelectContext(ctx, &tables, tablesSQL); t.err != nil {
		return t
	}
	if t.seeded, t.err = withRows(ctx, db, tables); t.err != nil {
		return t
	}
	t.empty = slices.DeleteFunc(tables, func(name string) bool { return slices.Contains(t.seeded, name) })
	t.fingerprint, t.err = fingerprint(ctx, db, t.seeded)
	return t
}

func withRows(ctx context.Context, q sqlx.QueryerContext, tables []string) (names []string, err error) {
	asks := make([]string, len(tables))
	for i, name := range tables {
		asks[i] = `SELECT ` + pq.QuoteLiteral(name) + ` WHERE $1 AND EXISTS (SELECT FROM ` + name + `)`
	}
	err = sqlx.SelectContext(ctx, q, &names, strings.Join(asks, " UNION ALL "), true) // a statement with a parameter is planned once
	return names, err
}

func fingerprint(ctx context.Context, q sqlx.QueryerContext, seeded []string) (text string, err error) {
	asks := []string{}
	for _, table := range append([]string{"pg_class", "pg_proc", "pg_trigger", "pg_constraint", "pg_policy", "pg_attrdef", "pg_namespace"}, seeded...) {
		asks = append(asks, `(SELECT count(*) || '/' || coalesce(max(xmin::text::bigint), 0) FROM `+table+`)`)
	}
	err = sqlx.GetContext(ctx, q, &text, `SELECT concat_ws($1::text, `+strings.Join(asks, ", ")+`)`, " ")
	return text, err
}

var ofTemplate struct { //nolint:gochecknoglobals // one template a test process
	once sync.Once
	filled
}

// empty puts the clone back into the template's state. It fails if a test changed the schema or the template's rows, or if another session
// still uses the database.
func (c *clone) empty(ctx context.Context) error {
	var ours []int
	for _, k := range c.kept {
		sessions, err := k.reset(ctx)
		if err != nil {
			return err
		}
		ours = append(ours, sessions...)
	}
	owner := c.kept[""].db
	if err := alone(ctx, owner, ours); err != nil {
		return err
	}
	return postgres.InTx(ctx, owner, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SET LOCAL plan_cache_mode = force_generic_plan`); err != nil {
			return err
		}
		full, err := withRows(ctx, tx, ofTemplate.empty)
		if err != nil {
			return err
		}
		statements := []string{`SET LOCAL session_replication_role = replica`} // no trigger keeps a row
		for _, table := range full {
			statements = append(statements, `DELETE FROM `+table)
		}
		statements = append(statements, `SELECT setval('river_job_id_seq', 1, false), setval('river_notification_id_seq', 1, false)`)
		if _, err := tx.ExecContext(ctx, strings.Join(statements, "; ")); err != nil {
			return err
		}
		found, err := fingerprint(ctx, tx, ofTemplate.seeded)
		if err == nil && found != ofTemplate.fingerprint {
			return errOther
		}
		return err
	})
}

const othersSQL = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> ALL ($1)`

// alone waits until only our own sessions are connected: a closed session may take a moment to leave.
func alone(ctx context.Context, owner *sqlx.DB, ours []int) error {
	for range 40 {
		var others int
		if err := owner.GetContext(ctx, &others, othersSQL, pq.Array(ours)); err != nil || others == 0 {
			return err
		}
		time.Sleep(25 * time.Millisecond)
	}
	return errOther
}
