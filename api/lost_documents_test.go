package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Given a document lost by the object store, then staff see it counted and as an alert, and one action, which needs a
// reason and appears in the audit trail once, renders it again, however often it is sent.
func TestLostDocuments_AreRenderedAgainOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	people := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	gateway.sell(t, app, app.buyer(t, "9876500002"))

	none := people.act(t, "/documents/restore", map[string]any{"reason": "After a restore"})
	require.Equal(t, http.StatusConflict, none.Status, "%s", none.Raw)
	require.Equal(t, "no_lost_documents", none.Body["code"])
	_, err := app.db.Worker.Exec(`INSERT INTO invoice_documents (invoice_id, franchiser_id, object_key, sha256, size_bytes, rendered_at)
		SELECT id, franchiser_id, 'invoices/x.pdf', repeat('a', 64), 1, $1 FROM invoices`, app.clock.Now())
	require.NoError(t, err)
	_, err = app.db.Worker.Exec(`INSERT INTO lost_documents (invoice_id, found_at) SELECT id, $1 FROM invoices`, app.clock.Now())
	require.NoError(t, err)

	lost := people.call(t, http.MethodGet, "/documents/lost", nil)
	require.Equal(t, 200, lost.Status, "%s", lost.Raw)
	require.InDelta(t, 1, lost.Data(t, "count"), 0)
	require.InDelta(t, 0, lost.Data(t, "different"), 0)
	alerts := people.call(t, http.MethodGet, "/alerts", nil)
	require.Contains(t, string(alerts.Raw), `"rule":"lost_documents"`)

	require.Equal(t, 422, people.act(t, "/documents/restore", map[string]any{"reason": " "}).Status)
	first := people.request(t, http.MethodPost, "/documents/restore", map[string]any{"reason": "After a restore"})
	key := id.New()
	first.Header.Set("Idempotency-Key", key)
	done := people.send(t, first)
	require.Equal(t, 200, done.Status, "%s", done.Raw)
	again := people.request(t, http.MethodPost, "/documents/restore", map[string]any{"reason": "After a restore"})
	again.Header.Set("Idempotency-Key", key)
	repeated := people.send(t, again)
	require.Equal(t, done.Data(t, "job_id"), repeated.Data(t, "job_id"))
	other := people.act(t, "/documents/restore", map[string]any{"reason": "I did not see the first"})
	require.Equal(t, done.Data(t, "job_id"), other.Data(t, "job_id"), "the job that waits does both")
	var jobs int
	require.NoError(t, app.db.Owner.Get(&jobs, `SELECT count(*) FROM river_job WHERE kind = 'restore_documents'`))
	require.Equal(t, 1, jobs)
	trail := people.call(t, http.MethodGet, "/audit?action=restore_documents", nil)
	records, _ := trail.Data(t, "records").([]any)
	require.Len(t, records, 2)
	require.Equal(t, "I did not see the first", records[0].(map[string]any)["reason"])
}
