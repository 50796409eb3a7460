package main

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/embedded"
)

// awayFor is how long reads may be away, on a busy machine.
const awayFor = 3 * time.Second

// startDistant returns a ledger whose primary is reached over a wire, too.
func startDistant(t *testing.T) (*ledger, *wire) {
	t.Helper()
	l := startLedger(t)
	var port int
	require.NoError(t, l.owner.Get(&port, `SELECT setting::int FROM pg_settings WHERE name = 'port'`))
	way := startWire(t, port)
	api, err := postgres.Open(t.Context(), postgres.Serving.With(way.url()), 20)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close()) })
	far := *l
	far.api = api
	far.replica = far.open(t, l.direct, 2*time.Second, slog.New(slog.DiscardHandler))
	far.ready(t)
	return &far, way
}

// rows reads a franchiser's rows in an ordinary transaction of a request that only reads.
func (l *ledger) rows(ctx context.Context, franchiser string, mark postgres.LSN) (n int, old bool, err error) {
	ctx = l.replica.Admit(ctx, mark)
	err = postgres.InTenantTx(ctx, l.api, franchiser, func(tx *sqlx.Tx) error {
		return tx.GetContext(ctx, &n, `SELECT count(*) FROM written WHERE $1::int = 1`, 1)
	})
	return n, postgres.IsOld(ctx), err
}

// servedInstead verifies that the standby serves what only reads, and nothing else.
func (l *ledger) servedInstead(t *testing.T, ours string) {
	t.Helper()
	began := time.Now()
	n, old, err := l.rows(t.Context(), ours, 0)
	require.NoError(t, err)
	require.Less(t, time.Since(began), awayFor)
	require.Equal(t, 1, n)
	require.True(t, old, "the answer says that it may be old")
	n, _, err = l.rows(t.Context(), id.New(), 0)
	require.NoError(t, err)
	require.Zero(t, n, "row-level security holds on the standby")
	ctx := l.replica.Admit(t.Context(), 0)
	require.NoError(t, postgres.Read(ctx, l.api, func(q sqlx.QueryerContext) error {
		return sqlx.GetContext(ctx, q, &n, `SELECT count(*) FROM written`)
	}))
	require.Zero(t, n, "nor are there rows for nobody")
	require.True(t, postgres.IsOld(ctx))

	brief := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		t.Cleanup(cancel)
		return ctx
	}
	read := func(*sqlx.Tx) error { return nil }
	require.Error(t, postgres.InTx(brief(), l.api, read), "a request that writes waits for the primary")
	require.Error(t, postgres.InLockedTenantTx(l.replica.Admit(brief(), 0), l.api, ours, 1, read), "so does one that takes a lock")
	_, _, err = l.rows(brief(), ours, l.replica.Mark(t.Context()))
	require.Error(t, err, "so does a reader whose write the standby may lack")
	for what, do := range map[string]func(tx *sqlx.Tx) error{
		"nothing is written": func(tx *sqlx.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO written VALUES ($1, 9)`, ours)
			return err
		},
		"nothing is said to be missing": func(*sqlx.Tx) error { return errs.NotFound() },
	} {
		require.Equal(t, errs.KindUnavailable, errs.KindOf(postgres.InTenantTx(ctx, l.api, ours, do)), what)
	}
}

// While the primary is away, frozen or gone, the standby serves the requests that only read, and no request waits for the primary twice.
func TestReplica_PrimaryAway_StandbyServesReads(t *testing.T) {
	t.Parallel()
	l, way := startDistant(t)
	ours := id.New()
	mark := l.write(t, ours, 1)
	l.until(t, ours, mark, postgres.ReadReplica)
	fresh := func() {
		require.Eventually(t, func() bool {
			n, old, err := l.rows(t.Context(), ours, 0)
			return err == nil && n == 1 && !old && l.replica.Reachable(t.Context()) == nil
		}, time.Minute, 20*time.Millisecond, "the primary serves")
	}
	fresh()

	way.stalled.Lock()
	l.servedInstead(t, ours)
	began := time.Now()
	_, _, err := l.rows(t.Context(), ours, 0)
	require.NoError(t, err)
	require.Less(t, time.Since(began), 500*time.Millisecond, "the next request does not wait")
	require.NoError(t, l.replica.Reachable(t.Context()), "the process is ready")
	way.stalled.Unlock()
	fresh()

	way.breakOff()
	l.servedInstead(t, ours)
	way.mend()
	fresh()
	require.Eventually(t, func() bool { return l.write(t, ours, 2) != postgres.NeverReplayed }, time.Minute, 20*time.Millisecond)
}

// The standbys' address leads to each of them in turn, and one has stopped following, as a primary does that is cut off and demoted. The
// other one serves all the same, before and after the primary is away.
func TestReplica_OneOfTwoStandbysIsStale_OtherServes(t *testing.T) {
	t.Parallel()
	l, way := startDistant(t)
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	stale, err := embedded.StartStandby(t.Context(), l.primary, embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(temporaryFolder(t), "stale"), Throwaway: true, Log: io.Discard,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = stale.Stop() })
	l.run(t, openOne(t, stale), `SELECT pg_wal_replay_pause()`)
	ours := id.New()
	mark := l.write(t, ours, 1)
	l.until(t, ours, mark, postgres.ReadReplica)

	both := startWire(t, stale.Port(), l.standby.Port())
	l.replica = l.open(t, both.url(), 2*time.Second, slog.New(slog.DiscardHandler))
	l.ready(t)
	for range 10 { // several connections at once, hence some to each
		l.during(t, ours, func() { l.until(t, ours, mark, postgres.ReadReplica) })
	}

	way.stalled.Lock()
	defer way.stalled.Unlock()
	for range 5 {
		l.servedInstead(t, ours)
		both.breakOff()
		both.mend() // new connections, of which the first leads to the stale one again
	}
}
