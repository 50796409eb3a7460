package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// provider is an OpenID provider written from the standards, which answers with the token that the test gives it.
type provider struct {
	server *httptest.Server
	key    *rsa.PrivateKey
	// token makes the answer to a code; the nonce is that of the sign-in under way.
	token func(nonce string) string
	nonce string
	form  url.Values
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{key: newKey(t)}
	mux := http.NewServeMux()
	p.server = httptest.NewServer(mux)
	t.Cleanup(p.server.Close)
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{
			"issuer": p.server.URL, "authorization_endpoint": p.server.URL + "/connect", "token_endpoint": p.server.URL + "/oauth/token",
			"jwks_uri": p.server.URL + "/oauth/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("GET /oauth/keys", func(w http.ResponseWriter, _ *http.Request) {
		b64 := base64.RawURLEncoding.EncodeToString
		answer(w, map[string]any{"keys": []map[string]string{{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": b64(p.key.N.Bytes()), "e": b64(big.NewInt(int64(p.key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		p.form = r.PostForm
		answer(w, map[string]any{"access_token": "none", "token_type": "Bearer", "expires_in": 1, "id_token": p.token(p.nonce)})
	})
	return p
}

func newKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	return key
}

func signed(t *testing.T, key *rsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	body, err := json.Marshal(claims)
	require.NoError(t, err)
	b64 := base64.RawURLEncoding.EncodeToString
	text := b64([]byte(`{"alg":"RS256","kid":"1"}`)) + "." + b64(body)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	require.NoError(t, err)
	return text + "." + b64(signature)
}

// claimed is the product's statement about Asha, with changes; nil removes a claim.
func (p *provider) claimed(nonce string, changes map[string]any) map[string]any {
	claims := map[string]any{
		"iss": p.server.URL, "aud": "erp", "sub": "asha", "exp": time.Now().Add(5 * time.Minute).Unix(), "iat": time.Now().Unix(), "jti": "1",
		"nonce": nonce, "account_id": "a", "tenant_id": "t", "role": "owner", "plan": "Start up", "tier": "Expansion", "state": "active",
	}
	maps.Copy(claims, changes)
	for name, value := range claims {
		if value == nil {
			delete(claims, name)
		}
	}
	return claims
}

// browser follows no redirect, so that the test sees each step between the two sites.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func get(t *testing.T, c *http.Client, address string) (status int, location, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	resp, err := c.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header.Get("Location"), string(raw)
}

// begin starts a sign-in and returns the state with which the product comes back.
func (p *provider) begin(t *testing.T, c *http.Client, own string) (state string) {
	t.Helper()
	status, location, _ := get(t, c, own+"/login?iss="+url.QueryEscape(p.server.URL))
	require.Equal(t, http.StatusFound, status)
	to, err := url.Parse(location)
	require.NoError(t, err)
	require.Equal(t, "S256", to.Query().Get("code_challenge_method"))
	require.Equal(t, own+"/callback", to.Query().Get("redirect_uri"))
	p.nonce = to.Query().Get("nonce")
	return to.Query().Get("state")
}

func (p *provider) back(own, state string) string {
	return own + "/callback?" + url.Values{"code": {"c"}, "state": {state}, "iss": {p.server.URL}}.Encode()
}

func startedWith(t *testing.T) (p *provider, in *signIn, own string) {
	t.Helper()
	p = newProvider(t)
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	in, err := newSignIn(t.Context(), p.server.URL, "erp", "f360s_x", server.URL, time.Now, testkit.NewSilentLogger())
	require.NoError(t, err)
	handler = in.pages(http.NotFoundHandler())
	return p, in, server.URL
}

func TestSampleSignIn_ValidStatement_StartsASession(t *testing.T) {
	t.Parallel()
	p, in, own := startedWith(t)
	p.token = func(nonce string) string { return signed(t, p.key, p.claimed(nonce, nil)) }
	c := browser(t)
	state := p.begin(t, c, own)
	status, location, body := get(t, c, p.back(own, state))
	require.Equal(t, http.StatusSeeOther, status, body)
	require.Equal(t, "/", location)
	require.NotEmpty(t, p.form.Get("code_verifier"))
	_, _, body = get(t, c, own+"/")
	require.Contains(t, body, "<dd>owner</dd>")
	_, _, body = get(t, browser(t), own+"/")
	require.NotContains(t, body, "Signed in")

	status, _, _ = get(t, c, p.back(own, state))
	require.Equal(t, http.StatusForbidden, status, "the same answer comes again")
	in.end("a")
	_, _, body = get(t, c, own+"/")
	require.NotContains(t, body, "Signed in", "the account ended")
}

func TestSampleSignIn_InvalidStatement_IsRefused(t *testing.T) {
	t.Parallel()
	p, _, own := startedWith(t)
	stranger := newKey(t)
	for name, token := range map[string]func(nonce string) string{
		"a stranger's key": func(nonce string) string { return signed(t, stranger, p.claimed(nonce, nil)) },
		"another system":   func(nonce string) string { return signed(t, p.key, p.claimed(nonce, map[string]any{"aud": "stock"})) },
		"expired": func(nonce string) string {
			return signed(t, p.key, p.claimed(nonce, map[string]any{"exp": time.Now().Add(-time.Second).Unix()}))
		},
		"another issuer": func(nonce string) string {
			return signed(t, p.key, p.claimed(nonce, map[string]any{"iss": "https://other.example"}))
		},
		"another sign-in": func(string) string { return signed(t, p.key, p.claimed("other", nil)) },
		"no sign-in":      func(string) string { return signed(t, p.key, p.claimed("", map[string]any{"nonce": nil})) },
		"no account": func(nonce string) string {
			return signed(t, p.key, p.claimed(nonce, map[string]any{"account_id": nil}))
		},
		"unsigned": func(nonce string) string {
			parts := strings.Split(signed(t, p.key, p.claimed(nonce, nil)), ".")
			return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + parts[1] + "."
		},
		"changed": func(nonce string) string {
			parts := strings.Split(signed(t, p.key, p.claimed(nonce, map[string]any{"role": "accountant"})), ".")
			parts[1] = strings.Split(signed(t, stranger, p.claimed(nonce, nil)), ".")[1]
			return strings.Join(parts, ".")
		},
		"nothing": func(string) string { return "" },
	} {
		p.token = token
		c := browser(t)
		state := p.begin(t, c, own)
		status, _, _ := get(t, c, p.back(own, state))
		require.Equal(t, http.StatusForbidden, status, name)
		_, _, body := get(t, c, own+"/")
		require.NotContains(t, body, "Signed in", name)
	}
}

// A statement counts once, even if the product were made to sign the same again.
func TestSampleSignIn_Replay_IsRefused(t *testing.T) {
	t.Parallel()
	p, in, _ := startedWith(t)
	token := signed(t, p.key, p.claimed("n", nil))
	_, err := in.read(t.Context(), token, "n")
	require.NoError(t, err)
	_, err = in.read(t.Context(), token, "n")
	require.ErrorContains(t, err, "used before")
}

// A sign-in that another browser started, or that was not started, is refused: it would sign in another person.
func TestSampleSignIn_OtherBrowser_IsRefused(t *testing.T) {
	t.Parallel()
	p, _, own := startedWith(t)
	p.token = func(nonce string) string { return signed(t, p.key, p.claimed(nonce, nil)) }
	attacker, victim := browser(t), browser(t)
	state := p.begin(t, attacker, own)
	status, _, _ := get(t, victim, p.back(own, state))
	require.Equal(t, http.StatusForbidden, status, "without a start")
	p.begin(t, victim, own)
	status, _, _ = get(t, victim, p.back(own, state))
	require.Equal(t, http.StatusForbidden, status, "with another state")
	state = p.begin(t, victim, own)
	status, _, _ = get(t, victim, strings.Replace(p.back(own, state), "&iss=", "&iss=x", 1))
	require.Equal(t, http.StatusForbidden, status, "from another product")
	status, _, _ = get(t, victim, own+"/login?iss=https%3A%2F%2Fother.example")
	require.Equal(t, http.StatusBadRequest, status)
}
