package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrNoPgBouncer means that this machine has no PgBouncer; Debian's package is pgbouncer.
var ErrNoPgBouncer = errors.New("no pgbouncer in PATH, and PGBOUNCER names none (apt-get install pgbouncer)")

// PgBouncerConfig says which server to pool.
type PgBouncerConfig struct {
	Server string // the server's URL; databases keep their names
	// Role is assumed by every server session, so that clients need no password; empty for none.
	Role   string
	Folder string // for its files; must be writable by the account that runs Postgres
	// Settings are the lines of the [pgbouncer] section, without addresses, accounts and files.
	Settings string
	Log      io.Writer
}

// PgBouncer is a running pooler, listening on 127.0.0.1 only.
type PgBouncer struct {
	port    int
	follows bool
	command *exec.Cmd
	exited  chan struct{}
}

// findPgBouncer returns the program and the first two numbers of its version, or ErrNoPgBouncer.
func findPgBouncer(ctx context.Context) (program string, major, minor int, err error) {
	program = os.Getenv("PGBOUNCER")
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
		if found, err := exec.LookPath(name); program == "" && err == nil {
			program = found
		}
	}
	if program == "" {
		return "", 0, 0, ErrNoPgBouncer
	}
	text, err := exec.CommandContext(ctx, program, "--version").Output() //nolint:gosec // the developer chooses the program
	if err != nil {
		return "", 0, 0, fmt.Errorf("ask PgBouncer for its version: %w", err)
	}
	if _, err := fmt.Sscanf(string(text), "PgBouncer %d.%d", &major, &minor); err != nil {
		return "", 0, 0, fmt.Errorf("read the version of PgBouncer: %w", err)
	}
	return program, major, minor, nil
}

func followsPrepared(major, minor int) bool { return major > 1 || minor >= 21 }

// InstalledPgBouncer returns the program and whether it follows prepared statements, or ErrNoPgBouncer.
func InstalledPgBouncer(ctx context.Context) (program string, follows bool, err error) {
	program, major, minor, err := findPgBouncer(ctx)
	return program, followsPrepared(major, minor), err
}

// StartPgBouncer starts a pooler and returns once it accepts connections.
func StartPgBouncer(ctx context.Context, config PgBouncerConfig) (*PgBouncer, error) {
	program, major, minor, err := findPgBouncer(ctx)
	if err != nil {
		return nil, err
	}
	run, err := postgresAccount()
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(config.Server)
	if err != nil {
		return nil, errors.New("address of the server cannot be parsed")
	}
	reserved, err := ReservePort(ctx)
	if err != nil {
		return nil, err
	}
	b := &PgBouncer{port: PortOf(reserved), follows: followsPrepared(major, minor), exited: make(chan struct{})}
	_ = reserved.Close()
	role := ""
	if config.Role != "" {
		role = " connect_query='SET ROLE " + config.Role + "'"
	}
	settings := config.Settings
	if !b.follows {
		settings = WithoutPrepared(settings)
	}
	text := fmt.Sprintf("[databases]\n* = host=%s port=%s user=%s%s\n[pgbouncer]\n%s\nlisten_addr = 127.0.0.1\nlisten_port = %d\n"+
		"unix_socket_dir =\nauth_type = any\n", server.Hostname(), server.Port(), server.User.Username(), role, settings, b.port)
	file := filepath.Join(config.Folder, "pgbouncer.ini")
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), run.own(file)); err != nil {
		return nil, fmt.Errorf("write the settings of PgBouncer: %w", err)
	}
	b.command = run.command(program, file)
	b.command.Stdout, b.command.Stderr = config.Log, config.Log
	if err := b.command.Start(); err != nil {
		return nil, fmt.Errorf("start PgBouncer: %w", err)
	}
	go func() {
		_ = b.command.Wait()
		close(b.exited)
	}()
	if err := b.waitReady(ctx); err != nil {
		return nil, errors.Join(err, b.Stop())
	}
	return b, nil
}

// PoolerSettings returns a configuration file's portable settings: no databases, addresses, accounts or certificates.
func PoolerSettings(file string) string {
	_, settings, _ := strings.Cut(file, "[pgbouncer]\n")
	for _, name := range []string{"listen_", "auth_", "client_tls_", "server_tls_", ";"} {
		settings = without(settings, name)
	}
	return settings
}

// WithoutPrepared removes the setting that a PgBouncer which does not follow prepared statements does not know.
func WithoutPrepared(settings string) string { return without(settings, "max_prepared_statements") }

// without removes the lines that start with the given name.
func without(settings, name string) string {
	var kept []string
	for line := range strings.Lines(settings) {
		if !strings.HasPrefix(line, name) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func (b *PgBouncer) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", b.Address())
		if err == nil {
			return conn.Close()
		}
		select {
		case <-b.exited:
			return errors.New("PgBouncer ended while it started")
		case <-ctx.Done():
			return fmt.Errorf("PgBouncer took no connection within %s: %w", startTimeout, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Address returns host and port.
func (b *PgBouncer) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port)) }

// FollowsPrepared reports whether it tracks prepared statements across sessions, as versions from 1.21 on do.
func (b *PgBouncer) FollowsPrepared() bool { return b.follows }

// URL returns the URL of a database behind the pooler, with the options a client needs if prepared statements are not tracked.
func (b *PgBouncer) URL(user, database string) string {
	query := url.Values{"sslmode": {"disable"}}
	if !b.follows {
		query.Set("default_query_exec_mode", "exec")
	}
	address := url.URL{Scheme: "postgres", User: url.User(user), Host: b.Address(), Path: "/" + database, RawQuery: query.Encode()}
	return address.String()
}

// Stop ends the pooler and its connections.
func (b *PgBouncer) Stop() error {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if err := b.command.Process.Signal(signal); errors.Is(err, os.ErrProcessDone) {
			return nil
		}
		select {
		case <-b.exited:
			return nil
		case <-time.After(stopTimeout / 4):
		}
	}
	return errors.New("PgBouncer could not be stopped")
}
