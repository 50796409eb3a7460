package main

import (
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/smtp"
	messages "github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func serve(t *testing.T, box *inbox) string {
	t.Helper()
	server := httptest.NewServer(box.routes())
	t.Cleanup(server.Close)
	return server.URL
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	return listener.Addr().String()
}

func TestInbox_EMail_IsShownWithoutRunningItsScripts(t *testing.T) {
	t.Parallel()
	box, err := newInbox(t.Context().Done())
	require.NoError(t, err)
	address := freeAddress(t)
	require.NoError(t, box.serveSMTP(t.Context(), address, slog.New(slog.DiscardHandler)))
	sender, err := smtp.New(config.Email{SMTPURL: "smtp://" + address, From: "billing@franchise360.example"}, true, testkit.NewClock())
	require.NoError(t, err)
	m := messages.Site{Host: "franchise360.example", URL: "https://franchise360.example"}.Compose(messages.Message{
		ID: id.New(), Email: "asha@example.in", Template: messages.TemplatePaymentEmail,
		Values: []string{"<script>alert(1)</script>", "₹1,500", "2 Nov 2026", "FP1"},
	})
	m.HTML += "<script>alert(2)</script>"
	m.Attachments = []messages.Attachment{{Name: "a.pdf", ContentType: "application/pdf", Body: []byte("%PDF")}}
	_, err = sender.Send(t.Context(), m, time.Hour)
	require.NoError(t, err)
	refused := m
	refused.Email = "refused@example.in"
	_, err = sender.Send(t.Context(), refused, time.Hour)
	require.ErrorContains(t, err, "550")

	server := serve(t, box)
	_, list, err := ask(t.Context(), t, http.MethodGet, server+"/emails?to=ASHA@example.in", "")
	require.NoError(t, err)
	var got []email
	require.NoError(t, json.Unmarshal([]byte(list), &got))
	require.Len(t, got, 1)
	require.Equal(t, "We received your payment of ₹1,500", got[0].Subject)
	require.Contains(t, got[0].Text, "<script>alert(1)</script>")
	require.Equal(t, "a.pdf", got[0].Files[0].Name)

	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/emails/"+strconv.Itoa(got[0].ID), http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	policy := response.Header.Get("Content-Security-Policy")
	require.Contains(t, policy, "sandbox")
	require.Contains(t, policy, "default-src 'none'")
	require.NotContains(t, policy, "allow-scripts")
	_, page, err := ask(t.Context(), t, http.MethodGet, server+"/", "")
	require.NoError(t, err)
	require.Contains(t, page, `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"`)
	require.NotContains(t, page, "alert(")
	_, body, err := ask(t.Context(), t, http.MethodGet, server+"/emails/"+strconv.Itoa(got[0].ID)+"/0", "")
	require.NoError(t, err)
	require.Equal(t, "%PDF", body)
	for _, path := range []string{"/emails/99", "/emails/x", "/emails/1/7", "/emails/1/-1"} {
		status, _, err := ask(t.Context(), t, http.MethodGet, server+path, "")
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, status, path)
	}
}

func TestInbox_SMTP_OnlyOnThisMachine(t *testing.T) {
	t.Parallel()
	box, err := newInbox(t.Context().Done())
	require.NoError(t, err)
	for _, address := range []string{"0.0.0.0:0", ":2525", "192.0.2.1:25", "example.in:25", ""} {
		require.ErrorContains(t, box.serveSMTP(t.Context(), address, slog.New(slog.DiscardHandler)), "SMTP_ADDR", address)
	}
}
