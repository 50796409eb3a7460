package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Gateways configures the payment providers. New payments go to the first one named; the others keep serving their existing
// payments.
type Gateways struct {
	Names    []string // payu and razorpay, each at most once
	PayU     PayU
	Razorpay Razorpay
}

// PayU is an account at PayU: customers pay at URL, and the server calls APIURL; they differ in production. DisputesSigned
// means that PayU signs the account's dispute notices, so unsigned ones are refused.
type PayU struct {
	Key, Salt, URL, APIURL string
	DisputesSigned         bool
}

// Razorpay is an account at Razorpay, whose pages and API share one address. Its keys determine whether it is a test
// account.
type Razorpay struct {
	KeyID, KeySecret, WebhookSecret, URL string
	// SmartCollect gives each customer an account number for bank transfers.
	SmartCollect bool
}

// The names accepted by GATEWAY.
const (
	GatewayPayU     = "payu"
	GatewayRazorpay = "razorpay"
)

// PaymentOrigins returns the origins of the pages to which a customer's browser posts, without duplicates, the first
// gateway's first.
func (g Gateways) PaymentOrigins() []string {
	pages := map[string]string{GatewayPayU: g.PayU.URL, GatewayRazorpay: g.Razorpay.URL}
	var origins []string
	for _, name := range g.Names {
		u, err := url.Parse(pages[name])
		if err != nil { // already rejected by Load
			continue
		}
		if origin := u.Scheme + "://" + u.Host; !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins
}

// gateways reads the named gateways; each needs all of its own settings, and the settings of others are ignored. Addresses
// have no default: a test account's payments must never reach a provider's live system, or vice versa.
func (r *reader) gateways() Gateways {
	var g Gateways
	named := r.must("GATEWAY")
	for _, name := range split(named) {
		switch {
		case slices.Contains(g.Names, name):
			r.fail("GATEWAY", fmt.Sprintf("%q is named twice", name))
			continue
		case name == GatewayPayU:
			g.PayU = PayU{
				Key: r.must("PAYU_KEY"), Salt: r.must("PAYU_SALT"), URL: r.address("PAYU_URL"), APIURL: r.address("PAYU_API_URL"),
				DisputesSigned: r.flag("PAYU_DISPUTES_SIGNED"),
			}
		case name == GatewayRazorpay:
			g.Razorpay = Razorpay{
				KeyID: r.must("RAZORPAY_KEY_ID"), KeySecret: r.must("RAZORPAY_KEY_SECRET"),
				WebhookSecret: r.must("RAZORPAY_WEBHOOK_SECRET"), URL: r.address("RAZORPAY_URL"), SmartCollect: r.flag("RAZORPAY_SMART_COLLECT"),
			}
		default:
			r.fail("GATEWAY", fmt.Sprintf("%q is not payu or razorpay", name))
			continue
		}
		g.Names = append(g.Names, name)
	}
	if named != "" && len(split(named)) == 0 {
		r.fail("GATEWAY", "want payu, razorpay or both, separated by commas")
	}
	return g
}

// address reads a provider's http or https address and strips trailing slashes.
func (r *reader) address(name string) string {
	v := r.must(name)
	u, err := url.Parse(v)
	if v != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || !isPort(u.Port(), 1) || strings.ContainsAny(v, " ;,'\"")) {
		r.fail(name, "want an http or https URL")
	}
	return strings.TrimRight(v, "/")
}
