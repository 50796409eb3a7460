package embedded

import (
	"bufio"
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

	startTimeout = 60 * time.Second
	stopTimeout  = 20 * time.Second
)

// PostgresConfig says which cluster to run, and how durable it is.
type PostgresConfig struct {
	Repository string    // root of the checkout, whose scripts/node_modules holds the binaries
	Data       string    // the cluster's folder; initialised when empty
	Port       int       // on 127.0.0.1; 0 chooses a free one
	Password   string    // the superuser's; empty trusts every local connection
	Throwaway  bool      // trades durability for speed; the data of a crashed cluster is worthless
	Log        io.Writer // receives the server's log
	// TLS has the server take encrypted connections only; nil takes those in clear.
	TLS *PostgresTLS
	// Settings are settings of the server on top of those here, such as shared_buffers.
	Settings map[string]string
}

// PostgresTLS is a certificate for 127.0.0.1 and its key in PEM, and the file of the authority that signed it.
type PostgresTLS struct {
	Certificate, Key []byte
	Authority        string
}

// encryptedOnly lets roles in with their password over TLS, and nobody in clear.
const encryptedOnly = "hostssl all,replication all 127.0.0.1/32 scram-sha-256\n"

// Postgres is a running cluster, listening on 127.0.0.1 only.
type Postgres struct {
	config  PostgresConfig
	data    string
	command *exec.Cmd
	exited  chan struct{}
	failure error // why the process ended; read it after exited is closed
}

// StartPostgres initialises the cluster when its folder is empty, ends a server that a killed run left on it,
// starts it and returns when it answers queries.
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
	data, err := run.place(config.Data)
	if err != nil {
		return nil, err
	}
	if err := endLeftover(ctx, data); err != nil {
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
	server.command.Stdout, server.command.Stderr = config.Log, config.Log
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

// initialise runs initdb into a draft beside the final place, so that a killed initdb leaves no half cluster.
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
		"--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
	}
	if config.Throwaway {
		arguments = append(arguments, "--no-sync")
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
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	if err := os.Rename(draft, filepath.Join(data, "cluster")); err != nil {
		return fmt.Errorf("place the new cluster: %w", err)
	}
	return nil
}

// writeTLS puts the certificate, and who is let in, where the server reads them.
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

// serverArguments names every setting that differs from Postgres's defaults.
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
	}
	if config.TLS != nil {
		settings["ssl"] = "on"
		settings["ssl_cert_file"] = filepath.Join(data, "server.crt")
		settings["ssl_key_file"] = filepath.Join(data, "server.key")
		settings["hba_file"] = filepath.Join(data, "pg_hba.conf")
	}
	maps.Copy(settings, config.Settings)
	arguments := []string{"-D", filepath.Join(data, "cluster")}
	for name, value := range settings {
		arguments = append(arguments, "-c", name+"="+value)
	}
	return arguments
}

// URL is the connection string of a role on a database; an empty password is left out.
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

// SuperuserURL connects as the superuser; use it to create roles and databases only.
func (p *Postgres) SuperuserURL(database string) string {
	return p.URL(Superuser, p.config.Password, database)
}

// Exited is closed when the server process has ended, for whatever reason.
func (p *Postgres) Exited() <-chan struct{} { return p.exited }

// Pid is the process id of the server.
func (p *Postgres) Pid() int { return p.command.Process.Pid }

// waitReady returns once a query is answered, or with an error when the process ends or a minute has passed.
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
			return fmt.Errorf("Postgres ended while it started: %w", errors.Join(p.failure, err))
		case <-ctx.Done():
			return fmt.Errorf("Postgres did not answer within %s: %w", startTimeout, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// saysReady reads the state that the server notes in its own file, so that no connection is made, and logged as
// refused, before it takes any.
func (p *Postgres) saysReady() bool {
	text, err := os.ReadFile(filepath.Join(p.data, "cluster", "postmaster.pid"))
	note := strings.Split(strings.TrimSpace(string(text)), "\n")
	return err == nil && note[0] == strconv.Itoa(p.Pid()) && strings.TrimSpace(note[len(note)-1]) == "ready"
}

// Stop disconnects everybody and shuts the server down; one that hangs is killed, and recovers at its next start.
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

// endLeftover stops a server that still runs on the folder because the run that started it was killed.
// A file left by a server that is gone is Postgres's own business: it recovers from it.
func endLeftover(ctx context.Context, data string) error {
	cluster := filepath.Join(data, "cluster")
	file, err := os.Open(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return nil
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	if !scanner.Scan() {
		return nil
	}
	pid, err := strconv.Atoi(strings.TrimSpace(scanner.Text()))
	if err != nil || pid <= 1 {
		return nil
	}
	return EndProcess(ctx, pid, cluster, syscall.SIGINT)
}
