// Package migrate brings the database at DATABASE_OWNER_URL up to date. It may run repeatedly, and alongside a running product:
// every migration is applied once. If API_DATABASE_PASSWORD and WORKER_DATABASE_PASSWORD are set, it also lets the two
// processes' roles log in with them and sets their processes' timeouts on the roles, as a pooler would otherwise drop these.
package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// Command returns the command migrate.
func Command() command.Command {
	return command.Command{Name: "migrate", Uses: []command.Use{
		{Does: "brings the database up to date and lets the roles of api and worker in", Run: run},
	}}
}

func run(ctx context.Context, call command.Call) error {
	dsn, err := call.Setting("DATABASE_OWNER_URL")
	if err != nil {
		return err
	}
	if err := migrations.Apply(ctx, dsn); err != nil {
		return fmt.Errorf("bring the database up to date: %w", err)
	}
	return letIn(ctx, dsn, []role{
		{"franchise360_api", call.Getenv("API_DATABASE_PASSWORD"), postgres.Serving},
		{"franchise360_worker", call.Getenv("WORKER_DATABASE_PASSWORD"), postgres.Working},
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
