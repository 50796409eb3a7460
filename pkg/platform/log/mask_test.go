package log_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/log"
)

// Addresses of services are quoted whole by url.Parse, by drivers and by HTTP clients.
func TestMask_CredentialsInURLs(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"dial redis://:hunter2@redis:6379/0: refused":           "dial redis://••••••@redis:6379/0: refused",
		"redis://default:hunter2@redis:6379":                    "redis://••••••@redis:6379",
		"https://hunter2@hooks.example.in/x":                    "https://••••••@hooks.example.in/x",
		"postgres://api:hun@ter2@db/f360?sslmode=require":       "postgres://••••••@db/f360?sslmode=require",
		`parse "smtps://user:hunter2@mail:99999": invalid port`: `parse "smtps://••••••@mail:99999": invalid port`,
		"https://pay.example.in/@18.5,73.8?mail=a@b.in":         "https://pay.example.in/@18.5,73.8?mail=a@b.in",
		"https://pay.example.in?mail=a@b.in":                    "https://pay.example.in?mail=a@b.in",
		"https://pay.example.in wrote to a@b.in":                "https://pay.example.in wrote to a@b.in",
	} {
		require.Equal(t, want, log.Mask(given), given)
	}
}

// Names of secrets come with prefixes, in camel case, and with escaped quotes if JSON is inside a text.
func TestMask_ValueOfASecretsName(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"grant refused: client_secret=hunter2", "refresh_token=hunter2&grant_type=x", "SMTP_PASSWORD=hunter2", "accessToken: hunter2",
		"X-Razorpay-Signature: hunter2", `{"key_secret":"hunter2"}`, `answered 400: "{\"auth_token\": \"hunter2\"}"`, "password = hunter2",
		"password='hunter2'", `password="one hunter2"`, `{"password": "one, hunter2; three"}`, "pass=x passwd:hunter2", "API-KEY=hunter2", "api_key: hunter2",
		"password_hash=hunter2", "Bearer hunter2hunter2", "authorization: basic aHVudGVyMg==hunter2",
	} {
		masked := log.Mask(given)
		require.NotContains(t, masked, "hunter2", given)
		require.Contains(t, masked, log.Masked, given)
	}
	for _, harmless := range []string{
		"token_type is bearer", "the token is too old", "secrets rotated", "3 tokens used", "password must not be empty", "no api key", "id=019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50",
		"Basic plan", "status=paid amount=118.00",
	} {
		require.Equal(t, harmless, log.Mask(harmless))
	}
}

// A card number is masked next to any other number: its expiry date, an order's number, an amount.
func TestMask_CardNextToOtherNumbers(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"4111111111111111":                           "••••••1111",
		"4111 1111 1111 1111 12 27":                  "••••••1111 12 27",
		"4111111111111111 1227 123":                  "••••••1111 1227 123",
		"order 12 4111 1111 1111 1111":               "order 12 ••••••1111",
		"order 5678 4111 1111 1111 1111 declined":    "order 5678 ••••••1111 declined",
		"378282246310005 and 5555-5555-5555-4444":    "••••••0005 and ••••••4444",
		"3782 822463 10005":                          "••••••0005",
		"41111111 11111111":                          "••••••1111",
		"4111 1111 1111 1112":                        "4111 1111 1111 1112",
		"acquirer's reference 403993715531077182":    "acquirer's reference 403993715531077182",
		"paid at 1793586600000000 for 9876543210":    "paid at 1793586600000000 for 9876543210",
		"411111XXXXXX1111 was masked by the gateway": "411111XXXXXX1111 was masked by the gateway",
	} {
		require.Equal(t, want, log.Mask(given), given)
	}
}

// Numbers in JSON are secrets as well as texts: a code or a CVV without quotes.
func TestMask_JSONNumberOfASecretsName(t *testing.T) {
	t.Parallel()
	given := map[string]any{
		"otp": 482913.0, "cvv": 123.0, "card_exp_month": 12.0, "card_number": 4111111111111111.0, "cardnum": "12", "card_no": "4111111111111111",
		"amount": 118.0, "attempts": 3.0, "payment_id": "4111111111111111", "mihpayid": 403993715531077182.0, "token": map[string]any{"id": "token_1", "used": 3.0},
		"secret": true, "signature": nil, "authorization": "", "list": []any{map[string]any{"password": 1234.0}, 5.0}, "bank_ref_num": "4111 and password=hunter2",
	}
	require.Equal(t, map[string]any{
		"otp": log.Masked, "cvv": log.Masked, "card_exp_month": log.Masked, "card_number": log.Masked + "1111", "cardnum": "12", "card_no": log.Masked + "1111",
		"amount": 118.0, "attempts": 3.0, "payment_id": "4111111111111111", "mihpayid": 403993715531077182.0, "token": map[string]any{"id": "token_1", "used": 3.0},
		"secret": true, "signature": nil, "authorization": "", "list": []any{map[string]any{"password": log.Masked}, 5.0}, "bank_ref_num": "4111 and password=" + log.Masked,
	}, log.MaskValue(given))
	require.Equal(t, 7, log.MaskValue(7))
	require.Nil(t, log.MaskValue(nil))
}

// Log lines contain only the network of an address.
func TestNetwork_Address_IsCutToItsNetwork(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.77": "203.0.113.0/24", "::ffff:203.0.113.77": "203.0.113.0/24", "2001:db8:1:2:3:4:5:6": "2001:db8:1::/48",
		"2001:db8:ffff:ffff::1": "2001:db8:ffff::/48", "fe80::1%eth0": "fe80::/48", "": "unknown", "203.0.113": "unknown", "203.0.113.77:443": "unknown",
	} {
		require.Equal(t, want, log.Network(address), address)
	}
}

// late tells its value only when a line is written.
type late struct{ group bool }

func (l late) LogValue() slog.Value {
	if l.group {
		return slog.GroupValue(slog.String("error", "token=hunter2"), slog.Int("n", 1))
	}
	return slog.StringValue("token=hunter2")
}

func TestLogger_LogValuerCause_IsMasked(t *testing.T) {
	t.Parallel()
	var written strings.Builder
	logger := log.New(&written, "api", slog.LevelInfo)
	logger.Info("a value", slog.Any("error", late{}))
	logger.Info("a group", slog.Any("job", late{group: true}))
	logger.With(slog.Any("panic", late{})).WithGroup("job").Info("kept", slog.Any("inner", late{group: true}))
	require.NotContains(t, written.String(), "hunter2")
	require.Equal(t, 4, strings.Count(written.String(), log.Masked))
	require.Equal(t, 2, strings.Count(written.String(), `"n":1`), "what tells no cause stays")
}

// Quiet drops a library's messages about failures that we log ourselves, by the end of the message and below a level.
func TestQuiet_MessagesLoggedElsewhere_AreDropped(t *testing.T) {
	t.Parallel()
	var written strings.Builder
	logger := log.Quiet(log.New(&written, "worker", slog.LevelInfo), slog.LevelWarn, "job failed", "job panicked").With(slog.Int("n", 7)).WithGroup("g")
	logger.Info("started")
	logger.Warn("river: job failed")
	logger.Error("river: job panicked")
	require.Empty(t, written.String())
	logger.Warn("job failed to be found", slog.String("error", "otp=482913"))
	require.Contains(t, written.String(), `"n":7`)
	require.Contains(t, written.String(), "job failed to be found")
	require.NotContains(t, written.String(), "482913")
	strict := log.Quiet(log.New(&written, "worker", slog.LevelError), slog.LevelInfo)
	require.False(t, strict.Enabled(t.Context(), slog.LevelWarn), "the stricter of both levels counts")
	require.True(t, strict.Enabled(t.Context(), slog.LevelError))
}
