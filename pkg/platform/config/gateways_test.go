package config_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
)

// settings is a complete configuration except for the gateways.
func settings(changes map[string]string) func(string) string {
	env := map[string]string{
		"APP_ENV": "development", "PUBLIC_URL": "http://localhost:8080", "DATABASE_URL": "postgres://x", "REDIS_URL": "redis://x",
		"S3_ENDPOINT": "http://s3", "S3_ACCESS_KEY": "x", "S3_SECRET_KEY": "x", "SECRET_KEY": strings.Repeat("ab", 32),
		"PAYU_KEY": "k", "PAYU_SALT": "s", "PAYU_URL": "https://test.payu.in", "PAYU_API_URL": "https://info.payu.in",
		"RAZORPAY_KEY_ID": "i", "RAZORPAY_KEY_SECRET": "s", "RAZORPAY_WEBHOOK_SECRET": "w",
		"RAZORPAY_URL": "https://api.razorpay.com",
	}
	maps.Copy(env, changes)
	return func(name string) string { return env[name] }
}

// kinds declares two gateways; the adapters' own declarations are tested in pkg/app.
func kinds() []config.GatewayKind {
	return []config.GatewayKind{
		{Name: "payu", Page: "PAYU_URL", Features: []string{"payu-disputes-signed", "payu-upi-retries"}, UPIRetries: "payu-upi-retries", Settings: []config.GatewaySetting{
			config.Address("PAYU_URL"), config.Address("PAYU_API_URL"), config.Secret("PAYU_KEY", 6), config.Secret("PAYU_SALT", 8),
		}},
		{Name: "razorpay", Page: "RAZORPAY_URL", Features: []string{"razorpay-smart-collect"}, Settings: []config.GatewaySetting{
			config.Address("RAZORPAY_URL"), config.Secret("RAZORPAY_KEY_ID", 12, "rzp_test_"), config.Secret("RAZORPAY_KEY_SECRET", 12),
			config.Secret("RAZORPAY_WEBHOOK_SECRET", 12),
		}},
	}
}

func load(getenv func(string) string) (config.Config, error) { return config.Load(getenv, kinds()...) }

func TestGateways_KeepTheirOrder(t *testing.T) {
	t.Parallel()
	c, err := load(settings(map[string]string{"GATEWAY": "razorpay, payu"}))
	require.NoError(t, err)
	require.Equal(t, []string{"razorpay", "payu"}, c.Gateways.Names)
	require.Equal(t, map[string]config.GatewayAccount{
		"payu": {"PAYU_KEY": "k", "PAYU_SALT": "s", "PAYU_URL": "https://test.payu.in", "PAYU_API_URL": "https://info.payu.in"},
		"razorpay": {
			"RAZORPAY_KEY_ID": "i", "RAZORPAY_KEY_SECRET": "s", "RAZORPAY_WEBHOOK_SECRET": "w", "RAZORPAY_URL": "https://api.razorpay.com",
		},
	}, c.Gateways.Accounts)
	require.Equal(t, []string{"https://api.razorpay.com", "https://test.payu.in"}, c.Gateways.PaymentOrigins())
}

func TestGatewayFeatures_BelongToTheirGateway(t *testing.T) {
	t.Parallel()
	for text, signed := range map[string]bool{"": false, "payu-upi-retries": false, "payu-disputes-signed": true, "payu-upi-retries, payu-disputes-signed": true} {
		c, err := load(settings(map[string]string{"GATEWAY": "payu,razorpay", "GATEWAY_FEATURES": text}))
		require.NoError(t, err)
		require.Equal(t, signed, c.Gateways.Accounts["payu"].On("payu-disputes-signed"), text)
		require.Equal(t, !strings.Contains(text, "payu-upi-retries"), c.Renewals.OneACycle["payu"], text)
		require.False(t, c.Gateways.Accounts["razorpay"].On("payu-disputes-signed"), text)
		require.NotContains(t, c.Renewals.OneACycle, "razorpay")
	}
	_, err := load(settings(map[string]string{"GATEWAY": "payu", "GATEWAY_FEATURES": "payu-disputes-signed,yes"}))
	require.ErrorContains(t, err, "GATEWAY_FEATURES: want payu-disputes-signed, payu-upi-retries, razorpay-smart-collect")
}

func TestPaymentOrigins_OmitThePath(t *testing.T) {
	t.Parallel()
	c, err := load(settings(map[string]string{"GATEWAY": "payu,razorpay", "PAYU_URL": "https://pay.example:8443/", "RAZORPAY_URL": "https://pay.example:8443"}))
	require.NoError(t, err)
	require.Equal(t, []string{"https://pay.example:8443"}, c.Gateways.PaymentOrigins())
}

func TestGateways_NotNamed_NeedNoSettings(t *testing.T) {
	t.Parallel()
	none := map[string]string{"RAZORPAY_KEY_ID": "", "RAZORPAY_KEY_SECRET": "", "RAZORPAY_WEBHOOK_SECRET": "", "RAZORPAY_URL": ""}
	none["GATEWAY"] = "payu"
	_, err := load(settings(none))
	require.NoError(t, err)
	none["GATEWAY"] = "payu,razorpay"
	_, err = load(settings(none))
	for _, name := range []string{"RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET", "RAZORPAY_WEBHOOK_SECRET", "RAZORPAY_URL"} {
		require.ErrorContains(t, err, name+": is not set")
	}
	require.NotContains(t, err.Error(), "PAYU_")
}

func TestGateways_Invalid_AreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  map[string]string
		problem string
	}{
		"none":         {map[string]string{"GATEWAY": ""}, "GATEWAY: is not set"},
		"only commas":  {map[string]string{"GATEWAY": " , "}, "GATEWAY: want payu or razorpay, or several of them, separated by commas"},
		"unknown":      {map[string]string{"GATEWAY": "payu,stripe"}, `GATEWAY: "stripe" is not payu or razorpay`},
		"twice":        {map[string]string{"GATEWAY": "payu,payu"}, `GATEWAY: "payu" is named twice`},
		"no address":   {map[string]string{"GATEWAY": "payu", "PAYU_API_URL": "info.payu.in"}, "PAYU_API_URL: want an http or https URL"},
		"policy break": {map[string]string{"GATEWAY": "payu", "PAYU_URL": "https://payu.in; script-src *"}, "PAYU_URL: want an http or https URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(settings(c.change))
			require.ErrorContains(t, err, c.problem)
		})
	}
}

func TestProduction_GatewayWithoutHTTPS_IsRefused(t *testing.T) {
	t.Parallel()
	_, err := load(settings(map[string]string{
		"APP_ENV": "production", "PUBLIC_URL": "https://franchise.example", "TENANT_IPS": "1.2.3.4",
		"SUPPLIER_GSTIN": "x", "SUPPLIER_ADDRESS": "x", "GATEWAY": "payu,razorpay", "PAYU_API_URL": "http://info.payu.in",
	}))
	require.ErrorContains(t, err, "PAYU_API_URL: must be https in production")
	require.NotContains(t, err.Error(), "RAZORPAY_URL")
}
