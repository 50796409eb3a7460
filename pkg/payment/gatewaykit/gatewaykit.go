// Package gatewaykit defines what the adapter of a payment gateway exports. To add a gateway, add the adapter's folder and one line in
// app.Gateways.
package gatewaykit

import (
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
)

// Gateway is what every adapter implements, besides settlement.Gateway. Adapters also implement the interfaces for what else their
// provider can do: mandate.Gateway for automatic renewal, payment.RefundMinimum, payment.Disputes, transfer.Collecting and so on.
type Gateway interface {
	payment.Gateway
	// Measured enables timing of the calls.
	Measured(m *metrics.Metrics)
}

// Brands are words by which customers know a payment company; see tenant.Brands.
type Brands struct{ Within, Words []string }

// Descriptor describes a gateway to the rest of the product.
type Descriptor struct {
	payment.Provider
	// Settings are those of an account.
	Settings []config.GatewaySetting
	// Page is the name of the setting with the address to which customers' browsers post.
	Page string
	// Redirects are the addresses to which that page redirects at once, which browsers check too.
	Redirects []string
	// Features are the words of GATEWAY_FEATURES that an account may have.
	Features []string
	// UPIRetries is the feature that allows several UPI debits of a mandate in a calendar month, if there is one.
	UPIRetries string
	// BankReferences are the fields in which the gateway reports the bank's number of a payment, the better ones first.
	BankReferences []string
	// Brands are the gateway's brand words, which no store may use.
	Brands Brands
	// New returns the gateway of an account.
	New func(p Parts) Gateway
}

// Parts are the dependencies of an adapter, apart from its provider.
type Parts struct {
	// Account has all settings of the account.
	Account config.GatewayAccount
	Clock   clock.Clock
	// WebhookURL is the address at which the product receives this gateway's webhooks, for providers that read it from each order.
	WebhookURL string
}

// List is a list of descriptors.
type List []Descriptor

// Kinds returns the declarations of the settings.
func (l List) Kinds() []config.GatewayKind {
	kinds := make([]config.GatewayKind, 0, len(l))
	for _, d := range l {
		kinds = append(kinds, config.GatewayKind{Name: d.Name, Settings: d.Settings, Page: d.Page, Redirects: d.Redirects, Features: d.Features, UPIRetries: d.UPIRetries})
	}
	return kinds
}

// Providers returns the gateways' descriptions for the payment domain.
func (l List) Providers() payment.Providers {
	list := make(payment.Providers, 0, len(l))
	for _, d := range l {
		list = append(list, d.Provider)
	}
	return list
}

// Titles returns the display names, by name.
func (l List) Titles() map[string]string {
	titles := map[string]string{}
	for _, d := range l {
		titles[d.Name] = d.Title
	}
	return titles
}

// BankReferences returns those of all gateways.
func (l List) BankReferences() []string {
	fields := []string{}
	for _, d := range l {
		fields = append(fields, d.BankReferences...)
	}
	return fields
}

// Brands returns those of all gateways.
func (l List) Brands() Brands {
	var all Brands
	for _, d := range l {
		all.Within, all.Words = append(all.Within, d.Brands.Within...), append(all.Words, d.Brands.Words...)
	}
	return all
}

// Build returns the gateways named in the settings, in that order. The webhooks of each arrive below the address webhooks. A name without
// a descriptor builds nothing; config.Load rejects it.
func (l List) Build(c config.Gateways, now clock.Clock, webhooks string) []Gateway {
	built := make([]Gateway, 0, len(c.Names))
	for _, name := range c.Names {
		for _, d := range l {
			if d.Name == name {
				built = append(built, d.New(Parts{Account: c.Accounts[name], Clock: now, WebhookURL: webhooks + "/" + name}))
			}
		}
	}
	return built
}
