package tenant

import (
	"fmt"
	"slices"
	"strings"
)

// CAA is one record of a name that limits which certification authorities may issue for it (RFC 8659).
type CAA struct {
	Critical   bool
	Tag, Value string
}

func (c CAA) String() string {
	flags := 0
	if c.Critical {
		flags = 128
	}
	return fmt.Sprintf("%d %s %q", flags, c.Tag, c.Value)
}

// issuers are the certification authorities of the proxy in scripts/Caddyfile, which keeps Caddy's defaults: Let's Encrypt,
// then ZeroSSL, whose certificates Sectigo issues under the names that its CAA article lists. Our instructions name the first.
func issuers() []string {
	return []string{"letsencrypt.org", "sectigo.com", "comodo.com", "comodoca.com", "usertrust.com", "trust-provider.com"}
}

// allowed returns the CAA record that permits our certificates.
func allowed() CAA { return CAA{Tag: "issue", Value: issuers()[0]} }

// forbids reports whether the records keep our issuers from issuing a certificate: they name others, restrict the account
// or the method of validation to others (RFC 8657), or have a critical tag that no issuer knows.
func forbids(records []CAA) bool {
	named, permitted := false, false
	for _, r := range records {
		switch strings.ToLower(r.Tag) {
		case "issue":
			named = true
			permitted = permitted || permitsUs(r.Value)
		case "issuewild", "iodef", "issuemail", "issuevmc", "contactemail", "contactphone":
		default:
			if r.Critical {
				return true
			}
		}
	}
	return named && !permitted
}

func permitsUs(value string) bool {
	issuer, parameters, _ := strings.Cut(value, ";")
	if !slices.Contains(issuers(), strings.ToLower(strings.TrimSpace(issuer))) {
		return false
	}
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, given, _ := strings.Cut(parameter, "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "accounturi": // the domain owner's own account, never the proxy's
			return false
		case "validationmethods":
			methods := strings.Split(strings.ReplaceAll(given, " ", ""), ",")
			if !slices.Contains(methods, "http-01") && !slices.Contains(methods, "tls-alpn-01") {
				return false
			}
		}
	}
	return true
}

// parents returns the name and the names above it, nearest first: where RFC 8659 looks for the records that count.
func parents(name string) []string {
	out := []string{name}
	for {
		_, above, found := strings.Cut(name, ".")
		if !found {
			return out
		}
		out, name = append(out, above), above
	}
}
