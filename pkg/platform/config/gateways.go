package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// testGateway in ALLOW_INSECURE accepts the gateways' test systems.
const testGateway = "test-gateway"

// GatewayKind declares the settings of one kind of payment gateway; its adapter exports it.
type GatewayKind struct {
	// Name is the value of GATEWAY.
	Name string
	// Settings are those of an account.
	Settings []GatewaySetting
	// Page is the name of the setting with the address to which customers' browsers post.
	Page string
	// Redirects are the addresses to which that page redirects at once. Chrome applies the site's form-action to redirects as well.
	Redirects []string
	// Features are the words of GATEWAY_FEATURES that an account at the gateway may have.
	Features []string
	// UPIRetries is the feature that allows several UPI debits of a mandate in a calendar month. If empty, they are always allowed.
	UPIRetries string
}

// GatewaySetting is a setting of a gateway's account. Secret and Address return one.
type GatewaySetting struct {
	name string
	read func(r *reader, name string) string
	// check judges the value in production.
	check func(r *reader, name, value string)
}

// Secret is a required setting with at least the given number of characters in production. A value that begins with one of testPrefixes
// belongs to a test account, which production refuses.
func Secret(name string, least int, testPrefixes ...string) GatewaySetting {
	return GatewaySetting{name: name, read: (*reader).must, check: func(r *reader, name, value string) {
		r.checkSecret(name, value, least)
		isTest := slices.ContainsFunc(testPrefixes, func(prefix string) bool { return strings.HasPrefix(value, prefix) })
		if isTest && !r.allowed[testGateway] {
			r.fail(name, "is of a test account, which moves no money; a rehearsal adds test-gateway to ALLOW_INSECURE")
		}
	}}
}

// Address is a required http or https URL, https in production. Addresses have no default: a test account's payments must never reach
// a provider's live system, or vice versa.
func Address(name string) GatewaySetting {
	return GatewaySetting{name: name, read: (*reader).address, check: (*reader).checkGatewayAddress}
}

// GatewayAccount holds the settings and the features of an account at a gateway, by name.
type GatewayAccount map[string]string

// On reports whether the account has the feature.
func (a GatewayAccount) On(feature string) bool { return a[feature] == "true" }

// Gateways configures the payment providers. New payments go to the first one named; the others keep serving their existing
// payments.
type Gateways struct {
	Names    []string // each at most once
	Accounts map[string]GatewayAccount
	// Pages are the addresses to which customers' browsers post or are redirected at once, in the order of Names.
	Pages []string
}

// PaymentOrigins returns the origins of the pages to which a customer's browser posts, without duplicates, the first
// gateway's first.
func (g Gateways) PaymentOrigins() []string {
	var origins []string
	for _, page := range g.Pages {
		u, err := url.Parse(page)
		if err != nil { // already rejected by Load
			continue
		}
		if origin := u.Scheme + "://" + u.Host; !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins
}

// gateways reads the named gateways; each needs all its settings, and the settings of others are ignored.
func (r *reader) gateways() Gateways {
	g := Gateways{Accounts: map[string]GatewayAccount{}}
	named, features := r.must("GATEWAY"), r.gatewayFeatures()
	for _, name := range split(named) {
		i := slices.IndexFunc(r.gatewayKinds, func(k GatewayKind) bool { return k.Name == name })
		switch {
		case slices.Contains(g.Names, name):
			r.fail("GATEWAY", fmt.Sprintf("%q is named twice", name))
			continue
		case i < 0:
			r.fail("GATEWAY", fmt.Sprintf("%q is not %s", name, r.gatewayNames()))
			continue
		}
		account := GatewayAccount{}
		for _, s := range r.gatewayKinds[i].Settings {
			account[s.name] = s.read(r, s.name)
		}
		for _, feature := range r.gatewayKinds[i].Features {
			if slices.Contains(features, feature) {
				account[feature] = "true"
			}
		}
		g.Names, g.Pages = append(g.Names, name), append(g.Pages, account[r.gatewayKinds[i].Page])
		g.Pages = append(g.Pages, r.gatewayKinds[i].Redirects...)
		g.Accounts[name] = account
	}
	if named != "" && len(split(named)) == 0 {
		r.fail("GATEWAY", "want "+r.gatewayNames()+", or several of them, separated by commas")
	}
	return g
}

// gatewayNames lists the values of GATEWAY: a, b or c.
func (r *reader) gatewayNames() string {
	names := make([]string, 0, len(r.gatewayKinds))
	for _, k := range r.gatewayKinds {
		names = append(names, k.Name)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// gatewayFeatures reads what the gateways have enabled for the accounts.
func (r *reader) gatewayFeatures() []string {
	var known []string
	for _, k := range r.gatewayKinds {
		known = append(known, k.Features...)
	}
	features := split(r.getenv("GATEWAY_FEATURES"))
	for _, feature := range features {
		if !slices.Contains(known, feature) {
			r.fail("GATEWAY_FEATURES", "want "+strings.Join(known, ", ")+", each if the gateway enabled it for the account, separated by commas")
		}
	}
	return features
}

// oneACycle returns the gateways that debit a UPI mandate once a calendar month.
func (r *reader) oneACycle(features []string) map[string]bool {
	one := map[string]bool{}
	for _, k := range r.gatewayKinds {
		if k.UPIRetries != "" {
			one[k.Name] = !slices.Contains(features, k.UPIRetries)
		}
	}
	return one
}

// eachGateway returns the number for each kind of gateway.
func (r *reader) eachGateway(n int) map[string]int {
	each := map[string]int{}
	for _, k := range r.gatewayKinds {
		each[k.Name] = n
	}
	return each
}

// checkProductionGateways refuses to send keys and payments unencrypted or to a gateway's test system, and rejects
// guessable secrets: anyone who knows one can report payments that were never made.
func (r *reader) checkProductionGateways(g Gateways) {
	for _, k := range r.gatewayKinds {
		account := g.Accounts[k.Name]
		if account == nil {
			continue
		}
		for _, s := range k.Settings {
			s.check(r, s.name, account[s.name])
		}
	}
}

func (r *reader) checkGatewayAddress(name, address string) {
	r.checkAddress(name, address, false)
	u, err := url.Parse(address)
	if err == nil && isTestHost(strings.ToLower(u.Hostname())) && !r.allowed[testGateway] {
		r.fail(name, "is the gateway's test system, which moves no money; a rehearsal adds test-gateway to ALLOW_INSECURE")
	}
}

// isTestHost reports whether a gateway's host is named like a test system.
func isTestHost(host string) bool {
	return strings.HasPrefix(host, "test.") || strings.HasPrefix(host, "sandbox.")
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
