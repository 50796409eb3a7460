package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/migrations"
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

// refuseEdited returns migrations.ErrOtherFiles if a migration that the folder's database has applied was edited or removed since.
func (s *devStack) refuseEdited(files fs.FS) error {
	now, err := sums(files)
	if err != nil {
		return err
	}
	for name, sum := range s.Kept.Applied {
		if now[name] != sum {
			return fmt.Errorf("%s: %w", name, migrations.ErrOtherFiles)
		}
	}
	return nil
}

func (s *devStack) keepApplied(files fs.FS) (err error) {
	if s.Kept.Applied, err = sums(files); err != nil {
		return err
	}
	return s.Kept.Save()
}

// sums returns the SHA-256 of each file in hex, by its name.
func sums(files fs.FS) (map[string]string, error) {
	found := map[string]string{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		found[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return found, nil
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
