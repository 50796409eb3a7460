package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// proxy is the image's Caddy with scripts/Caddyfile, on its own ports and in front of stand-ins for api and objects.
type proxy struct {
	client          *http.Client
	https, http     string // ports
	metrics         string // URL
	api, objects    *httptest.Server
	apiSaw, docsSaw *requests
	log             *bytes.Buffer
	keptLog         string // file
	process         *os.Process
	stop            func()
}

type requests struct {
	mu   sync.Mutex
	seen []string
	dies bool // drops the next request without an answer
	// holdUp keeps the answer to a request back; it returns at the latest when the client gives up.
	holdUp func(request *http.Request)
	status int // of the answers; 200 if it is 0
}

func (r *requests) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, _ := io.ReadAll(request.Body) // a truncated body shows up
	r.seen = append(r.seen, strings.TrimSpace(request.Method+" "+request.RequestURI+" "+string(body)))
	if holdUp := r.holdUp; holdUp != nil {
		r.mu.Unlock()
		holdUp(request)
		r.mu.Lock()
	}
	if r.dies {
		r.dies = false
		panic(http.ErrAbortHandler)
	}
	if request.Header.Get("Authorization")+request.Header.Get("Cookie") != "" {
		w.Header().Set("X-Saw-Credentials", "yes")
	}
	w.Header().Set("X-Request-Id", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50")
	w.Header().Set("Server", "a store")
	if r.status != 0 {
		w.WriteHeader(r.status)
		_, _ = w.Write([]byte("<Error><Code>AccessDenied</Code></Error>"))
	}
}

func (r *requests) answerWith(status int, holdUp func(request *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status, r.holdUp = status, holdUp
}

func (r *requests) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.seen
	r.seen = nil
	return seen
}

func startProxy(t *testing.T) *proxy {
	t.Helper()
	return startChangedProxy(t, nil)
}

// startChangedProxy starts the proxy with further environment variables, and with options of the Caddyfile replaced.
func startChangedProxy(t *testing.T, env []string, options ...string) *proxy {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "proxy")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-C", "../proxy", "-buildvcs=false", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))

	p := &proxy{apiSaw: &requests{}, docsSaw: &requests{}, log: &bytes.Buffer{}}
	p.api, p.objects = httptest.NewServer(p.apiSaw), httptest.NewServer(p.docsSaw)
	t.Cleanup(p.api.Close)
	t.Cleanup(p.objects.Close)
	httpPort, httpsPort, healthPort, metricsPort := freePort(t), freePort(t), freePort(t), freePort(t)
	_, apiPort, err := net.SplitHostPort(p.api.Listener.Addr().String())
	require.NoError(t, err)
	pages, err := filepath.Abs("../../api/outage/page")
	require.NoError(t, err)

	text, err := os.ReadFile("../Caddyfile")
	require.NoError(t, err)
	for i := 0; i < len(options); i += 2 {
		require.Contains(t, string(text), options[i])
	}
	caddyfile := filepath.Join(dir, "Caddyfile")
	require.NoError(t, os.WriteFile(caddyfile, []byte(strings.NewReplacer(options...).Replace(string(text))), 0o600))

	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, program, "run", "--adapter", "caddyfile", "--config", caddyfile)
	command.Env = append(os.Environ(), "DOMAIN=site.test", "S3_BUCKET=documents", "ACME_EMAIL=operations@site.test",
		"PROXY_OPTIONS=local_certs\nhttp_port "+httpPort+"\nhttps_port "+httpsPort, "TLS_ASK="+p.api.URL, "API_HOST=127.0.0.1", "API_PORT="+apiPort,
		"OBJECTS="+p.objects.Listener.Addr().String(), "HEALTH_PORT="+healthPort, "METRICS_PORT="+metricsPort, "ACCESS_LOG="+filepath.Join(dir, "kept", "access.log"), "OUTAGE_PAGES="+pages,
		"XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "HOME="+dir)
	command.Env = append(command.Env, env...)
	command.Stdout, command.Stderr = p.log, p.log
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 10 * time.Second
	require.NoError(t, command.Start())
	p.process, p.keptLog = command.Process, filepath.Join(dir, "kept", "access.log")
	p.stop = sync.OnceFunc(func() {
		cancel()
		_ = command.Wait()
	})
	t.Cleanup(p.stop)

	dial := func(ctx context.Context, _, address string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		return (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	}
	p.client = &http.Client{
		Transport:     &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       time.Minute,
	}
	p.https, p.http, p.metrics = ":"+httpsPort, ":"+httpPort, "http://127.0.0.1:"+metricsPort
	for what, url := range map[string]string{
		"the health check of the container":    "http://127.0.0.1:" + healthPort + "/healthz",
		"the certificate of the site is there": "https://site.test" + p.https + "/healthz",
		"and that of the documents":            "https://objects.site.test" + p.https + "/documents/in/a.pdf?X-Amz-Signature=abc",
	} {
		require.Eventually(t, func() bool {
			got, err := p.try(t, http.MethodGet, url)
			return err == nil && got.status == http.StatusOK
		}, time.Minute, 50*time.Millisecond, what)
	}
	p.docsSaw.take()
	p.apiSaw.take()
	return p
}

func freePort(t *testing.T) string {
	t.Helper()
	for range 200 {
		// Outgoing connections, and listeners on any port, get higher ports.
		port := strconv.Itoa(20_000 + rand.IntN(12_000))
		if listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			require.NoError(t, listener.Close())
			return port
		}
	}
	require.FailNow(t, "no port is free")
	return ""
}

type got struct {
	status int
	header http.Header
	body   string
}

func (p *proxy) do(t *testing.T, method, url string, header ...string) got {
	t.Helper()
	g, err := p.try(t, method, url, header...)
	require.NoError(t, err)
	return g
}

// try sends a request with a browser's cookies and the given header names and values.
func (p *proxy) try(t *testing.T, method, url string, header ...string) (got, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=somebody")
	request.Header.Set("Cookie", "__Host-f360_session=a-token")
	request.Header.Set("X-Xsrf-Token", "a-token")
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := p.client.Do(request)
	if err != nil {
		return got{}, err
	}
	body, err := io.ReadAll(response.Body)
	return got{response.StatusCode, response.Header, string(body)}, errors.Join(err, response.Body.Close())
}

// One process serves all cases, because building and starting Caddy is slow.
func TestProxy_RoutesLimitsAndRetries(t *testing.T) {
	t.Parallel()
	p := startProxy(t)
	objects := "https://objects.site.test" + p.https

	for _, method := range []string{http.MethodGet, http.MethodHead} {
		response := p.do(t, method, objects+"/documents/in/a.pdf?X-Amz-Algorithm=x&X-Amz-Signature=abc")
		require.Equal(t, http.StatusOK, response.status, method)
		require.Equal(t, []string{method + " /documents/in/a.pdf?X-Amz-Algorithm=x&X-Amz-Signature=abc"}, p.docsSaw.take())
		require.Empty(t, response.header.Get("X-Saw-Credentials"), "a link is all that counts")
		require.Contains(t, response.header.Get("Strict-Transport-Security"), "includeSubDomains")
		require.Equal(t, "nosniff", response.header.Get("X-Content-Type-Options"))
		require.Contains(t, response.header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		require.Equal(t, "private, no-store", response.header.Get("Cache-Control"))
		require.Empty(t, response.header.Get("Server"))
	}
	for _, refused := range []string{
		"GET /documents/in/a.pdf", "GET /documents/in/a.pdf?X-Amz-Algorithm=x", "PUT /documents/in/a.pdf?X-Amz-Signature=abc",
		"POST /documents/in/a.pdf?X-Amz-Signature=abc", "DELETE /documents/in/a.pdf?X-Amz-Signature=abc",
		"OPTIONS /documents/in/a.pdf?X-Amz-Signature=abc", "PATCH /list-users?X-Amz-Signature=abc",
		"GET /?X-Amz-Signature=abc", "GET /documents?list-type=2&X-Amz-Signature=abc", "GET /documents/?list-type=2&X-Amz-Signature=abc",
		"GET /other/a.pdf?X-Amz-Signature=abc", "GET /documents/../other/a.pdf?X-Amz-Signature=abc",
		"GET /documents/%2e%2e/other/a.pdf?X-Amz-Signature=abc", "GET //documents/?X-Amz-Signature=abc",
		"GET /minio/admin/v3/info?X-Amz-Signature=abc", "GET /healthz",
	} {
		method, path, _ := strings.Cut(refused, " ")
		response := p.do(t, method, objects+path)
		require.Equal(t, http.StatusNotFound, response.status, refused)
		require.Empty(t, p.docsSaw.take(), refused)
		require.NotEmpty(t, response.header.Get("Strict-Transport-Security"), refused)
	}

	require.Equal(t, http.StatusOK, p.do(t, http.MethodPost, "https://site.test"+p.https+"/api/franchise/login").status)
	require.Equal(t, []string{"POST /api/franchise/login"}, p.apiSaw.take())

	response := p.do(t, http.MethodGet, "http://site.test"+p.http+"/pricing")
	require.Equal(t, http.StatusPermanentRedirect, response.status)
	require.Equal(t, "https://site.test/pricing", strings.Replace(response.header.Get("Location"), p.https, "", 1))
	response = p.do(t, http.MethodPost, "http://site.test"+p.http+"/api/franchise/login")
	require.Equal(t, http.StatusNotFound, response.status, "a call in clear is not led on, so that its caller notices")
	require.Empty(t, p.apiSaw.take())

	require.Equal(t, http.StatusOK, p.do(t, http.MethodGet, "https://shop.test"+p.https+"/").status, "a store's certificate is made when it is asked for")

	p.repeats(t)
	p.givesUpTheFrozen(t)
	p.endsInTime(t)
	p.withoutDocuments(t, objects)

	metrics := p.do(t, http.MethodGet, p.metrics+"/metrics")
	for _, series := range []string{ // scripts/monitoring/alerts.yml names them
		`caddy_http_requests_total{`, `caddy_http_request_duration_seconds_count{code="504"`, `caddy_http_request_duration_seconds_count{code="502"`,
	} {
		require.Contains(t, metrics.body, series)
	}
	require.NotContains(t, metrics.body, "site.test", "no series for each host, of which stores have many")
	require.Equal(t, http.StatusNotFound, p.do(t, http.MethodGet, p.metrics+"/").status)

	p.api.Close()
	_, err := p.try(t, http.MethodGet, "https://other.test"+p.https+"/")
	require.Error(t, err, "nobody says that this is a store")
	p.withoutReplica(t)
	p.stop()
	require.Contains(t, p.log.String(), "connection refused", "the failure is logged")
	require.Regexp(t, `"uri":"/x\?".*"status":502`, p.log.String(), "a request that no replica answered is logged")
	require.Regexp(t, `"uri":"/documents/in/a.pdf\?".*"status":504`, p.log.String())
	require.NotContains(t, p.log.String(), `"status":200`, "what was answered is not logged here")
	for _, secret := range []string{"a-token", "123456", `"remote_ip":"127.0.0.1"`, `"client_ip":"127.0.0.1"`} {
		require.NotContains(t, p.log.String(), secret)
	}
	require.Contains(t, p.log.String(), `"remote_ip":"127.0.0.0"`, "lines of TLS name the network")
	require.NotRegexp(t, `"(remote|client)\w*":"127\.0\.0\.1`, p.log.String())
	require.NotRegexp(t, `->127\.`, p.log.String(), "nor do errors of connections name their other end")
	p.keepsRequests(t)
}

// keepsRequests verifies the log that is kept apart: each request with its client's whole address, without secrets.
func (p *proxy) keepsRequests(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(p.keptLog)
	require.NoError(t, err)
	for _, want := range []string{
		`"uri":"/api/franchise/login"[^\n]*"status":200`, `"uri":"/x\?"[^\n]*"status":502`, `"uri":"/pricing"[^\n]*"status":308`,
		`"client_ip":"127\.0\.0\.1"`, `"request_id":"019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"`, `"host":"shop.test`,
	} {
		require.Regexp(t, want, string(text))
	}
	for _, secret := range []string{"a-token", "123456", "X-Amz-Signature"} {
		require.NotContains(t, string(text), secret)
	}
	for path, mode := range map[string]os.FileMode{p.keptLog: 0o600, filepath.Dir(p.keptLog): 0o700} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), path)
	}
}

// repeats verifies that a request in flight when its replica dies is retried elsewhere, with its whole body, if it is
// idempotent, and not otherwise.
func (p *proxy) repeats(t *testing.T) {
	t.Helper()
	const key, body = "0123456789-a-key", `{"plan_type":"yearly"}`
	for _, c := range []struct {
		path, key string
		twice     bool
	}{
		{path: "/api/franchise/subscription-plan/quote", twice: true},
		{path: "/api/franchise/payments/webhook/payu", twice: true},
		{path: "/api/franchise/subscription/payments/request", key: key, twice: true},
		{path: "/api/support/customers/019ae0c2/payments/019ae0c3/ask", key: key, twice: true},
		{path: "/api/franchise/subscription/payments/request"},
		{path: "/api/franchise/login"},
		{path: "/api/franchise/login", key: key},
		{path: "/api/franchise/tenant/create", key: key},
		{path: "/dev/clock"},
	} {
		// The only replica is skipped for two seconds after it died.
		require.Eventually(t, func() bool {
			return p.do(t, http.MethodGet, "https://site.test"+p.https+"/").status == http.StatusOK
		}, time.Minute, 100*time.Millisecond)
		p.apiSaw.take()
		p.apiSaw.mu.Lock()
		p.apiSaw.dies = true
		p.apiSaw.mu.Unlock()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://site.test"+p.https+c.path, strings.NewReader(body))
		require.NoError(t, err)
		if c.key != "" {
			request.Header.Set("Idempotency-Key", c.key)
		}
		response, err := p.client.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		want, status := []string{"POST " + c.path + " " + body}, http.StatusBadGateway
		if c.twice {
			want, status = append(want, want[0]), http.StatusOK
		}
		require.Equal(t, want, p.apiSaw.take(), c)
		require.Equal(t, status, response.StatusCode, c)
	}
}

// givesUpTheFrozen verifies that what may be repeated leaves a replica that answers nobody long before its time-out, while a slow
// one is waited for, as is any replica over what may not be repeated.
func (p *proxy) givesUpTheFrozen(t *testing.T) {
	t.Helper()
	const body = `{"event":"captured"}`
	for _, c := range []struct {
		what, path   string
		lives, twice bool
	}{
		{what: "frozen", path: "/api/franchise/payments/webhook/payu", twice: true},
		{what: "slow", path: "/api/franchise/payments/webhook/payu", lives: true},
		{what: "frozen over what is done once", path: "/api/franchise/login"},
	} {
		require.Eventually(t, func() bool {
			return p.do(t, http.MethodGet, "https://site.test"+p.https+"/").status == http.StatusOK
		}, time.Minute, 100*time.Millisecond)
		p.apiSaw.take()
		p.apiSaw.answerWith(0, holdsUpOnce(c.lives, c.twice))
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://site.test"+p.https+c.path, strings.NewReader(body))
		require.NoError(t, err)
		response, err := p.client.Do(request)
		require.NoError(t, err, c.what)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode, c.what)
		var asked, looked []string
		for _, seen := range p.apiSaw.take() {
			if seen == "GET /healthz" {
				looked = append(looked, seen)
				continue
			}
			asked = append(asked, seen)
		}
		want := []string{"POST " + c.path + " " + body}
		if c.twice {
			want = append(want, want[0])
		}
		require.Equal(t, want, asked, c.what)
		require.Len(t, looked, map[bool]int{true: 1}[c.twice || c.lives], c.what)
	}
	p.apiSaw.answerWith(0, nil)
}

// holdsUpOnce holds answers up until a request came twice, if it is to, or a while after somebody looked whether the replica lives.
func holdsUpOnce(lives, twice bool) func(request *http.Request) {
	thawed := make(chan struct{})
	thaw := sync.OnceFunc(func() { close(thawed) })
	var posts atomic.Int32
	return func(request *http.Request) {
		looks := request.URL.Path == "/healthz"
		switch {
		case looks && lives:
			time.AfterFunc(2*time.Second, thaw) // longer than a look may take
			return
		case !looks && twice && posts.Add(1) == 2:
			thaw()
		case !looks && !twice && !lives:
			time.AfterFunc(4*time.Second, thaw) // longer than anybody waits before a look, and the look
		}
		select {
		case <-thawed:
		case <-request.Context().Done():
		}
	}
}

// endsInTime verifies that the proxy itself ends a request while every replica is frozen.
func (p *proxy) endsInTime(t *testing.T) {
	t.Helper()
	p.apiSaw.answerWith(0, func(request *http.Request) { <-request.Context().Done() })
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://site.test"+p.https+"/api/franchise/payments/callback",
		strings.NewReader("status=success"))
	require.NoError(t, err)
	request.Header.Set("Accept", "text/html")
	response, err := p.client.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusGatewayTimeout, response.StatusCode)
	p.apiSaw.answerWith(0, nil)
}

// withoutDocuments verifies what people who open a document get when the store has none or does not answer; programs get the
// store's own refusal.
func (p *proxy) withoutDocuments(t *testing.T, objects string) {
	t.Helper()
	link := objects + "/documents/in/a.pdf?X-Amz-Signature=abc"
	const page, ended, away = "text/html,application/xhtml+xml", "<h1>This link opens nothing any more</h1>", "<h1>This document is not available just now</h1>"
	for _, c := range []struct {
		says, status int
		heading      string
	}{
		{http.StatusBadRequest, http.StatusBadRequest, ended},
		{http.StatusForbidden, http.StatusForbidden, ended},
		{http.StatusNotFound, http.StatusNotFound, ended},
		{http.StatusInternalServerError, http.StatusServiceUnavailable, away},
		{http.StatusServiceUnavailable, http.StatusServiceUnavailable, away},
	} {
		p.docsSaw.answerWith(c.says, nil)
		response := p.do(t, http.MethodGet, link, "Accept", page)
		require.Equal(t, c.status, response.status, c.says)
		require.Contains(t, response.header.Get("Content-Type"), "text/html", c.says)
		require.Contains(t, response.body, c.heading, c.says)
		require.NotContains(t, response.body, "AccessDenied", c.says)
	}
	p.docsSaw.answerWith(http.StatusForbidden, nil)
	response := p.do(t, http.MethodGet, link)
	require.Equal(t, http.StatusForbidden, response.status)
	require.Contains(t, response.body, "AccessDenied")

	p.docsSaw.answerWith(0, func(request *http.Request) { <-request.Context().Done() })
	response = p.do(t, http.MethodGet, link, "Accept", page)
	require.Equal(t, http.StatusGatewayTimeout, response.status, "answered by the proxy, because the store does not")
	require.Contains(t, response.body, away)

	p.objects.Close()
	response = p.do(t, http.MethodGet, link, "Accept", page)
	require.Equal(t, http.StatusBadGateway, response.status)
	require.Contains(t, response.body, away)
	require.Equal(t, "no-store", response.header.Get("Cache-Control"))
}

// withoutReplica verifies what people and programs get while no replica of the api answers.
func (p *proxy) withoutReplica(t *testing.T) {
	t.Helper()
	site := "https://site.test" + p.https
	response := p.do(t, http.MethodGet, site+"/x?otp=123456")
	require.Equal(t, http.StatusBadGateway, response.status)
	require.Equal(t, "application/json", response.header.Get("Content-Type"))
	var failure struct {
		Status    bool   `json:"status"`
		Message   string `json:"message"`
		Code      string `json:"code"`
		RequestID string `json:"request_id"`
	}
	require.NoError(t, json.Unmarshal([]byte(response.body), &failure), response.body)
	require.Equal(t, "unavailable", failure.Code)
	require.Len(t, failure.RequestID, 36, response.body)

	for _, page := range []struct{ method, path, heading string }{
		{http.MethodGet, "/pricing", "This page is not available just now"},
		{http.MethodGet, "/away.html", "This page is not available just now"},
		{http.MethodPost, "/api/franchise/payments/callback", "Your payment is safe"},
	} {
		response := p.do(t, page.method, site+page.path, "Accept", "text/html,application/xhtml+xml")
		require.GreaterOrEqual(t, response.status, http.StatusBadGateway, page.path)
		require.Contains(t, response.header.Get("Content-Type"), "text/html", page.path)
		require.Contains(t, response.body, "<h1>"+page.heading+"</h1>", page.path)
		require.Equal(t, "no-store", response.header.Get("Cache-Control"), page.path)
		require.Equal(t, "10", response.header.Get("Retry-After"), page.path)
	}
}

// What a line of the log may say of a request's address: neither what stands after its question mark, nor the end of a link that lets in
// whoever has it.
func TestProxyLog_HidesQueriesAndSecretLinks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../Caddyfile")
	require.NoError(t, err)
	filter := regexp.MustCompile(`request>uri regexp (\S+) (\S+)\n`).FindStringSubmatch(string(text))
	require.Len(t, filter, 3)
	pattern := regexp.MustCompile(filter[1])
	const bearer = "AZrgwp8AehGPAEsdLD5PUOx0g9kTq3-Zb_aB1c" // 38 characters; the token that stops reminders has 43
	for uri, want := range map[string]string{
		"/p/" + bearer + "?transaction_id=T1":             "/p/??",
		"/api/franchise/pay-links/" + bearer + "/request": "/api/franchise/pay-links/?/request",
		"/team/" + bearer: "/team/?",
		"/i/" + bearer:    "/i/?",
		"/api/franchise/team/invitations/" + bearer + "/accept":   "/api/franchise/team/invitations/?/accept",
		"/api/franchise/reminders/stop/" + bearer + "AbCd_":       "/api/franchise/reminders/stop/?",
		"/stop-reminders/" + bearer + "AbCd_":                     "/stop-reminders/?",
		"/subscription_list/019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50": "/subscription_list/019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50",
		"/api/support/mobiles/9876543210/unlock":                  "/api/support/mobiles/?/unlock",
		"/pricing?utm_source=mail":                                "/pricing?",
	} {
		require.Equal(t, want, pattern.ReplaceAllString(uri, filter[2]), uri)
	}
}
