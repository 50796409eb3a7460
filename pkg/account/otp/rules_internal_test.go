package otp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func noon() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, clock.IST) }

// The day and the hour of sends are India's: midnight is half past six in the evening of UTC.
func TestSendDay_IsInIndianTime(t *testing.T) {
	t.Parallel()
	for at, want := range map[string][2]string{
		"2026-11-21T18:29:59Z": {"2026-11-21", "2026-11-21 23"}, "2026-11-21T18:30:00Z": {"2026-11-22", "2026-11-22 00"},
		"2026-11-21T00:00:00Z": {"2026-11-21", "2026-11-21 05"}, "2026-12-31T18:30:00Z": {"2027-01-01", "2027-01-01 00"},
		"2028-02-28T18:30:00Z": {"2028-02-29", "2028-02-29 00"},
	} {
		now, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		day, left := SendDay(now)
		hour, leftOfHour := sendHour(now)
		require.Equal(t, want, [2]string{day, hour}, at)
		require.Equal(t, "00:00:00", now.Add(left).In(clock.IST).Format(time.TimeOnly), at)
		require.True(t, left > 0 && left <= 24*time.Hour)
		require.Equal(t, "00:00", now.Add(leftOfHour).In(clock.IST).Format("04:05"), at)
		require.True(t, leftOfHour > 0 && leftOfHour <= time.Hour)
	}
}

func TestCode_OfAnotherRow_IsWrong(t *testing.T) {
	t.Parallel()
	keys := testkit.NewKeyring(t)
	row := Code{ID: "c1", Message: MessageCode, ExpiresAt: noon()}
	digits := Digits(keys, row.ID)
	require.True(t, account.IsSixDigits(digits))
	require.True(t, row.matches(keys, digits))
	require.False(t, row.matches(testkit.OtherKeyring(t), digits))
	for _, other := range []string{"", digits[:5], digits + "0", " " + digits, "०" + digits[1:]} {
		require.False(t, row.matches(keys, other), "%q", other)
	}
	used := row
	used.UsedAt = new(noon())
	require.True(t, used.matches(keys, digits), "whether it was used is for who redeems it")
	for _, silent := range []Message{MessageAccountExists, MessageMobileChanged, MessageErasureAsked, MessageNone, ""} {
		none := row
		none.Message = silent
		require.False(t, none.matches(keys, digits), "%q sends no code, so none is right", silent)
		for _, value := range none.message(keys, "").Values {
			require.NotContains(t, value, digits)
		}
	}
	require.False(t, row.Expired(noon().Add(-1)))
	require.True(t, row.Expired(noon()))
}

// The digits of any row are six, with leading zeros.
func TestCode_AnyRow_HasSixDigits(t *testing.T) {
	t.Parallel()
	keys := testkit.NewKeyring(t)
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		digits := Digits(keys, rapid.StringN(1, 36, -1).Draw(t, "id"))
		require.True(t, account.IsSixDigits(digits), digits)
		seen[digits] = true
	})
	require.Greater(t, len(seen), 50, "they differ")
}

func TestGuess_Confirms_OnlyTheSubjectOfTheCode(t *testing.T) {
	t.Parallel()
	bound, free := Code{BoundTo: []byte("one")}, Code{}
	require.True(t, Guess{}.confirms(free))
	require.False(t, Guess{}.confirms(bound), "a code for an e-mail proves nothing else")
	require.False(t, Guess{BoundTo: [][]byte{[]byte("one")}}.confirms(free))
	require.True(t, Guess{BoundTo: [][]byte{[]byte("two"), []byte("one")}}.confirms(bound), "under an older key")
	require.False(t, Guess{BoundTo: [][]byte{[]byte("two"), {}}}.confirms(bound))

	require.Equal(t, []byte("f1"), Guess{FranchiserID: new("f1"), BrowserHash: []byte("b")}.owner())
	require.Equal(t, []byte("b"), Guess{BrowserHash: []byte("b")}.owner())
	require.Empty(t, Guess{}.owner())
}

func TestTooManySMS_Message_NamesTheWait(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]string{
		-time.Hour: "1 seconds", 0: "1 seconds", time.Millisecond: "1 seconds", 1500 * time.Millisecond: "2 seconds", 59 * time.Second: "59 seconds",
		2*time.Minute - 1: "120 seconds", 2 * time.Minute: "2 minutes", 2*time.Minute + 1: "3 minutes", time.Hour: "60 minutes",
	} {
		e := errs.As(errTooManySMS(after))
		require.Equal(t, errs.KindRateLimited, e.Kind)
		require.Contains(t, e.Message, "again in "+want+".", after)
		require.GreaterOrEqual(t, e.RetryAfter, time.Second, "a header of nought would have the browser try at once")
	}
}
