// Command migrate brings the database at DATABASE_OWNER_URL up to date. It may run many times, and beside a running
// product: every migration is applied once. With API_DATABASE_PASSWORD and WORKER_DATABASE_PASSWORD set, it also lets
// the roles of the two processes log in with them.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), config.Getenv(logger)); err != nil {
		logger.Error("migrate", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

func run(ctx context.Context, getenv func(string) string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	dsn := getenv("DATABASE_OWNER_URL")
	if dsn == "" {
		return errors.New("DATABASE_OWNER_URL is not set")
	}
	if err := migrations.Apply(ctx, dsn); err != nil {
		return fmt.Errorf("bring the database up to date: %w", err)
	}
	return letIn(ctx, dsn, map[string]string{
		"franchise360_api":    getenv("API_DATABASE_PASSWORD"),
		"franchise360_worker": getenv("WORKER_DATABASE_PASSWORD"),
	})
}

// letIn gives roles that the migrations made their passwords; an empty password leaves its role as it is.
func letIn(ctx context.Context, dsn string, passwords map[string]string) (err error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for role, password := range passwords {
		if password == "" {
			continue
		}
		statement := `ALTER ROLE ` + pq.QuoteIdentifier(role) + ` LOGIN PASSWORD ` + pq.QuoteLiteral(password)
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("let the role %s in: %w", role, err)
		}
	}
	return nil
}
