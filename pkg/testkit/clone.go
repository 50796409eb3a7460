package testkit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

// clone is a copy of the migrated template. To create it, to plan every statement again and to drop it costs the server more than most
// tests do. So after a test the clone is emptied and lent to the next test of the process with its connections. A clone that cannot be
// reset to the template's state is dropped.
type clone struct {
	admin, name string
	kept        map[string]*keptPool // by role; the owner's is that of no name
	lent        int                  // how often, up to mostLent
}

const (
	// mostLent bounds the dead rows that deletion leaves behind: a cluster for tests is not vacuumed.
	mostLent = 50
	// mostIdle is how many clones wait for a test.
	mostIdle = 4
	// prefixClone begins the names of clones; the number of the process follows.
	prefixClone = "t_"
)

var idle struct { //nolint:gochecknoglobals // the clones of the test process
	mu     sync.Mutex
	clones []*clone
}

func takeClone(tb testing.TB, admin, template string) *clone {
	tb.Helper()
	idle.mu.Lock()
	defer idle.mu.Unlock()
	if n := len(idle.clones); n > 0 {
		c := idle.clones[n-1]
		idle.clones = idle.clones[:n-1]
		return c
	}
	c, err := newClone(admin, template)
	require.NoError(tb, err)
	return c
}

func newClone(admin, template string) (*clone, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	server, err := sql.Open("postgres", admin)
	if err != nil {
		return nil, err
	}
	defer func() { _ = server.Close() }()
	c := &clone{admin: admin, name: fmt.Sprintf("%s%d_%s", prefixClone, os.Getpid(), strings.ReplaceAll(id.New(), "-", "")), kept: map[string]*keptPool{}}
	if _, err := server.ExecContext(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", c.name, template)); err != nil {
		return nil, err
	}
	d := &Database{dsn: withName(admin, c.name), name: c.name}
	for _, role := range []string{"", RoleAPI, RoleWorker} {
		k, err := keep(ctx, d.DSN(role))
		if err != nil {
			return nil, errors.Join(err, c.drop(context.WithoutCancel(ctx)))
		}
		c.kept[role] = k
	}
	ofTemplate.once.Do(func() { ofTemplate.filled = templateOf(ctx, c.kept[""].db) })
	if ofTemplate.err != nil {
		return nil, errors.Join(ofTemplate.err, c.drop(context.WithoutCancel(ctx)))
	}
	return c, nil
}

// giveBack lends the clone to the next test, or drops it.
func (c *clone) giveBack(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c.lent++
	if !tb.Failed() && c.lent < mostLent && os.Getenv("TEST_POOLER_URL") == "" && c.empty(ctx) == nil && c.wait() {
		return
	}
	_ = c.drop(context.WithoutCancel(ctx))
}

func (c *clone) drop(ctx context.Context) error {
	for _, k := range c.kept {
		_ = k.db.Close()
	}
	server, err := sql.Open("postgres", c.admin)
	if err != nil {
		return err
	}
	defer func() { _ = server.Close() }()
	_, err = server.ExecContext(ctx, "DROP DATABASE IF EXISTS "+c.name+" WITH (FORCE)")
	return err
}

func (c *clone) wait() bool {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	if len(idle.clones) == mostIdle {
		return false
	}
	idle.clones = append(idle.clones, c)
	return true
}

// dropLeftBehind drops the clones of test processes that have ended; the next process drops those that fail now.
func dropLeftBehind(ctx context.Context, conn *sql.Conn) {
	var names []string
	_ = conn.QueryRowContext(ctx, `SELECT coalesce(array_agg(datname), '{}') FROM pg_database WHERE datname ~ '^t_[0-9]+_'`).Scan(pq.Array(&names))
	for _, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(name, prefixClone), "_")
		if pid, err := strconv.Atoi(number); err != nil || !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			continue
		}
		_, _ = conn.ExecContext(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}
}
