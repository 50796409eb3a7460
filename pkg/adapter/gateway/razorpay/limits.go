package razorpay

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Razorpay's limits, in characters: name and e-mail of a customer ("Create a Customer"), receipt of an order ("Create an Order").
const (
	minName    = 3
	maxName    = 50
	maxEmail   = 64
	maxReceipt = 40
)

// maxDescription limits the description on the checkout page, for which Razorpay publishes no limit.
const maxDescription = 255

// customerName returns the name as Razorpay accepts it: letters and digits of ASCII, and . ' / @ ( ) with spaces between. Accents are taken
// off. A name with too little left, such as one in Hindi, becomes "Customer".
func customerName(name string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r == '\u2019' || r == '\u2018': // the apostrophes of phones
			return '\''
		case unicode.Is(unicode.Mn, r):
			return -1
		case r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)), strings.ContainsRune(".'/@()", r):
			return r
		default:
			return ' '
		}
	}, norm.NFD.String(name))
	kept = strings.TrimSpace(text.First(strings.Join(strings.Fields(kept), " "), maxName))
	letters := strings.IndexFunc(kept, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if utf8.RuneCountInString(kept) < minName || letters < 0 {
		return "Customer"
	}
	return kept
}

// email returns the customer's address if Razorpay accepts its length, else nothing: a truncated address might belong to another person.
func email(c payment.Charge) string {
	if utf8.RuneCountInString(c.Email) > maxEmail {
		return ""
	}
	return c.Email
}

// requiredEmail is email for calls that demand one.
func requiredEmail(c payment.Charge) string {
	if e := email(c); e != "" {
		return e
	}
	host := ""
	if u, err := url.Parse(c.ReturnURL); err == nil {
		host = u.Hostname()
	}
	return "no-reply@" + host
}
