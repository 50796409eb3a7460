package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/scripts/embedded"
)

const databaseName = "franchise360"

// The roles of the embedded Postgres.
const superuser, apiRole, workerRole = embedded.Superuser, "franchise360_api", "franchise360_worker"

// password returns a role's, the same in every run on this data folder.
func (s *devStack) password(role string) string { return s.Kept.Secret(role, 24) }

// startDatabase runs the embedded Postgres and records each role's connection URL.
func (s *devStack) startDatabase(ctx context.Context) error {
	if err := embedded.Install(ctx, s.opts.repository); err != nil {
		return err
	}
	port, err := s.Kept.Port(ctx, "postgres")
	if err != nil {
		return err
	}
	s.Kept.Release("postgres")
	s.postgres, err = s.StartPostgres(ctx, embedded.PostgresConfig{
		Repository: s.opts.repository, Data: filepath.Join(s.opts.dataDir, "postgres"), Port: port,
		Password: s.password(superuser), Throwaway: s.opts.throwaway, Log: s.Screen.Prefixed("postgres"),
	})
	if err != nil {
		return err
	}
	if err := ensureDatabase(ctx, s.postgres.SuperuserURL("postgres")); err != nil {
		return err
	}
	s.settings["DATABASE_OWNER_URL"] = s.postgres.SuperuserURL(databaseName)
	s.settings["DATABASE_URL"] = s.postgres.URL(apiRole, s.password(apiRole), databaseName)
	s.settings["API_DATABASE_PASSWORD"] = s.password(apiRole)
	s.settings["WORKER_DATABASE_PASSWORD"] = s.password(workerRole)
	s.settings["WORKER_DATABASE_URL"] = s.postgres.URL(workerRole, s.password(workerRole), databaseName)
	return nil
}

func ensureDatabase(ctx context.Context, superuserURL string) error {
	return withDatabase(superuserURL, func(db *sql.DB) error {
		var exists bool
		err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, databaseName).Scan(&exists)
		if err != nil {
			return fmt.Errorf("look for the database: %w", err)
		}
		if exists {
			return nil
		}
		if _, err := db.ExecContext(ctx, `CREATE DATABASE `+pq.QuoteIdentifier(databaseName)); err != nil {
			return fmt.Errorf("create the database: %w", err)
		}
		return nil
	})
}

// The development clock is one row, read by every process while APP_ENV is development.
const devClockSQL = `
CREATE SCHEMA IF NOT EXISTS dev;
CREATE TABLE IF NOT EXISTS dev.clock (
	only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
	offset_seconds bigint  NOT NULL DEFAULT 0
);
INSERT INTO dev.clock DEFAULT VALUES ON CONFLICT DO NOTHING;
GRANT USAGE ON SCHEMA dev TO franchise360_api, franchise360_worker;
GRANT SELECT, UPDATE ON dev.clock TO franchise360_api, franchise360_worker;`

func (s *devStack) makeDevClock(ctx context.Context) error {
	return withDatabase(s.settings["DATABASE_OWNER_URL"], func(db *sql.DB) error {
		if _, err := db.ExecContext(ctx, devClockSQL); err != nil {
			return fmt.Errorf("make the development clock: %w", err)
		}
		return nil
	})
}

func withDatabase(dsn string, work func(db *sql.DB) error) error {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	return work(db)
}
