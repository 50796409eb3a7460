package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

// An admin locks the books of a past month alone; opening them again takes a second admin.
func TestBooks_LockedByOneAdmin_AreOpenedByTwo(t *testing.T) {
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
	ask := map[string]any{"kind": "open_books", "to": "2026-10-31", "reason": "An entry of November was wrong"}
	support := app.signedInAs(t, "kiran@example.in", staff.RoleSupport)
	require.Equal(t, 403, support.act(t, "/acts", ask).Status, "of admins alone")
	for name, to := range map[string]string{"a day within": "2026-10-30", "no day": "soon"} {
		require.Equal(t, 422, people.act(t, "/acts/preview", map[string]any{"kind": "open_books", "to": to}).Status, name)
	}
	require.Equal(t, 409, people.act(t, "/acts/preview", map[string]any{"kind": "open_books", "to": "2026-11-30"}).Status, "they are open after that day")
	preview := people.act(t, "/acts/preview", map[string]any{"kind": "open_books", "to": "2026-10-31"})
	require.Equal(t, true, preview.Data(t, "needs_approval"), "%s", preview.Raw)
	asked := people.act(t, "/acts", ask)
	require.Equal(t, "waiting", asked.Data(t, "state"), "%s", asked.Raw)
	actID, _ := asked.Data(t, "id").(string)
	why := map[string]any{"reason": "The accountant confirmed it"}
	require.Equal(t, 403, people.act(t, "/acts/"+actID+"/approve", why).Status, "not by who asked")
	require.Equal(t, "2026-11-30", people.call(t, http.MethodGet, "/books/lock", nil).Data(t, "through"), "nothing happened yet")
	second := app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	require.Equal(t, "approved", second.act(t, "/acts/"+actID+"/approve", why).Data(t, "state"))
	require.NoError(t, app.actsOfWorker(t).Perform(t.Context(), actID))
	opened := people.call(t, http.MethodGet, "/books/lock", nil)
	require.Equal(t, "2026-10-31", opened.Data(t, "through"), "%s", opened.Raw)
	require.Len(t, opened.Data(t, "history"), 2)
	var audited int
	require.NoError(t, app.db.Owner.Get(&audited, `SELECT count(*) FROM staff_actions WHERE action IN ('lock_books', 'unlock_books') AND target = 'books'`))
	require.Equal(t, 2, audited)
}
