package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/trace"
)

// maxPrepared limits the prepared statements per connection; any further ones run unprepared.
const maxPrepared = 256

// execMode is the URL parameter that makes pgx not prepare (exec); lib/pq does not have it, so this package implements it.
const execMode = "default_query_exec_mode"

// mostPrepared returns how many prepared statements the URL allows per connection. A pooler that switches server sessions between
// transactions and does not track prepared statements needs exec: every statement is then planned again.
func mostPrepared(dsn string) (int, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return 0, errors.New("database URL cannot be parsed") // it may contain a password
	}
	switch u.Query().Get(execMode) {
	case "":
		return maxPrepared, nil
	case "exec":
		return 0, nil
	}
	return 0, errors.New("database URL: want " + execMode + "=exec, or nothing")
}

// connector opens lib/pq connections that prepare each parameterised statement on first use and keep it: parsing and
// planning costs the server more than running most of our statements. pgx does the same. Callers wait no longer than their
// deadline or, without one, slightly more than longest.
type connector struct {
	*pq.Connector

	longest      time.Duration
	strict       bool
	observe      Observe
	mostPrepared int
}

// Connect opens one connection.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	began := time.Now() //nolint:forbidigo // elapsed time, not business time
	o := &opening{ctx: ctx, stop: func() bool { return true }}
	opened, err := c.Connector.Connect(context.WithValue(ctx, openingKey{}, o))
	if err != nil {
		c.observe("CONNECT", time.Since(began), err)
	}
	if !o.stop() {
		if err == nil {
			_ = opened.Close()
		}
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err // database/sql compares the error
	}
	inner, ok := opened.(driverConn)
	if !ok {
		_ = opened.Close()
		return nil, fmt.Errorf("lib/pq gave a %T that lacks a part of a connection", opened)
	}
	return &preparingConn{
		driverConn: inner, line: o.line, longest: c.longest, strict: c.strict, observe: c.observe, most: c.mostPrepared,
		prepared: map[string]statement{},
	}, nil
}

// driverConn lists the methods of lib/pq's connections that database/sql uses.
type driverConn interface {
	driver.Conn
	driver.Tx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// preparingConn serves one caller at a time, as database/sql guarantees.
type preparingConn struct {
	driverConn
	line     *line
	longest  time.Duration
	strict   bool
	observe  Observe
	most     int
	prepared map[string]statement
	// last is the context of the last use. After it ends, a cancel request may still be under way.
	last context.Context // checked when the connection returns to the pool
	// unfit is set when the server refuses writes or is too old a replica: a new connection may reach a better one.
	unfit bool
	// within is the context of the transaction.
	within context.Context // commit and rollback get no context
	// whole is the transaction's span, the parent of its statements' spans.
	whole trace.Span
}

func (c *preparingConn) watch(ctx context.Context) *watch {
	return watchOver(ctx, c.line, c.longest, c.strict)
}

// timed reports a statement to the observer and to its trace.
func (c *preparingConn) timed(ctx context.Context, statement string, run func() error) error {
	began := time.Now() //nolint:forbidigo // elapsed time, not business time
	span := c.span(ctx, statement)
	err := run()
	c.unfit = c.unfit || Violates(err, readOnly, "")
	end(span, err)
	c.observe(statement, time.Since(began), err)
	return err
}

// BeginTx begins a transaction with the server's default isolation, or a snapshot (InSnapshot). Its franchiser (InTenantTx) and the current request
// (current_request in SQL) are set, and its lock is taken (InLockedTenantTx), in the same round trip. A proof takes an extra round trip, so that no statement's text
// contains it. It fails on a replica that is older than the context allows.
func (c *preparingConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	begin := "BEGIN"
	switch opts {
	case driver.TxOptions{}:
	case driver.TxOptions{Isolation: driver.IsolationLevel(sql.LevelRepeatableRead), ReadOnly: true}:
		begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	default:
		return nil, errors.New("a transaction has the server's default isolation and may write, or is a snapshot")
	}
	if requestID := id.OfRequest(ctx); requestID != "" {
		begin += "; SET LOCAL app.request_id = " + pq.QuoteLiteral(requestID)
	}
	if franchiserID, set := ctx.Value(franchiserKey{}).(string); set {
		begin += "; SET LOCAL app.franchiser_id = " + pq.QuoteLiteral(franchiserID) + "; SET LOCAL plan_cache_mode = force_generic_plan"
		if number, locks := ctx.Value(lockKey{}).(int); locks {
			begin += fmt.Sprintf("; SELECT pg_advisory_xact_lock(hashtextextended(%s, %d))", pq.QuoteLiteral(franchiserID), number)
		}
	}
	c.last, c.within = ctx, ctx
	w := c.watch(ctx)
	_, c.whole = trace.Start(ctx, "transaction")
	need, replica := ctx.Value(neededKey{}).(needed)
	var replayed string
	err := c.timed(ctx, "BEGIN", func() (err error) {
		if replica {
			replayed, err = c.beginReplayed(ctx, begin, need)
			return err
		}
		_, err = c.driverConn.ExecContext(ctx, begin, nil)
		return err // passes lib/pq's error through
	})
	w.end()
	if err == nil && replica {
		err = need.check(replayed)
		c.unfit = c.unfit || errors.Is(err, errLagging)
	}
	if err != nil {
		_ = c.Rollback() // the rollback discards a connection without a transaction
		return nil, err  // passes lib/pq's error through
	}
	if proof := proofOf(ctx); proof != "" {
		args := []driver.NamedValue{{Ordinal: 1, Value: proof}}
		if _, err := c.ExecContext(ctx, showProofSQL, args); err != nil {
			_ = c.Rollback()
			return nil, err
		}
	}
	return c, nil
}

// Commit commits the transaction.
func (c *preparingConn) Commit() error {
	defer c.watch(c.within).end()
	defer c.endWhole()
	return c.timed(c.within, "COMMIT", c.driverConn.Commit)
}

// Rollback rolls the transaction back.
func (c *preparingConn) Rollback() error {
	defer c.watch(c.within).end()
	defer c.endWhole()
	return c.timed(c.within, "ROLLBACK", c.driverConn.Rollback)
}

// Ping checks that the server responds.
func (c *preparingConn) Ping(ctx context.Context) error {
	defer c.watch(ctx).end()
	return c.driverConn.Ping(ctx) // passes lib/pq's error through
}

// QueryContext runs a statement that returns rows.
func (c *preparingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.last = ctx
	w := c.watch(ctx)
	var rows driver.Rows
	err := c.timed(ctx, query, func() (err error) {
		rows, err = c.query(ctx, query, args)
		return err
	})
	if err != nil {
		w.end()
		return nil, err
	}
	whole, ok := rows.(driverRows)
	if !ok {
		w.end()
		return rows, nil
	}
	return &watchedRows{driverRows: whole, watch: w}, nil
}

func (c *preparingConn) query(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.driverConn.QueryContext(ctx, query, args) // passes lib/pq's error through
	}
	rows, err := s.QueryContext(ctx, args)
	return rows, c.forget(query, err)
}

// driverRows lists the methods of lib/pq's rows that database/sql uses.
type driverRows interface {
	driver.RowsNextResultSet
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// watchedRows streams rows from the server under a watch.
type watchedRows struct {
	driverRows
	watch *watch
}

// Close reads the remaining rows.
func (r *watchedRows) Close() error {
	defer r.watch.end()
	return r.driverRows.Close() // passes lib/pq's error through
}

// ExecContext runs a statement that returns no rows.
func (c *preparingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (res driver.Result, err error) {
	c.last = ctx
	defer c.watch(ctx).end()
	err = c.timed(ctx, query, func() (err error) {
		res, err = c.exec(ctx, query, args)
		return err
	})
	return res, err
}

func (c *preparingConn) exec(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.driverConn.ExecContext(ctx, query, args) // passes lib/pq's error through
	}
	res, err := s.ExecContext(ctx, args)
	return res, c.forget(query, err)
}

// statement returns nil for a statement to run unprepared: without parameters it may hold several commands.
func (c *preparingConn) statement(ctx context.Context, query string, args []driver.NamedValue) (statement, error) {
	if len(args) == 0 {
		return nil, nil // nil means unprepared
	}
	if s, ok := c.prepared[query]; ok {
		return s, nil
	}
	if len(c.prepared) >= c.most {
		return nil, nil // nil means unprepared
	}
	prepared, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err // passes lib/pq's error through
	}
	s, ok := prepared.(statement)
	if !ok {
		_ = prepared.Close()
		return nil, nil // a COPY
	}
	c.prepared[query] = s
	return s, nil
}

// SQLSTATE codes of prepared statements invalidated by a schema change.
const (
	featureNotSupported = "0A000" // "cached plan must not change result type"
	invalidStatement    = "26000"
)

func (c *preparingConn) forget(query string, err error) error {
	if Violates(err, featureNotSupported, "") || Violates(err, invalidStatement, "") {
		delete(c.prepared, query)
	}
	return err
}

// IsValid reports whether the connection may be reused. One whose last context has ended may not, because its cancel
// request could hit the next statement; nor may one to an unfit server.
func (c *preparingConn) IsValid() bool {
	ended := c.last != nil && c.last.Err() != nil
	c.last = nil
	return !ended && !c.unfit && c.driverConn.IsValid()
}
