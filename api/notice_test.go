package main

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/payment"
)

// session starts a payment and returns the form for the gateway.
func (a *testApp) session(t *testing.T, mobile string) map[string]any {
	t.Helper()
	c := a.buyer(t, mobile)
	session := c.post(t, "/subscription/payments/request", choice(a.catalogue(t).Plans[0].Tiers[0], "yearly"))
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	require.NotEmpty(t, form)
	return form
}

func (a *testApp) events(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, a.db.Owner.Get(&n, `SELECT count(*) FROM payment_events`))
	return n
}

func TestPayUWebhook_EachForm_IsAccepted(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	form := app.session(t, "9876500301")
	txn, _ := form["txnid"].(string)
	raw := func(body []byte, kind string) answer {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, app.server.URL+handler.Prefix+"/payments/webhook/payu", bytes.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", kind)
		return app.client(t).send(t, r)
	}
	refund := map[string]any{
		"additionalValue1": nil, "bank_arn": nil, "refund_mode": "Instant Credit through UPI", "bank_ref_num": "5233515521271721",
		"key": form["key"], "amt": "72.00", "remark": nil, "status": "success", "token": "T", "mihpayid": " 23907365951 ",
		"request_id": "17265314530", "merchantTxnId": txn, "action": "refund",
	}
	body, err := json.Marshal(refund)
	require.NoError(t, err)
	for range 3 { // PayU's retries
		require.Equal(t, 200, raw(body, "application/json").Status)
	}
	require.Equal(t, 1, app.events(t))
	refund["merchantTxnId"] = "FP000000ABCDEF"
	body, _ = json.Marshal(refund)
	require.Equal(t, 200, raw(body, "application/json").Status, "of nothing of ours: retrying would not help")
	require.Equal(t, 200, raw([]byte(`{"event":"dispute","cb_id":1761758,"txn_id":"999000000000468","cb_amount":"1.0","cb_status":"New"}`), "application/json").Status)
	require.Equal(t, 400, raw([]byte(`{"event":"dispute"}`), "application/json").Status)
	require.Equal(t, 400, raw([]byte(`[]`), "application/json").Status)
	require.Equal(t, 1, app.events(t))

	var parts bytes.Buffer
	w := multipart.NewWriter(&parts)
	for name, values := range app.returned(form, "success") {
		require.NoError(t, w.WriteField(name, values[0]))
	}
	require.NoError(t, w.Close())
	require.Equal(t, 200, raw(parts.Bytes(), w.FormDataContentType()).Status)
	require.Equal(t, 2, app.events(t))
}

func TestPayUReturn_BankReferenceValidByLuhn_IsNotACard(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	form := app.session(t, "9876500302")
	notice := app.returned(form, "success")
	for _, name := range []string{"field0", "field3", "field8", "bank_ref_no", "bank_ref_num"} {
		notice.Set(name, "5233515521271721") // from a recorded response, and valid by Luhn
	}
	require.Equal(t, 303, app.client(t).do(t, http.MethodPost, "/payments/callback", notice).Status)
	notice.Set("error_Message", "4111111111111111")
	require.Equal(t, 400, app.client(t).do(t, http.MethodPost, "/payments/callback", notice).Status)
}

func TestPayUReturn_LargeForm_IsStoredCutAndOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	form := app.session(t, "9876500303")
	for _, z := range []string{"a", "b", "c"} {
		notice := app.returned(form, "failure")
		notice.Set("zz", strings.Repeat(z, 50_000))
		notice.Set("field9", strings.Repeat(z, 5_000))
		notice.Set("action", "refund")
		notice.Set("request_id", "131278418")
		require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", notice).Status)
	}
	require.Equal(t, 1, app.events(t))
	var size, jobs int
	require.NoError(t, app.db.Owner.Get(&size, `SELECT max(octet_length(fields::text)) FROM payment_events WHERE kind = 'payment'`))
	require.Less(t, size, 1_000)
	require.NoError(t, app.db.Owner.Get(&jobs, `SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND state = 'available'`))
	require.Equal(t, 1, jobs)
}

// A customer who cancels at Razorpay is sent back by a link.
func TestRazorpayReturn_Cancelled_IsRedirectedByALink(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	form := app.session(t, "9876500304")
	txn, _ := form["txnid"].(string)
	_, err := app.db.Owner.Exec(`ALTER TABLE payments DISABLE TRIGGER keep_charge`)
	require.NoError(t, err)
	_, err = app.db.Owner.Exec(`UPDATE payments SET gateway = 'razorpay'`)
	require.NoError(t, err)
	razorpay := razorpay.New(razorpay.Config{KeySecret: app.config.Gateways.Accounts["razorpay"]["RAZORPAY_KEY_SECRET"]})
	s, err := razorpay.Begin(t.Context(), payment.Charge{TransactionID: txn, Amount: 100, Reference: "order_1", ReturnURL: "https://x.example/back"})
	require.NoError(t, err)
	back, err := url.Parse(s.Fields["cancel_url"])
	require.NoError(t, err)
	get := func(query string) answer { return app.client(t).get(t, "/payments/callback?"+query) }
	for range 3 {
		got := get(back.RawQuery)
		require.Equal(t, 303, got.Status)
		require.Equal(t, "/checkout/result/failed?transaction_id="+txn, got.Header.Get("Location"))
	}
	require.Equal(t, 1, app.events(t))
	require.Equal(t, 400, get(strings.Replace(back.RawQuery, "proof=", "proof=0", 1)).Status)
	signed := app.returned(form, "success")
	require.Equal(t, 400, app.client(t).get(t, "/payments/callback?transaction="+txn+"&proof=0&"+signed.Encode()).Status, "a gateway posts")
}
