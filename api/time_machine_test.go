package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/staff"
)

func TestTimeMachine_NotConfigured_IsOff(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	who := app.client(t).signUp(t, "9876543210")
	sunita := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	got := sunita.call(t, http.MethodPost, "/time-machine/"+who, map[string]any{"months": 13, "pays": "on_time"})
	require.Equal(t, http.StatusNotFound, got.Status)
	require.Equal(t, "time_machine_off", got.Body["code"])
	require.Equal(t, false, sunita.call(t, http.MethodGet, "/me", nil).Data(t, "time_machine"))
}

func TestTimeMachine_SupportRunsAQuestion(t *testing.T) {
	t.Parallel()
	asked, status := "", http.StatusOK
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"state": "done", "days": 30, "all_days": 30, "from": "2026-11-26T05:30:00Z", "until": "2026-12-26T18:29:00Z",
			"entries": [{"at": "2026-12-09T03:30:00Z", "kind": "document", "title": "Invoice", "status": "invoice", "text": "", "channel": "",
			"reference": "FP/26-27/2", "amount_paise": 1475000}]}`)
	}))
	t.Cleanup(program.Close)
	app := newTestApp(t)
	app.config.TimeMachine = config.TimeMachine{URL: program.URL, Key: "a-key-of-more-than-24-characters"}
	app.start(t)
	who := app.client(t).signUp(t, "9876543210")
	sunita := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	require.Equal(t, true, sunita.call(t, http.MethodGet, "/me", nil).Data(t, "time_machine"))
	ask := func(body map[string]any) answer { return sunita.call(t, http.MethodPost, "/time-machine/"+who, body) }
	got := ask(map[string]any{"months": 1, "pays": "late"})
	require.Equal(t, http.StatusOK, got.Status, "%s", got.Raw)
	require.Equal(t, "done", got.Data(t, "state"))
	var question map[string]any
	require.NoError(t, json.Unmarshal([]byte(asked), &question))
	require.Equal(t, map[string]any{"franchiser_id": who, "months": 1.0, "pays": "late", "change_id": ""}, question)
	var last string
	require.NoError(t, app.db.Owner.Get(&last, `SELECT action || ' ' || target FROM staff_actions ORDER BY sequence DESC LIMIT 1`))
	require.Equal(t, "open_customer customer:"+who, last)

	require.Equal(t, http.StatusUnprocessableEntity, ask(map[string]any{"months": 25, "pays": "late"}).Status)
	for code, want := range map[int]string{http.StatusServiceUnavailable: "time_machine_busy", http.StatusInternalServerError: "time_machine_failed"} {
		status = code
		got = ask(map[string]any{"months": 1, "pays": "never"})
		require.Equal(t, http.StatusServiceUnavailable, got.Status)
		require.Equal(t, want, got.Body["code"])
	}
}
