package cashfree_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/cashfree"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/gatewaykit"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

func TestDescriptor_Settings_ReachTheGateway(t *testing.T) {
	t.Parallel()
	p := start(t)
	g := cashfree.Descriptor().New(gatewaykit.Parts{
		Account: config.GatewayAccount{"CASHFREE_URL": p.server.URL, "CASHFREE_CLIENT_ID": clientID, "CASHFREE_CLIENT_SECRET": clientSecret},
		Clock:   clock.NewFake(now), WebhookURL: "http://localhost:8080/api/franchise/payments/webhook/cashfree",
	})
	s, err := g.Begin(t.Context(), sampleCharge())
	require.NoError(t, err)
	require.NotContains(t, p.orders[sampleCharge().TransactionID]["order_meta"], "notify_url", "Cashfree takes only https")
	p.Complete(t, s, payment.StatusPaid, 22_00)
	n, err := g.Read(p.Webhook(t))
	require.NoError(t, err)
	require.Equal(t, payment.StatusPaid, n.Status)
}

// An operator must not use a test account unknowingly.
func TestDescriptor_TestAccount_IsRefusedInProduction(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"CASHFREE_CLIENT_ID":     {"CASHFREE_CLIENT_ID", "TEST430329ae80e0f32e41a393d78b923034"},
		"CASHFREE_CLIENT_SECRET": {"CASHFREE_CLIENT_SECRET", "cfsk_ma_test_0123456789abcdef"},
		"CASHFREE_URL":           {"CASHFREE_URL", "https://sandbox.cashfree.com"},
	} {
		env := map[string]string{
			"APP_ENV": "production", "GATEWAY": "cashfree", "CASHFREE_URL": "https://api.cashfree.com",
			"CASHFREE_CLIENT_ID": "430329ae80e0f32e41a393d78b923034", "CASHFREE_CLIENT_SECRET": "cfsk_ma_prod_Jm4Vq8Zt2Lw9x7Kd",
		}
		kinds := gatewaykit.List{cashfree.Descriptor()}.Kinds()
		_, err := config.Load(func(name string) string { return env[name] }, kinds...)
		require.NotContains(t, err.Error(), "CASHFREE")
		env[change[0]] = change[1]
		_, err = config.Load(func(name string) string { return env[name] }, kinds...)
		require.ErrorContains(t, err, name+": is ")
	}
}
