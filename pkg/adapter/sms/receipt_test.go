package sms_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// readers returns the receipt readers of the site at the given URL.
func readers(t *testing.T, site, token, key string) map[string]message.ReceiptReader {
	t.Helper()
	u, err := url.Parse(site)
	require.NoError(t, err)
	return sms.Readers(config.SMS{TwilioToken: token, MSG91ReceiptKey: key}, u)
}

// The example of Twilio's security guide, with the signatures that twilio-node, twilio-python and its other libraries test
// against: token 12345, https://mycompany.com/myapp.php?foo=1&bar=2.
func TestTwilioSignature_PublishedExample_IsAccepted(t *testing.T) {
	t.Parallel()
	twilio := readers(t, "https://mycompany.com", "12345", "")["twilio"]
	call := url.Values{
		"CallSid": {"CA1234567890ABCDE"}, "Caller": {"+14158675309"}, "Digits": {"1234"}, "From": {"+14158675309"}, "To": {"+18005551212"},
	}
	several := url.Values{"Sid": {"CA123"}, "SidAccount": {"AC123"}, "Digits": {"5678", "1234", "1234"}}
	for _, tc := range []struct {
		form      url.Values
		signature string
	}{
		{call, "RSOYDt4T1cUTdK1PDd93/VVr8B8="},
		{several, "IK+Dwps556ElfBT0I3Rgjkr1wJU="},
		{url.Values{"MessagingBinding.Address": {"+1415xxxxxxx", "+1325xxxxxxx"}}, "83O6e2vORAoJHUNzJjDWN1jz+BA="},
	} {
		posted := message.Incoming{URI: "/myapp.php?foo=1&bar=2", Headers: signed(tc.signature), Form: tc.form}
		list, err := twilio.ReadReceipts(posted)
		require.NoError(t, err)
		require.Empty(t, list, "it is no status of a message")

		for name, forged := range map[string]message.Incoming{
			"no signature":      {URI: posted.URI, Form: tc.form},
			"another signature": {URI: posted.URI, Form: tc.form, Headers: signed("0/KCTR6DLpKmkAf8muzZqo1nDgQ=")},
			"another address":   {URI: "/myapp.php?foo=1&bar=3", Form: tc.form, Headers: signed(tc.signature)},
			"another form":      {URI: posted.URI, Form: url.Values{"To": {"+18005551212"}}, Headers: signed(tc.signature)},
		} {
			_, err := twilio.ReadReceipts(forged)
			require.Equal(t, errs.KindForbidden, errs.KindOf(err), name)
		}
	}
}

// signed returns the headers of a call with the signature.
func signed(signature string) map[string]string {
	return map[string]string{"x-twilio-signature": signature}
}

// The samples of MSG91's help, "How to use Webhook to get the delivery report on the desired URL?" and "How to receive SMS
// delivery reports via Webhook (New)".
func TestMSG91Reports_EachForm_IsRead(t *testing.T) {
	t.Parallel()
	const key = "a-key-of-twenty-four-chars"
	msg91 := readers(t, "https://franchise360.example", "", key)["msg91"]
	const version2 = `[{"senderId":"FRNCHS","requestId":"346130","report":[{"date":"2024-05-22 10:06:20","amount":"0.01","clientid":"",` +
		`"INMSID":"0","CRQID":"0","ctCode":"900","number":"919500006558","credit":"1","status":"1","desc":"DELIVERED","failedReason":""}],` +
		`"userId":"27","campaignName":"Sendhttp"}]`
	const version3 = `{"date":"2024-05-22 09:58:16","number":"919500006558","senderId":"FRNCHS","amount":"0.01","requestId":"346130",` +
		`"INMSID":"0","CRQID":"0","credit":"1","userId":"27","campaignName":"Sendhttp","status":"16","desc":"REJECTED"}`
	for name, tc := range map[string]struct {
		posted message.Incoming
		want   []message.Receipt
	}{
		"version 2":             {message.Incoming{Form: url.Values{"data": {version2}}}, []message.Receipt{{Ref: "346130", Delivered: true}}},
		"version 3":             {message.Incoming{Body: []byte(version3)}, []message.Receipt{{Ref: "346130", Code: "16"}}},
		"composed by hand":      {message.Incoming{Body: []byte(`{"requestId":"346130","status":"Delivered"}`)}, []message.Receipt{{Ref: "346130", Delivered: true}}},
		"on its way":            {message.Incoming{Body: []byte(`{"requestId":"346130","status":"8"}`)}, nil},
		"without a request":     {message.Incoming{Body: []byte(`{"status":"1"}`)}, nil},
		"a status as a number":  {message.Incoming{Body: []byte(`{"requestId":"346130","status":2}`)}, []message.Receipt{{Ref: "346130", Code: "2"}}},
		"a status of any shape": {message.Incoming{Body: []byte(`{"requestId":"346130","status":{"a":1}}`)}, nil},
	} {
		tc.posted.URI = "/api/franchise/sms/receipts/msg91?key=" + key
		list, err := msg91.ReadReceipts(tc.posted)
		require.NoError(t, err, name)
		require.Equal(t, tc.want, list, name)
	}
	for _, body := range []string{"", "<html>", `"x"`, `[1]`} {
		_, err := msg91.ReadReceipts(message.Incoming{URI: "/x?key=" + key, Body: []byte(body)})
		require.Equal(t, errs.KindMalformed, errs.KindOf(err), body)
	}
	for _, uri := range []string{"/x", "/x?key=", "/x?key=wrong", "/x?key=" + key + "x", "/x?Key=" + key} {
		_, err := msg91.ReadReceipts(message.Incoming{URI: uri, Body: []byte(version3)})
		require.Equal(t, errs.KindForbidden, errs.KindOf(err), uri)
	}
}

func TestReceipts_ProviderNotConfigured_AreRefused(t *testing.T) {
	t.Parallel()
	require.Empty(t, readers(t, "https://franchise360.example", "", ""))
}

// The numbers are those of MSG91's help: 1 delivered, 2 failed, 9 and 17 blocked by the recipient, 16 and 25 rejected. All others, such as 5
// and 8, are on their way.
func TestMSG91Status_EachOne_HasItsMeaning(t *testing.T) {
	t.Parallel()
	msg91 := readers(t, "https://franchise360.example", "", "key")["msg91"]
	for status, want := range map[string]*message.Receipt{
		`"1"`: {Delivered: true}, `1`: {Delivered: true}, `"DELIVERED"`: {Delivered: true}, `"2"`: {Code: "2"}, `9`: {Code: "9"}, `"16"`: {Code: "16"}, `17`: {Code: "17"},
		`"25"`: {Code: "25"}, `"Failed"`: {}, `"REJECTED"`: {}, `"blocked"`: {}, `"NDNC"`: {}, `"5"`: nil, `8`: nil, `"26"`: nil, `"sent"`: nil, `""`: nil, `null`: nil, `true`: nil,
	} {
		list, err := msg91.ReadReceipts(message.Incoming{URI: "/x?key=key", Body: []byte(`{"requestId":"346130","status":` + status + `}`)})
		require.NoError(t, err, status)
		if want == nil {
			require.Empty(t, list, status)
			continue
		}
		want.Ref = "346130"
		require.Equal(t, []message.Receipt{*want}, list, status)
	}
	long := strings.Repeat("7", 101)
	list, err := msg91.ReadReceipts(message.Incoming{URI: "/x?key=key", Body: []byte(`[
		{"requestId":"1","report":[{"status":"1"},{"status":"2"},{"status":"8"}]},{"requestId":"` + long + `","status":"1"},{"requestId":"2","status":"9","report":[]}]`)})
	require.NoError(t, err)
	require.Equal(t, []message.Receipt{{Ref: "1", Delivered: true}, {Ref: "1", Code: "2"}, {Ref: "2", Code: "9"}}, list, "each recipient's, and none of a longer number than is kept")
}

// Twilio signs the address and the fields. Only the final statuses say something, and our id counts where it is one.
func TestTwilioStatus_EachOne_HasItsMeaning(t *testing.T) {
	t.Parallel()
	twilio := readers(t, "https://franchise360.example", "12345", "")["twilio"]
	read := func(uri string, form url.Values) ([]message.Receipt, error) {
		names := make([]string, 0, len(form))
		for name := range form {
			names = append(names, name)
		}
		slices.Sort(names)
		mac := hmac.New(sha1.New, []byte("12345"))
		_, _ = mac.Write([]byte("https://franchise360.example" + uri))
		for _, name := range names {
			_, _ = mac.Write([]byte(name + form.Get(name)))
		}
		return twilio.ReadReceipts(message.Incoming{URI: uri, Headers: signed(base64.StdEncoding.EncodeToString(mac.Sum(nil))), Form: form})
	}
	const uri, ours = "/api/franchise/sms/receipts/twilio?message=", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"
	for status, want := range map[string]*message.Receipt{
		"delivered": {Delivered: true}, "undelivered": {Code: "30003"}, "failed": {Code: "30003"}, "canceled": {Code: "30003"},
		"queued": nil, "sent": nil, "sending": nil, "accepted": nil, "Delivered": nil, "": nil,
	} {
		form := url.Values{"MessageSid": {"SM1"}, "MessageStatus": {status}}
		if want != nil && !want.Delivered {
			form.Set("ErrorCode", "30003")
		}
		list, err := read(uri+ours, form)
		require.NoError(t, err, status)
		if want == nil {
			require.Empty(t, list, status)
			continue
		}
		want.Ref, want.MessageID = "SM1", ours
		require.Equal(t, []message.Receipt{*want}, list, status)
	}
	for message, want := range map[string]string{"": "", "7": "", "'; DROP": "", ours: ours} {
		list, err := read(uri+url.QueryEscape(message), url.Values{"MessageSid": {strings.Repeat("S", 101)}, "MessageStatus": {"failed"}, "ErrorCode": {"+919876543210 is off"}})
		require.NoError(t, err)
		require.Equal(t, []string{"", want, ""}, []string{list[0].Ref, list[0].MessageID, list[0].Code}, "nothing but ids and codes is kept")
	}
}
