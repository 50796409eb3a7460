package postgres

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

// Statements keeps the plans of statements that are asked often: each is prepared once a connection, which spares the
// server the parsing and planning that cost more than the reading. A statement is prepared in the background after its
// first use, never inside a transaction, so that no holder of one connection waits for another.
type Statements struct {
	db       *sqlx.DB
	mu       sync.RWMutex
	prepared map[string]*sqlx.Stmt
}

// NewStatements returns an empty set over the pool.
func NewStatements(db *sqlx.DB) *Statements {
	return &Statements{db: db, prepared: map[string]*sqlx.Stmt{}}
}

// find returns the prepared statement, nil while there is none yet.
func (s *Statements) find(ctx context.Context, query string) *sqlx.Stmt {
	s.mu.RLock()
	stmt, known := s.prepared[query]
	s.mu.RUnlock()
	if known {
		return stmt
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.prepared[query]; !known {
		s.prepared[query] = nil // one tries at a time
		go s.prepare(context.WithoutCancel(ctx), query)
	}
	return nil
}

func (s *Statements) prepare(ctx context.Context, query string) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	stmt, err := s.db.PreparexContext(ctx, query) //nolint:sqlclosecheck // kept as long as the pool
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		delete(s.prepared, query) // the next use tries again; until then it goes unprepared
		return
	}
	s.prepared[query] = stmt
}

// Get reads one row inside the transaction.
func (s *Statements) Get(ctx context.Context, tx *sqlx.Tx, dest any, query string, args ...any) error {
	if stmt := s.find(ctx, query); stmt != nil {
		return tx.StmtxContext(ctx, stmt).GetContext(ctx, dest, args...) //nolint:sqlclosecheck // ends with tx
	}
	return tx.GetContext(ctx, dest, query, args...)
}

// Exec runs the statement inside the transaction.
func (s *Statements) Exec(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (sql.Result, error) {
	if stmt := s.find(ctx, query); stmt != nil {
		return tx.StmtxContext(ctx, stmt).ExecContext(ctx, args...)
	}
	return tx.ExecContext(ctx, query, args...)
}

// GetOne reads one row in a transaction of its own, which the database makes for a single statement by itself.
func (s *Statements) GetOne(ctx context.Context, dest any, query string, args ...any) error {
	if stmt := s.find(ctx, query); stmt != nil { //nolint:sqlclosecheck // kept as long as the pool
		return stmt.GetContext(ctx, dest, args...)
	}
	return s.db.GetContext(ctx, dest, query, args...)
}
