package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/lib/pq" // the driver of the readiness check
)

const (
	// Superuser is the name of the cluster's superuser.
	Superuser = "postgres"

	startTimeout = 5 * time.Minute
	stopTimeout  = time.Minute
)

// PostgresConfig says which cluster to run and how durable it is.
type PostgresConfig struct {
	Repository string    // root of the checkout, whose scripts/node_modules holds the binaries
	Data       string    // the cluster's folder; initialised if empty
	Port       int       // on 127.0.0.1; 0 chooses a free one
	Password   string    // the superuser's; empty trusts every local connection
	Throwaway  bool      // trades durability for speed; the data of a crashed cluster is worthless
	Log        io.Writer // receives the server's log
	// TLS makes the server accept encrypted connections only; nil means plaintext.
	TLS *PostgresTLS
	// Env is added to the server's environment.
	Env []string
	// Settings are additional server settings, such as shared_buffers.
	Settings map[string]string
}

// PostgresTLS is a certificate for 127.0.0.1 and its key in PEM, and the file of the issuing authority.
type PostgresTLS struct {
	Certificate, Key []byte
	Authority        string
}

// encryptedOnly admits roles by password over TLS, and refuses plaintext.
const encryptedOnly = "hostssl all,replication all 127.0.0.1/32 scram-sha-256\n"

// Postgres is a running cluster, listening on 127.0.0.1 only.
type Postgres struct {
	config  PostgresConfig
	data    string
	command *exec.Cmd
	exited  chan struct{}
	log     tail
	failure error // why the process ended; read it only after exited is closed
}

// StartPostgres initialises the cluster if its folder is empty, stops a server that a killed run left behind, starts it and
// returns once it answers queries.
func StartPostgres(ctx context.Context, config PostgresConfig) (*Postgres, error) {
	run, err := postgresAccount()
	if err != nil {
		return nil, err
	}
	native, err := binaries(config.Repository, run)
	if err != nil {
		return nil, err
	}
	config.Data, err = filepath.Abs(config.Data)
	if err != nil {
		return nil, fmt.Errorf("find the data folder: %w", err)
	}
	data, err := run.place(ctx, config.Data)
	if err != nil {
		return nil, err
	}
	if err := EndLeftover(ctx, data); err != nil {
		return nil, err
	}
	if err := initialise(run, native, data, config); err != nil {
		return nil, err
	}
	if err := writeTLS(run, data, config.TLS); err != nil {
		return nil, err
	}
	if config.Port == 0 {
		reserved, err := ReservePort(ctx)
		if err != nil {
			return nil, err
		}
		config.Port = PortOf(reserved)
		_ = reserved.Close()
	}
	server := &Postgres{config: config, data: data, exited: make(chan struct{})}
	server.command = run.command(filepath.Join(native, "bin", "postgres"), serverArguments(config, data)...)
	server.command.Env = append(os.Environ(), config.Env...)
	server.log.to = config.Log
	server.command.Stdout, server.command.Stderr = &server.log, &server.log
	if err := server.command.Start(); err != nil {
		return nil, fmt.Errorf("start Postgres: %w", err)
	}
	go func() {
		server.failure = server.command.Wait()
		close(server.exited)
	}()
	if err := server.waitReady(ctx); err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return server, nil
}

// tailBytes is how much of a log is kept for an error.
const tailBytes = 4096

// tail passes a log on and keeps its end. One goroutine writes it, because the process has it as both outputs.
type tail struct {
	to   io.Writer
	last []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.last = append(t.last, text...)
	t.last = t.last[max(0, len(t.last)-tailBytes):]
	if t.to == nil {
		return len(text), nil
	}
	return t.to.Write(text) //nolint:wrapcheck // a writer's own error
}

// GiveWay lowers the server's priority to a niceness, which its connections from then on inherit.
func (p *Postgres) GiveWay(niceness int) error {
	if err := syscall.Setpriority(syscall.PRIO_PGRP, p.command.Process.Pid, niceness); err != nil {
		return fmt.Errorf("lower the priority of Postgres: %w", err)
	}
	return nil
}

// initialise runs initdb in a temporary folder next to the target, so that a killed initdb leaves no partial cluster.
func initialise(run account, native, data string, config PostgresConfig) error {
	if _, err := os.Stat(filepath.Join(data, "cluster", "PG_VERSION")); err == nil {
		return nil
	}
	draft := filepath.Join(data, "draft")
	if err := os.RemoveAll(draft); err != nil {
		return fmt.Errorf("clear a half-made cluster: %w", err)
	}
	arguments := []string{
		"--pgdata=" + draft, "--username=" + Superuser, "--encoding=UTF8",
	}
	if isEmbedded() {
		arguments = append(arguments, "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
	} else {
		arguments = append(arguments, "--locale=C.UTF-8") // the same order, and older servers have it, too
	}
	if config.Throwaway {
		arguments = append(arguments, "--no-sync")
	}
	if config.Throwaway && isEmbedded() {
		arguments = append(arguments, "--no-data-checksums")
	}
	if config.Password == "" {
		arguments = append(arguments, "--auth=trust")
	} else {
		secret := filepath.Join(data, "password")
		if err := errors.Join(os.WriteFile(secret, []byte(config.Password+"\n"), 0o600), run.own(secret)); err != nil {
			return fmt.Errorf("hand the password to initdb: %w", err)
		}
		defer os.Remove(secret)
		arguments = append(arguments, "--auth=scram-sha-256", "--pwfile="+secret)
	}
	if output, err := run.command(filepath.Join(native, "bin", "initdb"), arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %v\n%s", err, output) //nolint:errorlint // an exit code that is not the command's
	}
	if err := os.Rename(draft, filepath.Join(data, "cluster")); err != nil {
		return fmt.Errorf("place the new cluster: %w", err)
	}
	return nil
}

// writeTLS writes the certificate and the access rules (pg_hba.conf).
func writeTLS(run account, data string, t *PostgresTLS) error {
	if t == nil {
		return nil
	}
	for name, text := range map[string][]byte{"server.crt": t.Certificate, "server.key": t.Key, "pg_hba.conf": []byte(encryptedOnly)} {
		path := filepath.Join(data, name)
		if err := errors.Join(os.WriteFile(path, text, 0o600), run.own(path)); err != nil {
			return fmt.Errorf("give the server its certificate: %w", err)
		}
	}
	return nil
}

// serverArguments sets everything that differs from Postgres's defaults.
func serverArguments(config PostgresConfig, data string) []string {
	settings := map[string]string{
		"listen_addresses":        "127.0.0.1",
		"port":                    strconv.Itoa(config.Port),
		"unix_socket_directories": "",
		"timezone":                "UTC",
		"log_timezone":            "UTC",
		"shared_buffers":          "128MB",
		"log_checkpoints":         "off",
	}
	if config.Throwaway {
		settings["fsync"] = "off"
		settings["synchronous_commit"] = "off"
		settings["full_page_writes"] = "off"
		settings["max_connections"] = "300"
		settings["max_wal_size"] = "1GB"
		settings["autovacuum"] = "off" // a throw-away database needs no vacuum
	}
	if config.Throwaway && isEmbedded() {
		settings["io_method"] = "sync" // its files are in memory or soon are
	}
	if config.TLS != nil {
		settings["ssl"] = "on"
		settings["ssl_cert_file"] = filepath.Join(data, "server.crt")
		settings["ssl_key_file"] = filepath.Join(data, "server.key")
		settings["hba_file"] = filepath.Join(data, "pg_hba.conf")
	}
	maps.Copy(settings, config.Settings)
	if !isEmbedded() {
		delete(settings, "reserved_connections") // which Postgres has from 16 on
	}
	arguments := []string{"-D", filepath.Join(data, "cluster")}
	for name, value := range settings {
		arguments = append(arguments, "-c", name+"="+value)
	}
	return arguments
}

// URL returns a role's connection string for a database, without a password if empty.
func (p *Postgres) URL(role, password, database string) string {
	who := url.User(role)
	if password != "" {
		who = url.UserPassword(role, password)
	}
	query := "sslmode=disable"
	if p.config.TLS != nil {
		query = url.Values{"sslmode": {"verify-full"}, "sslrootcert": {p.config.TLS.Authority}}.Encode()
	}
	address := url.URL{
		Scheme: "postgres", User: who, Path: "/" + database, RawQuery: query,
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(p.config.Port)),
	}
	return address.String()
}

// SuperuserURL returns the superuser's connection string; use it to create roles and databases only.
func (p *Postgres) SuperuserURL(database string) string {
	return p.URL(Superuser, p.config.Password, database)
}

// Exited is closed once the server process has ended, for whatever reason.
func (p *Postgres) Exited() <-chan struct{} { return p.exited }

// Pid returns the server's process id.
func (p *Postgres) Pid() int { return p.command.Process.Pid }

// waitReady returns once a query succeeds, or with an error if the process ends or a minute passes.
func (p *Postgres) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	database, err := sql.Open("postgres", p.SuperuserURL("postgres"))
	if err != nil {
		return fmt.Errorf("prepare the readiness check: %w", err)
	}
	defer database.Close()
	for {
		err := errors.New("it is still starting")
		if p.saysReady() {
			err = database.PingContext(ctx)
		}
		if err == nil {
			return nil
		}
		select {
		case <-p.exited:
			// The log is complete, because Wait has copied it. The server's exit code is not wrapped: callers pass that of their command on.
			return fmt.Errorf("Postgres ended while it started: %v\n%s", errors.Join(p.failure, err), p.log.last) //nolint:errorlint // see above
		case <-ctx.Done():
			return fmt.Errorf("Postgres did not answer within %s: %w", startTimeout, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// saysReady reads the state from the server's own file: connecting before the server is ready would be refused and logged.
func (p *Postgres) saysReady() bool {
	text, err := os.ReadFile(filepath.Join(p.data, "cluster", "postmaster.pid"))
	note := strings.Split(strings.TrimSpace(string(text)), "\n")
	state := strings.TrimSpace(note[len(note)-1])
	return err == nil && note[0] == strconv.Itoa(p.Pid()) && (state == "ready" || state == "standby")
}

// Stop disconnects all clients and shuts the server down; one that hangs is killed and recovers at its next start.
func (p *Postgres) Stop() error {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		if err := p.command.Process.Signal(signal); errors.Is(err, os.ErrProcessDone) {
			return nil
		}
		select {
		case <-p.exited:
			return nil
		case <-time.After(stopTimeout / 2):
		}
	}
	return errors.New("Postgres could not be stopped")
}

// EndLeftover stops a server still running on the folder because the run that started it was killed. Postgres itself recovers
// from the stale file of a server that is gone.
func EndLeftover(ctx context.Context, data string) error {
	pid, alive := serverOf(ctx, data)
	if !alive {
		return nil
	}
	return EndProcess(ctx, pid, filepath.Join(data, "cluster"), syscall.SIGINT)
}

// serverOf returns the process that the folder's own file names, and whether it is a server that runs on the folder.
func serverOf(ctx context.Context, data string) (pid int, alive bool) {
	cluster := filepath.Join(data, "cluster")
	text, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err = strconv.Atoi(strings.TrimSpace(first))
	return pid, err == nil && pid > 1 && strings.Contains(commandLine(ctx, pid), cluster)
}

// Port returns its port on 127.0.0.1.
func (p *Postgres) Port() int { return p.config.Port }
