package log_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/log"
)

func TestMask_Secrets_InAnyPosition(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Authorization: Bearer abcdefghijk": "Authorization: Bearer ••••••",
		"https://user:pass@sms.example/x":   "https://••••••@sms.example/x",
		"otp=482913 sent":                   "otp=•••••• sent",
		"your code is 482913.":              "your code is ••••••.",
		"482913 is your Franchise 360 code": "•••••• is your Franchise 360 code",
		"@localhost #482913":                "@localhost #••••••",
		"card 4111-1111-1111-1111 declined": "card ••••••1111 declined",
		"order 4111111111111112 unknown":    "order 4111111111111112 unknown",
		"job 482913 failed after 3 tries":   "job 482913 failed after 3 tries",
	} {
		require.Equal(t, want, log.Mask(given))
	}
	masked := log.MaskValue(map[string]any{
		"password": "x1", "nested": map[string]any{"access_token": "abc", "list": []any{"cvv=123"}}, "amount": 12.5, "payment_id": "4111111111111111", "empty": "",
	})
	require.Equal(t, map[string]any{
		"password": "••••••", "nested": map[string]any{"access_token": "••••••", "list": []any{"cvv=••••••"}}, "amount": 12.5, "payment_id": "4111111111111111", "empty": "",
	}, masked)
}
