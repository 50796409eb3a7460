package plan

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// lines is a log that a test can read while it is being written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func load(tb testing.TB, db *testkit.Database, changes ...string) {
	tb.Helper()
	text := string(DefaultCatalogue())
	require.Contains(tb, text, strings.Join(changes[:min(1, len(changes))], ""))
	_, err := Load(tb.Context(), db.Worker, testkit.NewClock(), []byte(strings.NewReplacer(changes...).Replace(text)))
	require.NoError(tb, err)
}

// age makes the service's cached catalogue older.
func (s *Service) age(by time.Duration) {
	now := s.current.Load()
	s.current.Store(&cached{catalogue: now.catalogue, at: now.at.Add(-by)})
}

// Given a cached catalogue that was replaced, then pages get it immediately for two seconds, and again while the new catalogue is fetched
// in the background. Charging uses the new catalogue immediately.
func TestCurrent_ReplacedCatalogue_IsServedStaleWhileRefreshing(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	load(t, db)
	s := NewService(db.API, testkit.NewLogger(t))
	first, err := s.Current(t.Context())
	require.NoError(t, err)
	s.age(-time.Hour) // two seconds would be over early on a busy machine
	load(t, db, `"monthly_paise": 1250000`, `"monthly_paise": 1300000`)
	again, err := s.Current(t.Context())
	require.NoError(t, err)
	require.Same(t, first, again, "no question is asked")

	s.age(time.Hour + staleAfter + time.Second)
	stale, err := s.Current(t.Context())
	require.NoError(t, err)
	require.Same(t, first, stale, "nobody waits for the new one")
	require.Eventually(t, func() bool {
		c, err := s.Current(t.Context())
		return err == nil && c.Revision == 2
	}, time.Minute, 5*time.Millisecond)
	require.Eventually(t, func() bool { return !s.refreshing.Load() }, time.Minute, time.Millisecond)

	load(t, db, `"monthly_paise": 1250000`, `"monthly_paise": 1400000`)
	fresh, err := s.Fresh(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.FromRupees(14_000), fresh.Plans[0].Tiers[0].Monthly)
	now, err := s.Current(t.Context())
	require.NoError(t, err)
	require.Same(t, fresh, now, "what was read for charging is shown too")
}

// Given a database that is down, then pages keep using the cached catalogue, a line is logged, and the next page tries again. Charging, and
// pages without a cached catalogue, fail with a retryable error.
func TestCurrent_DatabaseDown_ServesTheCachedCatalogue(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	load(t, db)
	var log lines
	s := NewService(db.API, slog.New(slog.NewTextHandler(&log, nil)))
	first, err := s.Current(t.Context())
	require.NoError(t, err)
	require.NoError(t, db.API.Close())
	for range 2 {
		s.age(staleAfter + time.Second)
		before := strings.Count(log.String(), "catalogue not refreshed")
		stale, err := s.Current(t.Context())
		require.NoError(t, err)
		require.Same(t, first, stale)
		require.Eventually(t, func() bool {
			return strings.Count(log.String(), "catalogue not refreshed") > before && !s.refreshing.Load()
		}, time.Minute, 5*time.Millisecond)
	}
	_, err = s.Fresh(t.Context())
	require.Error(t, err)
	_, err = NewService(db.API, testkit.NewSilentLogger()).Current(t.Context())
	require.Error(t, err)
	known, err := s.Revision(t.Context(), 1)
	require.NoError(t, err, "a revision never changes, so it is not asked for again")
	require.Same(t, first, known)
}

// Given a page that is closed, then the catalogue is fetched nevertheless: the next page has it.
func TestCurrent_RequestCancelled_RefreshContinues(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	load(t, db)
	s := NewService(db.API, testkit.NewLogger(t))
	_, err := s.Current(t.Context())
	require.NoError(t, err)
	load(t, db, `"monthly_paise": 1250000`, `"monthly_paise": 1300000`)
	s.age(staleAfter + time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = s.Current(ctx)
	cancel()
	require.NoError(t, err)
	require.Eventually(t, func() bool { return s.current.Load().catalogue.Revision == 2 }, time.Minute, 5*time.Millisecond)
}

// Given no loaded catalogue, then the product cannot sell and reports that it is unavailable, not broken; once one is
// loaded it sells, without a restart.
func TestCurrent_NoCatalogueLoaded_IsUnavailable(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	s := NewService(db.API, testkit.NewSilentLogger())
	for name, ask := range map[string]func(context.Context) (*Catalogue, error){"for pages": s.Current, "for charging": s.Fresh} {
		_, err := ask(t.Context())
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
	for _, revision := range []int{0, 1, -1} {
		_, err := s.Revision(t.Context(), revision)
		require.ErrorContains(t, err, "does not exist", revision)
	}
	load(t, db)
	c, err := s.Current(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, c.Revision)
	_, err = s.Revision(t.Context(), 2)
	require.Error(t, err, "nor does one that is to come")
	require.Len(t, s.revisions, 1, "what does not exist is not remembered")
	load(t, db, `"2026-11"`, `"2026-12"`)
	c, err = s.Revision(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, "2026-12", c.Version)
}

// Given many concurrent requests, then all get the same catalogue.
func TestCurrent_ConcurrentRequests_ReturnTheSameCatalogue(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	load(t, db)
	s := NewService(db.API, testkit.NewLogger(t))
	var all sync.WaitGroup
	got, failed := make([]*Catalogue, 32), make([]error, 32)
	for i := range got {
		all.Go(func() {
			ask := []func(context.Context) (*Catalogue, error){s.Current, s.Fresh, func(ctx context.Context) (*Catalogue, error) {
				return s.Revision(ctx, 1)
			}}[i%3]
			got[i], failed[i] = ask(t.Context())
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(failed...))
	for _, c := range got {
		require.Equal(t, 1, c.Revision)
		require.Equal(t, got[0].Plans[0].ID, c.Plans[0].ID)
	}
}
