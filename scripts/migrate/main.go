// Command migrate brings the database at DATABASE_OWNER_URL up to date. It may run repeatedly, and alongside a running product:
// every migration is applied once. If API_DATABASE_PASSWORD and WORKER_DATABASE_PASSWORD are set, it also lets the two
// processes' roles log in with them and sets their processes' timeouts on the roles, as a pooler would otherwise drop these.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/version"
)

func main() {
	if version.Told(os.Args[1:], os.Stdout) {
		return
	}
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
	return letIn(ctx, dsn, []role{
		{"franchise360_api", getenv("API_DATABASE_PASSWORD"), postgres.Serving},
		{"franchise360_worker", getenv("WORKER_DATABASE_PASSWORD"), postgres.Working},
	})
}

type role struct {
	name, password string
	patience       postgres.Patience
}

// letIn sets passwords and timeouts on roles that the migrations created; an empty password leaves its role unchanged.
func letIn(ctx context.Context, dsn string, roles []role) (err error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, r := range roles {
		if r.password == "" {
			continue
		}
		name := pq.QuoteIdentifier(r.name)
		statements := []string{`ALTER ROLE ` + name + ` LOGIN PASSWORD ` + pq.QuoteLiteral(r.password)}
		for setting, value := range r.patience.Settings() {
			statements = append(statements, `ALTER ROLE `+name+` SET `+setting+` = `+pq.QuoteLiteral(value))
		}
		if _, err := db.ExecContext(ctx, strings.Join(statements, "; ")); err != nil {
			return fmt.Errorf("let the role %s in: %w", r.name, err)
		}
	}
	return nil
}
