package totp_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/totp"
)

// The SHA-1 vectors of RFC 6238, appendix B, truncated to their last six digits.
func TestCode_VectorsOfRFC6238(t *testing.T) {
	t.Parallel()
	secret := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471",
		1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		require.Equal(t, want, totp.Code(secret, totp.StepAt(time.Unix(at, 0))), at)
	}
}

func TestMatch_UsedOrExpiredCode_IsRefused(t *testing.T) {
	t.Parallel()
	secret := totp.NewSecret()
	now := time.Date(2026, 11, 2, 4, 30, 10, 0, time.UTC)
	code := totp.Code(secret, totp.StepAt(now))

	for name, tc := range map[string]struct {
		at   time.Time
		last int64
		code string
		ok   bool
	}{
		"now":                 {now, 0, code, true},
		"a step late":         {now.Add(totp.Step), 0, code, true},
		"a step early":        {now.Add(-totp.Step), 0, code, true},
		"two steps late":      {now.Add(2 * totp.Step), 0, code, false},
		"used already":        {now, totp.StepAt(now), code, false},
		"after a later one":   {now, totp.StepAt(now) + 1, code, false},
		"too short":           {now, 0, code[:5], false},
		"empty":               {now, 0, "", false},
		"of another secret":   {now, 0, totp.Code([]byte("another"), totp.StepAt(now)), false},
		"an earlier one used": {now, totp.StepAt(now) - 1, code, true},
	} {
		step, ok := totp.Match(secret, tc.code, tc.at, tc.last)
		require.Equal(t, tc.ok, ok, name)
		if ok {
			require.Equal(t, totp.StepAt(now), step, name)
		}
	}
}

func TestURL_HasTheFieldsThatAppsRead(t *testing.T) {
	t.Parallel()
	secret := totp.NewSecret()
	u, err := url.Parse(totp.URL("Franchise 360", "9876543210", secret))
	require.NoError(t, err)
	require.Equal(t, "otpauth", u.Scheme)
	require.Equal(t, "totp", u.Host)
	require.Equal(t, "/Franchise 360:9876543210", u.Path)
	require.Equal(t, totp.Encode(secret), u.Query().Get("secret"))
	require.Equal(t, "Franchise 360", u.Query().Get("issuer"))
	require.Len(t, totp.Encode(secret), 32)
}
