package config

import "time"

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
	e := EInvoice{
		From: r.day("EINVOICE_FROM"), URL: r.getenv("EINVOICE_URL"), ClientID: r.getenv("EINVOICE_CLIENT_ID"),
		ClientSecret: r.getenv("EINVOICE_CLIENT_SECRET"), Username: r.getenv("EINVOICE_USERNAME"), Password: r.getenv("EINVOICE_PASSWORD"),
		PublicKey: r.getenv("EINVOICE_PUBLIC_KEY"),
	}
	if !e.On() {
		return e
	}
	for name, value := range map[string]string{
		"EINVOICE_URL": e.URL, "EINVOICE_CLIENT_ID": e.ClientID, "EINVOICE_CLIENT_SECRET": e.ClientSecret,
		"EINVOICE_USERNAME": e.Username, "EINVOICE_PASSWORD": e.Password, "EINVOICE_PUBLIC_KEY": e.PublicKey,
	} {
		if value == "" {
			r.fail(name, "is needed with EINVOICE_FROM")
		}
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
