package main

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

// All calls on jobs and queues are for staff only, and pausing a queue for admins only.
func TestJobsAndQueues_EachRole_HasItsRights(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	franchiser := staffClient{app.client(t)}
	franchiser.signUp(t, "9876543210")
	anonymous := staffClient{app.client(t)}
	people := app.signedInStaff(t)
	operation := "/jobs/operations/019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"
	change := map[string]any{"ids": []int64{1}, "reason": "because"}
	routes := []struct {
		method, path string
		body         any
		answers      int
	}{
		{http.MethodGet, "/jobs", nil, 200},
		{http.MethodGet, "/jobs/summary", nil, 200},
		{http.MethodGet, "/jobs/999", nil, 404},
		{http.MethodGet, "/jobs/operations", nil, 200},
		{http.MethodGet, operation, nil, 404},
		{http.MethodGet, "/queues", nil, 200},
		{http.MethodGet, "/alerts", nil, 200},
		{http.MethodPost, "/jobs/rerun", change, 409},
		{http.MethodPost, "/jobs/cancel", change, 409},
		{http.MethodPost, "/jobs/dismiss", change, 409},
		{http.MethodPost, "/jobs/snooze", map[string]any{"ids": []int64{1}, "reason": "because", "snooze_seconds": 60}, 409},
		{http.MethodPost, "/jobs/operations", map[string]any{"action": "rerun", "filter": map[string]any{"kind": "none"}, "reason": "because"}, 409},
		{http.MethodPost, "/queues/otp/pause", map[string]any{"reason": "because"}, 403},
		{http.MethodPost, "/queues/otp/resume", map[string]any{"reason": "because"}, 403},
	}
	_, err := app.db.Owner.Exec(`DELETE FROM river_job`)
	require.NoError(t, err)
	for _, r := range routes {
		require.Equal(t, 403, franchiser.call(t, r.method, r.path, r.body).Status, r.path)
		require.Equal(t, 401, anonymous.call(t, r.method, r.path, r.body).Status, r.path)
		got := people.call(t, r.method, r.path, r.body)
		require.Equal(t, r.answers, got.Status, "%s: %s", r.path, got.Raw)
	}
	for _, path := range []string{"/jobs?after=x", "/jobs?from=yesterday", "/jobs?state=lost", "/jobs?limit=501", "/jobs?customer_id=1", "/jobs/summary?seen=1-"} {
		require.Equal(t, 422, people.call(t, http.MethodGet, path, nil).Status, path)
	}

	_, err = app.db.Owner.Exec(`UPDATE staff SET role = 'admin'`)
	require.NoError(t, err)
	_, err = app.db.Owner.Exec(`INSERT INTO river_queue (name, created_at, updated_at, metadata) VALUES ('otp', now(), now(), '{}')`)
	require.NoError(t, err)
	require.Equal(t, 422, people.call(t, http.MethodPost, "/queues/otp/pause", map[string]any{"reason": " \t  "}).Status, "spaces are no reason")
	require.Equal(t, 200, people.call(t, http.MethodPost, "/queues/otp/pause", map[string]any{"reason": "because"}).Status)
	require.Contains(t, string(people.call(t, http.MethodGet, "/alerts", nil).Raw), "Queue otp is paused")
	require.Equal(t, 200, people.call(t, http.MethodPost, "/queues/otp/resume", map[string]any{"reason": "because"}).Status)
	_, err = app.db.Owner.Exec(`INSERT INTO job_schedules (kind, queue, every_seconds, seen_at) VALUES ('sweep_payments', 'payments', 3600, now())`)
	require.NoError(t, err)
	got := people.call(t, http.MethodPost, "/schedules/sweep_payments/run", map[string]any{"reason": "A customer waits"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	got = people.call(t, http.MethodPost, "/schedules/sweep_payments/run", map[string]any{"reason": "A customer waits"})
	require.Equal(t, []any{409, "schedule_runs"}, []any{got.Status, got.Body["code"]})
	require.Equal(t, 404, people.call(t, http.MethodPost, "/schedules/send_otp/run", map[string]any{"reason": "because"}).Status)
	require.Equal(t, staff.RoleAdmin, staff.Role(fmt.Sprint(people.call(t, http.MethodGet, "/me", nil).Data(t, "role"))))
}
