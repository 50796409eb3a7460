package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStoreCalls_HostileBodies_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	tenantID := c.openStore(t, asha, "Asha Sweets")
	calls := map[string]string{
		"/profile/address": http.MethodPost, "/profile/search-address": http.MethodPost, "/profile/coordinates": http.MethodPost,
		"/tenant/create": http.MethodPost, "/profile/store/update": http.MethodPost, "/newsletter": http.MethodPost,
		"/newsletter/unsubscribe": http.MethodPost, "/contact": http.MethodPost,
		"/subscription/password/update/" + tenantID: http.MethodPut, "/subscription/custom-domain/" + tenantID: http.MethodPut,
	}
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for name, body := range map[string]string{
		"empty": "", "null": "null", "a list": "[]", "broken": `{"address":`, "two values": `{}{}`, "deep": `{"address":` + deep + `}`,
		"doubled": `{"address":"a","address":"b"}`, "unknown": `{"amount":1}`, "tenant": `{"tenant_id":"x"}`, "number": `{"address":1,"store_name":1,"password":1,"email":1,"custom_domain":1,"placeId":1}`,
		"NUL": `{"address":"a\u0000"}`, "lone surrogate": `{"address":"\ud800"}`, "1 MB": `{"address":"` + strings.Repeat("x", 1<<20) + `"}`,
		"10 MB": `{"address":"` + strings.Repeat("x", 10<<20) + `"}`, "infinity": `{"latitude":1e999}`, "turned": `{"address":"\u202eevil"}`,
	} {
		for path, method := range calls {
			a := c.do(t, method, path, body)
			require.Contains(t, []int{400, 413, 422, 429}, a.Status, "%s to %s: %s", name, path, a.Raw)
		}
	}
	for _, text := range []string{"%_\\", "'; DROP TABLE cities; --", "<script>alert(1)</script>", strings.Repeat("क", 200)} {
		a := c.post(t, "/profile/search-address", map[string]any{"address": text})
		require.Contains(t, []int{200, 422, 429}, a.Status, "%s: %s", text, a.Raw)
	}
	for _, header := range [][]string{{"X-Tenant-ID", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"}, {"Content-Type", "text/plain"}} {
		a := c.do(t, http.MethodGet, "/subscription/custom-domain/"+tenantID+"?tenant_id=019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", nil, header...)
		require.Equal(t, 200, a.Status)
		require.Equal(t, tenantID, a.Data(t, "id"), "only the session says whose it is")
	}
}
