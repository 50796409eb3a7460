package config

import (
	"regexp"
	"strings"
	"unicode"
)

// WhatsApp configures the messages by WhatsApp, which go through Meta's Cloud API. If all of it is empty, the product sends no message by
// WhatsApp; URL has a default.
type WhatsApp struct {
	// URL ends with the version of the Graph API.
	URL string
	// PhoneNumberID is Meta's id of the number that messages come from, Token the access token of a system user.
	PhoneNumberID, Token string
	// AppSecret signs Meta's webhooks; VerifyToken was entered at Meta with the webhook's address.
	AppSecret, VerifyToken string
}

// On reports whether the product sends messages by WhatsApp.
func (w WhatsApp) On() bool { return w.PhoneNumberID != "" }

// minWhatsAppSecret is the least length of a secret; Meta's app secrets have 32 characters.
const minWhatsAppSecret = 24

func (r *reader) whatsApp() WhatsApp {
	w := WhatsApp{
		URL:           strings.TrimRight(r.or("WHATSAPP_URL", "https://graph.facebook.com/v24.0"), "/"),
		PhoneNumberID: r.getenv("WHATSAPP_PHONE_NUMBER_ID"), Token: r.getenv("WHATSAPP_TOKEN"),
		AppSecret: r.getenv("WHATSAPP_APP_SECRET"), VerifyToken: r.getenv("WHATSAPP_VERIFY_TOKEN"),
	}
	if !regexp.MustCompile(`/v[1-9][0-9]?\.[0-9]$`).MatchString(w.URL) {
		r.fail("WHATSAPP_URL", "want the Graph API with its version, such as https://graph.facebook.com/v24.0")
	}
	if w.PhoneNumberID != "" && !regexp.MustCompile(`^[1-9][0-9]{4,19}$`).MatchString(w.PhoneNumberID) {
		r.fail("WHATSAPP_PHONE_NUMBER_ID", "want the number's id at Meta, of digits")
	}
	secrets := map[string]string{"WHATSAPP_TOKEN": w.Token, "WHATSAPP_APP_SECRET": w.AppSecret, "WHATSAPP_VERIFY_TOKEN": w.VerifyToken}
	none := w.PhoneNumberID == ""
	for name, value := range secrets {
		none = none && value == ""
		if strings.ContainsFunc(value, func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsGraphic(c) || c == ' ' }) {
			r.fail(name, "holds a space or what no key holds")
		}
	}
	if none {
		return w
	}
	secrets["WHATSAPP_PHONE_NUMBER_ID"] = w.PhoneNumberID
	for name, value := range secrets {
		if value == "" {
			r.fail(name, "is not set, but other settings of WhatsApp are")
		}
	}
	return w
}
