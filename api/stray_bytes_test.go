package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPayuReturn_StrayBytesInUnsignedFields_AreLeftOut(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500083")
	tier := app.catalogue(t).Plans[0].Tiers[0]
	session := c.post(t, "/subscription/payments/request", choice(tier, "yearly"))
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	for name, fields := range map[string][2]string{
		"a dash of Windows-1252": {"bankmsg", "Declined \x96 call bank"}, "a soft hyphen": {"note", "a\u00adb"}, "NUL": {"field9", "a\x00b"},
	} {
		notice := app.returned(form, "success")
		notice.Set(fields[0], fields[1])
		notice.Add("field0", "a")
		notice.Add("field0", "b")
		back := app.client(t).do(t, http.MethodPost, "/payments/callback", notice, "Accept", browser)
		require.Equal(t, http.StatusSeeOther, back.Status, "%s: %s", name, back.Raw)
		require.Equal(t, http.StatusOK, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", notice).Status, name)
	}
	for name, change := range map[string][2]string{"in a signed field": {"firstname", "Asha\x96"}, "a signed field twice": {"amount", "1.00"}} {
		notice := app.returned(form, "success")
		if name == "a signed field twice" {
			notice.Add(change[0], change[1])
		} else {
			notice.Set(change[0], change[1])
		}
		require.Equal(t, http.StatusBadRequest, app.client(t).do(t, http.MethodPost, "/payments/webhook/payu", notice).Status, name)
	}
}
