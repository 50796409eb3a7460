package account

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

func noon() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, clock.IST) }

// fault returns the check's message, or "".
func fault(check func(v *errs.Validation)) string {
	var v errs.Validation
	check(&v)
	if v.Err() == nil {
		return ""
	}
	for _, messages := range errs.As(v.Err()).Fields {
		return strings.Join(messages, "|")
	}
	return ""
}

const notMobile = "Invalid: mobile numbers start with 6, 7, 8 or 9"

func TestMobile_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	for mobile, want := range map[string]string{
		"6000000000": "", "7999999999": "", "8123456789": "", "9999999999": "",
		"": "Mobile number can not be empty.", " ": "Please enter valid number", "+919876543210": "Please enter valid number", "09876543210": "Please enter valid number",
		"98765432 10": "Please enter valid number", "9876543210\n": "Please enter valid number", strings.Repeat("9", 10_000): "Please enter valid number",
		"5999999999": notMobile, "0876543210": notMobile, "987654321 ": notMobile, "987654321\x00": notMobile, "98765-4321": notMobile,
		"९८७६५४३२१०": notMobile, "9８76543210": notMobile, "987654321\u0661": notMobile, "9876543🍬10": notMobile, "/876543210": notMobile, "987654321:": notMobile,
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { CheckMobile(v, "mobile", mobile) }), "%.20q", mobile)
	}
}

// The web client's tests read the same file.
func TestEmail_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/emails.json")
	require.NoError(t, err)
	var samples struct{ Fine, Bad []string }
	require.NoError(t, json.Unmarshal(text, &samples))
	require.NotEmpty(t, samples.Fine)
	require.NotEmpty(t, samples.Bad)
	for _, fine := range samples.Fine {
		require.True(t, isEmail(fine), fine)
		require.True(t, isEmail(strings.ToUpper(fine)), fine)
	}
	for _, bad := range append(samples.Bad, "asha@example.in\n", "asha@example.in ", "\xff@example.in", strings.Repeat("a", 10_000)+"@b.in") {
		require.False(t, isEmail(bad), "%.40q", bad)
	}
	require.Equal(t, "asha@example.in", CleanEmail(" \tASHA@Example.IN\n"))
}

func TestName_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Asha": "", "आशा": "", "José Luís": "", "N. T.": "", "डॉ॰ आशा": "", "ડૉ૰ આશા": "", "ডঃ৽ আশা": "", "ਡਾ੶ ਆਸ਼ਾ": "", "ڈاکٹر۔ آشا": "", "॰आशा": "Please use letters, spaces and . ' - only", "आशा، राव": "Please use letters, spaces and . ' - only", "D'Souza": "", "O'Brien-Rao": "", "मृणाल सूर्\u200dयवंशी": "", "ജോസഫ്\u200c": "", "র\u200d্যাম": "", "ᱥᱟᱱᱛᱟᱲ": "", "ꯃꯩꯇꯩ": "", "中村": text.NotPrintable, "සිංහල": text.NotPrintable, "\u200d\u200dAsha": "Please use letters, spaces and . ' - only", "As\u200dha": "Please use letters, spaces and . ' - only", "-Asha": "Please use letters, spaces and . ' - only", ". .": "Please use letters, spaces and . ' - only",
		"अ": "Please use at least 2 characters", "": "Name can not be empty.", strings.Repeat("क", 39): "", strings.Repeat("a", 40): "Name should be under 40 characters",
		strings.Repeat("a", 10_000): "Name should be under 40 characters", "  ": "Please use letters, spaces and . ' - only", "\u0301\u0301": "Please use letters, spaces and . ' - only",
		"Asha🍬": "Please use letters, spaces and . ' - only", "As\u200Bha": "Please use letters, spaces and . ' - only", "\u202Eahsa": "Please use letters, spaces and . ' - only",
		"Asha\x00": "Please use letters, spaces and . ' - only", "Asha2": "Please use letters, spaces and . ' - only", "=cmd": "Please use letters, spaces and . ' - only",
		"As\u00A0ha": "Please use letters, spaces and . ' - only", "<b>": "Please use letters, spaces and . ' - only",
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { checkName(v, "first_name", name) }), "%.20q", name)
	}
	for names, want := range map[[2]string]string{
		{"Ravichandran", "K"}: "", {"Ravichandran", ""}: "", {"K", "Ravichandran"}: "", {"Om", "Rao"}: "", {"Md.", "Irfan"}: "",
		{"K", ""}: msgShortName, {"", "Rao"}: "Name can not be empty.", {"Asha2", "Rao"}: "Please use letters, spaces and . ' - only",
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { checkFullName(v, names[0], names[1]) }), names)
	}
}

func TestCode_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]string{
		"000000": "", "123456": "", "": "Code can not be empty.", "12345": "Please enter a valid code", "1234567": "Please enter a valid code",
		" 12345": "Please enter a valid code", "12345a": "Please enter a valid code", "１２３４５６": "Please enter a valid code", "१२": "Please enter a valid code",
		"-12345": "Please enter a valid code", "12345\x00": "Please enter a valid code", "12345:": "Please enter a valid code", "12345/": "Please enter a valid code",
	} {
		require.Equal(t, want, fault(func(v *errs.Validation) { checkCodeFormat(v, "otp", digits) }), "%q", digits)
	}
}

// A session is live until its family ends or its idle time is over, exact to the second.
func TestSession_Live_UntilItsIdleTimeOrItsFamilyEnds(t *testing.T) {
	t.Parallel()
	for _, remember := range []bool{false, true} {
		life, idle := BrowserLife, BrowserIdle
		if remember {
			life, idle = RememberedLife, RememberedIdle
		}
		tokens, row := newSession("f", remember, Origin{}, noon())
		require.Equal(t, []time.Time{noon().Add(life), noon().Add(life)}, []time.Time{tokens.ExpiresAt, row.ExpiresAt})
		require.True(t, row.live(noon()))
		require.True(t, row.live(noon().Add(idle-1)))
		require.False(t, row.live(noon().Add(idle)), "not in use for so long")

		used := row.renew("token", Origin{}, noon().Add(life-time.Second))
		require.True(t, used.live(noon().Add(life-1)))
		require.False(t, used.live(noon().Add(life)), "the family has ended, however often it was renewed")
		require.Equal(t, noon().Add(life), used.AccessExpiresAt, "no token outlives its family")
		require.Equal(t, row.ExpiresAt, used.ExpiresAt)

		ended := row
		ended.EndedAt = new(noon())
		require.False(t, ended.live(noon()))
	}
	_, row := newSession("f", false, Origin{}, noon())
	require.Equal(t, noon().Add(AccessLife), row.AccessExpiresAt)
}

func TestSession_Tokens_AreDistinctAndHashed(t *testing.T) {
	t.Parallel()
	one, row := newSession("f", true, Origin{}, noon())
	two, _ := newSession("f", true, Origin{}, noon())
	seen := map[string]bool{}
	for _, token := range []string{one.Access, one.Refresh, two.Access, two.Refresh, one.SessionID, two.SessionID} {
		require.False(t, seen[token], "each is its own")
		seen[token] = true
	}
	require.Len(t, one.Access, tokenLength)
	require.Len(t, one.Refresh, tokenLength)
	require.True(t, sameHash(row.AccessHash, one.Access))
	require.False(t, sameHash(row.AccessHash, one.Refresh))
	require.False(t, sameHash(row.AccessHash, ""))

	keys, others := keyring(t, 'a'), keyring(t, 'b')
	next := successors(keys, one.Refresh, row)
	require.Equal(t, next, successors(keys, one.Refresh, row), "two tabs get the same")
	require.NotEqual(t, next.Access, next.Refresh)
	require.NotEqual(t, next.Refresh, successors(others, one.Refresh, row).Refresh, "nobody without the key can tell them")
	require.NotEqual(t, next.Refresh, successors(keys, two.Refresh, row).Refresh)
	require.NotEqual(t, next.Refresh, successors(keys, next.Refresh, row).Refresh)
	require.Len(t, next.Access, tokenLength)
	require.Equal(t, []any{row.ID, true, row.ExpiresAt}, []any{next.SessionID, next.Remember, next.ExpiresAt})
}

// keyring returns a keyring with one key, made of the letter, a hexadecimal digit.
func keyring(t *testing.T, letter byte) secret.Keyring {
	t.Helper()
	keys, err := secret.ParseKeyring(strings.Repeat(string(letter), 64))
	require.NoError(t, err)
	return keys
}

// Any user agent is cut to a short text of whole letters that Postgres can store.
func TestUserAgent_AnyText_IsCutToStorableText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ab", cut("ab", 2))
	require.Equal(t, "ab", cut("abc", 2))
	require.Equal(t, "a", cut("aक", 3), "no letter in halves")
	require.Empty(t, cut("क", 2))
	require.Empty(t, cut("", 0))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		n := rapid.IntRange(0, 40).Draw(t, "n")
		got := cut(text, n)
		require.LessOrEqual(t, len(got), n)
		require.True(t, utf8.ValidString(got), "%q", got)
		require.NotContains(t, got, "\x00")
		if utf8.ValidString(text) && !strings.Contains(text, "\x00") {
			require.True(t, strings.HasPrefix(text, got))
			require.Greater(t, len(got)+utf8.UTFMax, min(len(text), n), "no more is lost than must be")
		}
	})
}

func TestBrowser_ValidToken_IsKept(t *testing.T) {
	t.Parallel()
	own := strings.Repeat("o", tokenLength)
	require.Equal(t, own, browserOf(Origin{Browser: own}))
	for _, none := range []string{"", "o", own + "o", own[1:]} {
		got := browserOf(Origin{Browser: none})
		require.Len(t, got, tokenLength)
		require.NotEqual(t, got, browserOf(Origin{Browser: none}), "a new one each time")
	}
	require.Nil(t, Origin{}.browserHash())
	require.Equal(t, secret.Hash("x"), Origin{Browser: "x"}.browserHash())
	o := Origin{Address: "203.0.113.7", Work: "w", Pressed: true}
	require.Equal(t, guard.Visitor{Address: "203.0.113.7", Work: "w", Pressed: true}, o.visitor())
}

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
		day, left := sendDay(now)
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
	keys := keyring(t, 'a')
	row := code{ID: "c1", Message: messageCode, ExpiresAt: noon()}
	digits := Code(keys, row.ID)
	require.True(t, isSixDigits(digits))
	require.True(t, row.matches(keys, digits))
	require.False(t, row.matches(keyring(t, 'b'), digits))
	for _, other := range []string{"", digits[:5], digits + "0", " " + digits, "०" + digits[1:]} {
		require.False(t, row.matches(keys, other), "%q", other)
	}
	used := row
	used.UsedAt = new(noon())
	require.True(t, used.matches(keys, digits), "whether it was used is for who redeems it")
	for _, silent := range []codeMessage{messageAccountExists, messageMobileChanged, messageErasureAsked, messageNone, ""} {
		none := row
		none.Message = silent
		require.False(t, none.matches(keys, digits), "%q sends no code, so none is right", silent)
		for _, value := range none.message(keys, "").Values {
			require.NotContains(t, value, digits)
		}
	}
	require.False(t, row.expired(noon().Add(-1)))
	require.True(t, row.expired(noon()))
}

// The digits of any row are six, with leading zeros.
func TestCode_AnyRow_HasSixDigits(t *testing.T) {
	t.Parallel()
	keys := keyring(t, 'a')
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		digits := Code(keys, rapid.StringN(1, 36, -1).Draw(t, "id"))
		require.True(t, isSixDigits(digits), digits)
		seen[digits] = true
	})
	require.Greater(t, len(seen), 50, "they differ")
}

func TestGuess_Confirms_OnlyTheSubjectOfTheCode(t *testing.T) {
	t.Parallel()
	bound, free := code{BoundTo: []byte("one")}, code{}
	require.True(t, guess{}.confirms(free))
	require.False(t, guess{}.confirms(bound), "a code for an e-mail proves nothing else")
	require.False(t, guess{boundTo: [][]byte{[]byte("one")}}.confirms(free))
	require.True(t, guess{boundTo: [][]byte{[]byte("two"), []byte("one")}}.confirms(bound), "under an older key")
	require.False(t, guess{boundTo: [][]byte{[]byte("two"), {}}}.confirms(bound))

	require.Equal(t, []byte("f1"), guess{franchiserID: new("f1"), browserHash: []byte("b")}.owner())
	require.Equal(t, []byte("b"), guess{browserHash: []byte("b")}.owner())
	require.Empty(t, guess{}.owner())
}

func TestSignUpCode_MobileTakenOrFree_ChoosesTheMessage(t *testing.T) {
	t.Parallel()
	p := signUp{ID: "s1", Mobile: "9876543210"}
	for name, tc := range map[string]struct {
		of              signUp
		taken, entitled bool
		want            codeMessage
	}{
		"free":                            {p, false, true, messageCode},
		"taken":                           {p, true, true, messageAccountExists},
		"wrong password":                  {p, false, false, messageNone},
		"taken, wrong password":           {p, true, false, messageNone},
		"no sign-up pending":              {signUp{Mobile: p.Mobile}, false, true, messageNone},
		"no sign-up pending, taken":       {signUp{Mobile: p.Mobile}, true, true, messageNone},
		"no sign-up pending, no password": {signUp{Mobile: p.Mobile}, false, false, messageNone},
	} {
		got := signUpCode(tc.of, tc.taken, tc.entitled)
		require.Equal(t, tc.want, got.Message, name)
		require.Equal(t, tc.of.ID == "", got.SignUpID == nil, name)
		require.Equal(t, []any{p.Mobile, PurposeSignUp}, []any{got.Mobile, got.Purpose}, name)
	}
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

// An erasure is due seven days after its request by India's calendar, at any time of the day.
func TestErasure_Day_IsSevenIndianDaysAfterTheRequest(t *testing.T) {
	t.Parallel()
	require.Nil(t, ErasureAsked(nil))
	require.Nil(t, Franchiser{}.Erasure())
	for asked, want := range map[string]string{
		"2026-11-21T18:29:59Z": "2026-11-28", "2026-11-21T18:30:00Z": "2026-11-29", "2028-02-22T05:00:00Z": "2028-02-29", "2026-12-25T05:00:00Z": "2027-01-01",
	} {
		at, err := time.Parse(time.RFC3339, asked)
		require.NoError(t, err)
		e := Franchiser{ErasureRequestedAt: &at}.Erasure()
		require.Equal(t, want, e.On.Format(time.DateOnly), asked)
		require.Equal(t, at, e.RequestedAt)
		require.Equal(t, ErasureDelay, e.On.Sub(at))
	}
}

func TestRecoveryCodes_AreDistinctAndReadable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 20 {
		codes := newRecoveryCodes()
		require.Len(t, codes, 10)
		for _, c := range codes {
			require.Regexp(t, `^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$`, c, "120 bits, as people read them aloud")
			require.False(t, seen[c])
			seen[c] = true
			require.False(t, isSixDigits(c), "never taken for a code of the app")
		}
	}
}
