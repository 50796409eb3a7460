package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
)

const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

// asSystem sends a request as a connected system does: without cookies, to paths whose form is that of other standards.
func (a *testApp) asSystem(t *testing.T, method, path string, form url.Values, user, password string) (status int, header http.Header, body map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, a.server.URL+path, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if user != "" {
		r.SetBasicAuth(url.QueryEscape(user), url.QueryEscape(password))
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &body), "%s", raw)
	return resp.StatusCode, resp.Header, body
}

// signInEntry is a system with the proof of the admin who enters it.
func (a *testApp) signInEntry(change map[string]any) map[string]any {
	entry := a.proved(map[string]any{
		"label": "Orders and stock", "login_url": "http://127.0.0.1:4000/login", "redirect_uris": []string{"http://127.0.0.1:4000/callback"},
		"dashboard": true, "reason": "The new ERP goes live",
	})
	maps.Copy(entry, change)
	return entry
}

func TestSignIn_ToAConnectedSystem(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin, customer, stranger := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.client(t), app.client(t)
	added := admin.call(t, http.MethodPost, "/sign-in-systems", app.signInEntry(nil))
	require.Equal(t, 200, added.Status, "%s", added.Raw)
	clientID, secret := added.Data(t, "system").(map[string]any)["id"].(string), added.Data(t, "secret").(string)
	require.Regexp(t, `^f360s_[\w-]{43}$`, secret)
	sum := sha256.Sum256([]byte(codeVerifier))
	asked := map[string]any{
		"client_id": clientID, "redirect_uri": "http://127.0.0.1:4000/callback", "response_type": "code", "scope": "openid", "state": "st",
		"nonce": "n1", "code_challenge": base64.RawURLEncoding.EncodeToString(sum[:]), "code_challenge_method": "S256",
	}
	require.Equal(t, 401, stranger.post(t, "/connected-systems/sign-in", asked).Status)
	stranger.signUp(t, "9876543211")
	refused := stranger.post(t, "/connected-systems/sign-in", asked)
	require.Equal(t, 402, refused.Status)
	require.Equal(t, "plan_ended", refused.Body["code"])
	customer.signUpForTrial(t, "9876543210")
	require.Equal(t, "http://127.0.0.1:4000/login?iss=http%3A%2F%2Flocalhost%3A8080",
		customer.get(t, "/subscription/dashboard").Data(t, "connected_dashboard").(map[string]any)["url"])

	for code, change := range map[string][2]string{
		"unknown_system": {"client_id", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"}, "redirect_refused": {"redirect_uri", "http://127.0.0.1:4000/"},
	} {
		was := asked[change[0]]
		asked[change[0]] = change[1]
		require.Equal(t, code, customer.post(t, "/connected-systems/sign-in", asked).Body["code"])
		asked[change[0]] = was
	}
	asked["state"] = strings.Repeat("x", 513)
	require.Equal(t, 422, customer.post(t, "/connected-systems/sign-in", asked).Status)
	asked["state"] = "st"
	sent := customer.post(t, "/connected-systems/sign-in", asked)
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	to, err := url.Parse(sent.Data(t, "redirect_to").(string))
	require.NoError(t, err)

	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {to.Query().Get("code")}, "redirect_uri": {"http://127.0.0.1:4000/callback"},
		"code_verifier": {codeVerifier},
	}
	status, header, body := app.asSystem(t, http.MethodPost, "/oauth/token", form, clientID, "wrong")
	require.Equal(t, 401, status)
	require.NotEmpty(t, header.Get("WWW-Authenticate"))
	require.Equal(t, "invalid_client", body["error"])
	form.Set("client_secret", secret)
	status, _, body = app.asSystem(t, http.MethodPost, "/oauth/token", form, clientID, secret)
	require.Equal(t, 400, status, "the secret twice")
	require.Equal(t, "invalid_request", body["error"])
	form.Set("client_id", clientID)
	status, header, body = app.asSystem(t, http.MethodPost, "/oauth/token", form, "", "")
	require.Equal(t, 200, status, "%v", body)
	require.Equal(t, "no-store", header.Get("Cache-Control"))
	require.Nil(t, body["refresh_token"])
	keys := oidc.NewRemoteKeySet(t.Context(), app.server.URL+"/oauth/keys")
	token, err := oidc.NewVerifier("http://localhost:8080", keys, &oidc.Config{ClientID: clientID, Now: app.clock.Now}).Verify(t.Context(), body["id_token"].(string))
	require.NoError(t, err)
	require.Equal(t, app.text(t, `SELECT id::text FROM franchisers WHERE mobile = '9876543210'`), token.Subject)
	require.Equal(t, "n1", token.Nonce)
	status, _, body = app.asSystem(t, http.MethodPost, "/oauth/token", form, "", "")
	require.Equal(t, 400, status, "a second time")
	require.Equal(t, "invalid_grant", body["error"])
	form["code"] = []string{"a", "b"}
	status, _, _ = app.asSystem(t, http.MethodPost, "/oauth/token", form, "", "")
	require.Equal(t, 400, status, "a parameter twice")

	_, _, body = app.asSystem(t, http.MethodGet, "/.well-known/openid-configuration", nil, "", "")
	require.Equal(t, "http://localhost:8080", body["issuer"])
	require.Equal(t, "http://localhost:8080/connect", body["authorization_endpoint"])
}

func TestSignInSystems_AreManagedByAdmins(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin, support := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	because := map[string]any{"reason": "The new ERP goes live"}
	require.Equal(t, 403, support.call(t, http.MethodPost, "/sign-in-systems", app.signInEntry(nil)).Status)
	added := admin.call(t, http.MethodPost, "/sign-in-systems", app.signInEntry(nil))
	require.Equal(t, 200, added.Status, "%s", added.Raw)
	require.Equal(t, "dashboard_taken", admin.call(t, http.MethodPost, "/sign-in-systems", app.signInEntry(nil)).Body["code"])
	at := "/sign-in-systems/" + added.Data(t, "system").(map[string]any)["id"].(string)
	require.NotContains(t, string(support.call(t, http.MethodGet, "/sign-in-systems", nil).Raw), "f360s_", "shown once")
	require.Equal(t, 422, admin.call(t, http.MethodPut, at, app.signInEntry(map[string]any{"login_url": "https://erp.example.in/#x"})).Status)
	require.Equal(t, 422, admin.call(t, http.MethodPut, at, app.signInEntry(map[string]any{"login_url": "http://erp.example.in/"})).Status)
	require.Equal(t, 200, admin.call(t, http.MethodPut, at, app.signInEntry(map[string]any{"login_url": "https://erp.example.in/in"})).Status)
	require.NotEqual(t, added.Data(t, "secret"), admin.call(t, http.MethodPost, at+"/rotate", app.proved(because)).Data(t, "secret"))
	become := func(state string) answer {
		return admin.call(t, http.MethodPost, at+"/state", app.proved(map[string]any{"state": state, "reason": "The ERP is replaced"}))
	}
	require.Equal(t, 200, become("disabled").Status)
	require.Equal(t, "system_state", become("disabled").Body["code"])
	require.Equal(t, 422, become("gone").Status)
	require.Equal(t, 200, become("removed").Status)
	require.Equal(t, 404, become("enabled").Status)
	for range 20 {
		require.Equal(t, 200, admin.call(t, http.MethodPost, "/sign-in-systems", app.signInEntry(map[string]any{"dashboard": false})).Status)
	}
	require.Equal(t, "too_many_systems", admin.call(t, http.MethodPost, "/sign-in-systems", app.signInEntry(map[string]any{"dashboard": false})).Body["code"])
}
