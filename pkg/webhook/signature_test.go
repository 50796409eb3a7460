package webhook_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/webhook"
)

// The example of the standard's own libraries: https://github.com/standard-webhooks/standard-webhooks.
func TestSign_EqualsTheExampleOfStandardWebhooks(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	require.NoError(t, err)
	require.Equal(t, secret, webhook.ShowSecret(key))
	at := time.Unix(1614265330, 999_999_999)
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	body := []byte(`{"test": 2432232314}`)
	require.Equal(t, want, webhook.Sign([][]byte{key}, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body))

	both := strings.Fields(webhook.Sign([][]byte{webhook.RandomSecret(), key}, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body))
	require.Len(t, both, 2)
	require.Equal(t, want, both[1])
	require.NotEqual(t, want, both[0])
}

func TestFitsEndpoint_OnlyPublicHTTPSAddresses(t *testing.T) {
	t.Parallel()
	for address, fits := range map[string]bool{
		"https://erp.example.in/hooks?tenant=1": true, "https://erp.example.in:8443/": true, "https://erp.example.in:65536/": false, "https://erp.example.in:0/": false,
		"http://erp.example.in/": false, "https://127.0.0.1/": false, "https://[::1]/": false, "https://10.0.0.1/": false, "https://8.8.8.8/": false,
		"https://localhost/": false, "https://erp.localhost/": false, "https://postgres/": false, "https://a:b@erp.example.in/": false,
		"https://erp.example.in/#x": false, "ftp://erp.example.in/": false, "//erp.example.in": false, "https:erp.example.in": false, "": false, "https://erp.example.in/३६०": false, "https://erp.example.in/a b": false,
		"https://erp.example.in/" + strings.Repeat("x", 500): false,
	} {
		require.Equal(t, fits, webhook.FitsEndpoint(address, false), address)
	}
	require.True(t, webhook.FitsEndpoint("http://127.0.0.1:4000/hooks", true), "in development")
}

func TestRetryAfter_AllAttempts_CoverThreeDays(t *testing.T) {
	t.Parallel()
	var all time.Duration
	for attempt := 1; attempt < webhook.MaxAttempts; attempt++ {
		require.Positive(t, webhook.RetryAfter(attempt))
		all += webhook.RetryAfter(attempt)
	}
	require.Greater(t, all, 72*time.Hour)
	require.Less(t, all, webhook.FailingFor)
}
