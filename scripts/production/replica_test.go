package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/embedded"
)

// readMeter counts reads by outcome.
type readMeter struct {
	mu   sync.Mutex
	seen map[string]int
}

func (m *readMeter) ReplicaRead(outcome string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[outcome]++
}
func (m *readMeter) ReplicaLag(time.Duration) {}
func (m *readMeter) Circuit(string, bool)     {}

func (m *readMeter) take() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.seen
	m.seen = map[string]int{}
	return seen
}

func (m *readMeter) has(outcome string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[outcome] > 0
}

// wire is the network between a process and a server, which can stall or break. Its connections lead to several servers in turn.
type wire struct {
	t        *testing.T
	port     int
	to       []string
	stalled  sync.RWMutex // locked while the network stalls
	mu       sync.Mutex
	listener net.Listener
	lines    []net.Conn
}

func startWire(t *testing.T, ports ...int) *wire {
	t.Helper()
	w := &wire{t: t}
	for _, port := range ports {
		w.to = append(w.to, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	}
	w.mend()
	t.Cleanup(w.breakOff)
	return w
}

func (w *wire) mend() {
	listener, err := (&net.ListenConfig{}).Listen(w.t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(w.port)))
	require.NoError(w.t, err)
	w.port = listener.Addr().(*net.TCPAddr).Port
	w.mu.Lock()
	w.listener = listener
	w.mu.Unlock()
	go func() {
		for i := 0; ; i++ {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", w.to[i%len(w.to)]) //nolint:noctx // ends with the test
			if err != nil {
				_ = from.Close()
				continue
			}
			w.mu.Lock()
			w.lines = append(w.lines, from, to)
			w.mu.Unlock()
			go w.carry(from, to)
			go w.carry(to, from)
		}
	}()
}

func (w *wire) url() string {
	return fmt.Sprintf("postgres://franchise360_api@127.0.0.1:%d/postgres?sslmode=disable", w.port)
}

func (w *wire) carry(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	bytes := make([]byte, 1<<14)
	for {
		n, err := from.Read(bytes)
		w.stalled.RLock()
		w.stalled.RUnlock() //nolint:staticcheck // waits for the stall to end
		if err != nil {
			return
		}
		if _, err := to.Write(bytes[:n]); err != nil {
			return
		}
	}
}

func (w *wire) breakOff() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.listener.Close()
	for _, line := range w.lines {
		_ = line.Close()
	}
	w.lines = nil
}

// ledger is a table under row-level security as the product's are, on a primary and its standby.
type ledger struct {
	api      *sqlx.DB
	replica  *postgres.Replica
	meter    *readMeter
	direct   string   // the standby's URL without the wire
	owner    *sqlx.DB // of the primary
	follower *sqlx.DB // a superuser of the standby
	wire     *wire

	primary, standby *embedded.Postgres
}

// readBound allows a busy machine time for reads while the replica lags; shortBound is for tests that wait for the bound's end.
const readBound, shortBound = 20 * time.Second, time.Second

func startLedger(t *testing.T) *ledger {
	t.Helper()
	folder := temporaryFolder(t)
	primary := startMigrated(t, folder, nil)
	l := &ledger{meter: &readMeter{seen: map[string]int{}}, owner: openOne(t, primary)}
	l.run(t, l.owner, `CREATE TABLE written (franchiser_ref uuid NOT NULL, n bigint NOT NULL);
		ALTER TABLE written ENABLE ROW LEVEL SECURITY;
		CREATE POLICY own_rows ON written TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
		GRANT SELECT, INSERT ON written TO franchise360_api`)
	standby := startStandby(t, folder, primary)
	l.run(t, l.owner, `ALTER SYSTEM RESET synchronous_standby_names`)
	l.run(t, l.owner, `SELECT pg_reload_conf()`)
	l.primary, l.standby = primary, standby
	l.follower, l.wire = openOne(t, standby), startWire(t, standby.Port())
	l.api = openAPI(t, primary)
	l.direct = server(standby)
	l.replica = l.open(t, l.wire.url(), readBound, slog.New(slog.DiscardHandler))
	l.ready(t)
	return l
}

func openAPI(t *testing.T, server *embedded.Postgres) *sqlx.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Serving.With(server.URL("franchise360_api", "", "postgres")), 20)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func (l *ledger) open(t *testing.T, url string, bound time.Duration, logger *slog.Logger) *postgres.Replica {
	t.Helper()
	replica, err := postgres.OpenReplica(l.api, url, 20, bound, func(string, time.Duration, error) {}, l.meter, logger)
	require.NoError(t, err)
	watched, stop := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() { replica.Watch(watched) })
	t.Cleanup(func() {
		stop()
		ended.Wait()
		require.NoError(t, replica.Close())
	})
	return replica
}

func (l *ledger) run(t *testing.T, db *sqlx.DB, statement string) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

func (l *ledger) ready(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return l.replica.Ready(t.Context()) == nil }, time.Minute, 20*time.Millisecond, "the replica serves")
	l.meter.take()
}

// write stores a row and returns the mark that its writer keeps.
func (l *ledger) write(t *testing.T, franchiser string, n int) postgres.LSN {
	t.Helper()
	require.NoError(t, postgres.InTenantTx(t.Context(), l.api, franchiser, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO written VALUES ($1, $2)`, franchiser, n)
		return err
	}))
	return l.replica.Mark(t.Context())
}

// list reads a franchiser's rows as a request does. Whoever waits for a minute is held for ever.
func (l *ledger) list(franchiser string, mark postgres.LSN) (rows []int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = postgres.InTenantRead(l.replica.Admit(ctx, mark), l.api, franchiser, func(tx *sqlx.Tx) error {
		rows = []int{}
		return tx.SelectContext(ctx, &rows, `SELECT n FROM written WHERE $1::int = 1 ORDER BY n`, 1)
	})
	return rows, err
}

// served reads and returns what became of the read, too.
func (l *ledger) served(t *testing.T, franchiser string, mark postgres.LSN) (rows []int, outcome string) {
	t.Helper()
	l.meter.take()
	rows, err := l.list(franchiser, mark)
	require.NoError(t, err)
	for outcome = range l.meter.take() {
		return rows, outcome
	}
	return rows, ""
}

// until reads until a read ends so, and returns what it read: on a busy machine the replica may not answer at once.
func (l *ledger) until(t *testing.T, franchiser string, mark postgres.LSN, wanted ...string) (rows []int) {
	t.Helper()
	require.Eventually(t, func() bool {
		var outcome string
		rows, outcome = l.served(t, franchiser, mark)
		return slices.Contains(wanted, outcome)
	}, time.Minute, 20*time.Millisecond, wanted)
	return rows
}

// during runs many readers while something happens, and fails if one of them hears of it.
func (l *ledger) during(t *testing.T, franchiser string, happen func()) map[string]int {
	t.Helper()
	l.meter.take()
	over := make(chan struct{})
	group := errgroup.Group{}
	for range 8 {
		group.Go(func() error {
			for {
				if rows, err := l.list(franchiser, 0); err != nil || len(rows) == 0 {
					return fmt.Errorf("%v: %w", rows, err)
				}
				select {
				case <-over:
					return nil
				case <-time.After(5 * time.Millisecond):
				}
			}
		})
	}
	happen()
	close(over)
	require.NoError(t, group.Wait())
	return l.meter.take()
}

// A replica serves lists, but never without what their reader wrote, never older than the bound, never another franchiser's rows,
// and whatever happens to it, its readers hear nothing of it.
func TestReplica_ServesReadsWithTheReadersWrites(t *testing.T) {
	t.Parallel()
	l := startLedger(t)
	ours, theirs := id.New(), id.New()
	mark := l.write(t, ours, 1)
	require.Eventually(t, func() bool {
		rows, outcome := l.served(t, ours, mark)
		return outcome == postgres.ReadReplica && slices.Equal(rows, []int{1})
	}, time.Minute, 20*time.Millisecond, "once it has replayed the write")
	require.Empty(t, l.until(t, theirs, 0, postgres.ReadReplica), "row-level security holds on a standby")
	require.Eventually(t, func() bool {
		l.meter.take()
		require.NoError(t, postgres.InRead(l.replica.Admit(t.Context(), 0), l.api, func(tx *sqlx.Tx) error {
			var leaked int
			err := tx.GetContext(t.Context(), &leaked, `SELECT count(*) FROM written WHERE $1::int = 1`, 1)
			require.Zero(t, leaked, "nor are there rows for nobody, after the franchisers of that connection")
			return err
		}))
		return l.meter.has(postgres.ReadReplica)
	}, time.Minute, 20*time.Millisecond)
	l.askOnceMore(t, ours)
	hasty := *l
	hasty.replica = l.open(t, l.direct, shortBound, slog.New(slog.DiscardHandler))
	hasty.ready(t)

	l.run(t, l.follower, `SELECT pg_wal_replay_pause()`)
	mark = l.write(t, ours, 2)
	rows, _ := l.served(t, ours, mark)
	require.Equal(t, []int{1, 2}, rows, "a list right after a write holds it")
	require.Equal(t, []int{1, 2}, l.until(t, ours, mark, postgres.ReadUnseen))
	require.Equal(t, []int{1}, l.until(t, ours, 0, postgres.ReadReplica), "others read what is no older than the bound")
	require.Equal(t, []int{1, 2}, hasty.until(t, ours, 0, postgres.ReadLagging, postgres.ReadAway), "nobody reads what is older")
	require.Eventually(t, func() bool { return hasty.replica.Ready(t.Context()) != nil }, time.Minute, 20*time.Millisecond)
	l.run(t, l.follower, `SELECT pg_wal_replay_resume()`)
	hasty.ready(t)
	require.Equal(t, []int{1, 2}, l.until(t, ours, mark, postgres.ReadReplica))

	seen := l.during(t, ours, func() {
		l.wire.breakOff()
		require.Eventually(t, func() bool { return l.replica.Ready(t.Context()) != nil && l.meter.has(postgres.ReadAway) }, time.Minute, 20*time.Millisecond,
			"then nobody asks it")
		l.wire.mend()
	})
	require.NotZero(t, seen[postgres.ReadReplica]+seen[postgres.ReadFailed], "it was asked when it broke off: %v", seen)
	l.ready(t)
	seen = l.during(t, ours, func() {
		l.wire.stalled.Lock()
		require.Eventually(t, func() bool { return l.replica.Ready(t.Context()) != nil && l.meter.has(postgres.ReadFailed) }, time.Minute, 20*time.Millisecond,
			"it was asked when it froze")
		l.wire.stalled.Unlock()
	})
	require.NotZero(t, seen)
	l.ready(t)

	seen = l.during(t, ours, func() {
		l.run(t, l.follower, `SELECT pg_promote()`)
		l.write(t, ours, 3)
		rows, err := l.list(ours, 0)
		require.NoError(t, err)
		require.Equal(t, []int{1, 2, 3}, rows, "what follows nobody any more is not asked")
	})
	require.NotZero(t, seen)
	rows, outcome := l.served(t, ours, 0)
	require.Equal(t, []int{1, 2, 3}, rows)
	require.NotEqual(t, postgres.ReadReplica, outcome)
}

// askOnceMore verifies that the primary decides on every error, and replaces the replica's result.
func (l *ledger) askOnceMore(t *testing.T, franchiser string) {
	t.Helper()
	for _, c := range []struct {
		failure error
		outcome string
	}{
		{&pq.Error{Code: "40001", Message: "canceling statement due to conflict with recovery"}, postgres.ReadConflict},
		{&pq.Error{Code: "57014", Message: "canceling statement due to statement timeout"}, postgres.ReadSlow},
		{errs.NotFound(), postgres.ReadDoubtful},
		{sql.ErrNoRows, postgres.ReadDoubtful},
	} {
		l.until(t, franchiser, 0, postgres.ReadReplica)
		require.Eventually(t, func() bool {
			l.meter.take()
			var tries, rows int
			require.NoError(t, postgres.InTenantRead(l.replica.Admit(t.Context(), 0), l.api, franchiser, func(tx *sqlx.Tx) error {
				if err := tx.GetContext(t.Context(), &rows, `SELECT count(*) FROM written WHERE $1::int = 1`, 1); err != nil {
					return err
				}
				if tries++; tries == 1 && l.replica.Ready(t.Context()) == nil {
					return c.failure
				}
				return nil
			}))
			require.Equal(t, 1, rows)
			return tries == 2 && maps.Equal(l.meter.take(), map[string]int{c.outcome: 1}) && l.replica.Ready(t.Context()) == nil
		}, time.Minute, 20*time.Millisecond, "the primary is asked again, and the replica goes on serving: %s", c.outcome)
	}
	require.ErrorIs(t, postgres.InTenantRead(l.replica.Admit(t.Context(), 0), l.api, franchiser, func(*sqlx.Tx) error { return sql.ErrTxDone }), sql.ErrTxDone)
	for _, table := range []string{`acting_staff()`, `support_find('nobody at all', '')`} {
		err := postgres.InRead(l.replica.Admit(postgres.WithProof(t.Context(), []byte("nobody's")), 0), l.api, func(tx *sqlx.Tx) error {
			_, err := tx.ExecContext(t.Context(), `SELECT FROM `+table+` WHERE $1::int = 1`, 1)
			return err
		})
		t.Logf("%s: %v, %v", table, err, l.meter.take())
	}
}

// A URL of the primary, or of a server that follows another one, serves nothing, and the log gives the reason.
func TestReplica_NotAStandby_ServesNothing(t *testing.T) {
	t.Parallel()
	folder := temporaryFolder(t)
	primary := startMigrated(t, folder, nil)
	l := &ledger{meter: &readMeter{seen: map[string]int{}}, api: openAPI(t, primary)}
	told := &lines{}
	replica := l.open(t, server(primary), readBound, slog.New(slog.NewTextHandler(told, nil)))
	require.Eventually(t, func() bool { return told.has("it is no standby") }, time.Minute, 20*time.Millisecond)
	require.Error(t, replica.Ready(t.Context()))
	require.NoError(t, postgres.InRead(replica.Admit(t.Context(), 0), l.api, func(*sqlx.Tx) error { return nil }))
	require.Equal(t, map[string]int{postgres.ReadAway: 1}, l.meter.take())
}

func server(s *embedded.Postgres) string { return s.URL("franchise360_api", "", "postgres") }

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends to the log.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.text.Bytes(), []byte(text))
}
