// Command schema generates migrations/schema.sql from the migrations: `go run ./scripts/testdb go run ./scripts/schema`.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"time"

	_ "github.com/lib/pq" // the driver

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/migrations/dump"
)

const target = "migrations/schema.sql"

func main() {
	if err := run(context.Background()); err != nil {
		slog.New(slog.NewTextHandler(os.Stderr, nil)).Error("write the schema", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run migrates a separate database in the throw-away cluster at TEST_DATABASE_URL.
func run(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	admin := os.Getenv("TEST_DATABASE_URL")
	if admin == "" {
		return errors.New("TEST_DATABASE_URL is not set: run `make generate`")
	}
	server, err := sql.Open("postgres", admin)
	if err != nil {
		return fmt.Errorf("open the cluster: %w", err)
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	name := fmt.Sprintf("schema_%d", os.Getpid())
	if _, err := server.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return fmt.Errorf("make a database: %w", err)
	}
	defer func() {
		_, dropErr := server.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)")
		err = errors.Join(err, dropErr)
	}()
	dsn, err := url.Parse(admin)
	if err != nil {
		return errors.New("TEST_DATABASE_URL is no URL")
	}
	dsn.Path = "/" + name
	if err := migrations.Apply(ctx, dsn.String()); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	db, err := sql.Open("postgres", dsn.String())
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	text, err := dump.Schema(ctx, db, migrations.Owners(), migrations.Files())
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(target); err == nil && string(old) == text {
		return nil // tests that run in parallel may be reading it
	}
	if err := os.WriteFile(target, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	return nil
}
