package consent

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
)

func ring(t *testing.T, keys ...string) secret.Keyring {
	t.Helper()
	k, err := secret.ParseKeyring(keys[0], keys[1:]...)
	require.NoError(t, err)
	return k
}

func TestView_IsOpenFromItsStartUntilItsEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	ends := now.Add(30 * time.Minute)
	whole := View{BegunAt: &now, EndsAt: &ends}
	require.True(t, whole.Open(now))
	require.True(t, whole.Open(ends.Add(-time.Microsecond)))
	require.False(t, whole.Open(ends), "not in the moment of its end")
	require.False(t, View{}.Open(now), "asked for and not consented to")
	require.False(t, View{BegunAt: &now}.Open(now))
	require.False(t, View{EndsAt: &ends}.Open(now))
	whole.EndedAt = &now
	require.False(t, whole.Open(now))
}

func TestConsentCode_OtherViewOrKey_IsRefused(t *testing.T) {
	t.Parallel()
	old, fresh := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	before, between, after := ring(t, old), ring(t, fresh, old), ring(t, fresh)
	view := id.New()
	code := consentCode(before, view)
	require.Regexp(t, `^[0-9]{6}$`, code)
	require.Equal(t, code, consentCode(before, view), "it follows from the view and is stored nowhere")
	require.True(t, isConsent(before, view, code))
	require.True(t, isConsent(between, view, code), "a code on its way survives a change of the key")
	require.False(t, isConsent(after, view, code))
	for name, given := range map[string]string{
		"nothing": "", "five digits": code[:5], "seven": code + "0", "blanks": " " + code, "another view's": consentCode(before, id.New()),
	} {
		require.False(t, isConsent(before, view, given), name)
	}
	seen := map[string]bool{}
	digits := map[rune]int{}
	for n := range 2000 {
		c := consentCode(before, fmt.Sprint("view ", n))
		seen[c] = true
		digits[rune(c[0])]++
	}
	require.Greater(t, len(seen), 1980, "codes are spread over all there are")
	require.Len(t, digits, 10, "those that begin with 0 as well")
}

// Every action on the account is described to the customer in its own words or in general, never by an internal name.
func TestAccessLog_EachStaffAction_HasACustomerText(t *testing.T) {
	t.Parallel()
	for _, kind := range append(staff.ActionKinds(), "", "unheard_of") {
		told := accessWords(kind)
		require.NotEmpty(t, told, kind)
		require.NotContains(t, told, "_", kind)
		require.Equal(t, strings.ToUpper(told[:1]), told[:1], kind)
	}
	require.Equal(t, "Worked on your account", accessWords("unheard_of"))
	for _, private := range []string{"open_customer", "begin_view", "request_refund", "extend_grace", "end_sessions"} {
		require.NotEqual(t, "Worked on your account", accessWords(private), private)
	}
}
