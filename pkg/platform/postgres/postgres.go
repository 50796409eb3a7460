// Package postgres opens pools, runs transactions with the tenant set for row-level security,
// and turns the driver's errors into ours.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Observe is told of every statement: how long its answer took to begin, and whether it failed.
type Observe func(statement string, took time.Duration, failed bool)

// Open connects to the database at the URL and checks that it answers.
// Statements with parameters are prepared once a connection; binary_parameters saves a round trip for all others.
func Open(ctx context.Context, dsn string, maxConns int) (*sqlx.DB, error) {
	return OpenObserved(ctx, dsn, maxConns, func(string, time.Duration, bool) {})
}

// OpenObserved is Open with somebody who is told of every statement.
func OpenObserved(ctx context.Context, dsn string, maxConns int, observe Observe) (*sqlx.DB, error) {
	dsn, err := withDefaults(dsn)
	if err != nil {
		return nil, err
	}
	source, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, errors.New("database URL cannot be used") // its text may hold a password
	}
	source.Dialer(dialer{newDialer()})
	db := sqlx.NewDb(sql.OpenDB(connector{Connector: source, longest: statementTimeout(dsn), observe: observe}), "postgres")
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxLifetime(30 * time.Minute)
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("ping database: %w", err)
	}
	return db, nil
}

// connectTimeout is how long a new connection may take until the server has greeted.
const connectTimeout = 5 * time.Second

func withDefaults(dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", errors.New("database URL cannot be parsed") // its text may hold a password
	}
	if u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return "", errors.New("database URL: want an address that begins with postgres://")
	}
	q := u.Query()
	for k, v := range map[string]string{"binary_parameters": "yes", "sslmode": "require", "connect_timeout": strconv.Itoa(int(connectTimeout.Seconds()))} {
		if q.Get(k) == "" {
			q.Set(k, v)
		}
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// InTx runs fn in one transaction: commits when fn returns nil, rolls back otherwise.
func InTx(ctx context.Context, db *sqlx.DB, fn func(tx *sqlx.Tx) error) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return Error(fmt.Errorf("begin transaction: %w", err))
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	if err := fn(tx); err != nil {
		return Error(whoEnded(ctx, err))
	}
	if err := tx.Commit(); err != nil {
		return Error(fmt.Errorf("commit transaction: %w", whoEnded(ctx, err)))
	}
	return nil
}

// whoEnded adds why the context ended to the error of a transaction that database/sql rolled back because it did.
func whoEnded(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return errors.Join(err, ctx.Err())
}

// InTenantTx is InTx with the franchiser set, so that row-level security shows only its rows.
func InTenantTx(ctx context.Context, db *sqlx.DB, franchiserID string, fn func(tx *sqlx.Tx) error) error {
	return InTx(ctx, db, func(tx *sqlx.Tx) error {
		if err := SetFranchiser(ctx, tx, franchiserID); err != nil {
			return err
		}
		return fn(tx)
	})
}

// What a franchiser reads is found by its id, so one plan serves all of them. Left to itself Postgres plans anew at each execution
// where it expects many rows of one franchiser, and planning a page of orders takes thrice as long as reading it.
const setFranchiserSQL = `SELECT set_config('app.franchiser_id', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)`

// SetFranchiser sets the franchiser for the rest of the transaction.
func SetFranchiser(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, setFranchiserSQL, franchiserID); err != nil {
		return fmt.Errorf("set franchiser: %w", err)
	}
	return nil
}

// Error turns a driver's error into an unavailable one where the database can't be reached or refuses work
// (SQLSTATE classes 08, 53, 57); other errors pass unchanged.
func Error(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*errs.Error](err); ok {
		return err
	}
	if pqErr, ok := errors.AsType[*pq.Error](err); ok {
		switch pqErr.Code.Class() {
		case "08", "53", "57":
			return errs.Unavailable(err)
		}
		if pqErr.Code == LockNotAvailable || pqErr.Code == idledTooLong {
			return errs.Unavailable(err)
		}
		return err
	}
	if isConnectionLoss(err) {
		return errs.Unavailable(err)
	}
	return err
}

func isConnectionLoss(err error) bool {
	for _, s := range []string{"bad connection", "connection refused", "connection reset", "broken pipe", "EOF", "i/o timeout", "database is closed"} {
		if strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}

// SQLSTATE codes that stores turn into domain errors.
const (
	UniqueViolation     = "23505"
	ForeignKeyViolation = "23503"
	CheckViolation      = "23514"
	LockNotAvailable    = "55P03"
	idledTooLong        = "25P03"
)

// Violates says whether err is the given SQLSTATE, and on that constraint unless it is empty.
func Violates(err error, code pqerror.Code, constraint string) bool {
	pqErr, ok := errors.AsType[*pq.Error](err)
	return ok && pqErr.Code == code && (constraint == "" || pqErr.Constraint == constraint)
}
