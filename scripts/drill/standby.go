package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/scripts/embedded"
)

// failOver adds a synchronous standby, kills the primary, promotes the standby and redirects all clients to it. Later steps run
// on the standby.
func failOver(ctx context.Context, f *form, _ int) error {
	if f.standby != nil {
		return errors.New("the standby is in use already")
	}
	address, err := f.startStandby(ctx)
	if err != nil {
		return err
	}
	if err := postgresSignal(f, syscall.SIGKILL); err != nil {
		return err
	}
	// The form restarts the old primary, which must no longer be reachable.
	if err := f.cut(ctx, "postgres"); err != nil {
		return err
	}
	if err := f.sql(ctx, f.standby.SuperuserURL("postgres"), `SELECT pg_promote(true, 30)`); err != nil {
		return err
	}
	return errors.Join(f.lead(ctx, "postgres", address), f.postgresAnswers(ctx))
}

// startStandby copies the primary's files like pg_basebackup, starts a standby on them and makes every commit wait for it.
func (f *form) startStandby(ctx context.Context) (address string, err error) {
	a := f.read()
	primary := filepath.Join(a.DataDir, "postgres")
	data := filepath.Join(filepath.Dir(f.dataDir), "standby")
	if err := f.copyPrimary(ctx, primary, data); err != nil {
		return "", err
	}
	owner, err := url.Parse(a.OwnerURL)
	if err != nil {
		return "", fmt.Errorf("read the database's address: %w", err)
	}
	password, _ := owner.User.Password()
	settings := fmt.Sprintf("\nprimary_conninfo = 'host=%s port=%s user=%s password=%s sslmode=verify-full sslcertmode=disable sslrootcert=%s application_name=standby'\n",
		owner.Hostname(), owner.Port(), owner.User.Username(), password, authorityOf(data))
	if err := appendTo(filepath.Join(data, "cluster", "postgresql.auto.conf"), settings); err != nil {
		return "", err
	}
	certificate, certErr := os.ReadFile(filepath.Join(primary, "server.crt"))
	key, keyErr := os.ReadFile(filepath.Join(primary, "server.key"))
	if err := errors.Join(certErr, keyErr); err != nil {
		return "", fmt.Errorf("read the certificate: %w", err)
	}
	reserved, err := embedded.ReservePort(ctx)
	if err != nil {
		return "", err
	}
	port := embedded.PortOf(reserved)
	_ = reserved.Close()
	f.standby, err = embedded.StartPostgres(ctx, embedded.PostgresConfig{
		Repository: f.repository, Data: data, Port: port, Password: password, Log: f.log,
		TLS: &embedded.PostgresTLS{Certificate: certificate, Key: key, Authority: a.Authorities},
	})
	if err != nil {
		return "", err
	}
	err = errors.Join(f.sql(ctx, a.OwnerURL, `ALTER SYSTEM SET synchronous_standby_names = '*'`), f.sql(ctx, a.OwnerURL, `SELECT pg_reload_conf()`))
	if err != nil {
		return "", err
	}
	f.note("the standby runs at port %d", port)
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(port)), f.until(ctx, "the standby is synchronous", func() bool {
		var n int
		err := f.db.GetContext(ctx, &n, `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`)
		return err == nil && n > 0
	})
}

// copyPrimary copies the files between the start and the end of a backup; the WAL replaces files that vanish during it.
func (f *form) copyPrimary(ctx context.Context, primary, data string) error {
	one, err := f.db.Connx(ctx) // a backup is bound to one connection
	if err != nil {
		return fmt.Errorf("begin the copy: %w", err)
	}
	defer func() { _ = one.Close() }()
	if _, err := one.ExecContext(ctx, `SELECT pg_backup_start('standby', fast => true)`); err != nil {
		return fmt.Errorf("begin the copy: %w", err)
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	source, cluster := filepath.Join(primary, "cluster"), filepath.Join(data, "cluster")
	out, err := exec.CommandContext(ctx, "cp", "-a", source, cluster).CombinedOutput()
	if err != nil {
		for line := range strings.Lines(string(out)) {
			if !strings.Contains(line, "No such file or directory") {
				return fmt.Errorf("copy the files: %w: %s", err, line)
			}
		}
	}
	var label string
	if err := one.GetContext(ctx, &label, `SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)`); err != nil {
		return fmt.Errorf("end the copy: %w", err)
	}
	info, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("look at the files: %w", err)
	}
	account, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return errors.New("the system does not tell whose the files are")
	}
	authority, err := os.ReadFile(f.read().Authorities) // only this account may read the original
	if err != nil {
		return fmt.Errorf("read the authorities: %w", err)
	}
	for path, text := range map[string]string{
		filepath.Join(cluster, "backup_label"): label, filepath.Join(cluster, "standby.signal"): "", authorityOf(data): string(authority),
	} {
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chown(path, int(account.Uid), int(account.Gid))); err != nil {
			return fmt.Errorf("complete the copy: %w", err)
		}
	}
	return errors.Join(os.Chown(data, int(account.Uid), int(account.Gid)), os.RemoveAll(filepath.Join(cluster, "postmaster.pid")))
}

// authorityOf returns the path of the standby's trusted certificate authority.
func authorityOf(data string) string { return filepath.Join(data, "authority.pem") }

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("add to %s: %w", path, err)
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// sql runs one statement on the server at the given address.
func (f *form) sql(ctx context.Context, address, statement string) (err error) {
	db, err := sqlx.Open("postgres", address)
	if err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func (f *form) endStandby() {
	if f.standby == nil {
		return
	}
	if err := f.standby.Stop(); err != nil {
		f.note("%v", err)
	}
}
