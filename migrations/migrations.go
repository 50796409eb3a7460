// Package migrations holds the database schema as numbered SQL files and applies them, along with River's own.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// schema.sql is generated from these files and is not a migration.
//
//go:embed [0-9]*.sql
var files embed.FS

// ErrOtherFiles means that the database was migrated with files that no longer exist, or that were edited since.
var ErrOtherFiles = errors.New("the database was made by migrations that no longer exist or were edited since, and cannot be brought up to date: " +
	"install the release that made it, or restore the backup with the release that made the backup; " +
	"in development stop the product and remove its data folder (DATA_DIR or .data)")

// Files returns the numbered SQL files.
func Files() fs.FS { return files }

// The API inserts jobs and reads their state; the worker works them. Both need every table and sequence of River.
const grantRiverSQL = `
DO $$
DECLARE t text;
BEGIN
	FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'river\_%' LOOP
		EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO franchise360_worker', t);
	END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE ON river_job TO franchise360_api;
GRANT SELECT ON river_queue TO franchise360_api;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO franchise360_api, franchise360_worker;`

// Apply migrates the database at the URL to the latest version as the owner of its tables. It may run repeatedly and in
// several processes at once; each file is applied once, in its own transaction. A database migrated with files that no
// longer exist is left unchanged: ErrOtherFiles. A file that waits for a lock gives up after a while, so that a running
// product is not blocked behind it for long, and is retried for some minutes.
func Apply(ctx context.Context, ownerDSN string) error { return applyFiles(ctx, ownerDSN, files) }

func applyFiles(ctx context.Context, ownerDSN string, sqlFiles fs.FS) error {
	for try := 1; ; try++ {
		err := apply(ctx, ownerDSN, sqlFiles)
		if !postgres.Violates(err, postgres.LockNotAvailable, "") || try == lockTries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(lockPause):
		}
	}
}

// A migration gives up waiting for a table lock after a while (postgres.Migrating), and is retried this many times.
const (
	lockTries = 30
	lockPause = 2 * time.Second
)

func apply(ctx context.Context, ownerDSN string, sqlFiles fs.FS) error {
	db, err := sql.Open("postgres", postgres.Migrating.With(ownerDSN))
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = db.Close() }()

	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("make migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, sqlFiles, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if err := refuseOthers(ctx, db, provider); err != nil {
		return err
	}
	if err := applyRiver(ctx, db); err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	if _, err := db.ExecContext(ctx, grantRiverSQL); err != nil {
		return fmt.Errorf("grant job tables: %w", err)
	}
	return nil
}

// River's tables come first so that our migrations can refer to river_job.
func applyRiver(ctx context.Context, db *sql.DB) error {
	migrator, err := rivermigrate.New(riverdatabasesql.New(db), nil)
	if err != nil {
		return fmt.Errorf("make job migrator: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("apply job migrations: %w", err)
	}
	return nil
}

// refuseOthers looks for an applied version without a file, up to the newest file: later versions belong to a newer
// release.
func refuseOthers(ctx context.Context, db *sql.DB, provider *goose.Provider) error {
	var known []int64
	for _, source := range provider.ListSources() {
		known = append(known, source.Version)
	}
	var made bool
	if err := db.QueryRowContext(ctx, `SELECT to_regclass('public.goose_db_version') IS NOT NULL`).Scan(&made); err != nil {
		return fmt.Errorf("look for applied migrations: %w", err)
	}
	if !made {
		return nil
	}
	var others bool
	err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM goose_db_version
		WHERE is_applied AND version_id BETWEEN 1 AND $1 AND NOT version_id = ANY ($2))`, slices.Max(known), pq.Array(known)).Scan(&others)
	if err != nil {
		return fmt.Errorf("read applied migrations: %w", err)
	}
	if others {
		return ErrOtherFiles
	}
	return nil
}
