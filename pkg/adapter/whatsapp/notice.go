package whatsapp

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

const (
	// signatureHeader is X-Hub-Signature-256, as message.Incoming names it.
	signatureHeader = "x-hub-signature-256"
	signaturePrefix = "sha256="
	// account is the kind of object that a notice of ours is about, messages the field of it that tells of messages.
	account  = "whatsapp_business_account"
	messages = "messages"
	// maxReply is far above any word that ends messages, in bytes; a longer reply is nothing of the kind.
	maxReply = 200
)

// Reader reads what Meta posts (https://developers.facebook.com/docs/graph-api/webhooks/getting-started,
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages).
type Reader struct{ secret, token, numberID string }

// NewReader returns a reader of notices about the configured number.
func NewReader(c config.WhatsApp) Reader {
	return Reader{secret: c.AppSecret, token: c.VerifyToken, numberID: c.PhoneNumberID}
}

// Verifies reports whether the token was entered at Meta.
func (r Reader) Verifies(token string) bool {
	return r.token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(r.token)) == 1
}

type notice struct {
	Object string `json:"object"`
	Entry  []struct {
		Changes []struct {
			Field string          `json:"field"`
			Value json.RawMessage `json:"value"`
		} `json:"changes"`
	} `json:"entry"`
}

type value struct {
	Metadata struct {
		NumberID string `json:"phone_number_id"`
	} `json:"metadata"`
	Statuses []status `json:"statuses"`
	Messages []reply  `json:"messages"`
}

type status struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	OurID  string `json:"biz_opaque_callback_data"`
	Errors []struct {
		Code json.Number `json:"code"`
	} `json:"errors"`
}

type reply struct {
	From string `json:"from"`
	ID   string `json:"id"`
	Type string `json:"type"`
	Text struct {
		Body string `json:"body"`
	} `json:"text"`
	Button struct {
		Text string `json:"text"`
	} `json:"button"`
}

// Read checks the signature over the raw body before parsing it. Changes about another number, or about another field than messages, are
// ignored.
func (r Reader) Read(p message.Incoming) (message.WhatsAppNotice, error) {
	var out message.WhatsAppNotice
	if !r.signed(p) {
		return out, errs.Forbidden()
	}
	var n notice
	if json.Unmarshal(p.Body, &n) != nil {
		return out, errs.Malformed("The notice could not be read.")
	}
	if n.Object != account {
		return out, nil
	}
	for _, entry := range n.Entry {
		for _, change := range entry.Changes {
			if change.Field != messages {
				continue
			}
			var v value
			if json.Unmarshal(change.Value, &v) != nil {
				return out, errs.Malformed("The notice could not be read.")
			}
			if v.Metadata.NumberID == r.numberID {
				v.addTo(&out)
			}
		}
	}
	return out, nil
}

func (r Reader) signed(p message.Incoming) bool {
	given, prefixed := strings.CutPrefix(p.Headers[signatureHeader], signaturePrefix)
	sum, err := hex.DecodeString(given)
	if !prefixed || err != nil || r.secret == "" {
		return false
	}
	mac := hmac.New(sha256.New, []byte(r.secret))
	mac.Write(p.Body)
	return hmac.Equal(sum, mac.Sum(nil))
}

func (v value) addTo(out *message.WhatsAppNotice) {
	for _, s := range v.Statuses {
		if receipt, ok := s.receipt(); ok {
			out.Receipts = append(out.Receipts, receipt)
		}
	}
	for _, m := range v.Messages {
		if r, ok := m.reply(); ok {
			out.Replies = append(out.Replies, r)
		}
	}
}

// receipt returns the receipt of a status; other words than these five, such as deleted, are ignored. Played means that a voice message was
// read.
func (s status) receipt() (message.Receipt, bool) {
	r := message.Receipt{Ref: reference(s.ID)}
	if id.Valid(s.OurID) {
		r.MessageID = s.OurID
	}
	switch s.Status {
	case "sent":
		r.Sent = true
	case "delivered":
		r.Delivered = true
	case "read", "played":
		r.Read = true
	case "failed":
		if len(s.Errors) > 0 {
			r.Code = digits(s.Errors[0].Code.String())
		}
	default:
		return r, false
	}
	return r, r.Ref != "" || r.MessageID != ""
}

// reply returns a text, or the label of a button, sent from India.
func (m reply) reply() (message.WhatsAppReply, bool) {
	text := m.Text.Body
	if m.Type == "button" {
		text = m.Button.Text
	}
	mobile, indian := strings.CutPrefix(m.From, "91")
	ok := indian && len(mobile) == 10 && digits(mobile) != "" && text != "" && len(text) <= maxReply && m.ID != "" && len(m.ID) <= 2*maxRef
	return message.WhatsAppReply{Mobile: mobile, Text: text, Ref: m.ID}, ok
}

// digits returns a code of up to ten digits, and nothing for any other text.
func digits(text string) string {
	if len(text) > 10 || strings.ContainsFunc(text, func(c rune) bool { return c < '0' || c > '9' }) {
		return ""
	}
	return text
}
