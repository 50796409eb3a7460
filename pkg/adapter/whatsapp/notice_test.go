package whatsapp_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/whatsapp"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

func signed(secret string, body []byte) message.Incoming {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return message.Incoming{Headers: map[string]string{"x-hub-signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil))}, Body: body}
}

func TestRead_PublishedWebhook(t *testing.T) {
	t.Parallel()
	reader := whatsapp.NewReader(settings(""))
	read := func(body string) message.WhatsAppNotice {
		t.Helper()
		n, err := reader.Read(signed("a-secret", []byte(body)))
		require.NoError(t, err)
		return n
	}
	const ref = "wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI3MTE5MjVBOTE3MDk5QUVFM0YA"
	status := string(sample(t, "status.json"))
	require.Equal(t, []message.Receipt{{Ref: ref, Sent: true}}, read(status).Receipts)
	require.Equal(t, []message.Receipt{{Ref: ref, Delivered: true}}, read(strings.Replace(status, `"sent"`, `"delivered"`, 1)).Receipts)
	require.Equal(t, []message.Receipt{{Ref: ref, Read: true}}, read(strings.Replace(status, `"sent"`, `"read"`, 1)).Receipts)
	require.Empty(t, read(strings.Replace(status, `"sent"`, `"deleted"`, 1)).Receipts)
	require.Equal(t, []message.Receipt{{Ref: ref, Code: "131049"}}, read(string(sample(t, "failed.json"))).Receipts)
	ours := id.New()
	withOurs := strings.Replace(status, `"status":`, `"biz_opaque_callback_data": "`+ours+`", "status":`, 1)
	require.Equal(t, []message.Receipt{{Ref: ref, MessageID: ours, Sent: true}}, read(withOurs).Receipts)
	require.Equal(t, []message.Receipt{{Ref: ref, Sent: true}}, read(strings.Replace(withOurs, ours, "'; DROP", 1)).Receipts)

	text := string(sample(t, "text.json"))
	require.Empty(t, read(text).Replies, "not a number in India")
	indian := strings.Replace(text, `"from": "16505551234"`, `"from": "919876543210"`, 1)
	got := read(indian).Replies
	require.Len(t, got, 1)
	require.False(t, got[0].At.IsZero())
	got[0].At = time.Time{}
	require.Equal(t, []message.WhatsAppReply{{
		Mobile: "9876543210", Text: "Does it come in another color?", Ref: "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
	}}, got)
	button := strings.NewReplacer(`"type": "text"`, `"type": "button"`, `"text": {"body": "Does it come in another color?"}`,
		`"button": {"payload": "x", "text": "Stop"}`).Replace(indian)
	require.Equal(t, "Stop", read(button).Replies[0].Text)

	for what, other := range map[string]string{
		"another number": strings.Replace(status, "106540352242922", "1", 1), "another field": strings.Replace(status, `"messages"`, `"account_update"`, 1),
		"another object": strings.Replace(status, "whatsapp_business_account", "page", 1), "nothing": `{}`,
	} {
		require.Equal(t, message.WhatsAppNotice{}, read(other), what)
	}
	for _, broken := range []string{``, `null x`, `[]`, `{"object":1}`, `{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"messages","value":7}]}]}`} {
		_, err := reader.Read(signed("a-secret", []byte(broken)))
		require.Equal(t, errs.KindMalformed, errs.KindOf(err), broken)
	}
}

func TestRead_WrongSignature_IsRefused(t *testing.T) {
	t.Parallel()
	body := sample(t, "status.json")
	reader := whatsapp.NewReader(settings(""))
	good := signed("a-secret", body)
	refused := func(p message.Incoming, why string) {
		t.Helper()
		n, err := reader.Read(p)
		require.Equal(t, errs.KindForbidden, errs.KindOf(err), why)
		require.Empty(t, n, why)
	}
	refused(message.Incoming{Body: body}, "no signature")
	refused(signed("another", body), "another secret")
	refused(message.Incoming{Headers: good.Headers, Body: append(body, ' ')}, "another body")
	for _, header := range []string{"", "sha256=", "sha256=zz", good.Headers["x-hub-signature-256"][7:], "sha1=" + good.Headers["x-hub-signature-256"][7:], good.Headers["x-hub-signature-256"] + "00"} {
		refused(message.Incoming{Headers: map[string]string{"x-hub-signature-256": header}, Body: body}, header)
	}
	off := settings("")
	off.AppSecret = ""
	_, err := whatsapp.NewReader(off).Read(signed("", body))
	require.Equal(t, errs.KindForbidden, errs.KindOf(err), "an empty secret signs nothing")
	require.True(t, reader.Verifies("meatyhamhock"))
	require.False(t, reader.Verifies("meatyhamhoc"))
	off.VerifyToken = ""
	require.False(t, whatsapp.NewReader(off).Verifies(""))
}
