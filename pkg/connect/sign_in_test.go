package connect_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

const (
	callback = "https://erp.example.in/callback"
	verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // of RFC 7636, appendix B
)

type signing struct {
	bundle

	signIns *connect.SignIns
	keys    secret.Keyring
	system  connect.System
	secret  string
	owner   account.Principal
}

func signInInput() connect.SystemInput {
	return connect.SystemInput{Label: "ERP", LoginURL: "https://erp.example.in/login?a=b", RedirectURIs: []string{callback}, Dashboard: true}
}

// setupSignIns has a system that customers are signed in to, and a customer with a plan who is signed in.
func setupSignIns(t *testing.T) signing {
	t.Helper()
	b := setup(t)
	issuer, err := url.Parse("https://franchise360.example/")
	require.NoError(t, err)
	s := signing{bundle: b, keys: testkit.NewKeyring(t)}
	s.signIns = connect.NewSignIns(b.service, s.keys, issuer, false)
	s.system, s.secret, err = s.signIns.AddSystem(as(t, b.people.Ravi), b.people.Ravi, signInInput(), staff.Proof{}, why)
	require.NoError(t, err)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	s.owner = account.Principal{FranchiserID: b.Buyer, SessionID: s.session(t, b.Buyer, "", "")}
	return s
}

// session is a live session of the person, in its own account or as a member of another.
func (s signing) session(t *testing.T, person, accountID, memberID string) string {
	t.Helper()
	sessionID := id.New()
	_, err := s.Owner.Exec(`INSERT INTO sessions (id, franchiser_id, access_hash, access_expires_at, refreshed_at, expires_at, remember, user_agent,
		ip_address, created_at, account_id, member_id) VALUES ($1, $2, $3, $4, $5, $4, false, '', '', $5, nullif($6, '')::uuid, nullif($7, '')::uuid)`,
		sessionID, person, secret.Hash(sessionID), s.Clock.Now().Add(time.Hour), s.Clock.Now(), accountID, memberID)
	require.NoError(t, err)
	return sessionID
}

func (s signing) asked() connect.Authorization {
	sum := sha256.Sum256([]byte(verifier))
	return connect.Authorization{
		ClientID: s.system.ID, RedirectURI: callback, ResponseType: "code", Scope: "openid", State: "st", Nonce: "n1",
		Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), ChallengeMethod: "S256",
	}
}

// code lets the browser of the person be sent back with a code.
func (s signing) code(t *testing.T, p account.Principal) string {
	t.Helper()
	to, err := s.signIns.Authorize(t.Context(), p, s.asked())
	require.NoError(t, err)
	u, err := url.Parse(to)
	require.NoError(t, err)
	require.Equal(t, callback, u.Scheme+"://"+u.Host+u.Path)
	require.Equal(t, "st", u.Query().Get("state"))
	require.Equal(t, "https://franchise360.example", u.Query().Get("iss"))
	require.NotEmpty(t, u.Query().Get("code"))
	return u.Query().Get("code")
}

func (s signing) exchange(code string) connect.Exchange {
	return connect.Exchange{
		ClientID: s.system.ID, ClientSecret: s.secret, GrantType: "authorization_code", Code: code, RedirectURI: callback, Verifier: verifier,
	}
}

func requireRefusal(t *testing.T, err error, code, what string) {
	t.Helper()
	var refusal *connect.RefusalError
	require.ErrorAs(t, err, &refusal, what)
	require.Equal(t, code, refusal.Code, what)
}

// published serves the keys as the product does; what verifies with them is a library of others.
func (s signing) published(t *testing.T) oidc.KeySet {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys, err := s.signIns.PublicKeys(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": keys})
	}))
	t.Cleanup(server.Close)
	return oidc.NewRemoteKeySet(context.WithoutCancel(t.Context()), server.URL)
}

func (s signing) verify(t *testing.T, token string) map[string]any {
	t.Helper()
	read, err := oidc.NewVerifier("https://franchise360.example", s.published(t), &oidc.Config{ClientID: s.system.ID, Now: s.Clock.Now}).Verify(t.Context(), token)
	require.NoError(t, err)
	claims := map[string]any{}
	require.NoError(t, read.Claims(&claims))
	return claims
}

func TestSignInCode_SecondUse_IsRefused(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	code := s.code(t, s.owner)
	require.Zero(t, s.Count(`SELECT count(*) FROM sign_in_codes WHERE position($1::bytea IN hash) > 0`, []byte(code)))
	var wg sync.WaitGroup
	tokens, failed := make([]string, 4), make([]error, 4)
	for i := range tokens {
		wg.Go(func() { tokens[i], failed[i] = s.signIns.Redeem(t.Context(), s.exchange(code)) })
	}
	wg.Wait()
	var token string
	for i, err := range failed {
		if err == nil {
			require.Empty(t, token, "only one of those who come at once")
			token = tokens[i]
			continue
		}
		requireRefusal(t, err, "invalid_grant", "again")
	}
	claims := s.verify(t, token)
	require.Equal(t, "n1", claims["nonce"])
	require.Equal(t, s.Buyer, claims["sub"])
	require.Equal(t, s.Buyer, claims["account_id"])
	require.Equal(t, "owner", claims["role"])
	require.Equal(t, "active", claims["state"])
	require.Equal(t, s.Tier(0, 0).Name, claims["tier"])
	require.InDelta(t, 300, claims["exp"].(float64)-claims["iat"].(float64), 0)
	for name := range claims {
		require.Contains(t, connect.Claims(), name)
	}
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM sign_in_keys`))
}

func TestSignInCode_OtherSystemOrVerifier_IsRefused(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	in := signInInput()
	in.Label, in.Dashboard = "Stock", false
	other, otherSecret, err := s.signIns.AddSystem(as(t, s.people.Ravi), s.people.Ravi, in, staff.Proof{}, why)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(*connect.Exchange)
		want   string
	}{
		"another system's": {func(x *connect.Exchange) { x.ClientID, x.ClientSecret = other.ID, otherSecret }, "invalid_grant"},
		"another secret":   {func(x *connect.Exchange) { x.ClientSecret = otherSecret }, "invalid_client"},
		"no secret":        {func(x *connect.Exchange) { x.ClientSecret = "" }, "invalid_client"},
		"no system":        {func(x *connect.Exchange) { x.ClientID = "x" }, "invalid_client"},
		"another verifier": {func(x *connect.Exchange) { x.Verifier = verifier[:42] + "l" }, "invalid_grant"},
		"no verifier":      {func(x *connect.Exchange) { x.Verifier = "" }, "invalid_request"},
		"another address":  {func(x *connect.Exchange) { x.RedirectURI = callback + "/" }, "invalid_grant"},
		"a refresh":        {func(x *connect.Exchange) { x.GrantType = "refresh_token" }, "unsupported_grant_type"},
		"an unknown code":  {func(x *connect.Exchange) { x.Code = secret.Token() }, "invalid_grant"},
	} {
		code := s.code(t, s.owner)
		x := s.exchange(code)
		c.change(&x)
		_, err := s.signIns.Redeem(t.Context(), x)
		requireRefusal(t, err, c.want, name)
		if name == "another verifier" || name == "another address" {
			_, err = s.signIns.Redeem(t.Context(), s.exchange(code))
			requireRefusal(t, err, "invalid_grant", name+": the code is used up")
		}
	}
	late := s.code(t, s.owner)
	s.Clock.Advance(time.Minute)
	_, err = s.signIns.Redeem(t.Context(), s.exchange(late))
	requireRefusal(t, err, "invalid_grant", "after a minute")
}

func TestAuthorize_UnregisteredRedirectURI_IsRefused(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	for _, address := range []string{"", "https://evil.example", callback + "?x", callback + "/", "https://erp.example.in", "HTTPS://erp.example.in/callback"} {
		a := s.asked()
		a.RedirectURI = address
		_, err := s.signIns.Authorize(t.Context(), s.owner, a)
		require.ErrorIs(t, err, connect.ErrRedirect, address)
	}
	for name, change := range map[string]func(*connect.Authorization){
		"unsupported_response_type": func(a *connect.Authorization) { a.ResponseType = "id_token" },
		"invalid_scope":             func(a *connect.Authorization) { a.Scope = "profile" },
		"invalid_request":           func(a *connect.Authorization) { a.ChallengeMethod = "plain" },
	} {
		a := s.asked()
		change(&a)
		to, err := s.signIns.Authorize(t.Context(), s.owner, a)
		require.NoError(t, err)
		require.Contains(t, to, callback+"?error="+name)
		require.NotContains(t, to, "code=")
	}
	require.Zero(t, s.Count(`SELECT count(*) FROM sign_in_codes`))
}

func TestAuthorize_NoPlanOrEndedMembership_IsRefused(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	stranger := s.Franchiser("29")
	_, err := s.signIns.Authorize(t.Context(), account.Principal{FranchiserID: stranger, SessionID: s.session(t, stranger, "", "")}, s.asked())
	require.ErrorIs(t, err, connect.ErrNoPlan)

	// A member is signed in to the account with the role there, until the membership ends.
	member := id.New()
	_, err = s.Owner.Exec(`INSERT INTO team_members (id, franchiser_id, name, mobile, role, state, person_id, invited_at, accepted_at)
		VALUES ($1, $2, 'Ravi', '9876500001', 'accountant', 'active', $3, $4, $4)`, member, s.Buyer, stranger, s.Clock.Now())
	require.NoError(t, err)
	ravi := account.Principal{
		FranchiserID: s.Buyer, PersonID: stranger, MemberID: member, Role: "accountant", SessionID: s.session(t, stranger, s.Buyer, member),
	}
	token, err := s.signIns.Redeem(t.Context(), s.exchange(s.code(t, ravi)))
	require.NoError(t, err)
	claims := s.verify(t, token)
	require.Equal(t, []any{stranger, s.Buyer, "accountant"}, []any{claims["sub"], claims["account_id"], claims["role"]})
	code := s.code(t, ravi)
	_, err = s.Owner.Exec(`UPDATE team_members SET state = 'removed', ended_at = $1`, s.Clock.Now())
	require.NoError(t, err)
	_, err = s.signIns.Redeem(t.Context(), s.exchange(code))
	requireRefusal(t, err, "invalid_grant", "removed meanwhile")

	code = s.code(t, s.owner)
	_, err = s.Owner.Exec(`UPDATE sessions SET ended_at = $1, end_reason = 'logout' WHERE id = $2`, s.Clock.Now(), s.owner.SessionID)
	require.NoError(t, err)
	_, err = s.signIns.Redeem(t.Context(), s.exchange(code))
	requireRefusal(t, err, "invalid_grant", "signed out meanwhile")
}

func TestSystem_SecretRotatedOrSystemDisabled_EndsTheOldAccess(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	ctx, ravi, old := as(t, s.people.Ravi), s.people.Ravi, s.secret
	_, fresh, err := s.signIns.RotateSystem(ctx, ravi, s.system.ID, staff.Proof{}, why)
	require.NoError(t, err)
	for _, one := range []string{old, fresh} {
		s.secret = one
		_, err = s.signIns.Redeem(t.Context(), s.exchange(s.code(t, s.owner)))
		require.NoError(t, err, "both count for a day")
	}
	s.Clock.Advance(24 * time.Hour)
	s.owner.SessionID = s.session(t, s.Buyer, "", "")
	s.secret = old
	_, err = s.signIns.Redeem(t.Context(), s.exchange(s.code(t, s.owner)))
	requireRefusal(t, err, "invalid_client", "the old one after a day")
	s.secret = fresh

	dashboard := func() *connect.Dashboard {
		var found []byte
		require.NoError(t, s.DB.API.GetContext(t.Context(), &found, `SELECT (`+connect.DashboardSQL+`)`))
		d, err := s.signIns.Dashboard(found)
		require.NoError(t, err)
		return d
	}
	require.Equal(t, "https://erp.example.in/login?a=b&iss=https%3A%2F%2Ffranchise360.example", dashboard().URL)
	code := s.code(t, s.owner)
	require.NoError(t, s.signIns.SetSystemState(ctx, ravi, s.system.ID, connect.SystemDisabled, staff.Proof{}, why))
	require.ErrorIs(t, s.signIns.SetSystemState(ctx, ravi, s.system.ID, connect.SystemDisabled, staff.Proof{}, why), connect.ErrSystemState)
	_, err = s.signIns.Redeem(t.Context(), s.exchange(code))
	requireRefusal(t, err, "invalid_client", "disabled")
	_, err = s.signIns.Authorize(t.Context(), s.owner, s.asked())
	require.ErrorIs(t, err, connect.ErrUnknownSystem)
	require.Nil(t, dashboard())
	require.NoError(t, s.signIns.SetSystemState(ctx, ravi, s.system.ID, connect.SystemRemoved, staff.Proof{}, why))
	require.ErrorIs(t, s.signIns.SetSystemState(ctx, ravi, s.system.ID, connect.SystemEnabled, staff.Proof{}, why), errs.NotFound())
}

func TestSystem_OnlyAdminsChangeIt(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	ctx, sunita := as(t, s.people.Sunita), s.people.Sunita
	list, err := s.signIns.Systems(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	list, err = s.signIns.Systems(t.Context())
	require.NoError(t, err)
	require.Empty(t, list, "without a member of staff there is nothing to see")
	in := signInInput()
	in.Dashboard = false
	_, _, err = s.signIns.AddSystem(ctx, sunita, in, staff.Proof{}, why)
	require.Error(t, err)
	_, err = s.signIns.ChangeSystem(ctx, sunita, s.system.ID, in, staff.Proof{}, why)
	require.ErrorIs(t, err, errs.Forbidden())
	_, _, err = s.signIns.RotateSystem(ctx, sunita, s.system.ID, staff.Proof{}, why)
	require.ErrorIs(t, err, errs.Forbidden())
	require.ErrorIs(t, s.signIns.SetSystemState(ctx, sunita, s.system.ID, connect.SystemRemoved, staff.Proof{}, why), errs.Forbidden())

	ravi, ctx := s.people.Ravi, as(t, s.people.Ravi)
	_, _, err = s.signIns.AddSystem(ctx, ravi, signInInput(), staff.Proof{}, why)
	require.ErrorIs(t, err, connect.ErrDashboardTaken)
	_, err = s.signIns.ChangeSystem(ctx, ravi, s.system.ID, in, staff.Proof{}, why)
	require.NoError(t, err)
	require.Subset(t, s.people.Actions(t), []string{"add_sign_in_system", "change_sign_in_system"})
	require.Zero(t, s.Count(`SELECT count(*) FROM staff_actions WHERE after::text LIKE '%' || $1 || '%'`, s.secret))

	_, _, err = s.signIns.AddSystem(ctx, ravi, connect.SystemInput{LoginURL: "http://127.0.0.1:4000", RedirectURIs: []string{"https://x.in/#f"}}, staff.Proof{}, why)
	for _, field := range []string{"label", "login_url", "redirect_uris"} {
		require.NotEmpty(t, errs.As(err).Fields[field], field)
	}
}

// A key signs for 90 days. The next one is published for a day before it signs, and the one before for a day after it did.
func TestSigningKeys_AreReplacedWithoutAGap(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	used := map[string]bool{}
	var last string
	for range 40 { // every 6 days, for 240 days
		s.owner.SessionID = s.session(t, s.Buyer, "", "")
		token, err := s.signIns.Redeem(t.Context(), s.exchange(s.code(t, s.owner)))
		require.NoError(t, err)
		s.verify(t, token)
		last = token
		keys, err := s.signIns.PublicKeys(t.Context())
		require.NoError(t, err)
		require.LessOrEqual(t, len(keys), 2)
		for _, k := range keys {
			used[k.ID] = true
		}
		s.Clock.Advance(6 * 24 * time.Hour)
	}
	require.Len(t, used, 3)
	require.NotEmpty(t, last)

	next, err := secret.ParseKeyring("cdefcdefcdefcdefcdefcdefcdefcdefcdefcdefcdefcdefcdefcdefcdefcdef")
	require.NoError(t, err)
	_, left, err := connect.ResealSignInKeys(t.Context(), s.Owner, next)
	require.NoError(t, err)
	require.NotZero(t, left, "a key that never sealed it opens nothing")
}

func TestSignIns_AreKeptForALimitedTime(t *testing.T) {
	t.Parallel()
	s := setupSignIns(t)
	_, err := s.signIns.Redeem(t.Context(), s.exchange(s.code(t, s.owner)))
	require.NoError(t, err)
	var rows []struct {
		Title  string `db:"title"`
		Status string `db:"status"`
	}
	ctx := as(t, s.people.Sunita)
	require.NoError(t, postgres.InTenantTx(ctx, s.DB.API, s.Buyer, func(tx *sqlx.Tx) error {
		return tx.SelectContext(ctx, &rows, `SELECT title, status FROM (`+connect.TimelineSources()[0].SQL+`) t`, s.Buyer)
	}))
	require.Len(t, rows, 1)
	require.Equal(t, "Sign-in to ERP", rows[0].Title)
	require.Equal(t, "done", rows[0].Status)
	require.NoError(t, connect.PurgeSignIns(t.Context(), s.DB.Worker, s.Clock.Now()))
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM sign_in_codes`))
	require.NoError(t, connect.PurgeSignIns(t.Context(), s.DB.Worker, s.Clock.Now().AddDate(0, 0, 91)))
	require.Zero(t, s.Count(`SELECT count(*) FROM sign_in_codes`))
}
