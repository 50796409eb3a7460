package connect

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const (
	// codeLife is how long a code is valid, and tokenLife how long a token is.
	codeLife  = time.Minute
	tokenLife = 5 * time.Minute
	// keepCodesDays is how long it is kept who signed in where.
	keepCodesDays = 90
)

// Errors that are safe to show.
var (
	// ErrUnknownSystem reports an unknown client_id, or a disabled system.
	ErrUnknownSystem = errs.New(errs.KindNotFound, "unknown_system",
		"This system is not connected to Franchise 360, or no longer. Tell those who run it.")
	// ErrRedirect reports an unregistered redirect address; the browser is never sent to it.
	ErrRedirect = errs.New(errs.KindConflict, "redirect_refused",
		"This system asks to be answered at an address that is not registered. Tell those who run it.")
	// ErrNoPlan reports an account whose plan cannot be used today.
	ErrNoPlan = errs.New(errs.KindLimit, "plan_ended", "There is no plan in use. Choose or renew one, and your other systems open again.")
)

// SignIns signs people in to connected systems: it is their OpenID provider. It runs with the API's role.
type SignIns struct {
	*Service

	keys   secret.Keyring
	issuer *url.URL
	// plain allows addresses of this machine, in development.
	plain bool
}

// NewSignIns returns the provider with the site's address as its issuer.
func NewSignIns(s *Service, keys secret.Keyring, issuer *url.URL, plain bool) *SignIns {
	return wiring.Complete(&SignIns{Service: s, keys: keys, issuer: issuer, plain: plain})
}

// Issuer returns the name under which the provider signs, the site's address without a slash at its end.
func (s *SignIns) Issuer() string { return strings.TrimRight(s.issuer.String(), "/") }

// Dashboard is the system to which "Access Franchise Dashboard" leads.
type Dashboard struct {
	Label string `json:"label"`
	URL   string `json:"login_url"`
}

// Dashboard returns the system that DashboardSQL found, with the address that starts a sign-in there, or nil.
func (s *SignIns) Dashboard(found []byte) (*Dashboard, error) {
	if found == nil {
		return nil, nil //nolint:nilnil // no system is no error
	}
	d := &Dashboard{}
	if err := json.Unmarshal(found, d); err != nil {
		return nil, errs.Internal(err)
	}
	u, err := url.Parse(d.URL)
	if err != nil {
		return nil, errs.Internal(err)
	}
	q := u.Query()
	q.Set("iss", s.Issuer()) // OpenID Connect Core 1.0, section 4: a login that a third party starts
	u.RawQuery = q.Encode()
	d.URL = u.String()
	return d, nil
}

// Authorization is a system's request through a browser (OpenID Connect Core 1.0, section 3.1.2.1, and RFC 7636).
type Authorization struct {
	ClientID, RedirectURI, ResponseType, Scope, State, Nonce string
	Challenge, ChallengeMethod, ResponseMode, Prompt         string
}

var challengeForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// fault returns the standard's error code with a description for the system's developer.
func (a Authorization) fault() (code, description string) {
	switch {
	case a.ResponseType != "code":
		return "unsupported_response_type", "response_type is code"
	case a.ResponseMode != "" && a.ResponseMode != "query":
		return "invalid_request", "response_mode is query"
	case !slices.Contains(strings.Fields(a.Scope), "openid"):
		return "invalid_scope", "scope contains openid"
	case a.ChallengeMethod != "S256" || !challengeForm.MatchString(a.Challenge):
		return "invalid_request", "code_challenge with code_challenge_method S256 is required"
	case slices.Contains(strings.Fields(a.Prompt), "login"):
		return "invalid_request", "prompt login is not offered"
	}
	return "", ""
}

// Authorize returns the redirect address for the person's browser: back to the system, with a code or an error. It never redirects to
// an unregistered address.
func (s *SignIns) Authorize(ctx context.Context, p account.Principal, a Authorization) (redirect string, err error) {
	now := s.clock.Now()
	system, err := findSystem(ctx, s.db, a.ClientID, now)
	if errors.Is(err, errs.NotFound()) {
		return "", ErrUnknownSystem
	}
	if err != nil {
		return "", err
	}
	if !slices.Contains(system.RedirectURIs, a.RedirectURI) {
		return "", ErrRedirect
	}
	if code, description := a.fault(); code != "" {
		return s.back(a, "error", code, "error_description", description)
	}
	e, err := s.Entitlements(ctx, p.FranchiserID)
	if err != nil {
		return "", err
	}
	if e.Subscription == nil || !e.Subscription.State.Usable() {
		return "", ErrNoPlan
	}
	code := secret.Token()
	row := issued{
		ID: id.New(), FranchiserID: p.FranchiserID, PersonID: p.Person(), SessionID: p.SessionID, SystemID: a.ClientID, Label: system.Label,
		RedirectURI: a.RedirectURI, Challenge: a.Challenge, Nonce: a.Nonce, CreatedAt: now, ExpiresAt: now.Add(codeLife),
	}
	err = postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		return insertCode(ctx, tx, row, secret.Hash(code))
	})
	if err != nil {
		return "", err
	}
	return s.back(a, "code", code)
}

// back returns the system's address with the parameters, its state, and our name (RFC 9207).
func (s *SignIns) back(a Authorization, pairs ...string) (string, error) {
	u, err := url.Parse(a.RedirectURI)
	if err != nil {
		return "", errs.Internal(err)
	}
	q := u.Query()
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	if a.State != "" {
		q.Set("state", a.State)
	}
	q.Set("iss", s.Issuer())
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// RefusalError is an error of the token endpoint, in the words of RFC 6749, section 5.2.
type RefusalError struct{ Code, Description string }

func (r *RefusalError) Error() string { return r.Code + ": " + r.Description }

// ErrClient is the refusal of a system that did not prove who it is.
var ErrClient = &RefusalError{"invalid_client", "client_id and client_secret are not those of an enabled system"}

// Exchange is a system's request to exchange a code.
type Exchange struct {
	ClientID, ClientSecret, GrantType, Code, RedirectURI, Verifier string
}

var verifierForm = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)

// Redeem returns the signed statement of who is behind the code. The code is used up by the first who brings it with the secret of its
// system, whatever else is wrong.
func (s *SignIns) Redeem(ctx context.Context, x Exchange) (idToken string, err error) {
	now := s.clock.Now()
	system, err := findSystem(ctx, s.db, x.ClientID, now)
	if err != nil && !errors.Is(err, errs.NotFound()) {
		return "", err
	}
	if err != nil || !system.knows(x.ClientSecret) {
		return "", ErrClient
	}
	if x.GrantType != "authorization_code" {
		return "", &RefusalError{"unsupported_grant_type", "grant_type is authorization_code"}
	}
	if x.Code == "" || x.RedirectURI == "" || !verifierForm.MatchString(x.Verifier) {
		return "", &RefusalError{"invalid_request", "code, redirect_uri and code_verifier are required"}
	}
	taken, err := takeCode(ctx, s.db, secret.Hash(x.Code), x.ClientID, now)
	if errors.Is(err, errs.NotFound()) {
		return "", &RefusalError{"invalid_grant", "the code is unknown, used, expired or another system's"}
	}
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(x.Verifier))
	switch {
	case taken.RedirectURI != x.RedirectURI:
		return "", &RefusalError{"invalid_grant", "redirect_uri is not the one of the authorization request"}
	case subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(taken.Challenge)) != 1:
		return "", &RefusalError{"invalid_grant", "code_verifier does not fit code_challenge"}
	case taken.Role == "":
		return "", &RefusalError{"invalid_grant", "the person signed out, or is no longer in the account"}
	}
	e, err := s.Entitlements(ctx, taken.FranchiserID)
	if errors.Is(err, errs.NotFound()) || err == nil && (e.Subscription == nil || !e.Subscription.State.Usable()) {
		return "", &RefusalError{"invalid_grant", "the account has no plan in use"}
	}
	if err != nil {
		return "", err
	}
	return s.sign(ctx, claims{
		Issuer: s.Issuer(), Subject: taken.PersonID, Audience: x.ClientID, IssuedAt: now.Unix(), Expires: now.Add(tokenLife).Unix(), ID: taken.ID,
		Nonce: taken.Nonce, AccountID: e.AccountID, TenantID: e.TenantID, Role: taken.Role, Plan: e.Plan, Tier: e.Tier,
		State: string(e.Subscription.State),
	}, now)
}

// claims are the facts that a system receives about the person who signs in: ids and states, nothing personal.
type claims struct {
	Issuer    string `json:"iss"`
	Subject   string `json:"sub"`
	Audience  string `json:"aud"`
	IssuedAt  int64  `json:"iat"`
	Expires   int64  `json:"exp"`
	ID        string `json:"jti"`
	Nonce     string `json:"nonce,omitempty"`
	AccountID string `json:"account_id"`
	TenantID  string `json:"tenant_id,omitempty"`
	Role      string `json:"role"`
	Plan      string `json:"plan"`
	Tier      string `json:"tier"`
	State     string `json:"state"`
}

// Claims returns the names of all claims, for the provider's metadata.
func Claims() []string {
	return []string{"iss", "sub", "aud", "iat", "exp", "jti", "nonce", "account_id", "tenant_id", "role", "plan", "tier", "state"}
}

// PurgeSignIns deletes old records of sign-ins to systems, with the worker's rights.
func PurgeSignIns(ctx context.Context, db *sqlx.DB, now time.Time) error {
	_, err := postgres.DeleteInBatches(ctx, db, purgeCodesSQL, now.AddDate(0, 0, -keepCodesDays))
	return err
}
