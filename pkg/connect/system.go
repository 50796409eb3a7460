package connect

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// SystemState is the state of a system that customers are signed in to.
type SystemState string

// The states of a system. Nothing brings a removed one back.
const (
	SystemEnabled  SystemState = "enabled"
	SystemDisabled SystemState = "disabled"
	SystemRemoved  SystemState = "removed"
)

const (
	// oldSecretFor is how long the secret before a rotation counts too.
	oldSecretFor    = 24 * time.Hour
	maxSystems      = 20
	maxRedirectURIs = 10
	secretPrefix    = "f360s_"
)

// System is a system of the operator's that customers are signed in to. Its id is its client_id.
type System struct {
	ID    string `db:"id"`
	Label string `db:"label"`
	// LoginURL is where the system starts a sign-in.
	LoginURL     string   `db:"login_url"`
	RedirectURIs []string `db:"-"`
	// Dashboard says that "Access Franchise Dashboard" leads there.
	Dashboard      bool        `db:"dashboard"`
	State          SystemState `db:"state"`
	OldSecretUntil *time.Time  `db:"old_secret_until"`
	CreatedAt      time.Time   `db:"created_at"`
}

// SystemInput is what staff enter of a system.
type SystemInput struct {
	Label, LoginURL string
	RedirectURIs    []string
	Dashboard       bool
}

// check returns the normalised input, or its errors. plain allows addresses of this machine, in development.
func (in SystemInput) check(plain bool) (SystemInput, error) {
	in.Label, in.LoginURL = strings.Join(strings.Fields(in.Label), " "), strings.TrimSpace(in.LoginURL)
	uris := make([]string, 0, len(in.RedirectURIs))
	for _, uri := range in.RedirectURIs {
		if uri = strings.TrimSpace(uri); !slices.Contains(uris, uri) {
			uris = append(uris, uri)
		}
	}
	in.RedirectURIs = uris
	var v errs.Validation
	n := utf8.RuneCountInString(in.Label)
	v.Check(n >= 2 && n <= 80, "label", "Say what the system is, in 2 to 80 characters.")
	v.Check(fitsBrowser(in.LoginURL, plain), "login_url", "Enter an https address without a user or a fragment.")
	v.Check(len(uris) >= 1 && len(uris) <= maxRedirectURIs, "redirect_uris", "Enter 1 to 10 addresses.")
	v.Check(!slices.ContainsFunc(uris, func(u string) bool { return !fitsBrowser(u, plain) }), "redirect_uris",
		"Enter https addresses without a user or a fragment.")
	return in, v.Err()
}

// addressForm is that of the contract: letters that need no second spelling, no user and no fragment.
var addressForm = regexp.MustCompile(`^https?://[!$-?A-~]{3,490}$`)

// fitsBrowser reports whether a browser may be sent to the address. It may lie inside a company's network: the server never connects to
// it.
func fitsBrowser(address string, plain bool) bool {
	u, err := url.Parse(address)
	if err != nil || !addressForm.MatchString(address) || u.Opaque != "" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	if u.Scheme == "https" {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return plain && (u.Hostname() == "localhost" || err == nil && ip.IsLoopback())
}
