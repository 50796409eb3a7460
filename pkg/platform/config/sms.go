package config

import (
	"net/url"
	"slices"
	"strings"
)

// SMS configures the text message providers.
type SMS struct {
	// Provider names one provider, or several separated by commas, each a fallback for the one before.
	Provider string
	// InboxURL is the address of development's inbox.
	InboxURL                            string
	MSG91AuthKey, MSG91URL, MSG91Sender string
	// MSG91ReceiptKey is the key in the URL to which MSG91 sends delivery reports; empty to disable them.
	MSG91ReceiptKey string
	// TwilioFrom is a number, or a messaging service (MG…).
	TwilioSID, TwilioToken, TwilioFrom, TwilioURL string
	// DLTTemplates maps message names to the template ids registered with the operators (TRAI, TCCCPR 2018).
	DLTTemplates map[string]string
}

const (
	msg91Form  = "want msg91://key@api.msg91.com?sender=FRNCHS, and receipt_key if MSG91 reports deliveries"
	twilioForm = "want twilio://SID:token@api.twilio.com?from=MG…, with + in a number as %2B"
)

// sms reads SMS_URL, one address per provider, in the form that mail servers and databases use. Only the inbox has an http address.
func (r *reader) sms() SMS {
	s := SMS{Provider: "inbox", DLTTemplates: r.pairs("DLT_TEMPLATES")}
	addresses := r.getenv("SMS_URL")
	if addresses == "" {
		return s
	}
	var names []string
	for _, address := range split(addresses) {
		u, err := url.Parse(address)
		if err != nil {
			u = &url.URL{}
		}
		name := u.Scheme
		switch name {
		case "msg91":
			r.readMSG91(&s, u)
		case "twilio":
			r.readTwilio(&s, u)
		case "http", "https":
			name, s.InboxURL = "inbox", address
			r.checkURL("SMS_URL", address)
		default:
			r.fail("SMS_URL", "want msg91://… or twilio://…, or both, separated by a comma")
		}
		if slices.Contains(names, name) {
			r.fail("SMS_URL", "names a provider twice")
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		r.fail("SMS_URL", "names no provider")
	}
	s.Provider = strings.Join(names, ",")
	return s
}

func (r *reader) readMSG91(s *SMS, u *url.URL) {
	query, ok := provider(u, "sender", "receipt_key")
	s.MSG91AuthKey, s.MSG91URL = u.User.Username(), "https://"+u.Host
	s.MSG91Sender, s.MSG91ReceiptKey = query.Get("sender"), query.Get("receipt_key")
	_, paired := u.User.Password()
	if !ok || paired || s.MSG91AuthKey == "" || s.MSG91Sender == "" {
		r.fail("SMS_URL", msg91Form)
	}
	if query.Has("receipt_key") && len(s.MSG91ReceiptKey) < minReceiptKey {
		r.fail("SMS_URL", "want a receipt_key of 24 characters or more")
	}
}

func (r *reader) readTwilio(s *SMS, u *url.URL) {
	query, ok := provider(u, "from")
	s.TwilioSID, s.TwilioURL, s.TwilioFrom = u.User.Username(), "https://"+u.Host, query.Get("from")
	s.TwilioToken, _ = u.User.Password()
	if !ok || s.TwilioSID == "" || s.TwilioToken == "" || s.TwilioFrom == "" || strings.HasPrefix(s.TwilioFrom, " ") {
		r.fail("SMS_URL", twilioForm)
	}
}

// provider returns the query of a provider's address. It is not ok if it has other parameters, a path, or user info that hides the host.
func provider(u *url.URL, parameters ...string) (query url.Values, ok bool) {
	query, err := url.ParseQuery(u.RawQuery)
	for name, values := range query {
		if !slices.Contains(parameters, name) || len(values) > 1 {
			return query, false
		}
	}
	hidden := strings.Contains(u.User.String(), "@") || strings.Contains(u.User.Username(), "@")
	return query, err == nil && !hidden && u.Hostname() != "" && isPort(u.Port(), 1) && strings.Trim(u.Path, "/") == "" && u.Fragment == ""
}
