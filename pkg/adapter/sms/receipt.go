package sms

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // Twilio signs with HMAC-SHA1
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

// TwilioReceipts reads Twilio's status callbacks, which it signs with the account's token.
type TwilioReceipts struct {
	token  string
	public *url.URL
}

// signatureHeader is X-Twilio-Signature, as message.Incoming names it.
const signatureHeader = "x-twilio-signature"

// ReadReceipts accepts the final statuses: delivered, undelivered, failed and canceled.
func (t TwilioReceipts) ReadReceipts(p message.Incoming) ([]message.Receipt, error) {
	address := t.public.Scheme + "://" + t.public.Host + p.URI
	if !hmac.Equal([]byte(twilioSignature(t.token, address, p.Form)), []byte(p.Headers[signatureHeader])) {
		return nil, errs.Forbidden()
	}
	uri, err := url.Parse(p.URI)
	if err != nil {
		return nil, errs.Malformed("The address cannot be read.")
	}
	form := url.Values(p.Form)
	r := message.Receipt{Ref: reference(form.Get("MessageSid")), Code: digits(form.Get("ErrorCode"))}
	if message := uri.Query().Get("message"); id.Valid(message) {
		r.MessageID = message
	}
	switch form.Get("MessageStatus") {
	case "delivered":
		r.Delivered = true
	case "undelivered", "failed", "canceled":
	default:
		return nil, nil // on its way
	}
	return []message.Receipt{r}, nil
}

// twilioSignature returns base64(HMAC-SHA1(token, address and every field's name and value, sorted by name)). A repeated
// field counts once for each different value, sorted
// (https://www.twilio.com/docs/usage/webhooks/webhooks-security).
func twilioSignature(token, address string, form map[string][]string) string {
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write([]byte(address))
	for _, name := range names {
		values := slices.Clone(form[name])
		slices.Sort(values)
		for _, value := range slices.Compact(values) {
			mac.Write([]byte(name + value))
		}
	}
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// MSG91Receipts reads MSG91's delivery reports, which are not signed: instead, the URL that the operator enters at MSG91 contains a
// key, ?key=….
type MSG91Receipts struct{ key string }

type msg91Report struct {
	RequestID string        `json:"requestId"`
	Status    msg91Status   `json:"status"`
	Reports   []msg91Report `json:"report"`
}

// msg91Status is a number, bare or quoted, or its meaning in words.
type msg91Status string

// UnmarshalJSON accepts 1, "1" and "Delivered".
func (s *msg91Status) UnmarshalJSON(raw []byte) error {
	*s = msg91Status(strings.ToLower(strings.Trim(string(raw), `"`)))
	return nil
}

// ReadReceipts accepts the three formats of MSG91's help: a form with a JSON list in its field data (version 2), one report as
// JSON (version 3), and the JSON that the operator composes from requestId and status ("Webhook (New)").
func (m MSG91Receipts) ReadReceipts(p message.Incoming) ([]message.Receipt, error) {
	uri, err := url.Parse(p.URI)
	if err != nil || subtle.ConstantTimeCompare([]byte(uri.Query().Get("key")), []byte(m.key)) != 1 {
		return nil, errs.Forbidden()
	}
	body := p.Body
	if data := url.Values(p.Form).Get("data"); data != "" {
		body = []byte(data)
	}
	var list []msg91Report
	if json.Unmarshal(body, &list) != nil {
		var one msg91Report
		if json.Unmarshal(body, &one) != nil {
			return nil, errs.Malformed("The report could not be read.")
		}
		list = []msg91Report{one}
	}
	var receipts []message.Receipt
	for _, request := range list {
		for _, report := range append(request.Reports, request) {
			if r, final := report.receipt(request.RequestID); final {
				receipts = append(receipts, r)
			}
		}
	}
	return receipts, nil
}

// receipt interprets a status; the numbers are from MSG91's help: 1 delivered, 2 failed, 9 and 17 blocked by the recipient,
// 16 and 25 rejected. Anything else is not final.
func (r msg91Report) receipt(requestID string) (message.Receipt, bool) {
	out := message.Receipt{Ref: reference(requestID), Code: digits(string(r.Status))}
	if out.Ref == "" {
		return out, false
	}
	switch r.Status {
	case "1", "delivered":
		out.Delivered, out.Code = true, ""
	case "2", "9", "16", "17", "25", "failed", "rejected", "blocked", "ndnc":
	default:
		return out, false
	}
	return out, true
}
