package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
)

// outside reads a configuration that is whole but for the settings given, which replace its own.
func outside(settings map[string]string) (config.Config, error) {
	whole := map[string]string{
		"APP_ENV": "production", "DATABASE_URL": "postgres://db/x", "REDIS_URL": "redis://r", "S3_ENDPOINT": "https://s3.ap-south-1.amazonaws.com",
		"GATEWAY": "payu", "PAYU_URL": "https://g", "PAYU_API_URL": "https://g", "PAYU_KEY": "k", "PAYU_SALT": "s", "PUBLIC_URL": "https://franchise360.example",
		"SECRET_KEY": strings.Repeat("ab", 32), "TENANT_IPS": "203.0.113.7", "SUPPLIER_GSTIN": "27AAPFU0939F1ZV", "SUPPLIER_ADDRESS": "Pune", "SMS_PROVIDER": "msg91,twilio",
	}
	return config.Load(func(name string) string {
		if v, ok := settings[name]; ok {
			return v
		}
		return whole[name]
	})
}

func TestTheObjectStoreIsReachedByKeysOrByARole(t *testing.T) {
	t.Parallel()
	c, err := outside(nil)
	require.NoError(t, err, "no keys: the role of the machine")
	require.Equal(t, "auto", c.S3.Addressing)
	c, err = outside(map[string]string{"S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b", "S3_SESSION_TOKEN": "c", "S3_ADDRESSING": "virtual"})
	require.NoError(t, err)
	require.Equal(t, "c", c.S3.SessionToken)
	for name, settings := range map[string]map[string]string{
		"S3_ACCESS_KEY":    {"S3_ACCESS_KEY": "a"},
		"S3_SESSION_TOKEN": {"S3_SESSION_TOKEN": "c"},
		"S3_ADDRESSING":    {"S3_ADDRESSING": "sideways"},
	} {
		_, err := outside(settings)
		require.ErrorContains(t, err, name)
	}
	_, err = outside(map[string]string{"S3_SECRET_KEY": "b"})
	require.ErrorContains(t, err, "S3_ACCESS_KEY")
}

func TestTheInboxSendsNothingInProductionEvenAsTheSecond(t *testing.T) {
	t.Parallel()
	_, err := outside(map[string]string{"SMS_PROVIDER": "msg91, inbox"})
	require.ErrorContains(t, err, "SMS_PROVIDER")
	_, err = outside(map[string]string{"MSG91_RECEIPT_KEY": "short"})
	require.ErrorContains(t, err, "MSG91_RECEIPT_KEY")
	_, err = outside(map[string]string{"MSG91_RECEIPT_KEY": strings.Repeat("k", 24)})
	require.NoError(t, err)
}
