package payment

import (
	"errors"
	"fmt"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// ErrProviderUnknown reports a payment at a gateway that no adapter describes.
var ErrProviderUnknown = errors.New("no adapter describes the gateway")

// Provider describes a payment gateway, whether or not it is configured: payments of earlier years name it too.
type Provider struct {
	// Name is the gateway's identifier in payments, Title its display name.
	Name, Title string
	// RefundArrives says within how many days the customer's bank shows a refund of a payment by the method, as the gateway publishes it.
	// The text is marked for translation.
	RefundArrives func(paidWith string) string
}

// Providers are those of every adapter.
type Providers []Provider

// Arrival says within how many days after it was sent the customer's bank shows a refund. A bank transfer takes the time of NEFT. It
// returns ErrProviderUnknown for a gateway that is not among the providers.
func (list Providers) Arrival(gateway, paidWith string, channel RefundChannel) (string, error) {
	if channel == ChannelBank || gateway == GatewayBank {
		return i18n.Mark("within 2 working days"), nil
	}
	for _, p := range list {
		if p.Name == gateway {
			return p.RefundArrives(paidWith), nil
		}
	}
	return "", errs.Internal(fmt.Errorf("%w: %s", ErrProviderUnknown, gateway))
}
