package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
)

// StartStandby copies a running cluster into the folder of the configuration and starts the copy, which follows the primary
// until promoted (pg_promote). The primary must trust local connections.
func StartStandby(ctx context.Context, primary *Postgres, config PostgresConfig) (*Postgres, error) {
	run, err := postgresAccount()
	if err != nil {
		return nil, err
	}
	if config.Data, err = filepath.Abs(config.Data); err != nil {
		return nil, fmt.Errorf("find the data folder: %w", err)
	}
	data, err := run.place(ctx, config.Data)
	if err != nil {
		return nil, err
	}
	cluster := filepath.Join(data, "cluster")
	label, err := copyRunning(ctx, primary, run, cluster)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{"backup_label": label, "standby.signal": nil} {
		path := filepath.Join(cluster, name)
		if err := errors.Join(os.WriteFile(path, text, 0o600), run.own(path)); err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
	}
	settings := map[string]string{
		"primary_conninfo": "host=127.0.0.1 port=" + strconv.Itoa(primary.config.Port) + " user=" + Superuser + " application_name=standby",
	}
	maps.Copy(settings, config.Settings)
	config.Settings = settings
	return StartPostgres(ctx, config)
}

// copyRunning copies the files as they are, and returns the backup label that Postgres needs to make them consistent.
func copyRunning(ctx context.Context, primary *Postgres, run account, target string) (label []byte, err error) {
	db, err := sql.Open("postgres", primary.SuperuserURL("postgres"))
	if err != nil {
		return nil, fmt.Errorf("open the first cluster: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx) // a backup is bound to one connection
	if err != nil {
		return nil, fmt.Errorf("connect to the first cluster: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, `SELECT pg_backup_start('standby', fast => true)`); err != nil {
		return nil, fmt.Errorf("begin the copy: %w", err)
	}
	if output, err := run.command("cp", "-a", filepath.Join(primary.data, "cluster"), target).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("copy the cluster: %w\n%s", err, output)
	}
	if err := conn.QueryRowContext(ctx, `SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)`).Scan(&label); err != nil {
		return nil, fmt.Errorf("end the copy: %w", err)
	}
	if err := os.Remove(filepath.Join(target, "postmaster.pid")); err != nil {
		return nil, fmt.Errorf("clear the copy: %w", err)
	}
	return label, nil
}
