package app

import (
	"github.com/franchise360/franchise360/pkg/adapter/gateway/cashfree"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/payment/gatewaykit"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// Gateways returns the descriptors of all payment gateways. A further one is its adapter's folder and a line here.
func Gateways() gatewaykit.List {
	return gatewaykit.List{
		payu.Descriptor(),
		razorpay.Descriptor(),
		cashfree.Descriptor(),
	}
}

// newGateways builds the gateways listed in GATEWAY, in that order; the configuration has validated them. It panics if an adapter reports
// no settlements. The site's address is public, without a trailing slash.
func newGateways(known gatewaykit.List, c config.Gateways, now clock.Clock, public string) []Gateway {
	built := known.Build(c, now, public+"/api/franchise/payments/webhook")
	list := make([]Gateway, 0, len(built))
	for _, g := range built {
		settling, ok := g.(Gateway)
		if !ok {
			panic("the adapter of " + g.Name() + " reports no settlements")
		}
		list = append(list, settling)
	}
	return list
}
