package guard

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

func ring(t *testing.T) secret.Keyring {
	t.Helper()
	k, err := secret.ParseKeyring(strings.Repeat("ab", 32))
	require.NoError(t, err)
	return k
}

func TestWait_DoublesUpToAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	for over, want := range map[int64]time.Duration{
		-1: 15 * time.Second, 0: 15 * time.Second, 1: 15 * time.Second, 2: 30 * time.Second, 3: time.Minute, 6: 8 * time.Minute, 7: 15 * time.Minute,
		8: 15 * time.Minute, 1 << 40: 15 * time.Minute,
	} {
		require.Equal(t, want, wait(over), over)
	}
}

func TestWork_Difficulty_DoublesUpToItsMaximum(t *testing.T) {
	t.Parallel()
	for pressure, want := range map[int64]int{
		-5: easiest, 0: easiest, 1: easiest, 2: easiest + 1, 3: easiest + 2, 4: easiest + 2, 5: easiest + 3, 512: hardest, 513: hardest, 1 << 62: hardest,
	} {
		require.Equal(t, want, difficulty(pressure), pressure)
	}
}

func TestWork_Answer_SolvesAllPartsOfItsTokenOnly(t *testing.T) {
	t.Parallel()
	w := Work{Token: "token", Parts: workParts, Bits: 4}
	answer := Solve(w)
	token, solution, _ := strings.Cut(answer, ".")
	require.Equal(t, "token", token)
	require.True(t, solves("token", solution, 4))
	require.True(t, solves("token", solution, 0))
	require.False(t, solves("another", solution, 12))
	numbers := strings.Split(solution, "-")
	for name, wrong := range map[string]string{
		"nothing": "", "a part less": strings.Join(numbers[1:], "-"), "a part more": solution + "-0", "the same in each": strings.Repeat(numbers[0]+"-", 15) + numbers[0],
		"a long number": strings.Join(numbers[1:], "-") + "-" + strings.Repeat("0", maxNonce+1), "words": strings.Repeat("x-", 15) + "x",
	} {
		require.False(t, solves("token", wrong, 12), name)
	}
}

// A limit of 0 blocks everything or nothing at all.
func TestLimits_EachOne_IsSet(t *testing.T) {
	t.Parallel()
	live, wide := Default(), Default().ForDevelopment()
	for name, d := range map[string]Door{"login": live.Login, "code": live.LoginCode, "staff": live.Staff, "store": live.Store} {
		require.NotEmpty(t, d.Name, name)
		require.Positive(t, d.Known, name)
		require.GreaterOrEqual(t, d.KnownInAll, d.Known, name)
		require.Positive(t, d.Free, name)
		require.GreaterOrEqual(t, d.Address, d.Free, "%s: one address is not refused before the account asks for work", name)
		require.Equal(t, d.NoWork, d.Worked == 0, "%s: work is worth something where it is asked for", name)
		require.Equal(t, d.NoWork, d.Reserve > 0 && d.ReserveInAll > d.Free, "%s: without work there is a reserve", name)
	}
	require.Positive(t, live.LoginCode.InAll, "six digits need a bound that no work lifts")
	require.Positive(t, live.StaffCode.InAll)
	names := map[string]bool{}
	for _, d := range []Door{live.Login, live.LoginCode, live.Staff, live.StaffCode, live.Store} {
		require.False(t, names[d.Name], "two doors count together: %s", d.Name)
		names[d.Name] = true
	}
	for _, part := range []any{live.Sends, live.Own, live.Writes, live.Forms} {
		v := reflect.ValueOf(part)
		for i := range v.NumField() {
			require.Positive(t, v.Field(i).Int(), "%s.%s", v.Type(), v.Type().Field(i).Name)
		}
	}
	require.Positive(t, live.Searches)
	require.Positive(t, live.StaffReads)

	require.Equal(t, Default(), live, "widening a copy leaves the table alone")
	require.Equal(t, live.Login.Free, wide.Login.Free, "what is counted by account stays in development")
	require.Equal(t, live.LoginCode.InAll, wide.LoginCode.InAll)
	require.Equal(t, live.Own.Session, wide.Own.Session)
	require.Equal(t, live.Sends.PerMobile, wide.Sends.PerMobile)
	require.Equal(t, 1000*live.Login.Address, wide.Login.Address)
	require.Equal(t, 1000*live.Sends.PerAddress, wide.Sends.PerAddress)
	require.Equal(t, 1000*live.Forms.Contact, wide.Forms.Contact)
}

func TestDevice_NinthAccount_ReplacesTheLeastRecentlyUsed(t *testing.T) {
	t.Parallel()
	keys, now := ring(t), time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	account := func(n int) string { return "account " + string(rune('a'+n)) }
	cookie := ""
	for n := range deviceAccounts + 1 {
		cookie = ReadDevice(keys, cookie).Remember(KindFranchiser, account(n), now)
		require.LessOrEqual(t, len(cookie), maxDeviceCookie, "it is read again")
	}
	d := ReadDevice(keys, cookie)
	require.False(t, d.Knows(KindFranchiser, account(0), now), "the ninth takes the place of the first")
	for n := 1; n <= deviceAccounts; n++ {
		require.True(t, d.Knows(KindFranchiser, account(n), now), n)
	}
	again := ReadDevice(keys, d.Remember(KindFranchiser, account(1), now.Add(48*time.Hour)))
	require.Equal(t, d.ID(), again.ID(), "the device keeps its name")
	require.Len(t, again.entries, deviceAccounts, "an account that signs in again is known once")
	again = ReadDevice(keys, again.Remember(KindFranchiser, "new", now))
	require.True(t, again.Knows(KindFranchiser, account(1), now), "and was used last")
	require.False(t, again.Knows(KindFranchiser, account(2), now))
	require.Empty(t, ReadDevice(keys, "").ID())
	require.False(t, ReadDevice(keys, "").Knows(KindFranchiser, account(1), now))
}

func TestDeviceCookie_AnyChange_IsIgnoredWhole(t *testing.T) {
	t.Parallel()
	keys, now := ring(t), time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC)
	cookie := ReadDevice(keys, "").Remember(KindStaff, "sunita@example.in", now)
	raw, _, _ := strings.Cut(cookie, ".")
	plain, err := base64.RawURLEncoding.DecodeString(raw)
	require.NoError(t, err)
	require.NotContains(t, string(plain), "sunita")
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(cookie)-1).Draw(t, "at")
		other := rapid.SampledFrom([]byte("ABCxyz019-_.")).Draw(t, "other")
		if cookie[at] == other {
			return
		}
		changed := cookie[:at] + string(other) + cookie[at+1:]
		d := ReadDevice(keys, changed)
		require.False(t, d.Knows(KindStaff, "sunita@example.in", now), changed)
	})
	other, err := secret.ParseKeyring(strings.Repeat("cd", 32))
	require.NoError(t, err)
	require.Empty(t, ReadDevice(other, cookie).ID(), "of other keys")
}
