// Package postgres opens connection pools, runs transactions with the tenant set for row-level security, and translates
// driver errors.
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

// Observe is called for every statement, and for CONNECT, with the time until its answer began and its failure.
type Observe func(statement string, took time.Duration, err error)

// Open connects to the database at the URL and checks that it responds. Statements with parameters are prepared once per
// connection, because planning costs the server more than running most of them; binary_parameters saves a round trip for all others.
func Open(ctx context.Context, dsn string, maxConns int) (*sqlx.DB, error) {
	return OpenObserved(ctx, dsn, maxConns, func(string, time.Duration, error) {})
}

// OpenObserved is Open with a callback for every statement.
func OpenObserved(ctx context.Context, dsn string, maxConns int, observe Observe) (*sqlx.DB, error) {
	db, err := open(dsn, maxConns, observe, false)
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("ping database: %w", err)
	}
	return db, nil
}

// open returns a pool without connecting. A strict pool ends every statement itself soon after the server should have.
func open(dsn string, maxConns int, observe Observe, strict bool) (*sqlx.DB, error) {
	most, err := mostPrepared(dsn)
	if err != nil {
		return nil, err
	}
	dsn, err = withDefaults(dsn)
	if err != nil {
		return nil, err
	}
	source, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, errors.New("database URL cannot be used") // it may contain a password
	}
	source.Dialer(dialer{newDialer()})
	db := sqlx.NewDb(sql.OpenDB(connector{
		Connector: source, longest: statementTimeout(dsn), strict: strict, observe: observe, mostPrepared: most,
	}), "postgres")
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxLifetime(30 * time.Minute)
	return db, nil
}

// connectTimeout limits how long a new connection may take until the server's greeting.
const connectTimeout = 5 * time.Second

func withDefaults(dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", errors.New("database URL cannot be parsed") // it may contain a password
	}
	if u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return "", errors.New("database URL: want an address that begins with postgres://")
	}
	q := u.Query()
	q.Del(execMode)
	for k, v := range map[string]string{"binary_parameters": "yes", "sslmode": "require", "connect_timeout": strconv.Itoa(int(connectTimeout.Seconds()))} {
		if q.Get(k) == "" {
			q.Set(k, v)
		}
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// InTx runs fn in a transaction, which is committed if fn returns nil and rolled back otherwise.
func InTx(ctx context.Context, db *sqlx.DB, fn func(tx *sqlx.Tx) error) error {
	return inTx(ctx, db, nil, fn)
}

// InSnapshot is InTx for reading alone: all queries of fn see the database as it was at the first one.
func InSnapshot(ctx context.Context, db *sqlx.DB, fn func(tx *sqlx.Tx) error) error {
	return inTx(ctx, db, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, fn)
}

func inTx(ctx context.Context, db *sqlx.DB, options *sql.TxOptions, fn func(tx *sqlx.Tx) error) error {
	tx, err := begin(ctx, db, options)
	if err != nil {
		return Error(fmt.Errorf("begin transaction: %w", err))
	}
	defer tx.end()
	defer func() { _ = tx.Rollback() }() // no-op after a commit
	if err := fn(tx.Tx); err != nil {
		err = whoEnded(ctx, err)
		if tx.instead { // the primary decides what is refused or missing
			return errs.Unavailable(err)
		}
		return Error(err)
	}
	if err := tx.Commit(); err != nil {
		return Error(fmt.Errorf("commit transaction: %w", whoEnded(ctx, err)))
	}
	return nil
}

// whoEnded adds the context's cause to the error of a transaction that database/sql rolled back because the context ended.
func whoEnded(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return errors.Join(err, ctx.Err())
}

type franchiserKey struct{}

// InTenantTx is InTx with the franchiser set, so that row-level security shows only its rows.
func InTenantTx(ctx context.Context, db *sqlx.DB, franchiserID string, fn func(tx *sqlx.Tx) error) error {
	return InTx(context.WithValue(ctx, franchiserKey{}, franchiserID), db, fn)
}

type lockKey struct{}

// InLockedTenantTx is InTenantTx that waits, in the round trip that begins the transaction, for the franchiser's lock of that number. The
// transaction holds the lock until it ends, and fn only reads data committed before the lock was taken.
func InLockedTenantTx(ctx context.Context, db *sqlx.DB, franchiserID string, number int, fn func(tx *sqlx.Tx) error) error {
	return InTenantTx(context.WithValue(ctx, lockKey{}, number), db, franchiserID, fn)
}

// A franchiser's rows are looked up by id, so one plan serves all franchisers. By default Postgres replans at each
// execution if it expects many rows per franchiser, and planning a page of orders takes three times as long as reading it.
const setFranchiserSQL = `SELECT set_config('app.franchiser_id', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)`

// SetFranchiser sets the franchiser for the rest of a transaction that began before it was known.
func SetFranchiser(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, setFranchiserSQL, franchiserID); err != nil {
		return fmt.Errorf("set franchiser: %w", err)
	}
	return nil
}

// Error converts a driver's error to KindUnavailable if the database can't be reached or refuses work (SQLSTATE classes 08,
// 53, 57); other errors pass unchanged.
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
		if pqErr.Code == LockNotAvailable || pqErr.Code == idledTooLong || pqErr.Code == readOnly {
			return errs.Unavailable(err)
		}
		return err
	}
	if isConnectionLoss(err) {
		return errs.Unavailable(lostConnectionError{err})
	}
	return err
}

func isConnectionLoss(err error) bool {
	for _, s := range []string{
		"bad connection", "connection refused", "connection reset", "broken pipe", "EOF", "i/o timeout", "database is closed",
		"no such host", "session is read-only", "server is in hot standby mode", // lib/pq's messages when no host accepts writes
	} {
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
	readOnly            = "25006"
)

// Violates reports whether err has the given SQLSTATE and, unless empty, concerns that constraint.
func Violates(err error, code pqerror.Code, constraint string) bool {
	pqErr, ok := errors.AsType[*pq.Error](err)
	return ok && pqErr.Code == code && (constraint == "" || pqErr.Constraint == constraint)
}
