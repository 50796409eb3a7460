package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// browser is the Accept header that a browser sends when it submits a form.
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// Given a gateway that sends the browser back while the database is down, then a page says that the payment is safe; a
// program receives the envelope.
func TestPaymentReturn_DatabaseDown_ShowsAPage(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.config.Gateways.Accounts["payu"]["PAYU_KEY"], app.config.Gateways.Accounts["payu"]["PAYU_SALT"] = publishedKey, publishedSalt
	app.start(t)
	require.NoError(t, app.db.API.Close())
	c, form := app.client(t), publishedReturn(t)

	got := c.do(t, http.MethodPost, "/payments/callback", form, "Accept", browser)
	require.Equal(t, http.StatusServiceUnavailable, got.Status, "%s", got.Raw)
	require.Contains(t, got.Header.Get("Content-Type"), "text/html")
	require.Contains(t, string(got.Raw), "<h1>Your payment is safe</h1>")
	require.Contains(t, string(got.Raw), `href="/subscription_list"`)
	require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
	require.Contains(t, got.Header.Get("Content-Security-Policy"), "style-src 'sha256-", "only the page's own style")

	got = c.do(t, http.MethodPost, "/payments/callback", form)
	require.Equal(t, http.StatusServiceUnavailable, got.Status, "%s", got.Raw)
	require.Equal(t, "unavailable", got.Body["code"])
}

func TestPaymentReturn_Unreadable_LeadsToTheOrders(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	for what, try := range map[string]func() answer{
		"a forged form": func() answer {
			return app.client(t).do(t, http.MethodPost, "/payments/callback", publishedReturn(t), "Accept", browser)
		},
		"a browser inside an app": func() answer {
			return app.client(t).do(t, http.MethodPost, "/payments/callback", publishedReturn(t), "Accept", "*/*", "Sec-Fetch-Mode", "navigate")
		},
		"a link without a proof": func() answer {
			return app.client(t).do(t, http.MethodGet, "/payments/callback?transaction=FP26112100000001", nil, "Accept", browser)
		},
	} {
		got := try()
		require.Equal(t, http.StatusBadRequest, got.Status, what)
		require.Contains(t, string(got.Raw), "<h1>We could not read that</h1>", what)
		require.Contains(t, string(got.Raw), "Nothing was changed", what)
		require.NotContains(t, string(got.Raw), "http-equiv", "it stays until it was read")
	}
}
