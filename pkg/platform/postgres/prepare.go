package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

// maxPrepared bounds what one connection keeps prepared; what comes later goes unprepared.
const maxPrepared = 256

// connector opens connections of lib/pq that prepare each statement with parameters at its first use and keep it: to
// parse and plan a statement costs the server more than most of ours cost to run. pgx does the same. Nobody waits on them
// for longer than it wants, or, without such a wish, than longest and a little.
type connector struct {
	*pq.Connector

	longest time.Duration
	observe Observe
}

// Connect opens one connection.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	o := &opening{ctx: ctx, stop: func() bool { return true }}
	opened, err := c.Connector.Connect(context.WithValue(ctx, openingKey{}, o))
	if !o.stop() {
		if err == nil {
			_ = opened.Close()
		}
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err // database/sql compares it
	}
	inner, ok := opened.(driverConn)
	if !ok {
		_ = opened.Close()
		return nil, fmt.Errorf("lib/pq gave a %T that lacks a part of a connection", opened)
	}
	return &preparingConn{driverConn: inner, line: o.line, longest: c.longest, observe: c.observe, prepared: map[string]statement{}}, nil
}

// driverConn is what lib/pq's connections can do and database/sql asks for.
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

// preparingConn serves one caller at a time, as database/sql sees to.
type preparingConn struct {
	driverConn
	line     *line
	longest  time.Duration
	observe  Observe
	prepared map[string]statement
	// last is the context of the last use. A call for cancellation may still be under way when it has ended.
	last context.Context // judged when the connection goes back to the pool
	// within is the context of the transaction.
	within context.Context // its commit and rollback come without
}

func (c *preparingConn) watch(ctx context.Context) *watch { return watchOver(ctx, c.line, c.longest) }

// timed tells the observer of a statement.
func (c *preparingConn) timed(statement string, run func() error) error {
	began := time.Now() //nolint:forbidigo // how long a statement took is no business time
	err := run()
	c.observe(statement, time.Since(began), err != nil)
	return err
}

// BeginTx begins a transaction of the server's default isolation; in that of a request, rows tell its id (current_request
// in SQL), in the same round trip. A proof takes a round trip of its own, so that no statement's text holds it.
func (c *preparingConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if opts != (driver.TxOptions{}) {
		return nil, errors.New("transactions have the server's default isolation and may write")
	}
	begin := "BEGIN"
	if requestID := id.OfRequest(ctx); requestID != "" {
		begin += "; SET LOCAL app.request_id = " + pq.QuoteLiteral(requestID)
	}
	c.last, c.within = ctx, ctx
	w := c.watch(ctx)
	err := c.timed("BEGIN", func() error {
		_, err := c.driverConn.ExecContext(ctx, begin, nil)
		return err // stands for lib/pq
	})
	w.end()
	if err != nil {
		_ = c.Rollback() // a connection without a transaction is given up by it
		return nil, err  // stands for lib/pq
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

// Commit ends the transaction.
func (c *preparingConn) Commit() error {
	defer c.watch(c.within).end()
	return c.timed("COMMIT", c.driverConn.Commit)
}

// Rollback takes the transaction back.
func (c *preparingConn) Rollback() error {
	defer c.watch(c.within).end()
	return c.timed("ROLLBACK", c.driverConn.Rollback)
}

// Ping asks whether the server answers.
func (c *preparingConn) Ping(ctx context.Context) error {
	defer c.watch(ctx).end()
	return c.driverConn.Ping(ctx) // stands for lib/pq
}

// QueryContext runs a statement that answers rows.
func (c *preparingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.last = ctx
	w := c.watch(ctx)
	var rows driver.Rows
	err := c.timed(query, func() (err error) {
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
		return c.driverConn.QueryContext(ctx, query, args) // stands for lib/pq
	}
	rows, err := s.QueryContext(ctx, args)
	return rows, c.forget(query, err)
}

// driverRows is what lib/pq's rows can do and database/sql asks for.
type driverRows interface {
	driver.RowsNextResultSet
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// watchedRows come from the server while they are read.
type watchedRows struct {
	driverRows
	watch *watch
}

// Close reads what is left of the rows.
func (r *watchedRows) Close() error {
	defer r.watch.end()
	return r.driverRows.Close() // stands for lib/pq
}

// ExecContext runs a statement that answers nothing.
func (c *preparingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (res driver.Result, err error) {
	c.last = ctx
	defer c.watch(ctx).end()
	err = c.timed(query, func() (err error) {
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
		return c.driverConn.ExecContext(ctx, query, args) // stands for lib/pq
	}
	res, err := s.ExecContext(ctx, args)
	return res, c.forget(query, err)
}

// statement is nil for one that goes unprepared: without parameters it may hold several commands.
func (c *preparingConn) statement(ctx context.Context, query string, args []driver.NamedValue) (statement, error) {
	if len(args) == 0 {
		return nil, nil // says so
	}
	if s, ok := c.prepared[query]; ok {
		return s, nil
	}
	if len(c.prepared) >= maxPrepared {
		return nil, nil // says so
	}
	prepared, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err // stands for lib/pq
	}
	s, ok := prepared.(statement)
	if !ok {
		_ = prepared.Close()
		return nil, nil // a COPY
	}
	c.prepared[query] = s
	return s, nil
}

// SQLSTATE codes of a statement that a change of the schema has made useless.
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

// IsValid says whether the connection may serve another caller; one whose last context has ended may not, because the
// cancellation could reach the next statement.
func (c *preparingConn) IsValid() bool {
	ended := c.last != nil && c.last.Err() != nil
	c.last = nil
	return !ended && c.driverConn.IsValid()
}
