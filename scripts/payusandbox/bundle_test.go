package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The test account of PayU's documentation.
const (
	testKey  = "JPM7Fg"
	testSalt = "TuxqAugd"
)

// hit is one notification as the merchant received it.
type hit struct {
	contentType, signature, body string
}

// bundle is a running sandbox together with the merchant's webhook endpoint.
type bundle struct {
	*server
	url   string
	state string
	close func()

	clock atomic.Int64 // offset of business time, in nanoseconds

	mu     sync.Mutex
	hits   []hit
	status []int // the webhook's next answers; 200 once used up
}

// advance moves business time forward.
func (b *bundle) advance(d time.Duration) { b.clock.Add(int64(d)) }

func setup(t *testing.T) *bundle {
	t.Helper()
	return start(t, filepath.Join(t.TempDir(), "journal"))
}

func start(t *testing.T, state string) *bundle {
	t.Helper()
	b := &bundle{state: state}
	webhook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.hits = append(b.hits, hit{r.Header.Get("Content-Type"), r.Header.Get(signatureHeader), string(body)})
		if len(b.status) > 0 {
			w.WriteHeader(b.status[0])
			b.status = b.status[1:]
		}
	}))
	env := map[string]string{
		"PAYU_KEY": testKey, "PAYU_SALT": testSalt, "SANDBOX_STATE": state,
		"SANDBOX_WEBHOOK_URL": webhook.URL, "SANDBOX_LATE_AFTER": "300ms",
	}
	var err error
	b.server, err = newServer(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	b.now = func() time.Time { return time.Now().Add(time.Duration(b.clock.Load())) }
	gateway := httptest.NewServer(b.routes())
	b.url = gateway.URL
	ctx, cancel := context.WithCancel(context.Background())
	b.closing = ctx.Done()
	var delivering sync.WaitGroup
	delivering.Go(func() { b.deliver(ctx) })
	b.close = sync.OnceFunc(func() {
		cancel()
		delivering.Wait()
		gateway.Close()
		webhook.Close()
	})
	t.Cleanup(b.close)
	return b
}

func (b *bundle) notices() []hit {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]hit(nil), b.hits...)
}

// webhooks returns the payment notifications; told returns those in JSON.
func (b *bundle) webhooks() []url.Values {
	list := []url.Values{}
	for _, h := range b.notices() {
		if form, err := url.ParseQuery(h.body); err == nil && h.contentType == "application/x-www-form-urlencoded" {
			list = append(list, form)
		}
	}
	return list
}

func (b *bundle) told(t *testing.T) []map[string]any {
	t.Helper()
	list := []map[string]any{}
	for _, h := range b.notices() {
		if h.contentType == "application/json" {
			list = append(list, decode(t, h.body))
		}
	}
	return list
}

// awaitNotices waits until there are n notifications in JSON.
func (b *bundle) awaitNotices(t *testing.T, n int) []map[string]any {
	t.Helper()
	require.Eventually(t, func() bool { return len(b.told(t)) >= n }, time.Minute, 10*time.Millisecond)
	list := b.told(t)
	require.Len(t, list, n)
	return list
}

// decode parses a JSON object, keeping numbers as written.
func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	object := map[string]any{}
	require.NoError(t, decoder.Decode(&object), text)
	return object
}

// object returns a nested object by the path of its names.
func object(t *testing.T, in any, names ...string) map[string]any {
	t.Helper()
	for _, name := range names {
		outer, ok := in.(map[string]any)
		require.True(t, ok, name)
		in = outer[name]
	}
	got, ok := in.(map[string]any)
	require.True(t, ok, "%v: %v", names, in)
	return got
}

// form returns a payment form signed as a merchant would.
func form(changes map[string]string) url.Values {
	fields := url.Values{}
	for name, value := range map[string]string{
		"key": testKey, "txnid": "T1", "amount": "10.00", "productinfo": "Plan", "firstname": "Asha", "email": "a@b.in",
		"phone": "9876543210", "surl": "http://merchant.test/callback", "furl": "http://merchant.test/failed",
	} {
		fields.Set(name, value)
	}
	for name, value := range changes {
		fields.Set(name, value)
	}
	if _, given := changes["hash"]; !given {
		o, _ := parseOrder(fields) // an intentionally wrong form is signed too
		fields.Set("hash", merchant{key: testKey, salt: testSalt}.requestHash(o))
	}
	return fields
}

// post sends a form without following redirects.
func (b *bundle) post(t *testing.T, path string, fields url.Values) (int, string, http.Header) {
	t.Helper()
	client := &http.Client{Transport: transport(t), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path, strings.NewReader(fields.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return read(t, client, request)
}

func (b *bundle) postJSON(t *testing.T, path, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path, strings.NewReader(body))
	require.NoError(t, err)
	status, text, _ := read(t, &http.Client{Transport: transport(t)}, request)
	return status, decode(t, text)
}

// captured starts and captures a transaction and returns its mihpayid.
func (b *bundle) captured(t *testing.T, changes map[string]string, decision string) string {
	t.Helper()
	b.begin(t, changes)
	txnID := form(changes).Get("txnid")
	status, answer := b.postJSON(t, "/sandbox/payments/"+txnID+"/outcome", decision)
	require.Equal(t, http.StatusOK, status, answer)
	id, ok := b.verified(t, txnID)["mihpayid"].(string)
	require.True(t, ok)
	return id
}

func (b *bundle) set(t *testing.T, body string) {
	t.Helper()
	status, answer := b.postJSON(t, "/sandbox/settings", body)
	require.Equal(t, http.StatusOK, status, answer)
}

func (b *bundle) get(t *testing.T, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+path, nil)
	require.NoError(t, err)
	status, text, _ := read(t, &http.Client{Transport: transport(t)}, request)
	return status, text
}

// transport is not the default one, whose connections every test server closes when it ends.
func transport(t *testing.T) *http.Transport {
	t.Helper()
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	return own
}

func read(t *testing.T, client *http.Client, request *http.Request) (int, string, http.Header) {
	t.Helper()
	response, err := client.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text), response.Header
}

// call calls the merchant API.
func (b *bundle) call(t *testing.T, command string, vars ...string) map[string]any {
	t.Helper()
	fields := url.Values{"key": {testKey}, "command": {command}}
	for i, name := range []string{"var1", "var2", "var3", "var4", "var5"} {
		if i < len(vars) {
			fields.Set(name, vars[i])
		}
	}
	fields.Set("hash", b.merchant.commandHash(command, vars[0]))
	status, text, _ := b.post(t, "/merchant/postservice.php?form=2", fields)
	require.Equal(t, http.StatusOK, status)
	return decode(t, text)
}

// verified returns verify_payment's entry for a transaction.
func (b *bundle) verified(t *testing.T, txnID string) map[string]any {
	t.Helper()
	return object(t, b.call(t, "verify_payment", txnID), "transaction_details", txnID)
}

func (b *bundle) begin(t *testing.T, changes map[string]string) (page string) {
	t.Helper()
	status, text, header := b.post(t, "/_payment", form(changes))
	require.Equal(t, http.StatusSeeOther, status, text)
	return header.Get("Location")
}
