package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
)

// useKeys restarts the process with these master keys, using the keys stored in the database.
func (a *testApp) useKeys(t *testing.T, current string, others ...string) {
	t.Helper()
	ring, err := secret.ParseKeyring(current, others...)
	require.NoError(t, err)
	a.config.Keys, err = secret.Load(t.Context(), a.db.API, ring, a.clock.Now())
	require.NoError(t, err)
	a.start(t)
}

func TestSecretKeyRotation_KeepsSessions(t *testing.T) {
	t.Parallel()
	const next = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	old := strings.Repeat("ab", 32)
	app := newTestApp(t)
	app.useKeys(t, old)
	asha := app.client(t)
	asha.signUp(t, "9876543210")
	sunita := app.signedInStaff(t)
	rename := map[string]any{"first_name": "Asha", "last_name": "Rao"}
	signIn := func() map[string]any {
		app.clock.Advance(time.Minute)
		return map[string]any{"email": "sunita@example.in", "password": staffPassword, "code": app.staffCode()}
	}

	app.useKeys(t, next, old)
	require.Equal(t, 200, asha.post(t, "/profile/update/profile", rename).Status, "with the XSRF token of before")
	require.Equal(t, 200, sunita.call(t, http.MethodPost, "/logout", nil).Status)
	require.Equal(t, 200, staffClient{app.client(t)}.call(t, http.MethodPost, "/login", signIn()).Status)
	require.Equal(t, 200, asha.post(t, "/refresh", nil).Status)

	both, err := secret.ParseKeyring(next, old)
	require.NoError(t, err)
	done, left, err := staff.ResealTOTP(t.Context(), app.db.Owner, both)
	require.NoError(t, err)
	require.Equal(t, []int{1, 0}, []int{done, left})
	_, left, err = secret.ResealKept(t.Context(), app.db.Owner, both)
	require.NoError(t, err)
	require.Zero(t, left)

	app.useKeys(t, next)
	require.Equal(t, 200, asha.post(t, "/profile/update/profile", rename).Status)
	require.Equal(t, 200, staffClient{app.client(t)}.call(t, http.MethodPost, "/login", signIn()).Status)
}
