package cashfree

import (
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/gatewaykit"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/settlement"
)

const minSecret = 12

var (
	_ settlement.Gateway   = (*Gateway)(nil)
	_ payment.RefundWindow = (*Gateway)(nil)
	_ payment.Disputes     = (*Gateway)(nil)
)

// Descriptor describes Cashfree to the rest of the product. It has no automatic renewal: mandates are a separate API at Cashfree.
func Descriptor() gatewaykit.Descriptor {
	return gatewaykit.Descriptor{
		Provider: payment.Provider{Name: Name, Title: Title, RefundArrives: refundArrives},
		Settings: []config.GatewaySetting{
			config.Address("CASHFREE_URL"), config.Secret("CASHFREE_CLIENT_ID", minSecret, "TEST"),
			config.Secret("CASHFREE_CLIENT_SECRET", minSecret, "TEST", "cfsk_ma_test_"),
		},
		Page:           "CASHFREE_URL",
		Redirects:      []string{"https://payments.cashfree.com", "https://payments-test.cashfree.com"}, // cashfree-js, Content Security Policy
		BankReferences: []string{"bank_reference"},
		Brands:         gatewaykit.Brands{Within: []string{"cashfree"}},
		New: func(p gatewaykit.Parts) gatewaykit.Gateway {
			return New(Config{
				ClientID: p.Account["CASHFREE_CLIENT_ID"], ClientSecret: p.Account["CASHFREE_CLIENT_SECRET"], BaseURL: p.Account["CASHFREE_URL"],
				WebhookURL: p.WebhookURL, Clock: p.Clock,
			})
		},
	}
}

// refundArrives is the same for every method (Cashfree, "Refunds overview").
func refundArrives(string) string { return i18n.Mark("within 7 to 10 working days") }
