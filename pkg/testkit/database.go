// Package testkit gives tests an isolated database, a stopped clock, and objects built through the real services.
package testkit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// The roles under which a test may connect.
const (
	RoleAPI    = "franchise360_api"
	RoleWorker = "franchise360_worker"
)

// Database is a fresh, migrated database that is dropped when the test ends.
type Database struct {
	// API is a pool with the rights of the HTTP process.
	API *sqlx.DB
	// Worker is a pool with the rights of the job process.
	Worker *sqlx.DB
	// Owner is a pool that owns the tables and sees every row.
	Owner *sqlx.DB
	dsn   string
	name  string // in the cluster of all tests; empty on a server of the test's own
}

// DSN returns the URL at which the role reaches the database; an empty role is the owner. The API's URL leads through the pooler in
// TEST_POOLER_URL, if set; only the database name is replaced in it.
func (d *Database) DSN(role string) string {
	if pooler := os.Getenv("TEST_POOLER_URL"); pooler != "" && role == RoleAPI && d.name != "" {
		return withName(pooler, d.name)
	}
	return withRole(d.dsn, role)
}

// Postgres returns the major version of the server.
func (d *Database) Postgres(tb testing.TB) (version int) {
	tb.Helper()
	require.NoError(tb, d.Owner.Get(&version, `SELECT current_setting('server_version_num')::int / 10000`))
	return version
}

// NewDatabase returns a migrated database that only this test uses until it ends. TEST_DATABASE_URL names a superuser of a disposable
// cluster.
func NewDatabase(tb testing.TB) *Database {
	tb.Helper()
	admin, template := cluster(tb)
	c := takeClone(tb, admin, template)
	tb.Cleanup(func() { c.giveBack(tb) })
	return c.database(tb)
}

// UnusedDatabase is NewDatabase for a test that counts pages: no other test has left empty ones.
func UnusedDatabase(tb testing.TB) *Database {
	tb.Helper()
	c, err := newClone(cluster(tb))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = c.drop(context.WithoutCancel(tb.Context())) })
	return c.database(tb)
}

// cluster returns the superuser's URL of the cluster, and the template in it.
func cluster(tb testing.TB) (admin, template string) {
	tb.Helper()
	admin = os.Getenv("TEST_DATABASE_URL")
	require.NotEmpty(tb, admin, "TEST_DATABASE_URL is not set: run `go run ./scripts/testdb go test …`, or `make test`")
	return admin, ensureTemplate(tb, admin)
}

// database lends connections to the clone until the test ends.
func (c *clone) database(tb testing.TB) *Database {
	tb.Helper()
	d := &Database{dsn: withName(c.admin, c.name), name: c.name}
	d.API, d.Worker, d.Owner = c.kept[RoleAPI].lend(), c.kept[RoleWorker].lend(), c.kept[""].lend()
	tb.Cleanup(d.close)
	return d
}

// MigratedDatabase migrates the database at the URL, on a server that belongs to the test. The URL names a superuser.
func MigratedDatabase(tb testing.TB, dsn string) *Database {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	require.NoError(tb, migrations.Apply(ctx, dsn))
	d := &Database{dsn: dsn}
	d.API = open(tb, d.DSN(RoleAPI))
	d.Worker = open(tb, d.DSN(RoleWorker))
	d.Owner = open(tb, d.dsn)
	tb.Cleanup(d.close)
	return d
}

func (d *Database) close() {
	for _, db := range []*sqlx.DB{d.API, d.Worker, d.Owner} {
		_ = db.Close()
	}
}

func open(tb testing.TB, dsn string) *sqlx.DB {
	tb.Helper()
	db, err := postgres.Open(context.Background(), dsn, mostConnections)
	require.NoError(tb, err)
	return db
}

var template struct { //nolint:gochecknoglobals // one template a test process
	once sync.Once
	name string
	err  error
}

// ensureTemplate migrates one database per state of the migrations and per cluster; test processes share it.
func ensureTemplate(tb testing.TB, admin string) string {
	tb.Helper()
	template.once.Do(func() { template.name, template.err = buildTemplate(admin) })
	require.NoError(tb, template.err)
	return template.name
}

func buildTemplate(admin string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	name, err := templateName()
	if err != nil {
		return "", err
	}
	server, err := sql.Open("postgres", admin)
	if err != nil {
		return "", err
	}
	defer func() { _ = server.Close() }()
	conn, err := server.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(360)"); err != nil {
		return "", err
	}
	defer func() { _, _ = conn.ExecContext(context.Background(), "SELECT pg_advisory_unlock(360)") }()
	dropLeftBehind(ctx, conn)

	var ready bool
	err = conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)", name).Scan(&ready)
	if err != nil || ready {
		return name, err
	}
	for _, stmt := range []string{"DROP DATABASE IF EXISTS " + name + " WITH (FORCE)", "CREATE DATABASE " + name} {
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			return "", err
		}
	}
	if err := migrations.Apply(ctx, withName(admin, name)); err != nil {
		return "", err
	}
	_, err = conn.ExecContext(ctx, "ALTER DATABASE "+name+" IS_TEMPLATE true")
	return name, err
}

func templateName() (string, error) {
	h := sha256.New()
	names, err := fs.Glob(migrations.Files(), "*.sql")
	if err != nil {
		return "", err
	}
	for _, n := range names {
		b, err := fs.ReadFile(migrations.Files(), n)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(h, "%s %d\n", n, len(b))
		_, _ = h.Write(b)
	}
	return "tpl_" + hex.EncodeToString(h.Sum(nil))[:16], nil
}

// withName returns the URL of another database of the server. On a busy machine it takes the server long to greet a connection.
func withName(dsn, name string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return dsn
	}
	u.Path = "/" + name
	q := u.Query()
	q.Set("connect_timeout", "60")
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // pgx reads a plus as a plus
	return u.String()
}

func withRole(dsn, role string) string {
	u, err := url.Parse(dsn)
	if err != nil || role == "" {
		return dsn
	}
	q := u.Query()
	q.Set("options", "-c role="+role)
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // pgx reads a plus as a plus
	return u.String()
}
