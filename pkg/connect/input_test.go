package connect_test

import (
	"errors"
	"hash/crc32"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// withoutRows returns services without a database: input is validated before anything is read.
func withoutRows(t *testing.T, plain bool) (*connect.Service, *connect.SignIns) {
	t.Helper()
	return provedBy(t, console.Prover{}, plain)
}

func provedBy(t *testing.T, p connect.Prover, plain bool) (*connect.Service, *connect.SignIns) {
	t.Helper()
	clk := testkit.NewClock()
	s := connect.NewService(new(sqlx.DB), clk, staff.NewRecorder(clk), p, new(subscription.Service), testkit.NewSilentLogger())
	issuer, err := url.Parse("https://franchise360.example/")
	require.NoError(t, err)
	return s, connect.NewSignIns(s, testkit.NewKeyring(t), issuer, plain)
}

func TestRedirectURI_OnlyAbsoluteAddresses_AreAccepted(t *testing.T) {
	t.Parallel()
	_, live := withoutRows(t, false)
	_, inDevelopment := withoutRows(t, true)
	for address, c := range map[string]struct{ live, development bool }{
		"https://erp.example.in/callback?tenant=1":           {true, true},
		"https://erp.example.in:8443/":                       {true, true},
		"https://10.0.0.7/callback":                          {true, true}, // the server never connects to it
		"https://erp/callback":                               {true, true},
		"https://[2001:db8::7]/":                             {true, true},
		"http://localhost:4000/cb":                           {false, true},
		"http://127.0.0.1:4000/cb":                           {false, true},
		"http://[::1]:4000/cb":                               {false, true},
		"http://10.0.0.7/cb":                                 {false, false},
		"http://erp.example.in/cb":                           {false, false},
		"http://localhost.evil.example/cb":                   {false, false},
		"https://erp.example.in:99999/":                      {false, false},
		"https://erp.example.in:0/":                          {false, false},
		"https://user:word@erp.example.in/":                  {false, false},
		"https://erp.example.in/#top":                        {false, false},
		"https://erp.example.in/a b":                         {false, false},
		"https://erp.example.in/\r\nSet-Cookie: a=b":         {false, false},
		"https://erp.example.in/शुरू":                        {false, false},
		"https://erp.example.in/%zz":                         {false, false},
		"HTTPS://erp.example.in/":                            {false, false},
		"https:erp.example.in":                               {false, false},
		"https://":                                           {false, false},
		"https://:8443/":                                     {false, false},
		"//erp.example.in/":                                  {false, false},
		"javascript:alert(1)":                                {false, false},
		"ftp://erp.example.in/":                              {false, false},
		"":                                                   {false, false},
		"https://" + strings.Repeat("a", 490):                {true, true},
		"https://erp.example.in/" + strings.Repeat("a", 490): {false, false},
	} {
		for s, fits := range map[*connect.SignIns]bool{live: c.live, inDevelopment: c.development} {
			// Without a label nothing is added, whatever the addresses are.
			_, _, err := s.AddSystem(t.Context(), staff.Principal{}, connect.SystemInput{LoginURL: address, RedirectURIs: []string{address}}, staff.Proof{}, why)
			fields := errs.As(err).Fields
			require.Contains(t, fields, "label", address)
			require.Equal(t, !fits, fields["login_url"] != nil, "%q as the address of sign-ins", address)
			require.Equal(t, !fits, fields["redirect_uris"] != nil, "%q as the address of answers", address)
		}
	}
}

func TestSystem_MoreThanTenOrNoRedirectURIs_AreRefused(t *testing.T) {
	t.Parallel()
	_, s := withoutRows(t, false)
	many := func(n int) (list []string) {
		for i := range n {
			list = append(list, "https://erp.example.in/"+strings.Repeat("a", i))
		}
		return list
	}
	for name, c := range map[string]struct {
		label string
		uris  []string
		wrong []string
	}{
		"none":                      {"", nil, []string{"label", "redirect_uris"}},
		"one letter":                {"E", many(1), []string{"label"}},
		"blanks around one":         {"  E  ", many(1), []string{"label"}},
		"ten":                       {"", many(10), []string{"label"}},
		"eleven":                    {"", many(11), []string{"label", "redirect_uris"}},
		"ten and a repetition":      {"", append(many(10), " https://erp.example.in/ "), []string{"label"}},
		"80 letters and no address": {strings.Repeat("क", 80), nil, []string{"redirect_uris"}},
		"81 letters":                {strings.Repeat("क", 81), many(1), []string{"label"}},
	} {
		_, _, err := s.AddSystem(t.Context(), staff.Principal{}, connect.SystemInput{Label: c.label, LoginURL: "https://erp.example.in", RedirectURIs: c.uris}, staff.Proof{}, why)
		require.Len(t, errs.As(err).Fields, len(c.wrong), name)
		for _, field := range c.wrong {
			require.Contains(t, errs.As(err).Fields, field, name)
		}
	}
	err := s.SetSystemState(t.Context(), staff.Principal{}, "x", "paused", staff.Proof{}, why)
	require.Contains(t, errs.As(err).Fields, "state")
}

func TestAPIKey_FieldsAtTheirLimits_AreAccepted(t *testing.T) {
	t.Parallel()
	s, _ := withoutRows(t, false)
	scopes := []connect.Scope{connect.ScopeEntitlements}
	for name, c := range map[string]struct {
		in    connect.KeyInput
		wrong []string
	}{
		"two letters":     {connect.KeyInput{Label: "ER", Scopes: scopes}, nil},
		"one letter":      {connect.KeyInput{Label: " E ", Scopes: scopes}, []string{"label"}},
		"80 letters":      {connect.KeyInput{Label: strings.Repeat("क", 80), Scopes: scopes}, nil},
		"81 letters":      {connect.KeyInput{Label: strings.Repeat("क", 81), Scopes: scopes}, []string{"label"}},
		"ten years":       {connect.KeyInput{Label: "ERP", Scopes: scopes, Days: 3650}, nil},
		"a day more":      {connect.KeyInput{Label: "ERP", Scopes: scopes, Days: 3651}, []string{"days"}},
		"a day back":      {connect.KeyInput{Label: "ERP", Scopes: scopes, Days: -1}, []string{"days"}},
		"no scope":        {connect.KeyInput{Label: "ERP"}, []string{"scopes"}},
		"a scope twice":   {connect.KeyInput{Label: "ERP", Scopes: append(scopes, scopes...)}, nil},
		"another one too": {connect.KeyInput{Label: "ERP", Scopes: append(scopes, "entitlements:write")}, []string{"scopes"}},
		"eleven times":    {connect.KeyInput{Label: "ERP", Scopes: slicesOf(connect.ScopeEntitlements, 11)}, []string{"scopes"}},
		"ten times":       {connect.KeyInput{Label: "ERP", Scopes: slicesOf(connect.ScopeEntitlements, 10)}, nil},
	} {
		_, _, err := s.Make(t.Context(), staff.Principal{}, c.in, staff.Proof{}, " ") // without a reason no key is made
		if c.wrong == nil {
			require.Contains(t, errs.As(err).Fields, "reason", name)
			continue
		}
		require.Len(t, errs.As(err).Fields, 1, name)
		require.Contains(t, errs.As(err).Fields, c.wrong[0], name)
	}
}

func slicesOf(s connect.Scope, n int) (list []connect.Scope) {
	for range n {
		list = append(list, s)
	}
	return list
}

// A key that was mistyped is refused without a look at the database: its last six characters are the CRC-32 of the others in base 62.
func TestAPIKey_Mistyped_IsRefusedWithoutADatabaseRead(t *testing.T) {
	t.Parallel()
	s, _ := withoutRows(t, false)
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	body := "f360_" + strings.Repeat("aB3", 13) + "z"
	sum, check := crc32.ChecksumIEEE([]byte(body)), ""
	for range 6 {
		check = string(digits[sum%62]) + check
		sum /= 62
	}
	whole := body + check
	for i := range whole {
		wrong := whole[:i] + string(digits[(strings.IndexByte(digits, whole[i])+1)%62]) + whole[i+1:]
		_, err := s.Authenticate(t.Context(), wrong)
		require.ErrorIs(t, err, errs.Unauthenticated(), wrong)
	}
	for _, wrong := range []string{"", whole[:50], whole + "0", " " + whole, whole + "\n", strings.ToUpper(whole), "f360_" + strings.Repeat("०", 46)} {
		_, err := s.Authenticate(t.Context(), wrong)
		require.ErrorIs(t, err, errs.Unauthenticated(), wrong)
	}
	require.Panics(t, func() { _, _ = s.Authenticate(t.Context(), whole) }, "what is well formed is looked up, and here is no database")
}

func TestRefusals_UseTheErrorCodesOfTheStandard(t *testing.T) {
	t.Parallel()
	require.EqualError(t, connect.ErrClient, "invalid_client: client_id and client_secret are not those of an enabled system")
	_, s := withoutRows(t, false)
	require.Equal(t, "https://franchise360.example", s.Issuer(), "an issuer has no slash at its end")
	_, err := s.Redeem(t.Context(), connect.Exchange{ClientID: "' OR true --", ClientSecret: "x"})
	require.ErrorIs(t, err, connect.ErrClient, "what is no id is no system's")
}

// At most fifty keys are valid at once; revoked and expired keys do not count. A key's last use is noted at most once a minute.
func TestAPIKeys_MoreThanFiftyValid_AreRefused(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	people := console.Hire(t, db, clk)
	s := connect.NewService(db.API, clk, people.Service, console.Prover{}, new(subscription.Service), testkit.NewSilentLogger())
	admin := as(t, people.Ravi)
	makes := func(days int) (connect.Key, string, error) {
		in := input()
		in.Days = days
		return s.Make(admin, people.Ravi, in, staff.Proof{}, why)
	}
	first, shown, err := makes(0)
	require.NoError(t, err)
	require.Nil(t, first.ExpiresAt, "no days are no end")
	tomorrow, _, err := makes(1)
	require.NoError(t, err)
	require.WithinDuration(t, clk.Now().Add(24*time.Hour), *tomorrow.ExpiresAt, 0)
	for range 48 {
		_, _, err := makes(30)
		require.NoError(t, err)
	}
	_, _, err = makes(0)
	require.ErrorIs(t, err, connect.ErrTooMany)
	clk.Advance(24*time.Hour - time.Microsecond)
	_, _, err = makes(0)
	require.ErrorIs(t, err, connect.ErrTooMany)
	clk.Advance(time.Microsecond)
	last, _, err := makes(0)
	require.NoError(t, err, "one has ended")
	_, _, err = makes(0)
	require.ErrorIs(t, err, connect.ErrTooMany)
	require.NoError(t, s.Revoke(admin, people.Ravi, last.ID, why))
	_, _, err = makes(0)
	require.NoError(t, err, "one was revoked")

	used := func() time.Time {
		t.Helper()
		ctx := people.Ravi.Sign(t.Context())
		_, err := s.Authenticate(ctx, shown)
		require.NoError(t, err)
		list, err := s.Keys(ctx)
		require.NoError(t, err)
		require.Len(t, list, 52, "revoked ones and those that ended are shown too")
		require.Equal(t, first.ID, list[51].ID, "newest first")
		return *list[51].LastUsedAt
	}
	at := clk.Now()
	require.WithinDuration(t, at, used(), 0)
	clk.Advance(time.Minute - time.Microsecond)
	require.WithinDuration(t, at, used(), 0)
	clk.Advance(time.Microsecond)
	require.WithinDuration(t, at.Add(time.Minute), used(), 0)
	for _, unknown := range []string{"x", ""} {
		require.ErrorIs(t, s.Revoke(admin, people.Ravi, unknown, why), errs.NotFound())
	}
}

func TestKeyOrSystem_WithoutProof_IsRefusedBeforeAnythingIsRead(t *testing.T) {
	t.Parallel()
	refused := errors.New("no proof")
	keys, systems := provedBy(t, console.Prover{Refused: refused}, false)
	ctx, nobody, proof := t.Context(), staff.Principal{}, staff.Proof{}
	_, _, err := keys.Make(ctx, nobody, input(), proof, why)
	require.ErrorIs(t, err, refused)
	_, _, err = systems.AddSystem(ctx, nobody, signInInput(), proof, why)
	require.ErrorIs(t, err, refused)
	_, err = systems.ChangeSystem(ctx, nobody, "x", signInInput(), proof, why)
	require.ErrorIs(t, err, refused)
	_, _, err = systems.RotateSystem(ctx, nobody, "x", proof, why)
	require.ErrorIs(t, err, refused)
	require.ErrorIs(t, systems.SetSystemState(ctx, nobody, "x", connect.SystemEnabled, proof, why), refused)
	_, _, err = systems.RotateSystem(ctx, nobody, "x", proof, " ")
	require.Contains(t, errs.As(err).Fields, "reason", "a bad reason uses up no code")
}
