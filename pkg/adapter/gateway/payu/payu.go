// Package payu implements PayU's wire format: the signed form, the signed answers, and the merchant API (PayU India's
// public documentation, "PayU Hosted Checkout" and "postservice").
package payu

import (
	"cmp"
	"context"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-resty/resty/v2"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Name is this gateway's identifier in payments.
const Name = "payu"

// Title is this gateway's display name.
const Title = "PayU"

// timeout limits a call of the merchant API, including a slowly dripping answer.
const timeout = 15 * time.Second

// Config is the merchant's account. BaseURL is the payment page's, APIURL the merchant API's; neither has a path.
type Config struct {
	Key     string
	Salt    string
	BaseURL string
	APIURL  string
	// DisputesSigned reports that PayU signs this account's dispute notices, which must be requested from PayU: unsigned
	// ones are then refused.
	DisputesSigned bool
}

// Gateway is PayU for one merchant.
type Gateway struct {
	config Config
	client *resty.Client
}

// New returns the gateway of a merchant.
func New(c Config) *Gateway {
	c.BaseURL, c.APIURL = strings.TrimRight(c.BaseURL, "/"), strings.TrimRight(c.APIURL, "/")
	return &Gateway{config: c, client: resty.New().SetTimeout(timeout).SetResponseBodyLimit(maxAnswer).
		SetRedirectPolicy(resty.NoRedirectPolicy())}
}

// Name returns payu.
func (*Gateway) Name() string { return Name }

// PayU's field length limits, in characters (payu-sdk-node, validation of the payment parameters).
const (
	maxTransaction = 25
	maxProduct     = 100
	maxName        = 60
	maxEmail       = 50
)

// Begin builds the form; PayU learns of the charge when the browser posts it.
func (g *Gateway) Begin(_ context.Context, c payment.Charge) (payment.Session, error) {
	if len(c.TransactionID) > maxTransaction {
		return payment.Session{}, errs.Internal(errors.New("a transaction's name is longer than PayU takes"))
	}
	fields := map[string]string{
		"key": g.config.Key, "txnid": c.TransactionID, "amount": c.Amount.Decimal(),
		"productinfo": signable(c.ProductInfo, "Subscription", maxProduct), "firstname": signable(c.FirstName, "Customer", maxName),
		"email": email(c), "phone": c.Mobile, "surl": c.ReturnURL, "furl": c.ReturnURL,
	}
	if m := enforced(c.Method); m != "" {
		fields["enforce_paymethod"] = m
	}
	fields["hash"] = g.requestHash(fields)
	return payment.Session{URL: g.config.BaseURL + "/_payment", Fields: fields}, nil
}

// enforced returns PayU's name of the page to open on.
func enforced(m payment.Method) string {
	switch m {
	case payment.MethodCard:
		return "creditcard|debitcard"
	case payment.MethodUPI:
		return "upi"
	case payment.MethodNetbanking:
		return "netbanking"
	default:
		return ""
	}
}

// email returns the customer's address if PayU accepts its length. A truncated address might belong to another person, who would get the
// receipt.
func email(c payment.Charge) string {
	s := signable(c.Email, "", len(c.Email))
	if utf8.RuneCountInString(s) <= maxEmail {
		return s
	}
	host := ""
	if u, err := url.Parse(c.ReturnURL); err == nil {
		host = u.Hostname()
	}
	return signable("no-reply@"+host, "", maxEmail)
}

// signable removes the separator of the signed text, so that one value cannot pose as two, and characters that a form cannot carry.
func signable(s, otherwise string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if r == '|' || r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if s = strings.TrimSpace(s); s == "" {
		return otherwise
	}
	return text.First(s, limit)
}

// requestHash returns the form's signature: sha512(key|txnid|amount|productinfo|firstname|email|udf1…udf5||||||SALT).
func (g *Gateway) requestHash(f map[string]string) string {
	return digest(g.config.Key, f["txnid"], f["amount"], f["productinfo"], f["firstname"], f["email"],
		f["udf1"], f["udf2"], f["udf3"], f["udf4"], f["udf5"], "", "", "", "", "", g.config.Salt)
}

// rightHash reports whether PayU signed the form: the request's text in reverse, with the status after the salt. Additional
// charges come first. The split of a payment follows the status, but only for accounts that split: others receive the
// field too, but not under the hash ("Generate Hash").
func (g *Gateway) rightHash(f map[string]string) bool {
	tail := []string{
		"", "", "", "", "", f["udf5"], f["udf4"], f["udf3"], f["udf2"], f["udf1"], f["email"], f["firstname"], f["productinfo"],
		f["amount"], f["txnid"], g.config.Key,
	}
	head := []string{g.config.Salt, f["status"]}
	if charges := cmp.Or(f["additionalCharges"], f["additional_charges"]); charges != "" {
		head = slices.Insert(head, 0, charges)
	}
	right := sameHash(f["hash"], digest(slices.Concat(head, tail)...))
	if split := f["splitInfo"]; split != "" && !right {
		right = sameHash(f["hash"], digest(slices.Concat(head, []string{split}, tail)...))
	}
	return right
}

// commandHash returns the signature of a merchant API call: sha512(key|command|var1|SALT).
func (g *Gateway) commandHash(command, var1 string) string {
	return digest(g.config.Key, command, var1, g.config.Salt)
}

func digest(parts ...string) string {
	sum := sha512.Sum512([]byte(strings.Join(parts, "|")))
	return hex.EncodeToString(sum[:])
}

// sameHash compares in constant time.
func sameHash(got, want string) bool {
	return subtle.ConstantTimeCompare([]byte(strings.ToLower(got)), []byte(want)) == 1
}

// Measured enables timing of the calls.
func (g *Gateway) Measured(m *metrics.Metrics) {
	g.client.SetTransport(m.Transport(Name, g.client.GetClient().Transport))
}
