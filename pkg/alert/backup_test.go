package alert_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestWatch_NoBackupFor26Hours_RaisesAnAlert(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.beat(t)
	limits := alert.Thresholds{
		Window: 10 * time.Minute, FailurePercent: 50, FailureCount: 5, FailingJobs: 20, HungAfter: time.Minute,
		ScheduleLate: 10 * time.Minute, BooksUnchecked: 36 * time.Hour, BackupMissing: 26 * time.Hour,
	}
	watch := alert.NewWatch(alert.WatchOptions{
		DB: h.db.Worker, Jobs: testkit.NewInserter(t, h.db.Worker), Clock: h.clock, Deliverer: h.deliverer, Limits: limits,
		Refusals: &postgres.Refusals{}, Logger: testkit.NewLogger(t),
	})
	raised := func() (list []string) {
		open, err := watch.Look(t.Context())
		require.NoError(t, err)
		for _, a := range open {
			if a.Rule == "backup_missing" {
				list = append(list, a.Message)
			}
		}
		return list
	}
	_, err := h.db.Owner.ExecContext(t.Context(), `UPDATE backups SET saved_at = $1`, h.clock.Now())
	require.NoError(t, err)
	h.clock.Advance(26 * time.Hour)
	require.Empty(t, raised(), "a new installation has its first day")
	h.clock.Advance(time.Minute)
	require.Len(t, raised(), 1)

	_, err = h.db.Owner.ExecContext(t.Context(), alert.NoteBackupSQL, h.clock.Now(), alert.SavedEverything)
	require.NoError(t, err)
	require.Len(t, raised(), 1, "it is resolved once it has been gone for a minute")
	h.clock.Advance(2 * time.Minute)
	require.Empty(t, raised())
	h.clock.Advance(26 * time.Hour)
	require.Len(t, raised(), 1)
}
