package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/guard"
)

// strangers is the number of addresses that attack every endpoint: one call each, then one of them after each pause.
const (
	strangers = 50
	pause     = 50 * time.Millisecond
)

// stranger sends wrong guesses to one door from changing addresses.
type stranger struct {
	app  *testApp
	path string
	host string
	body func(n int) any
	// refused counts the calls that hit a limit. On a store's host each address has its own few guesses, so fifty guesses hit no limit.
	refused atomic.Int64
}

// knock sends one guess.
func (s *stranger) knock(ctx context.Context, t *testing.T, n int) {
	t.Helper()
	body, contentType := encode(t, s.body(n))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.app.server.URL+s.path, body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n%strangers+1))
	r.Host = s.host
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return // the test is over
	}
	_ = resp.Body.Close()
	if resp.StatusCode == http.StatusTooManyRequests {
		s.refused.Add(1)
	}
}

// doors lists every endpoint where an anonymous caller can guess a secret or trigger an SMS, targeting Asha and the staff.
func doors(app *testApp, store string) []*stranger {
	fixed := func(v any) func(int) any { return func(int) any { return v } }
	code := func(n int) any { return map[string]any{"mobile": asha, "otp": fmt.Sprintf("%06d", n)} }
	newCode := func(n int) any { return map[string]any{"mobile": newcomer, "otp": fmt.Sprintf("%06d", n)} }
	list := []*stranger{
		{path: "/api/franchise/login", body: fixed(map[string]any{"username": asha, "password": "Wrong#2026"})},
		{path: "/api/franchise/password/reset-otp", body: fixed(map[string]any{"mobile": asha})},
		{path: "/api/franchise/password/validate-otp", body: code},
		{path: "/api/franchise/register", body: fixed(map[string]any{"mobile": newcomer, "email": "x@example.in", "password": "Wrong#2026"})},
		{path: "/api/franchise/mobile/otp", body: fixed(map[string]any{"mobile": newcomer})},
		{path: "/api/franchise/otp/resend-otp", body: fixed(map[string]any{"mobile": newcomer, "password": "Wrong#2026"})},
		{path: "/api/franchise/mobile/validate-otp", body: newCode},
		{path: "/api/support/login", body: fixed(map[string]any{"email": "sunita@example.in", "password": "Wrong#2026#Tree", "code": "000000"})},
		{path: "/dashboard/login", host: store, body: fixed(url.Values{"username": {asha}, "password": {"Wrong#2026"}})},
	}
	for _, s := range list {
		s.app = app
	}
	return list
}

const newcomer = "9012345678"

// from makes the browser call from the address, through the proxy that the test trusts.
func (c *testClient) from(address string) *testClient {
	c.http.Transport = forwarded{address: address, next: c.http.Transport}
	return c
}

type forwarded struct {
	address string
	next    http.RoundTripper
}

func (f forwarded) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-Forwarded-For", f.address)
	return f.next.RoundTrip(r) // passes the transport's error through
}

// work sends the request and, like a browser, does the proof of work if the refusal requires it.
func (c *testClient) work(t *testing.T, send func(header ...string) answer) answer {
	t.Helper()
	a := send()
	for range 4 {
		challenge, asked := a.Body["challenge"]
		if a.Status != http.StatusTooManyRequests || !asked {
			return a
		}
		raw, err := json.Marshal(challenge)
		require.NoError(t, err)
		var w guard.Work
		require.NoError(t, json.Unmarshal(raw, &w))
		a = send("X-Work", guard.Solve(w))
	}
	return a
}

func (c *testClient) postWorking(t *testing.T, path string, body any) answer {
	t.Helper()
	return c.work(t, func(header ...string) answer { return c.do(t, http.MethodPost, path, body, header...) })
}

// Given a customer, a store, staff and a sign-up, when a stranger attacks every sign-in route from fifty addresses, then they can all sign
// in: immediately in known browsers, and after some work in new ones. STRANGER_DURATION=10m runs it longer.
func TestSignIn_UnderAttack_StaysPossible(t *testing.T) {
	t.Parallel()
	for name, redisDown := range map[string]bool{"redis up": false, "redis down": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hammered(t, redisDown)
		})
	}
}

func hammered(t *testing.T, redisDown bool) {
	t.Helper()
	app := newTestApp(t)
	app.config.Development = false // the limits of a live system
	app.config.TrustedProxies = []string{"127.0.0.0/8", "::1/128"}
	app.start(t)

	owner := app.client(t).from("203.0.113.7")
	owner.signUpForTrial(t, asha)
	owner.openStore(t, asha, "Asha Sweets")
	require.Equal(t, 200, owner.post(t, "/logout", nil).Status)
	const store = "asha-sweets.franchise360.localhost"
	shop := &visitor{app: app, host: store}
	require.Equal(t, 303, shop.signIn(t, asha, goodPassword).Status)
	app.clock.Advance(time.Minute)
	console := app.signedInStaff(t)
	console.from("203.0.113.8")
	app.clock.Advance(time.Minute)
	if redisDown {
		app.redis.Close()
	}

	// the sign-up has started in its own browser when the attack begins
	fresh := app.client(t).from("203.0.113.9")
	signUp := map[string]any{"mobile": newcomer, "email": "new@example.in", "password": goodPassword}
	require.Equal(t, 200, fresh.post(t, "/register", signUp).Status)
	signUpCode := app.code(t, newcomer)

	ctx, stop := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	all := doors(app, store)
	for _, s := range all {
		crowd.Go(func() {
			for n := range strangers { // before anyone else arrives
				s.knock(ctx, t, n)
			}
		})
	}
	crowd.Wait()
	for _, s := range all {
		crowd.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				s.knock(ctx, t, n)
				time.Sleep(pause)
			}
		})
	}
	defer crowd.Wait()
	defer stop()

	long, _ := time.ParseDuration(os.Getenv("STRANGER_DURATION"))
	over, done := context.WithTimeout(t.Context(), long)
	defer done()
	for round := 0; round == 0 || over.Err() == nil; round++ {
		everybodyGetsIn(t, app, round, owner, console, shop)
		if round == 0 {
			a := fresh.post(t, "/mobile/validate-otp", map[string]any{"mobile": newcomer, "otp": signUpCode})
			require.Equal(t, 200, a.Status, "the sign-up's own browser: %s", a.Raw)
			a = fresh.post(t, "/register", map[string]any{"mobile": newcomer, "verification_id": a.Data(t, "otp_verification_id")})
			require.Equal(t, 200, a.Status, "%s", a.Raw)
		}
	}
	for _, s := range all {
		// the crowd goes on until the end, on a busy machine more slowly than those who get in
		require.Eventually(t, func() bool { return s.refused.Load() > 0 || s.host != "" }, time.Minute, 10*time.Millisecond, "%s has no limit", s.path)
	}
	var sent int
	require.NoError(t, app.db.Owner.Get(&sent, `SELECT count(*) FROM one_time_codes WHERE mobile = $1`, asha))
	require.LessOrEqual(t, sent, 58, "a number gets only so many SMS")
}

func everybodyGetsIn(t *testing.T, app *testApp, round int, owner *testClient, console staffClient, shop *visitor) {
	t.Helper()
	a := owner.login(t, asha, goodPassword)
	require.Equal(t, 200, a.Status, "the owner's own browser: %s", a.Raw)
	require.Equal(t, 200, owner.post(t, "/logout", nil).Status)

	phone := app.client(t).from("203.0.113.20")
	a = phone.postWorking(t, "/login", map[string]any{"username": asha, "password": goodPassword})
	require.Equal(t, 200, a.Status, "the owner's new phone: %s", a.Raw)

	if round == 0 {
		a = owner.post(t, "/password/reset-otp", map[string]any{"mobile": asha})
		require.Equal(t, 200, a.Status, "the owner's own browser forgot the password: %s", a.Raw)
		a = owner.post(t, "/password/validate-otp", map[string]any{"mobile": asha, "otp": app.code(t, asha)})
		require.Equal(t, 200, a.Status, "%s", a.Raw)

		lost := app.client(t).from("203.0.113.21")
		for range 15 { // strangers may be faster until the day's ten without work are used up
			app.clock.Advance(time.Minute)
			if a = lost.postWorking(t, "/password/reset-otp", map[string]any{"mobile": asha}); a.Status == 200 {
				break
			}
		}
		require.Equal(t, 200, a.Status, "a new phone forgot the password: %s", a.Raw)
		a = lost.post(t, "/password/validate-otp", map[string]any{"mobile": asha, "otp": app.code(t, asha)})
		require.Equal(t, 200, a.Status, "%s", a.Raw)
	}

	staffIn := func() map[string]any {
		app.clock.Advance(31 * time.Second) // an authenticator code works only once
		return map[string]any{"email": "sunita@example.in", "password": staffPassword, "code": app.staffCode()}
	}
	a = console.call(t, http.MethodPost, "/login", staffIn())
	require.Equal(t, 200, a.Status, "staff in their own browser: %s", a.Raw)
	away := staffClient{app.client(t).from("203.0.113.22")}
	in := staffIn()
	a = away.work(t, func(header ...string) answer {
		r := away.request(t, http.MethodPost, "/login", in)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return away.send(t, r)
	})
	require.Equal(t, 200, a.Status, "staff in a new browser: %s", a.Raw)

	require.Equal(t, 303, shop.signIn(t, asha, goodPassword).Status, "the store's own browser")
	elsewhere := &visitor{app: app, host: shop.host}
	a = elsewhere.send(t, http.MethodPost, "/dashboard/login", url.Values{"username": {asha}, "password": {goodPassword}},
		"X-Forwarded-For", "203.0.113.23")
	require.Equal(t, 303, a.Status, "the store in a new browser: %s", a.Raw)
	require.NotContains(t, strings.ToLower(string(elsewhere.get(t, "/dashboard/login").Raw)), "<script")
}
