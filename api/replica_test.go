package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/scripts/embedded"
)

// withReplica returns an app whose lists a standby serves, a superuser's connection to that, and the primary.
func withReplica(t *testing.T) (*testApp, *sqlx.DB, *embedded.Postgres) {
	t.Helper()
	repository, err := filepath.Abs("..")
	require.NoError(t, err)
	folder, err := embedded.TemporaryFolder("franchise360-replica-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	require.NoError(t, embedded.Install(t.Context(), repository))
	primary, err := embedded.StartPostgres(t.Context(), embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(folder, "primary"), Throwaway: true, Log: io.Discard,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = primary.Stop() })
	app := newTestAppOn(t, testkit.MigratedDatabase(t, primary.SuperuserURL("postgres")))
	standby, err := embedded.StartStandby(t.Context(), primary, embedded.PostgresConfig{
		Repository: repository, Data: filepath.Join(folder, "standby"), Throwaway: true, Log: io.Discard,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = standby.Stop() })
	follower, err := postgres.Open(t.Context(), standby.SuperuserURL("postgres"), 1)
	require.NoError(t, err)
	t.Cleanup(func() { _ = follower.Close() })

	url := standby.SuperuserURL("postgres") + "&options=-c%20role%3D" + testkit.RoleAPI
	// With a bound of a minute only the writes of the caller count.
	app.replica, err = postgres.OpenReplica(app.db.API, url, 5, time.Minute, app.meter.Query, app.meter.Replica(), testkit.NewLogger(t))
	require.NoError(t, err)
	var watching sync.WaitGroup
	watching.Go(func() { app.replica.Watch(t.Context()) })
	t.Cleanup(func() {
		watching.Wait()
		_ = app.replica.Close()
	})
	app.server.Close()
	app.start(t)
	require.Eventually(t, func() bool { return app.replica.Ready(t.Context()) == nil }, time.Minute, 20*time.Millisecond)
	return app, follower, primary
}

var replicaReads = regexp.MustCompile(`franchise360_replica_reads_total\{outcome="(\w+)"\} (\d+)`)

// reads returns who served how many reads since the start.
func (a *testApp) reads(t *testing.T) map[string]string {
	t.Helper()
	counts := map[string]string{}
	for _, line := range replicaReads.FindAllStringSubmatch(a.scraped(t), -1) {
		counts[line[1]] = line[2]
	}
	return counts
}

// Given a read replica, then it serves every list of customers and staff, each with its reader's writes and without other people's rows.
// While it lags, a reader who wrote reads the primary.
func TestLists_FromAReplica_ShowTheReadersWrites(t *testing.T) {
	t.Parallel()
	app, follower, _ := withReplica(t)
	buyer, other := app.buyer(t, "9876500131"), app.buyer(t, "9876500132")
	boss := app.signedInAs(t, "boss@example.in", staff.RoleAdmin)
	franchiser := app.text(t, `SELECT id FROM franchisers WHERE mobile = '9876500131'`)

	lists := map[string]func() answer{}
	for _, path := range []string{"/subscription/list", "/subscription/payments/list"} {
		lists[path] = func() answer { return buyer.get(t, path) }
	}
	for _, path := range []string{
		"/search?q=9876500131", "/customers/" + franchiser + "/timeline", "/contacts", "/audit", "/settlements", "/credit-notes",
	} {
		lists["support"+path] = func() answer { return boss.call(t, http.MethodGet, path, nil) }
	}
	for path, list := range lists {
		var served bool
		for tries := 0; tries < 2000 && !served; tries++ { // until the replica has the reader's writes
			before := app.reads(t)
			got := list()
			require.Equal(t, 200, got.Status, "%s: %s", path, got.Raw)
			after := app.reads(t)
			require.Equal(t, before[postgres.ReadDoubtful], after[postgres.ReadDoubtful], "%s fails on a standby", path)
			if served = after[postgres.ReadReplica] != before[postgres.ReadReplica]; !served {
				time.Sleep(50 * time.Millisecond)
			}
		}
		require.True(t, served, path)
	}
	require.Contains(t, string(lists["support/search?q=9876500131"]().Raw), franchiser)

	_, err := follower.ExecContext(t.Context(), `SELECT pg_wal_replay_pause()`)
	require.NoError(t, err)
	require.Equal(t, 200, buyer.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "yearly")).Status)
	before := app.reads(t)
	require.Eventually(t, func() bool { // a busy machine may not answer at once
		got := buyer.get(t, "/subscription/payments/list")
		require.InDelta(t, 1, got.Body["total"], 0, "the payment that was just begun: %s", got.Raw)
		after := app.reads(t)
		require.Equal(t, before[postgres.ReadReplica], after[postgres.ReadReplica])
		return before[postgres.ReadUnseen] != after[postgres.ReadUnseen]
	}, time.Minute, 20*time.Millisecond)
	got := other.get(t, "/subscription/payments/list")
	require.InDelta(t, 0, got.Body["total"], 0, "%s", got.Raw)
}

// While the primary is stopped, a standby answers calls that only read and the answers say so; calls that change something, and those
// about a payment's outcome, wait for the primary.
func TestReads_PrimaryStopped_StandbyAnswersInItsPlace(t *testing.T) {
	t.Parallel()
	app, _, primary := withReplica(t)
	buyer := app.buyer(t, "9876500133")
	services := choice(app.catalogue(t).Plans[0].Tiers[0], "yearly")
	require.Equal(t, 200, buyer.post(t, "/subscription/payments/request", services).Status)
	listed := func() answer { return buyer.get(t, "/subscription/payments/list") }
	require.Eventually(t, func() bool {
		before := app.reads(t)
		got := listed()
		require.InDelta(t, 1, got.Body["total"], 0, "%s", got.Raw)
		require.Empty(t, got.Header.Get(middleware.HeaderReadFrom))
		return before[postgres.ReadReplica] != app.reads(t)[postgres.ReadReplica]
	}, time.Minute, 20*time.Millisecond, "the standby has the buyer's writes")

	require.NoError(t, primary.Stop())
	for _, path := range []string{
		"/profile/details/profile", "/subscription/dashboard", "/subscription/payments/list", "/subscription/list", "/notifications",
		"/subscription-plan/list", "/state/IN", "/announcement", "/requests", "/team",
	} {
		require.Equal(t, 200, buyer.get(t, path).Status, path)
	}
	got := listed()
	require.InDelta(t, 1, got.Body["total"], 0, "%s", got.Raw)
	require.Equal(t, "standby", got.Header.Get(middleware.HeaderReadFrom))
	require.Equal(t, 503, buyer.post(t, "/subscription/payments/request", services).Status)
	require.Equal(t, 503, buyer.get(t, "/subscription/payments/status/of-nobody").Status)
	require.Equal(t, 200, listed().Status, "a refused change is no reason to wait")
}
