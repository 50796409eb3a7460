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

// hit is one notice as the merchant got it.
type hit struct {
	contentType, signature, body string
}

// bundle is a running sandbox and the merchant's webhook address beside it.
type bundle struct {
	*server
	url   string
	state string
	close func()

	clock atomic.Int64 // business time's lead, in nanoseconds

	mu     sync.Mutex
	hits   []hit
	status []int // the next answers of the webhook; 200 once they are used up
}

// advance moves business time.
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

// webhooks are the notices of payments; told are those in JSON.
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

// awaitNotices waits until there are so many notices in JSON.
func (b *bundle) awaitNotices(t *testing.T, n int) []map[string]any {
	t.Helper()
	require.Eventually(t, func() bool { return len(b.told(t)) >= n }, 5*time.Second, 10*time.Millisecond)
	list := b.told(t)
	require.Len(t, list, n)
	return list
}

// decode reads a JSON object with its numbers as they stand.
func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	object := map[string]any{}
	require.NoError(t, decoder.Decode(&object), text)
	return object
}

// object is a member of an object that is one itself.
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

// form is a payment form as a merchant signs it.
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
		o, _ := parseOrder(fields) // a form that is wrong on purpose is signed all the same
		fields.Set("hash", merchant{key: testKey, salt: testSalt}.requestHash(o))
	}
	return fields
}

// post sends a form and follows no redirect.
func (b *bundle) post(t *testing.T, path string, fields url.Values) (int, string, http.Header) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path, strings.NewReader(fields.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return read(t, client, request)
}

func (b *bundle) postJSON(t *testing.T, path, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path, strings.NewReader(body))
	require.NoError(t, err)
	status, text, _ := read(t, http.DefaultClient, request)
	return status, decode(t, text)
}

// captured is the mihpayid of a transaction that was begun and captured.
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
	status, text, _ := read(t, http.DefaultClient, request)
	return status, text
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

// call asks the merchant API.
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

// verified is verify_payment's entry of one transaction.
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
