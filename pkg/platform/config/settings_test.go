package config_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// development loads a complete development configuration with the given settings overridden.
func development(settings map[string]string) (config.Config, error) {
	with := map[string]string{"APP_ENV": "development", "TENANT_IPS": "", "TENANT_BASE_DOMAIN": ""}
	maps.Copy(with, settings)
	return outside(with)
}

func TestSettings_Empty_HaveTheirDefaults(t *testing.T) {
	t.Parallel()
	c, err := development(map[string]string{"SUPPLIER_GSTIN": "", "SMS_URL": "", "REFUND_APPROVAL_ABOVE": "", "PG_CHARGE_BPS": ""})
	require.NoError(t, err)
	require.True(t, c.Development)
	require.False(t, c.LiveLimits)
	require.Equal(t, ":8080", c.HTTPAddr)
	require.Equal(t, "127.0.0.1:0", c.MetricsAddr, "the private port is nobody else's")
	require.Equal(t, "franchise360.localhost", c.TenantBaseDomain)
	require.Equal(t, []string{"127.0.0.1"}, c.TenantIPs)
	require.Empty(t, c.TrustedProxies, "nobody is believed about addresses")
	require.Equal(t, "inbox", c.SMS.Provider)
	require.Equal(t, "gazetteer", c.Places.Provider)
	require.Equal(t, int64(50_000), c.RefundApprovalAbove)
	require.Zero(t, c.PGChargeBPS)
	require.False(t, c.AutomaticRenewal)
	require.Equal(t, "27", c.Supplier.StateCode)
	require.Empty(t, c.SMS.DLTTemplates)
	require.Empty(t, c.Supplier.AnnualReturns)
	require.False(t, c.Supplier.Signing.Invoices)
	zero, err := development(map[string]string{"REFUND_APPROVAL_ABOVE": "0"})
	require.NoError(t, err)
	require.Zero(t, zero.RefundApprovalAbove, "0 is a limit: every refund takes two")
}

func TestLoad_MissingOrInvalidSettings_AreAllNamed(t *testing.T) {
	t.Parallel()
	_, err := load(func(string) string { return "" })
	for _, name := range []string{"DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "PUBLIC_URL", "SECRET_KEY", "GATEWAY", "APP_ENV", "SUPPLIER_GSTIN", "TENANT_IPS"} {
		require.ErrorContains(t, err, name+": ")
	}
	for name, values := range map[string][]string{
		"APP_ENV":                     {"staging", "Production", " production", "dev"},
		"PUBLIC_URL":                  {"franchise360.example", "ftp://franchise360.example", "https://", "://", "%"},
		"SECRET_KEY":                  {"x", strings.Repeat("g", 64), strongKey + "00", strongKey + ",x", strongKey + "," + strongKey + ",x"},
		"GATEWAY":                     {",", "paypal", "payu,payu", "PayU"},
		"TENANT_IPS":                  {"example.com", "1.2.3", "1.2.3.4/32", "203.0.113.7,x", ",", " , "},
		"OTEL_EXPORTER_OTLP_ENDPOINT": {"collector:4318", "grpc://collector", "%"},
		"OTEL_EXPORTER_OTLP_HEADERS":  {"x", "=y", "x=%"},
		"DLT_TEMPLATES":               {"otp", "otp=", "=1", "otp=1,x"},
		"GST_ANNUAL_RETURNS":          {"26-27", "26-27:2027-13-01", "2026-27:2027-10-01", "26-27:2027-02-29", ":2027-10-01", "26/27:2027-10-01", "26-28:2027-10-01", "26-25:2027-10-01", "2627-:2027-10-01"},
		"PG_CHARGE_BPS":               {"-1", "1.5", "two", "9223372036854775808", "0x10", "10001"},
		"REFUND_APPROVAL_ABOVE":       {"-1", "50,000", "1e6"},
		"SMS_URL":                     {msg91 + "&receipt_key=x", msg91 + "&receipt_key=" + strongKey[:23], msg91 + "," + msg91, ","},
		"GATEWAY_FEATURES":            {"yes", "TRUE", "1"},
		"AUTOMATIC_RENEWAL":           {"true", "yes", "TRUE", "1", ",", "UPI", "upi,nach"},
		"SIGNING_INVOICES":            {"yes", "TRUE", "1"},
		"LIMITS":                      {"wide", "LIVE"},
	} {
		for _, value := range values {
			_, err := development(map[string]string{name: value})
			require.ErrorContains(t, err, name+": ", "%s=%q", name, value)
			if len(value) > 20 {
				require.NotContains(t, err.Error(), value, "no value is shown, which may be a secret")
			}
		}
	}
}

// DNS ignores case, and browsers send lower case.
func TestHostNames_AreReadInLowerCase(t *testing.T) {
	t.Parallel()
	c, err := outside(map[string]string{"PUBLIC_URL": "HTTPS://Franchise360.Example", "TENANT_BASE_DOMAIN": "Stores.Franchise360.Example."})
	require.NoError(t, err)
	require.Equal(t, "https://franchise360.example", c.PublicURL.String())
	require.Equal(t, "stores.franchise360.example", c.TenantBaseDomain)
}

func TestLists_SpacesAndEmptyParts_AreIgnored(t *testing.T) {
	t.Parallel()
	c, err := development(map[string]string{
		"TRUSTED_PROXIES": " 10.0.0.0/8 ,, 192.168.0.0/16,", "TENANT_IPS": "203.0.113.7, 2001:db8::7", "DLT_TEMPLATES": "otp=11,invoice_link=12",
		"GST_ANNUAL_RETURNS": "99-00:2026-10-15, 26-27:2027-11-02", "GATEWAY": " payu ,", "LIMITS": "live", "SIGNING_INVOICES": "true", "SIGNING_CERT_FILE": "/run/signing/signer.p12",
	})
	require.NoError(t, err)
	require.Equal(t, []string{"10.0.0.0/8", "192.168.0.0/16"}, c.TrustedProxies)
	require.Equal(t, []string{"203.0.113.7", "2001:db8::7"}, c.TenantIPs)
	require.Equal(t, map[string]string{"otp": "11", "invoice_link": "12"}, c.SMS.DLTTemplates)
	require.Equal(t, []string{"payu"}, c.Gateways.Names)
	require.True(t, c.LiveLimits)
	require.True(t, c.Supplier.Signing.Invoices)
	require.WithinDuration(t, time.Date(2027, time.November, 2, 0, 0, 0, 0, clock.IST), c.Supplier.AnnualReturns["26-27"], 0, "the day begins in India")
	require.Len(t, c.Supplier.AnnualReturns, 2)
}

func TestTraces_UseTheSettingsOfOpenTelemetry(t *testing.T) {
	t.Parallel()
	off, err := development(nil)
	require.NoError(t, err)
	require.Empty(t, off.Traces.Endpoint, "nothing is recorded unless somebody asks")
	c, err := development(map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318/", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x=1",
		"OTEL_TRACES_SAMPLER_ARG": "0.25",
	})
	require.NoError(t, err)
	require.Equal(t, config.Traces{
		Endpoint: "http://127.0.0.1:4318/v1/traces", Headers: map[string]string{"api-key": "a b", "x": "1"}, Timeout: 10 * time.Second, Share: 0.25,
	}, c.Traces)
	_, err = outside(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel.example.in"})
	require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_ENDPOINT: must be https in production")
	for _, within := range []string{"http://collector:4318", "https://otel.example.in"} {
		_, err = outside(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": within})
		require.NoError(t, err, within)
	}
	_, err = development(map[string]string{"OTEL_TRACES_SAMPLER_ARG": "NaN"})
	require.ErrorContains(t, err, "OTEL_TRACES_SAMPLER_ARG")
}
