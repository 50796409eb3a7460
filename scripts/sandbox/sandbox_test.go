package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Published in the tests of PayU's Node SDK.
const (
	testKey  = "QyT13U"
	testSalt = "UnJ0FGO0kt3dUgnHo9Xgwi0lpipBV0hB"
)

// bundle is a running sandbox and the merchant's webhook address beside it.
type bundle struct {
	*server
	url   string
	state string
	close func()

	mu   sync.Mutex
	hits []url.Values
	fail int // so many webhooks are answered 500
}

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
		form, err := url.ParseQuery(string(body))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.hits = append(b.hits, form)
		if b.fail > 0 {
			b.fail--
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	env := map[string]string{
		"GATEWAY_KEY": testKey, "GATEWAY_SALT": testSalt, "SANDBOX_STATE": state,
		"GATEWAY_WEBHOOK_URL": webhook.URL, "SANDBOX_LATE_AFTER": "300ms",
	}
	var err error
	b.server, err = newServer(func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
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

func (b *bundle) webhooks() []url.Values {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]url.Values(nil), b.hits...)
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
	answer := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
	return status, answer
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
	for i, name := range []string{"var1", "var2", "var3"} {
		if i < len(vars) {
			fields.Set(name, vars[i])
		}
	}
	fields.Set("hash", b.merchant.commandHash(command, vars[0]))
	status, text, _ := b.post(t, "/merchant/postservice.php?form=2", fields)
	require.Equal(t, http.StatusOK, status)
	answer := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
	return answer
}

// verified is verify_payment's entry of one transaction.
func (b *bundle) verified(t *testing.T, txnID string) map[string]any {
	t.Helper()
	details, ok := b.call(t, "verify_payment", txnID)["transaction_details"].(map[string]any)
	require.True(t, ok)
	entry, ok := details[txnID].(map[string]any)
	require.True(t, ok)
	return entry
}

func (b *bundle) begin(t *testing.T, changes map[string]string) (page string) {
	t.Helper()
	status, text, header := b.post(t, "/_payment", form(changes))
	require.Equal(t, http.StatusSeeOther, status, text)
	return header.Get("Location")
}

func TestHashesAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	m := merchant{key: testKey, salt: testSalt}
	o := order{TxnID: "T1", Amount: "10.00", ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in"}
	require.Equal(t, "4a6abdc05c3af253c0d036f161cb55d821fbfab0e9e4b7a0242e0522a41cbef0ef91078d79f85425038646d9a97681dc87b7a9c4bb2dfb75155e7c50b7da6d21",
		m.requestHash(o))
	require.Equal(t, "e8fc1faee3a53762e2055606b7617b4abc450583b982715f4e381ea93bbb096be16c7bfa6410e7c35a29c99c228f6d3b8dd20bdd87faaccadaca0154de00f53a",
		m.responseHash("success", "10.00", "", o))
	require.Equal(t, "b6c113e0508cc0aeaa6f7fd073a501edb2b82fce76f811c18ece3a2f84965cfe322fb964dfc9d28b15c787568ad0e451d0a9384fd64ead06624b59f933a36d2d",
		m.commandHash("verify_payment", "T1"))
	require.NotEqual(t, m.responseHash("success", "10.00", "", o), m.responseHash("success", "10.00", "1.00", o))
}

func TestAmountsAreExact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"10.00": 1000, "10": 1000, "0.1": 10, "159300.00": 15930000, "9999999999.99": 999999999999} {
		got, err := paise(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0", "0.00", "-1.00", "1.234", "1,000.00", "1e3", " 1", "NaN", "10000000000"} {
		_, err := paise(text)
		require.Error(t, err, text)
	}
	require.Equal(t, "159300.05", rupees(15930005))
	require.Equal(t, "-0.05", rupees(-5))
	require.Equal(t, "₹1,59,300.00", display("159300.00"))
	require.Equal(t, "₹999.50", display("999.5"))
	wrong, err := offByOnePaisa("10.00")
	require.NoError(t, err)
	require.Equal(t, "9.99", wrong)
	wrong, err = offByOnePaisa("0.01")
	require.NoError(t, err)
	require.Equal(t, "0.02", wrong)
}

func TestAFormIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, changes := range map[string]map[string]string{
		"wrong hash":         {"hash": "00"},
		"another key":        {"key": "other"},
		"amount changed":     {"amount": "10.01", "hash": form(nil).Get("hash")},
		"no name":            {"firstname": ""},
		"long txnid":         {"txnid": strings.Repeat("x", 26)},
		"separator in name":  {"firstname": "A|B"},
		"three decimals":     {"amount": "10.001"},
		"return not a URL":   {"surl": "javascript:alert(1)"},
		"amount of nothing":  {"amount": "0.00"},
		"script in the txn":  {"txnid": "<b>"},
		"missing everything": {"txnid": "", "amount": "", "email": ""},
	} {
		status, text, _ := b.post(t, "/_payment", form(changes))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusForbidden}, status, name)
		require.Contains(t, text, "cannot go on", name)
	}
	require.Empty(t, b.book.all())
}

func TestAPaymentOnThePage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.begin(t, map[string]string{"firstname": `<img src="http://x">`, "pg": "UPI", "amount": "159300.00"})
	status, text := b.get(t, page)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "₹1,59,300.00")
	require.Contains(t, text, "&lt;img src")
	require.Contains(t, text, `value="UPI" checked`)
	require.Equal(t, "pending", b.verified(t, "T1")["status"])

	status, text, _ = b.post(t, page, url.Values{"outcome": {"success"}, "method": {"NB"}})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `action="http://merchant.test/callback"`)
	require.Contains(t, text, "submit()")
	require.Equal(t, "success", b.verified(t, "T1")["status"])
	require.Equal(t, "NB", b.verified(t, "T1")["mode"])
	require.Equal(t, "159300.00", b.verified(t, "T1")["amt"])

	status, _, _ = b.post(t, page, url.Values{"outcome": {"failure"}})
	require.Equal(t, http.StatusConflict, status)
	status, text, _ = b.post(t, "/_payment", form(nil))
	require.Equal(t, http.StatusConflict, status, text)
	require.Equal(t, "success", b.verified(t, "T1")["status"])
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, status, unmapped, amount, back string }{
		"success":       {`{"outcome":"success"}`, "success", "captured", "10.00", "http://merchant.test/callback"},
		"failure":       {`{"outcome":"failure"}`, "failure", "failed", "10.00", "http://merchant.test/failed"},
		"pending":       {`{"outcome":"pending"}`, "pending", "pending", "10.00", "http://merchant.test/callback"},
		"wrong amount":  {`{"outcome":"wrong_amount"}`, "success", "captured", "9.99", "http://merchant.test/callback"},
		"chosen amount": {`{"outcome":"wrong_amount","amount":"1.00"}`, "success", "captured", "1.00", "http://merchant.test/callback"},
		"charges":       {`{"outcome":"success","additional_charges":"0.50"}`, "success", "captured", "10.00", "http://merchant.test/callback"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.begin(t, map[string]string{"udf1": "one", "udf5": "five"})
			status, answer := b.postJSON(t, "/sandbox/payments/T1/outcome", c.body)
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, c.back, answer["return_url"])
			fields, ok := answer["fields"].(map[string]any)
			require.True(t, ok)
			require.Equal(t, c.status, fields["status"])
			require.Equal(t, c.amount, fields["amount"])
			o := order{
				TxnID: "T1", ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in",
				UDF: [5]string{"one", "", "", "", "five"},
			}
			charges, _ := fields["additionalCharges"].(string)
			require.Equal(t, b.merchant.responseHash(c.status, c.amount, charges, o), fields["hash"])
			verified := b.verified(t, "T1")
			require.Equal(t, c.status, verified["status"])
			require.Equal(t, c.unmapped, verified["unmappedstatus"])
			require.Equal(t, c.amount, verified["amt"])
			require.Eventually(t, func() bool { return len(b.webhooks()) == 1 }, 5*time.Second, 10*time.Millisecond)
			require.Equal(t, fields["hash"], b.webhooks()[0].Get("hash"))
		})
	}
}

func TestOutcomeIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	status, _ := b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
	require.Equal(t, http.StatusNotFound, status)
	b.begin(t, nil)
	for _, body := range []string{`{`, `{}`, `{"outcome":"maybe"}`, `{"outcome":"success","webhook":"never"}`, `{"outcome":"success","x":1}`} {
		status, _ := b.postJSON(t, "/sandbox/payments/T1/outcome", body)
		require.Equal(t, http.StatusBadRequest, status, body)
	}
	status, answer := b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","return":"lost","webhook":"lost"}`)
	require.Equal(t, http.StatusOK, status)
	require.Empty(t, answer["return_url"])
	require.Empty(t, answer["fields"])
	status, _ = b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"failure"}`)
	require.Equal(t, http.StatusConflict, status)
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"twice"}`)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, 5*time.Second, 10*time.Millisecond)
		require.Equal(t, b.webhooks()[0], b.webhooks()[1])
	})
	t.Run("late, and after a failure that succeeds later", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"late_success","webhook":"once"}`)
		require.Equal(t, "failure", b.verified(t, "T1")["status"])
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, 5*time.Second, 10*time.Millisecond)
		require.Equal(t, "failure", b.webhooks()[0].Get("status"))
		require.Equal(t, "success", b.webhooks()[1].Get("status"))
		require.Equal(t, "success", b.verified(t, "T1")["status"])
	})
	t.Run("lost", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"lost"}`)
		require.Never(t, func() bool { return len(b.webhooks()) > 0 }, 600*time.Millisecond, 50*time.Millisecond)
	})
	t.Run("repeated while the merchant fails", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.fail = 1
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, 10*time.Second, 20*time.Millisecond)
	})
}

func TestARestartKeepsEverything(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.begin(t, nil)
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"late","delay_seconds":1}`)
	b.begin(t, map[string]string{"txnid": "T2"})
	b.close()
	torn, err := os.OpenFile(b.state, os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = torn.WriteString(`{"txnid":"T2","sta`)
	require.NoError(t, err)
	require.NoError(t, torn.Close())

	again := start(t, b.state)
	require.Equal(t, "success", again.verified(t, "T1")["status"])
	require.Equal(t, "pending", again.verified(t, "T2")["status"])
	status, text := again.get(t, page)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "has been paid")
	require.Eventually(t, func() bool { return len(again.webhooks()) == 1 }, 5*time.Second, 20*time.Millisecond)
}
