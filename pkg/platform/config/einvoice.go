package config

import (
	"net/url"
	"time"
)

// EInvoice is the account at the Invoice Registration Portal, or at a provider before it.
type EInvoice struct {
	// From is the first day in India whose documents are registered, zero for never.
	From time.Time
	URL  string
	// ClientID and ClientSecret are the software's, Username and Password the supplier's.
	ClientID, ClientSecret, Username, Password string
	// PublicKey is the portal's, in PEM, under which credentials are sent.
	PublicKey string
}

// minPortalSecret is the least length of a secret of the portal.
const minPortalSecret = 8

// On reports whether documents are registered.
func (e EInvoice) On() bool { return !e.From.IsZero() }

func (r *reader) eInvoice() EInvoice {
	e := EInvoice{From: r.day("EINVOICE_FROM"), PublicKey: r.getenv("EINVOICE_PUBLIC_KEY")}
	address := r.getenv("EINVOICE_URL")
	u, err := url.Parse(address)
	if err == nil {
		e.Username, e.ClientID, e.ClientSecret = u.User.Username(), u.Query().Get("client_id"), u.Query().Get("client_secret")
		e.Password, _ = u.User.Password()
		u.User, u.RawQuery = nil, ""
		e.URL = u.String()
	}
	whole := err == nil && e.ClientID != "" && e.ClientSecret != "" && e.Username != "" && e.Password != ""
	if (e.On() || address != "") && !whole {
		r.fail("EINVOICE_URL", "want https://user:password@host?client_id=…&client_secret=…, with special characters escaped")
	}
	if e.On() && e.PublicKey == "" {
		r.fail("EINVOICE_PUBLIC_KEY", "is needed with EINVOICE_FROM")
	}
	return e
}

// day reads the start of a day in India, zero if it is not set.
func (r *reader) day(name string) time.Time {
	text := r.getenv(name)
	if text == "" {
		return time.Time{}
	}
	at, err := time.ParseInLocation(time.DateOnly, text, time.FixedZone("IST", 19_800))
	if err != nil {
		r.fail(name, "want a day, such as 2027-04-01")
	}
	return at
}
