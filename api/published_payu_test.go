package main

import (
	"crypto/sha512"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The account in PayU's published samples ("Generate Hash" and "Hosted Checkout"), which the contract's examples use.
const (
	publishedKey  = "JPM7Fg"
	publishedSalt = "TuxqAugd"
)

// publishedReturn is the contract's example of the browser's return: PayU's own sample with its hash.
func publishedReturn(t *testing.T) url.Values {
	t.Helper()
	spec, _ := operations(t)
	body := spec.Paths.Find("/payments/callback").Post.RequestBody.Value
	example, ok := body.Content["application/x-www-form-urlencoded"].Example.(map[string]any)
	require.True(t, ok)
	form := url.Values{}
	for name, value := range example {
		text, ok := value.(string)
		require.True(t, ok, name)
		form.Set(name, text)
	}
	return form
}

// Given PayU's published return, then the callback and the webhook accept its reverse hash over HTTP, and nothing else.
func TestPayUReturn_PublishedReverseHash_IsAccepted(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.Gateways.Accounts["payu"]["PAYU_KEY"], app.config.Gateways.Accounts["payu"]["PAYU_SALT"] = publishedKey, publishedSalt
	app.start(t)
	published := publishedReturn(t)
	require.Equal(t, "84bbbf0fa3ba2a39942f6c3deab234c4d00bc5b6aceee5cda3c8200d6e1714e19c224d47e24d0c4a9a0cce40eddbae1dc46455c69e5e7d5dd62f6636bfab337c",
		published.Get("hash"), "the published number, not one of ours")
	c := app.buyer(t, "9876500051")
	require.Equal(t, 200, c.post(t, "/subscription/payments/request", choice(app.catalogue(t).Plans[0].Tiers[0], "monthly")).Status)
	tx, err := app.db.Owner.Beginx()
	require.NoError(t, err)
	_, err = tx.Exec(`SET LOCAL session_replication_role = replica`) // bypasses the trigger that makes a payment's transaction immutable
	require.NoError(t, err)
	_, err = tx.Exec(`UPDATE payments SET transaction_id = $1, amount_paise = 100000`, published.Get("txnid"))
	require.NoError(t, err)
	require.NoError(t, tx.Commit())

	for name, change := range map[string]func(url.Values){
		"another amount": func(v url.Values) { v.Set("amount", "1000.01") }, "another status": func(v url.Values) { v.Set("status", "failure") },
		"another buyer": func(v url.Values) { v.Set("email", "asha@example.in") }, "charges": func(v url.Values) { v.Set("additionalCharges", "1.00") },
		"a field more": func(v url.Values) { v.Set("udf1", "x") }, "one digit": func(v url.Values) { v.Set("hash", "9"+v.Get("hash")[1:]) },
	} {
		forged := url.Values{}
		for field := range published {
			forged.Set(field, published.Get(field))
		}
		change(forged)
		for _, path := range []string{"/payments/callback", "/payments/webhook/payu"} {
			got := app.client(t).do(t, http.MethodPost, path, forged)
			require.Equal(t, 400, got.Status, "%s %s", name, path)
			require.Equal(t, "bad_signature", got.Body["code"], "%s %s", name, path)
		}
	}
	back := app.client(t).do(t, http.MethodPost, "/payments/callback", published)
	require.Equal(t, 303, back.Status, "%s", back.Raw)
	require.Contains(t, back.Header.Get("Location"), "/checkout/result/success?transaction_id="+published.Get("txnid"))
	require.Equal(t, 200, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", published).Status)
	var signed int
	require.NoError(t, app.db.Owner.Get(&signed, `SELECT count(*) FROM payment_events WHERE signed`))
	require.Positive(t, signed)
}

// Given the contract's session examples, then their hashes match their fields under the published account.
func TestContract_ExampleHashes_MatchTheirFields(t *testing.T) {
	t.Parallel()
	_, all := operations(t)
	seen := 0
	for _, op := range all {
		if !strings.HasSuffix(op.path, "/payments/request") {
			continue
		}
		seen++
		example := op.Responses.Value("200").Value.Content["application/json"].Example.(map[string]any)
		form := example["data"].(map[string]any)["gateway_details"].(map[string]any)
		fields := []string{}
		for _, name := range []string{"key", "txnid", "amount", "productinfo", "firstname", "email"} {
			fields = append(fields, form[name].(string))
		}
		sum := sha512.Sum512([]byte(strings.Join(fields, "|") + "|||||||||||" + publishedSalt))
		require.Equal(t, publishedKey, form["key"], op.path)
		require.Equal(t, hex.EncodeToString(sum[:]), form["hash"], op.path)
	}
	require.Equal(t, 3, seen)
}
