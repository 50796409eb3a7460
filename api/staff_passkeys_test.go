package main

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/passkey/passkeytest"
)

const originOfPasskeys = "http://localhost:8080"

// optionsOf returns the options for the browser.
func optionsOf(t *testing.T, got answer) json.RawMessage {
	t.Helper()
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	raw, err := json.Marshal(got.Body["data"])
	require.NoError(t, err)
	return raw
}

func entryOf(name string, made passkey.Made) map[string]any {
	return map[string]any{
		"name": name, "id": made.ID, "client_data": made.ClientData, "attestation": made.Attestation, "transports": made.Transports,
	}
}

func TestPasskey_StaffSignIn_OverHTTP(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	sunita := app.signedInStaff(t)
	d := passkeytest.New(originOfPasskeys)
	wrong := sunita.call(t, http.MethodPost, "/account/passkeys/begin", app.staffProof("wrong"))
	require.Equal(t, 422, wrong.Status, "%s", wrong.Raw)
	asked := sunita.call(t, http.MethodPost, "/account/passkeys/begin", app.staffProof(staffPassword))
	entry := entryOf("Work laptop", d.Create(t, optionsOf(t, asked)))
	got := sunita.call(t, http.MethodPost, "/account/passkeys", entry)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "passkey_expired", sunita.call(t, http.MethodPost, "/account/passkeys", entry).Body["code"])

	visitor, other := staffClient{app.client(t)}, staffClient{app.client(t)}
	options := optionsOf(t, visitor.call(t, http.MethodPost, "/login/passkey/begin", nil))
	answered := d.Use(t, options)
	require.Equal(t, "passkey_expired", other.call(t, http.MethodPost, "/login/passkey", answered).Body["code"], "a browser that asked for nothing")
	optionsOf(t, other.call(t, http.MethodPost, "/login/passkey/begin", nil))
	require.Equal(t, "passkey_refused", other.call(t, http.MethodPost, "/login/passkey", answered).Body["code"], "a browser that was asked something else")
	got = visitor.call(t, http.MethodPost, "/login/passkey", answered)
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, "support", got.Data(t, "role"))
	require.Equal(t, 200, visitor.call(t, http.MethodGet, "/me", nil).Status)
	require.Equal(t, "passkey_expired", visitor.call(t, http.MethodPost, "/login/passkey", answered).Body["code"])

	own := visitor.call(t, http.MethodGet, "/account", nil)
	require.Equal(t, 200, own.Status, "%s", own.Raw)
	listed := own.Data(t, "passkeys").([]any)[0].(map[string]any)
	require.Equal(t, "Work laptop", listed["name"])
	require.NotNil(t, listed["last_used_at"])
	at := "/account/passkeys/" + listed["id"].(string)
	require.Equal(t, 200, visitor.call(t, http.MethodPut, at, map[string]any{"name": "Old laptop"}).Status)
	require.Equal(t, 422, visitor.call(t, http.MethodPost, at+"/remove", map[string]any{"current_password": "wrong"}).Status)
	got = visitor.call(t, http.MethodPost, at+"/remove", map[string]any{"current_password": staffPassword})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	require.Equal(t, 401, sunita.call(t, http.MethodGet, "/me", nil).Status, "the other sessions end")
	require.Equal(t, 404, visitor.call(t, http.MethodPost, at+"/remove", map[string]any{"current_password": staffPassword}).Status)
	options = optionsOf(t, other.call(t, http.MethodPost, "/login/passkey/begin", nil))
	require.Equal(t, "passkey_refused", other.call(t, http.MethodPost, "/login/passkey", d.Use(t, options)).Body["code"])
}

func TestPasskey_ResponseAfterFiveMinutes_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	sunita := app.signedInStaff(t)
	d := passkeytest.New(originOfPasskeys)
	asked := sunita.call(t, http.MethodPost, "/account/passkeys/begin", app.staffProof(staffPassword))
	entry := entryOf("Work laptop", d.Create(t, optionsOf(t, asked)))
	require.Equal(t, 200, sunita.call(t, http.MethodPost, "/account/passkeys", entry).Status)
	visitor := staffClient{app.client(t)}
	options := optionsOf(t, visitor.call(t, http.MethodPost, "/login/passkey/begin", nil))
	app.clock.Advance(5*time.Minute + time.Second)
	require.Equal(t, "passkey_expired", visitor.call(t, http.MethodPost, "/login/passkey", d.Use(t, options)).Body["code"])
}

// Given a flood of challenges from one address, then it is refused, and staff of that address sign in by password.
func TestPasskey_FloodOfChallenges_IsRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.LiveLimits = true
	app.start(t)
	visitor := staffClient{app.client(t)}
	status := 200
	for range 301 {
		status = visitor.call(t, http.MethodPost, "/login/passkey/begin", nil).Status
	}
	require.Equal(t, 429, status)
	app.signedInStaff(t)
}
