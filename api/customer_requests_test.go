package main

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/webhook"
)

func TestRequests_FileOfACustomer_OnlyTheyAndStaffRead(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.client(t)
	c.signUpForTrial(t, asha)
	bill := []byte("%PDF-1.7 the bill")
	sent := c.post(t, "/request-files?name=bill.pdf", bill)
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	file := sent.Data(t, "id").(string)
	started := c.do(t, http.MethodPost, "/requests", map[string]any{"topic": "billing", "message": "Why two debits?", "files": []string{file}}, "Idempotency-Key", "request-0001")
	require.Equal(t, 200, started.Status, "%s", started.Raw)
	contact := app.text(t, `SELECT id::text FROM contact_requests`)
	require.Equal(t, bill, c.get(t, "/requests/"+contact+"/files/"+file).Raw)
	other := app.client(t)
	other.signUpForTrial(t, ravi)
	require.Equal(t, 404, other.get(t, "/requests/"+contact+"/files/"+file).Status)
	desk := app.signedInAs(t, "desk@example.in", staff.RoleSupport)
	require.Equal(t, bill, desk.call(t, http.MethodGet, "/contacts/"+contact+"/files/"+file, nil).Raw)
	answer := []byte("%PDF-1.7 the answer")
	sent = desk.call(t, http.MethodPost, "/contact-files?name=answer.pdf", answer)
	require.Equal(t, 200, sent.Status, "%s", sent.Raw)
	reply := sent.Data(t, "id").(string)
	entry := desk.request(t, http.MethodPost, "/contacts/"+contact+"/entries", map[string]any{"kind": "reply", "text": "See the file.", "then": "answered", "seen": 1, "files": []string{reply}})
	entry.Header.Set("Idempotency-Key", "reply-00001")
	written := desk.send(t, entry)
	require.Equal(t, 200, written.Status, "%s", written.Raw)
	require.Equal(t, answer, c.get(t, "/requests/"+contact+"/files/"+reply).Raw)
	require.Equal(t, 404, other.get(t, "/requests/"+contact+"/files/"+reply).Status)
}

func TestEmailInbound_OnlyASignedEMail_IsTakenOnce(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	const secret = "0123456789abcdef0123456789abcdef"
	app.config.Email.InboundSecret = secret
	app.start(t)
	c := app.client(t)
	mail := "From: asha@example.in\r\nTo: billing@franchise360.example\r\nMessage-ID: <1@example.in>\r\nSubject: Bill\r\n\r\nWhy two debits?\r\n"
	body := `{"message":"` + base64.StdEncoding.EncodeToString([]byte(mail)) + `","sender_authenticated":true}`
	now := app.clock.Now()
	post := func(signature string) int {
		t.Helper()
		return c.do(t, http.MethodPost, "/email/inbound", body, "webhook-id", "m1", "webhook-timestamp", strconv.FormatInt(now.Unix(), 10), "webhook-signature", signature).Status
	}
	require.Equal(t, 403, post("v1,AAAA"))
	require.Equal(t, "0", app.text(t, `SELECT count(*)::text FROM contact_inbound`))
	for range 2 {
		require.Equal(t, 200, post(webhook.Sign([][]byte{[]byte(secret)}, "m1", now, []byte(body))))
	}
	require.Equal(t, "1", app.text(t, `SELECT count(*)::text FROM contact_inbound`))
}
