package app

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/gatewaykit"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// cashbox is a gateway that the product does not know.
type cashbox struct {
	payment.Gateway

	key, webhooks string
	clock         clock.Clock
}

func (*cashbox) Name() string              { return "cashbox" }
func (*cashbox) Measured(*metrics.Metrics) {}

func (*cashbox) Settlements(context.Context, string) ([]settlement.Line, error) {
	return nil, errors.ErrUnsupported
}

func cashboxDescriptor() gatewaykit.Descriptor {
	return gatewaykit.Descriptor{
		Provider: payment.Provider{Name: "cashbox", Title: "Cash Box", RefundArrives: func(string) string { return "within 1 day" }},
		Settings: []config.GatewaySetting{config.Address("CASHBOX_URL"), config.Secret("CASHBOX_KEY", 12, "test_")},
		Page:     "CASHBOX_URL", Redirects: []string{"https://checkout.cashbox.example/pay"}, BankReferences: []string{"receipt"}, Brands: gatewaykit.Brands{Within: []string{"cashbox"}},
		New: func(p gatewaykit.Parts) gatewaykit.Gateway {
			return &cashbox{key: p.Account["CASHBOX_KEY"], webhooks: p.WebhookURL, clock: p.Clock}
		},
	}
}

// A descriptor in the registry is all that a further gateway needs.
func TestThirdGateway_WithADescriptor_IsKnownEverywhere(t *testing.T) {
	t.Parallel()
	known := append(Gateways(), cashboxDescriptor())
	load := func(change map[string]string) (config.Config, error) {
		env := map[string]string{"GATEWAY": "cashbox", "CASHBOX_URL": "https://pay.cashbox.example/", "CASHBOX_KEY": "Jm4Vq8Zt2Lw9"}
		maps.Copy(env, change)
		return config.Load(func(name string) string { return env[name] }, known.Kinds()...)
	}
	loaded, err := load(nil)
	require.NotContains(t, err.Error(), "GATEWAY")
	require.NotContains(t, err.Error(), "CASHBOX")
	require.Equal(t, []string{"https://pay.cashbox.example", "https://checkout.cashbox.example"}, loaded.Gateways.PaymentOrigins())
	require.Len(t, loaded.Renewals.PerSecond, len(known))
	require.Equal(t, 50, loaded.Renewals.PerSecond["cashbox"])
	_, err = load(map[string]string{"CASHBOX_URL": "", "CASHBOX_KEY": ""})
	require.ErrorContains(t, err, "CASHBOX_URL: is not set")
	require.ErrorContains(t, err, "CASHBOX_KEY: is not set")
	_, err = load(map[string]string{"APP_ENV": "production", "CASHBOX_URL": "http://pay.cashbox.example", "CASHBOX_KEY": "test_m4Vq8Zt2Lw9"})
	require.ErrorContains(t, err, "CASHBOX_URL: must be https in production")
	require.ErrorContains(t, err, "CASHBOX_KEY: is of a test account")
	_, err = load(map[string]string{"APP_ENV": "production", "CASHBOX_URL": "https://sandbox.cashbox.example"})
	require.ErrorContains(t, err, "CASHBOX_URL: is the gateway's test system")
	_, err = load(map[string]string{"GATEWAY": "paypal"})
	require.ErrorContains(t, err, `"paypal" is not payu, `)
	require.ErrorContains(t, err, ` or cashbox`)

	cfg := settings()
	cfg.Gateways = loaded.Gateways
	a, err := newApp(known, cfg, connections(t), testkit.NewLogger(t))
	require.NoError(t, err)
	require.NotNil(t, a.Payments)
	built := newGateways(known, cfg.Gateways, clock.System{}, "https://site.example")
	require.Len(t, built, 1)
	box, ok := built[0].(*cashbox)
	require.True(t, ok)
	require.Equal(t, "Jm4Vq8Zt2Lw9", box.key)
	require.Equal(t, "https://site.example/api/franchise/payments/webhook/cashbox", box.webhooks)
	require.Equal(t, clock.System{}, box.clock)

	arrives, err := known.Providers().Arrival("cashbox", "upi", payment.ChannelGateway)
	require.NoError(t, err)
	require.Equal(t, "within 1 day", arrives)
	require.Equal(t, "Cash Box", known.Titles()["cashbox"])
	require.Contains(t, known.BankReferences(), "receipt")
	require.Contains(t, known.Brands().Within, "cashbox")
}
