package config

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// WhatsApp configures the messages by WhatsApp, which go through Meta's Cloud API. If all of it is empty, the product sends no message by
// WhatsApp.
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

// whatsApp reads WHATSAPP_URL, which has the number's id as user and the token as password.
func (r *reader) whatsApp() WhatsApp {
	address := r.getenv("WHATSAPP_URL")
	if address == "" {
		return WhatsApp{}
	}
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{}
	}
	w := WhatsApp{PhoneNumberID: u.User.Username(), AppSecret: u.Query().Get("app_secret"), VerifyToken: u.Query().Get("verify_token")}
	w.Token, _ = u.User.Password()
	u.User, u.RawQuery = nil, ""
	w.URL = strings.TrimRight(u.String(), "/")
	if !regexp.MustCompile(`/v[1-9][0-9]?\.[0-9]$`).MatchString(w.URL) || w.Token == "" || w.AppSecret == "" || w.VerifyToken == "" {
		r.fail("WHATSAPP_URL", "want https://number-id:token@graph.facebook.com/v24.0?app_secret=…&verify_token=…, with special characters escaped")
	}
	if !regexp.MustCompile(`^[1-9][0-9]{4,19}$`).MatchString(w.PhoneNumberID) {
		r.fail("WHATSAPP_URL", "want the number's id at Meta, of digits, before the token")
	}
	if strings.ContainsFunc(w.Token+w.AppSecret+w.VerifyToken, func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsGraphic(c) || c == ' ' }) {
		r.fail("WHATSAPP_URL", "a secret in it holds a space or a character that no key has")
	}
	return w
}
