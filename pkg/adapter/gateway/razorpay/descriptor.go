package razorpay

import (
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/gatewaykit"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/settlement"
)

const (
	minSecret = 12

	smartCollect = "razorpay-smart-collect"
)

var _ settlement.Gateway = (*Gateway)(nil)

// Descriptor describes Razorpay to the rest of the product.
func Descriptor() gatewaykit.Descriptor {
	return gatewaykit.Descriptor{
		Provider: payment.Provider{Name: Name, Title: Title, RefundArrives: refundArrives},
		Settings: []config.GatewaySetting{
			config.Address("RAZORPAY_URL"), config.Secret("RAZORPAY_KEY_ID", minSecret, "rzp_test_"),
			config.Secret("RAZORPAY_KEY_SECRET", minSecret), config.Secret("RAZORPAY_WEBHOOK_SECRET", minSecret),
		},
		Features: []string{smartCollect},
		Page:     "RAZORPAY_URL",
		Brands:   gatewaykit.Brands{Within: []string{"razorpay"}},
		New: func(p gatewaykit.Parts) gatewaykit.Gateway {
			a := p.Account
			return New(Config{
				KeyID: a["RAZORPAY_KEY_ID"], KeySecret: a["RAZORPAY_KEY_SECRET"], WebhookSecret: a["RAZORPAY_WEBHOOK_SECRET"],
				BaseURL: a["RAZORPAY_URL"], SmartCollect: a.On(smartCollect),
			})
		},
	}
}

// refundArrives depends on the method (Razorpay, Refunds, normal refund, processing time).
func refundArrives(paidWith string) string {
	switch {
	case strings.Contains(paidWith, "card"):
		return i18n.Mark("within 5 to 10 days")
	case paidWith == "netbanking":
		return i18n.Mark("within 2 to 10 days")
	case paidWith == "wallet":
		return i18n.Mark("within 3 days")
	case paidWith == "upi":
		return i18n.Mark("within 2 to 7 days")
	default:
		return i18n.Mark("within 5 to 7 working days")
	}
}
