package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// The cookies of the sample. The first ties the product's response to the browser that started; the second is the session.
const (
	cookieStart   = "receiver_start"
	cookieSession = "receiver_session"
)

const (
	// startLife limits a sign-in, and sessionLife limits the sample's session before it queries the product again.
	startLife   = 10 * time.Minute
	sessionLife = 12 * time.Hour
	// maxHeld limits the sample's memory: anyone can start a sign-in.
	maxHeld = 10_000
)

// identity is the product's statement about the person who signs in.
type identity struct {
	Person    string `json:"sub"`
	AccountID string `json:"account_id"`
	TenantID  string `json:"tenant_id"`
	Role      string `json:"role"`
	Plan      string `json:"plan"`
	Tier      string `json:"tier"`
	State     string `json:"state"`
	ID        string `json:"jti"`
	Nonce     string `json:"nonce"`
}

// started is a sign-in on its way.
type started struct {
	state, nonce, verifier string
	until                  time.Time
}

type session struct {
	identity

	until time.Time
}

// signIn lets people in whom the product signs in. It knows three paths: /login, /callback and /.
type signIn struct {
	config   oauth2.Config
	verifier *oidc.IDTokenVerifier
	issuer   string
	now      func() time.Time
	client   *http.Client
	logger   *slog.Logger

	mu       sync.Mutex
	starts   map[string]started
	sessions map[string]session
	seen     map[string]time.Time // the statements that were used, by their id
}

// newSignIn reads the product's metadata, as any library for OpenID Connect does.
func newSignIn(ctx context.Context, issuer, clientID, clientSecret, own string, now func() time.Time, logger *slog.Logger) (*signIn, error) {
	client := &http.Client{Timeout: 5 * time.Second}
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, client), issuer)
	if err != nil {
		return nil, fmt.Errorf("read the product's metadata: %w", err)
	}
	return &signIn{
		config: oauth2.Config{
			ClientID: clientID, ClientSecret: clientSecret, Endpoint: provider.Endpoint(), RedirectURL: own + "/callback",
			Scopes: []string{oidc.ScopeOpenID},
		},
		verifier: provider.Verifier(&oidc.Config{ClientID: clientID, Now: now}), issuer: issuer, now: now, client: client, logger: logger,
		starts: map[string]started{}, sessions: map[string]session{}, seen: map[string]time.Time{},
	}, nil
}

// login starts a sign-in. The product's button leads here with its name as iss; the sample's own link does too.
func (s *signIn) login(w http.ResponseWriter, req *http.Request) {
	if iss := req.URL.Query().Get("iss"); iss != "" && iss != s.issuer {
		http.Error(w, "another product", http.StatusBadRequest)
		return
	}
	key := rand.Text()
	one := started{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier(), until: s.now().Add(startLife)}
	s.mu.Lock()
	s.forget()
	full := len(s.starts) >= maxHeld
	if !full {
		s.starts[key] = one
	}
	s.mu.Unlock()
	if full {
		http.Error(w, "too many sign-ins at once", http.StatusServiceUnavailable)
		return
	}
	setCookie(w, req, cookieStart, key, startLife)
	http.Redirect(w, req, s.config.AuthCodeURL(one.state, oidc.Nonce(one.nonce), oauth2.S256ChallengeOption(one.verifier)), http.StatusFound)
}

// callback lets in whom the product sends, if it is this browser that started.
func (s *signIn) callback(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	who, err := s.finish(req)
	if err != nil {
		s.logger.Warn("sign-in refused", slog.String("why", err.Error()))
		http.Error(w, "This sign-in did not work. Please start again from Franchise 360.", http.StatusForbidden)
		return
	}
	key := rand.Text()
	s.mu.Lock()
	s.sessions[key] = session{who, s.now().Add(sessionLife)}
	s.mu.Unlock()
	setCookie(w, req, cookieStart, "", -time.Second)
	setCookie(w, req, cookieSession, key, sessionLife)
	s.logger.Info("signed in", slog.String("account", who.AccountID), slog.String("role", who.Role))
	http.Redirect(w, req, "/", http.StatusSeeOther)
}

func (s *signIn) finish(req *http.Request) (who identity, err error) {
	cookie, err := req.Cookie(cookieStart)
	if err != nil {
		return who, errors.New("this browser did not start it")
	}
	s.mu.Lock()
	one, ok := s.starts[cookie.Value]
	delete(s.starts, cookie.Value) // a start is used once, whatever comes of it
	s.mu.Unlock()
	q := req.URL.Query()
	switch {
	case !ok || s.now().After(one.until):
		return who, errors.New("it was not started, or too long ago")
	case q.Get("state") != one.state:
		return who, errors.New("another browser started it")
	case q.Get("iss") != s.issuer: // RFC 9207
		return who, errors.New("another product answered")
	case q.Get("error") != "":
		return who, fmt.Errorf("the product refused: %s", q.Get("error"))
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(req.Context(), s.client), 8*time.Second)
	defer cancel()
	tokens, err := s.config.Exchange(ctx, q.Get("code"), oauth2.VerifierOption(one.verifier))
	if err != nil {
		return who, fmt.Errorf("exchange the code: %w", err)
	}
	raw, ok := tokens.Extra("id_token").(string)
	if !ok {
		return who, errors.New("the answer has no id_token")
	}
	return s.read(ctx, raw, one.nonce)
}

// read verifies a statement of the product: its signature by a key that the product publishes, who issued it and for whom, its end, that
// it answers this sign-in, and that it comes for the first time.
func (s *signIn) read(ctx context.Context, raw, nonce string) (who identity, err error) {
	token, err := s.verifier.Verify(ctx, raw)
	if err != nil {
		return who, fmt.Errorf("verify: %w", err)
	}
	if err := token.Claims(&who); err != nil {
		return who, fmt.Errorf("read: %w", err)
	}
	if nonce == "" || who.Nonce != nonce {
		return who, errors.New("it answers another sign-in")
	}
	if who.AccountID == "" || who.ID == "" {
		return who, errors.New("it names no account")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
	if _, used := s.seen[who.ID]; used {
		return who, errors.New("it was used before")
	}
	s.seen[who.ID] = token.Expiry
	return who, nil
}

// forget drops expired entries; the caller holds the lock.
func (s *signIn) forget() {
	now := s.now()
	for key, one := range s.starts {
		if now.After(one.until) {
			delete(s.starts, key)
		}
	}
	for key, one := range s.sessions {
		if now.After(one.until) {
			delete(s.sessions, key)
		}
	}
	for key, until := range s.seen {
		if now.After(until) {
			delete(s.seen, key)
		}
	}
}

// end ends the sessions of an account.
func (s *signIn) end(accountID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, one := range s.sessions {
		if one.AccountID == accountID {
			delete(s.sessions, key)
		}
	}
}

//nolint:gochecknoglobals // a constant
var home = template.Must(template.New("home").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sample system</title>
<body>{{if .}}<h1>Signed in</h1>
<dl><dt>Account</dt><dd>{{.AccountID}}</dd><dt>Role</dt><dd>{{.Role}}</dd><dt>Plan</dt><dd>{{.Plan}}, {{.Tier}} ({{.State}})</dd></dl>
<form method="post" action="/logout"><button>Sign out</button></form>
{{else}}<h1>Sample system</h1><p><a href="/login">Sign in with Franchise 360</a></p>{{end}}</body></html>`))

// show is the one page of the sample.
func (s *signIn) show(w http.ResponseWriter, req *http.Request) {
	var data any
	if cookie, err := req.Cookie(cookieSession); err == nil {
		s.mu.Lock()
		if one, ok := s.sessions[cookie.Value]; ok && s.now().Before(one.until) {
			data = one
		}
		s.mu.Unlock()
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	if err := home.Execute(w, data); err != nil {
		s.logger.Error("page", slog.String("error", err.Error()))
	}
}

// logout ends the session here; the one at the product goes on.
func (s *signIn) logout(w http.ResponseWriter, req *http.Request) {
	if cookie, err := req.Cookie(cookieSession); err == nil {
		s.mu.Lock()
		delete(s.sessions, cookie.Value)
		s.mu.Unlock()
	}
	setCookie(w, req, cookieSession, "", -time.Second)
	http.Redirect(w, req, "/", http.StatusSeeOther)
}

func setCookie(w http.ResponseWriter, req *http.Request, name, value string, life time.Duration) {
	secure := req.TLS != nil || strings.EqualFold(req.Header.Get("X-Forwarded-Proto"), "https")
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // plain only on this machine, where there is no certificate
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()), HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure,
	})
}

// pages returns the sample with its sign-in in front of the webhooks, which are posted to /.
func (s *signIn) pages(webhooks http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.show)
	mux.HandleFunc("GET /login", s.login)
	mux.HandleFunc("GET /callback", s.callback)
	mux.HandleFunc("POST /logout", s.logout)
	mux.Handle("POST /{$}", webhooks)
	return mux
}

// accountOf returns the account whose sessions an event ends, or "".
func accountOf(body []byte) string {
	var e event
	if json.Unmarshal(body, &e) != nil {
		return ""
	}
	switch e.Type {
	case "account.closed", "subscription.expired", "subscription.cancelled":
		return e.Data.AccountID
	}
	return ""
}
