package whatsapp

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

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
	// maxReply is above the 4,096 characters that WhatsApp takes, in bytes; the rest is cut off.
	maxReply = 16 << 10
	// maxProfile is how much of a sender's name is read, in bytes.
	maxProfile = 200
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
	// Contacts are the senders' names, which may be anything.
	Contacts json.RawMessage `json:"contacts"`
}

type sender struct {
	ID      string `json:"wa_id"`
	Profile struct {
		Name string `json:"name"`
	} `json:"profile"`
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
	From string      `json:"from"`
	ID   string      `json:"id"`
	Type string      `json:"type"`
	At   json.Number `json:"timestamp"`
	Text struct {
		Body string `json:"body"`
	} `json:"text"`
	Button struct {
		Text string `json:"text"`
	} `json:"button"`
	Image    caption `json:"image"`
	Video    caption `json:"video"`
	Document caption `json:"document"`
}

type caption struct {
	Text string `json:"caption"`
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
	var senders []sender
	_ = json.Unmarshal(v.Contacts, &senders) // a message without a name is a message all the same
	for _, m := range v.Messages {
		if r, ok := m.reply(); ok {
			for _, c := range senders {
				if c.ID == m.From && len(c.Profile.Name) <= maxProfile {
					r.Name = c.Profile.Name
				}
			}
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

// reply returns a text, the label of a button, or the caption of a file, sent from India. Reactions and notes of the platform are none.
func (m reply) reply() (message.WhatsAppReply, bool) {
	text, media := m.Text.Body, ""
	switch m.Type {
	case "button":
		text = m.Button.Text
	case "image", "sticker":
		text, media = m.Image.Text, "image"
	case "video":
		text, media = m.Video.Text, "video"
	case "document":
		text, media = m.Document.Text, "file"
	case "audio", "location", "contacts":
		text, media = "", m.Type
	case "text":
	default:
		return message.WhatsAppReply{}, false
	}
	mobile, indian := strings.CutPrefix(m.From, "91")
	ok := indian && len(mobile) == 10 && digits(mobile) != "" && (text != "" || media != "") && m.ID != "" && len(m.ID) <= 2*maxRef
	r := message.WhatsAppReply{Mobile: mobile, Text: strings.ToValidUTF8(text[:min(len(text), maxReply)], ""), Ref: m.ID, Media: media}
	if seconds, err := strconv.ParseInt(digits(m.At.String()), 10, 64); err == nil {
		r.At = time.Unix(seconds, 0).UTC()
	}
	return r, ok
}

// digits returns a code of up to ten digits, and nothing for any other text.
func digits(text string) string {
	if len(text) > 10 || strings.ContainsFunc(text, func(c rune) bool { return c < '0' || c > '9' }) {
		return ""
	}
	return text
}
