package payu

import (
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/gatewaykit"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/settlement"
)

const (
	minKey  = 6 // such as gtKFFx
	minSalt = 8 // the shortest that PayU issues

	disputesSigned = "payu-disputes-signed"
	upiRetries     = "payu-upi-retries"
)

var _ settlement.Gateway = (*Gateway)(nil)

// Descriptor describes PayU to the rest of the product.
func Descriptor() gatewaykit.Descriptor {
	return gatewaykit.Descriptor{
		Provider: payment.Provider{Name: Name, Title: Title, RefundArrives: refundArrives},
		Settings: []config.GatewaySetting{
			config.Address("PAYU_URL"), config.Address("PAYU_API_URL"), config.Secret("PAYU_KEY", minKey), config.Secret("PAYU_SALT", minSalt),
		},
		Features: []string{disputesSigned, upiRetries},
		Page:     "PAYU_URL", UPIRetries: upiRetries,
		BankReferences: BankReferences(),
		Brands:         gatewaykit.Brands{Within: []string{"payubiz"}, Words: []string{"payu"}},
		New: func(p gatewaykit.Parts) gatewaykit.Gateway {
			a := p.Account
			return New(Config{
				Key: a["PAYU_KEY"], Salt: a["PAYU_SALT"], BaseURL: a["PAYU_URL"], APIURL: a["PAYU_API_URL"],
				DisputesSigned: a.On(disputesSigned),
			})
		},
	}
}

// refundArrives is the same for every method (PayU, Refund Transaction).
func refundArrives(string) string { return i18n.Mark("within 5 to 21 days") }
