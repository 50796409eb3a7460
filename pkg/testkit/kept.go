package testkit

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const (
	// mostConnections is how many connections a pool of a test may have.
	mostConnections = 20
	// mostKept is how many of them are kept for the next test.
	mostKept = 4
)

// keptPool holds the connections of one role to a clone. Each test has a pool that borrows them and is closed with the test, so that an
// earlier test cannot reach the database through it.
type keptPool struct {
	db *sqlx.DB
}

func keep(ctx context.Context, dsn string) (*keptPool, error) {
	db, err := postgres.Open(ctx, dsn, 2*mostConnections)
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(mostKept)
	return &keptPool{db: db}, nil
}

// lend returns a pool of borrowed connections.
func (k *keptPool) lend() *sqlx.DB {
	db := sqlx.NewDb(sql.OpenDB(borrower{k.db}), "postgres")
	db.SetMaxOpenConns(mostConnections)
	db.SetMaxIdleConns(mostConnections)
	return db
}

// resetSQL ends a session's state outside transactions, except prepared statements.
const resetSQL = `RESET ROLE; RESET ALL; UNLISTEN *; SELECT pg_advisory_unlock_all()`

// reset makes the sessions like new and returns their numbers at the server. It fails if one is still lent.
func (k *keptPool) reset(ctx context.Context) (sessions []int, err error) {
	if k.db.Stats().InUse > 0 {
		return nil, errOther
	}
	for range k.db.Stats().OpenConnections {
		conn, err := k.db.Connx(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { _ = conn.Close() }()
		if _, err := conn.ExecContext(ctx, resetSQL); err != nil {
			return nil, err
		}
		var session int
		if err := conn.GetContext(ctx, &session, `SELECT pg_backend_pid()`); err != nil {
			return nil, err
		}
		sessions = append(sessions, session)
	}
	return sessions, nil
}

// borrower opens a connection by borrowing it.
type borrower struct{ from *sqlx.DB }

// Connect implements driver.Connector.
func (b borrower) Connect(ctx context.Context) (driver.Conn, error) {
	held, err := b.from.Conn(ctx)
	if err != nil {
		return nil, err // database/sql compares the error
	}
	lent := &borrowed{held: held}
	err = held.Raw(func(conn any) error {
		var ok bool
		if lent.sessionConn, ok = conn.(sessionConn); !ok {
			return fmt.Errorf("a %T lacks a part of a connection", conn)
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return lent, nil
}

// Driver implements driver.Connector.
func (b borrower) Driver() driver.Driver { return b.from.Driver() }

// sessionConn lists what database/sql uses of a connection.
type sessionConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// borrowed is a connection that returns to its pool when it is closed.
type borrowed struct {
	sessionConn
	held   *sql.Conn
	once   sync.Once
	broken bool
}

// IsValid remembers a no: the connection says it once.
func (b *borrowed) IsValid() bool {
	b.broken = b.broken || !b.sessionConn.IsValid()
	return !b.broken
}

// Close gives the connection back; a broken one is closed.
func (b *borrowed) Close() (err error) {
	b.once.Do(func() {
		if !b.IsValid() {
			_ = b.held.Raw(func(any) error { return driver.ErrBadConn }) // makes the pool close it
		}
		err = b.held.Close()
	})
	return err
}
