package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Given books of a past month, then an admin locks them and, with a reason, unlocks them; support sees up to when they are
// locked.
func TestAnAdminLocksTheBooks(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.clock.Set(time.Date(2026, time.December, 3, 4, 30, 0, 0, time.UTC))
	people := app.signedInStaff(t)
	body := map[string]any{"through": "2026-11-30", "reason": "The return of November is filed"}
	require.Equal(t, 403, people.call(t, http.MethodPost, "/books/lock", body).Status, "of admins alone")
	_, err := app.db.Owner.Exec(`UPDATE staff SET role = 'admin'`)
	require.NoError(t, err)
	before := people.call(t, http.MethodGet, "/books/lock", nil)
	require.Equal(t, 200, before.Status, "%s", before.Raw)
	require.Nil(t, before.Data(t, "through"))
	require.Equal(t, "2026-11-30", before.Data(t, "can_lock_through"))

	for name, through := range map[string]any{"none": nil, "a day within": "2026-11-29", "a month that runs": "2026-12-31", "no day": "soon"} {
		got := people.call(t, http.MethodPost, "/books/lock", map[string]any{"through": through, "reason": "The return is filed"})
		require.Contains(t, []int{400, 422}, got.Status, "%s: %s", name, got.Raw)
	}
	locked := people.call(t, http.MethodPost, "/books/lock", body)
	require.Equal(t, 200, locked.Status, "%s", locked.Raw)
	require.Equal(t, "2026-11-30", locked.Data(t, "through"))
	again := people.call(t, http.MethodPost, "/books/lock", body)
	require.Equal(t, []any{409, "books_locked"}, []any{again.Status, again.Body["code"]})
	require.Equal(t, 422, people.call(t, http.MethodPost, "/books/unlock", map[string]any{"through": nil, "reason": ""}).Status, "never silently")
	opened := people.call(t, http.MethodPost, "/books/unlock", map[string]any{"through": "2026-10-31", "reason": "An entry of November was wrong"})
	require.Equal(t, "2026-10-31", opened.Data(t, "through"), "%s", opened.Raw)
	opened = people.call(t, http.MethodPost, "/books/unlock", map[string]any{"through": nil, "reason": "All is audited anew"})
	require.Nil(t, opened.Data(t, "through"), "%s", opened.Raw)
	require.Len(t, opened.Data(t, "history"), 3)
	require.Equal(t, 409, people.call(t, http.MethodPost, "/books/unlock", map[string]any{"through": nil, "reason": "Again"}).Status)
	var audited int
	require.NoError(t, app.db.Owner.Get(&audited, `SELECT count(*) FROM staff_actions WHERE action IN ('lock_books', 'unlock_books') AND target = 'books'`))
	require.Equal(t, 3, audited)
}
