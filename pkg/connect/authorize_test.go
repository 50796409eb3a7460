package connect_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
)

// If the redirect URI is registered, any other fault is reported to it by the error codes of OpenID Connect and RFC 6749, with state and
// issuer. The URI's own query stays.
func TestAuthorize_InvalidRequest_RedirectsWithAnOAuthError(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	in := signInInput()
	const own = "https://stock.example.in/cb?tenant=a%26b"
	in.Label, in.Dashboard, in.RedirectURIs = "Stock", false, []string{own, callback}
	system, _, err := s.signIns.AddSystem(as(t, s.people.Ravi), s.people.Ravi, in, staff.Proof{}, why)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(*connect.Authorization)
		want   string
	}{
		"as it is":             {func(*connect.Authorization) {}, ""},
		"more scopes":          {func(a *connect.Authorization) { a.Scope = "profile  openid email" }, ""},
		"no openid":            {func(a *connect.Authorization) { a.Scope = "openid2 profile" }, "invalid_scope"},
		"no scope":             {func(a *connect.Authorization) { a.Scope = "" }, "invalid_scope"},
		"a token":              {func(a *connect.Authorization) { a.ResponseType = "token" }, "unsupported_response_type"},
		"a code and a token":   {func(a *connect.Authorization) { a.ResponseType = "code id_token" }, "unsupported_response_type"},
		"the query":            {func(a *connect.Authorization) { a.ResponseMode = "query" }, ""},
		"a fragment":           {func(a *connect.Authorization) { a.ResponseMode = "fragment" }, "invalid_request"},
		"a form":               {func(a *connect.Authorization) { a.ResponseMode = "form_post" }, "invalid_request"},
		"no challenge":         {func(a *connect.Authorization) { a.Challenge = "" }, "invalid_request"},
		"a challenge of 42":    {func(a *connect.Authorization) { a.Challenge = a.Challenge[:42] }, "invalid_request"},
		"a challenge of 44":    {func(a *connect.Authorization) { a.Challenge += "A" }, "invalid_request"},
		"an invalid challenge": {func(a *connect.Authorization) { a.Challenge = a.Challenge[:42] + "=" }, "invalid_request"},
		"no method":            {func(a *connect.Authorization) { a.ChallengeMethod = "" }, "invalid_request"},
		"another method":       {func(a *connect.Authorization) { a.ChallengeMethod = "s256" }, "invalid_request"},
		"prompt=none":          {func(a *connect.Authorization) { a.Prompt = "none" }, ""},
		"another sign-in":      {func(a *connect.Authorization) { a.Prompt = "consent login" }, "invalid_request"},
	} {
		for _, state := range []string{"", "a&b=c d"} {
			a := s.asked()
			a.ClientID, a.RedirectURI, a.State = system.ID, own, state
			c.change(&a)
			to, err := s.signIns.Authorize(t.Context(), s.owner, a)
			require.NoError(t, err, name)
			u, err := url.Parse(to)
			require.NoError(t, err)
			q := u.Query()
			require.Equal(t, "https://stock.example.in/cb", u.Scheme+"://"+u.Host+u.Path, name)
			require.Equal(t, "a&b", q.Get("tenant"), name)
			require.Equal(t, "https://franchise360.example", q.Get("iss"), name)
			require.Equal(t, state != "", q.Has("state"), name)
			require.Equal(t, state, q.Get("state"), name)
			require.Equal(t, c.want, q.Get("error"), name)
			require.Equal(t, c.want != "", q.Get("error_description") != "", name)
			require.Equal(t, c.want == "", q.Has("code"), name)
		}
	}
	a := s.asked()
	a.ClientID = system.ID
	a.RedirectURI = own + "&x=1"
	_, err = s.signIns.Authorize(t.Context(), s.owner, a)
	require.ErrorIs(t, err, connect.ErrRedirect)
	for _, unknown := range []string{"", "x", s.Buyer, strings.ToUpper(system.ID) + "0"} {
		a.ClientID = unknown
		_, err = s.signIns.Authorize(t.Context(), s.owner, a)
		require.ErrorIs(t, err, connect.ErrUnknownSystem, unknown)
	}

	// Twenty systems may be connected at once.
	in.RedirectURIs = []string{callback}
	for range 18 {
		_, _, err = s.signIns.AddSystem(as(t, s.people.Ravi), s.people.Ravi, in, staff.Proof{}, why)
		require.NoError(t, err)
	}
	_, _, err = s.signIns.AddSystem(as(t, s.people.Ravi), s.people.Ravi, in, staff.Proof{}, why)
	require.ErrorIs(t, err, connect.ErrTooManySystems)
	require.NoError(t, s.signIns.SetSystemState(as(t, s.people.Ravi), s.people.Ravi, system.ID, connect.SystemDisabled, staff.Proof{}, why))
	_, _, err = s.signIns.AddSystem(as(t, s.people.Ravi), s.people.Ravi, in, staff.Proof{}, why)
	require.ErrorIs(t, err, connect.ErrTooManySystems, "a disabled one is connected still")
	require.NoError(t, s.signIns.SetSystemState(as(t, s.people.Ravi), s.people.Ravi, system.ID, connect.SystemRemoved, staff.Proof{}, why))
	_, _, err = s.signIns.AddSystem(as(t, s.people.Ravi), s.people.Ravi, in, staff.Proof{}, why)
	require.NoError(t, err)
	in.Dashboard = true
	_, err = s.signIns.ChangeSystem(as(t, s.people.Ravi), s.people.Ravi, s.system.ID, in, staff.Proof{}, why)
	require.NoError(t, err, "the system that the button leads to may keep it")
	_, err = s.signIns.ChangeSystem(as(t, s.people.Ravi), s.people.Ravi, "x", in, staff.Proof{}, why)
	require.ErrorIs(t, err, errs.NotFound())
}
