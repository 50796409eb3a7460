package account_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func keyring(tb testing.TB) secret.Keyring {
	tb.Helper()
	return testkit.NewKeyring(tb)
}

// rows returns one text column.
func rows(tb testing.TB, b *bundle, query string) []string {
	tb.Helper()
	var list []string
	require.NoError(tb, b.db.Owner.Select(&list, query))
	return list
}

func TestCode_SameRowAndKey_IsEqual(t *testing.T) {
	t.Parallel()
	keys := keyring(t)
	seen := map[string]int{}
	for range 2000 {
		rowID := id.New()
		digits := otp.Digits(keys, rowID)
		require.Len(t, digits, 6)
		require.Equal(t, digits, otp.Digits(keys, rowID))
		seen[digits[:1]]++
	}
	require.Len(t, seen, 10, "every first digit occurs")
	other := testkit.OtherKeyring(t)
	const row = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"
	require.NotEqual(t, otp.Digits(keys, row), otp.Digits(other, row))
}

func TestCodeSMS_LastLine_CanBeAutofilled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.SignUps.StartSignUp(t.Context(), input(asha), home())
	require.NoError(t, err)
	list := b.inbox(t, asha)
	require.Len(t, list, 1)
	lines := strings.Split(list[0].Text, "\n")
	digits := b.digits(t, asha)
	require.Equal(t, "@franchise360.example #"+digits, lines[len(lines)-1])
	require.Equal(t, "otp", list[0].Template)
	require.Equal(t, []string{digits, digits}, list[0].Values)
	require.LessOrEqual(t, len(list[0].Text), 160, "one SMS")
}

func TestCode_FiftyConcurrentGuesses_ChecksFive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	b.clock.Advance(minute)
	b.startReset(t, asha)
	right := b.digits(t, asha)

	var judged, refused atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, err := b.SignIns.VerifyReset(t.Context(), asha, wrongDigits(right), owner())
			switch errs.As(err).Code {
			case "otp_wrong":
				judged.Add(1)
			case "otp_tries_exhausted":
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int32(5), judged.Load())
	require.Equal(t, int32(45), refused.Load())

	_, err := b.SignIns.VerifyReset(t.Context(), asha, right, owner())
	requireCode(t, err, errs.KindRateLimited, "otp_tries_exhausted")
	require.Equal(t, 15*time.Minute, errs.As(err).RetryAfter)

	// a new code does not reset the count, and neither does a flush of Redis
	b.clock.Advance(minute)
	b.startReset(t, asha)
	b.redis.FlushAll()
	_, err = b.SignIns.VerifyReset(t.Context(), asha, b.digits(t, asha), owner())
	requireCode(t, err, errs.KindRateLimited, "otp_tries_exhausted")

	// a sign-up with the mobile has its own count, and once the counts have expired the reset works again
	b.clock.Advance(15 * time.Minute)
	b.startReset(t, asha)
	_, err = b.SignIns.VerifyReset(t.Context(), asha, b.digits(t, asha), owner())
	require.NoError(t, err)
}

func TestReset_StrangersRequestAndGuess_OwnersCodeIsUnaffected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	b.clock.Advance(minute)
	b.startReset(t, asha)
	right := b.digits(t, asha)
	before := len(b.codeIDs(t))
	for n := range 30 {
		stranger := from(fmt.Sprintf("198.51.100.%d", n+1))
		_, err := b.SignIns.StartReset(t.Context(), asha, stranger)
		require.LessOrEqual(t, errs.As(err).RetryAfter, account.CodePause, "the owner's SMS is on its way")
		require.NotContains(t, errs.As(err).Data, "challenge")
		for _, browser := range []string{"", strings.Repeat("s", 43)} {
			stranger.Browser = browser
			_, err = b.SignIns.VerifyReset(t.Context(), asha, wrongDigits(right), stranger)
			require.Error(t, err)
		}
	}
	require.Len(t, b.codeIDs(t), before, "no more SMS")
	for range 4 {
		_, err := b.SignIns.VerifyReset(t.Context(), asha, wrongDigits(right), owner())
		requireCode(t, err, errs.KindMalformed, "otp_wrong")
	}

	// a stranger's own code neither replaces the owner's nor makes that browser's guesses right
	b.clock.Advance(account.CodePause)
	theirs := from("198.51.100.99")
	var err error
	theirs.Browser, err = b.SignIns.StartReset(t.Context(), asha, theirs)
	require.NoError(t, err)
	for range account.MaxCodeTries {
		_, err = b.SignIns.VerifyReset(t.Context(), asha, right, theirs)
		require.Error(t, err)
	}
	_, err = b.SignIns.VerifyReset(t.Context(), asha, right, theirs)
	requireCode(t, err, errs.KindRateLimited, "otp_tries_exhausted")
	_, err = b.SignIns.VerifyReset(t.Context(), asha, right, owner())
	require.NoError(t, err)
}

// Strangers have used up a number's SMS for the day. A browser that signed in to it before still gets its own.
func TestSMSLimit_KnownBrowser_HasItsOwnBudget(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Sends.PerMobile, limits.Sends.PerMobileHour, limits.Sends.InAll = 1, 0, 1
	b := setupWithLimits(t, limits)
	b.join(t, asha)
	b.clock.Advance(minute)
	_, err := b.SignIns.StartReset(t.Context(), asha, from("198.51.100.1"))
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))

	known := owner()
	known.Device = guard.ReadDevice(keyring(t), guard.ReadDevice(keyring(t), "").Remember(guard.KindFranchiser, asha, b.clock.Now()))
	for range limits.Sends.Known {
		_, err = b.SignIns.StartReset(t.Context(), asha, known)
		require.NoError(t, err)
		_, err = b.SignIns.StartReset(t.Context(), asha, known)
		require.Equal(t, 59*time.Second, errs.As(err).RetryAfter)
		require.NotContains(t, errs.As(err).Data, "challenge")
		b.clock.Advance(minute)
	}
	_, err = b.SignIns.StartReset(t.Context(), asha, known)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
}

func TestCode_ConcurrentVerification_GivesOneProof(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	b.clock.Advance(minute)
	b.startReset(t, asha)
	right := b.digits(t, asha)
	tokens := make([]string, 5)
	var all errgroup.Group
	for i := range tokens {
		all.Go(func() (err error) {
			tokens[i], err = b.SignIns.VerifyReset(t.Context(), asha, right, owner())
			return err
		})
	}
	require.NoError(t, all.Wait())
	require.Len(t, slices.Compact(tokens), 1)
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM verifications`))
}

func TestCode_OtherTimePurposeOrMobile_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	b.clock.Advance(minute)
	o := home()
	var err error
	o.Browser, err = b.SignUps.StartSignUp(t.Context(), input(ravi), o)
	require.NoError(t, err)
	signUp := b.digits(t, ravi)
	b.startReset(t, asha)
	reset := b.digits(t, asha)

	_, err = b.SignIns.VerifyReset(t.Context(), ravi, signUp, o)
	requireCode(t, err, errs.KindMalformed, "otp_wrong") // for another purpose
	_, err = b.SignUps.VerifySignUp(t.Context(), asha, reset, home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong")
	_, err = b.SignIns.VerifyReset(t.Context(), ravi, reset, owner())
	requireCode(t, err, errs.KindMalformed, "otp_wrong") // for another mobile

	// an older code
	b.clock.Advance(minute)
	b.startReset(t, asha)
	if newest := b.digits(t, asha); newest != reset {
		_, err = b.SignIns.VerifyReset(t.Context(), asha, reset, owner())
		requireCode(t, err, errs.KindMalformed, "otp_wrong")
		require.Contains(t, errs.As(err).Fields["otp"], "Please enter a valid code. Only the latest code that we sent is valid.")
		reset = newest
	}
	token, err := b.SignIns.VerifyReset(t.Context(), asha, reset, owner())
	require.NoError(t, err)
	again, err := b.SignIns.VerifyReset(t.Context(), asha, reset, owner())
	require.NoError(t, err, "the first answer may have been lost")
	require.Equal(t, token, again)
	_, err = b.SignIns.VerifyReset(t.Context(), asha, reset, home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong") // another browser
	require.NoError(t, b.SignIns.Reset(t.Context(),
		signin.ResetInput{Mobile: asha, Verification: token, Password: "Guava#2027", Confirmation: "Guava#2027"}))
	_, err = b.SignIns.VerifyReset(t.Context(), asha, reset, owner())
	requireCode(t, err, errs.KindMalformed, "otp_wrong") // its proof has been used

	b.clock.Advance(10*time.Minute - minute)
	_, err = b.SignUps.VerifySignUp(t.Context(), ravi, signUp, o)
	requireCode(t, err, errs.KindMalformed, "otp_expired")
	for _, malformed := range []string{"", "12345", "1234567", "12345a", "１２３４５６"} {
		_, err = b.SignIns.VerifyReset(t.Context(), asha, malformed, owner())
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), malformed)
	}
}

func TestVerification_OtherTimePurposeOrMobile_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	b.clock.Advance(minute)
	b.startReset(t, asha)
	token, err := b.SignIns.VerifyReset(t.Context(), asha, b.digits(t, asha), owner())
	require.NoError(t, err)

	reset := signin.ResetInput{Mobile: asha, Verification: token, Password: "Guava#2027", Confirmation: "Guava#2027"}
	other := reset
	other.Mobile = ravi
	requireCode(t, b.SignIns.Reset(t.Context(), other), errs.KindMalformed, "verification_invalid")
	_, err = b.SignUps.CompleteSignUp(t.Context(), asha, token, home())
	requireCode(t, err, errs.KindMalformed, "verification_invalid")

	require.NoError(t, b.SignIns.Reset(t.Context(), reset))
	requireCode(t, b.SignIns.Reset(t.Context(), reset), errs.KindMalformed, "verification_invalid")

	b.clock.Advance(minute)
	b.startReset(t, asha)
	reset.Verification, err = b.SignIns.VerifyReset(t.Context(), asha, b.digits(t, asha), owner())
	require.NoError(t, err)
	b.clock.Advance(10 * time.Minute)
	requireCode(t, b.SignIns.Reset(t.Context(), reset), errs.KindMalformed, "verification_invalid")
}

func TestSMSLimit_Flood_IsRefusedBeforeAJobExists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.redis.Close() // the counts do not depend on it
	_, err := b.SignUps.StartSignUp(t.Context(), input(asha), home())
	require.NoError(t, err)
	for range 20 {
		err := b.SignUps.ResendSignUpCode(t.Context(), asha, home())
		requireCode(t, err, errs.KindRateLimited, "too_many_requests")
		require.Equal(t, 59*time.Second, errs.As(err).RetryAfter)
	}
	require.Len(t, b.codeIDs(t), 1)

	b.clock.Advance(58 * time.Second)
	require.Equal(t, time.Second, errs.As(b.SignUps.ResendSignUpCode(t.Context(), asha, home())).RetryAfter)
	b.clock.Advance(time.Second)

	// ten a day per mobile for free, then one an hour for proof of work
	for range 9 {
		require.NoError(t, b.SignUps.ResendSignUpCode(t.Context(), asha, home()))
		b.clock.Advance(minute)
	}
	for range 3 {
		err = b.SignUps.ResendSignUpCode(t.Context(), asha, home())
		require.Greater(t, errs.As(err).RetryAfter, 8*time.Hour, "for nothing not before the day in India ends")
		require.NoError(t, b.SignUps.ResendSignUpCode(t.Context(), asha, working(t, home(), err)))
		b.clock.Advance(minute)
		err = b.SignUps.ResendSignUpCode(t.Context(), asha, home())
		require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
		require.NotContains(t, errs.As(err).Data, "challenge", "work buys no more")
		require.LessOrEqual(t, errs.As(err).RetryAfter, time.Hour)
		b.clock.Advance(errs.As(err).RetryAfter)
	}
	require.Len(t, b.codeIDs(t), 13)
	_, err = b.SignUps.StartSignUp(t.Context(), input(asha), home())
	require.NotEmpty(t, workOf(t, err).Token)
}

// A stranger does all required proof of work from ever new browsers and addresses. A phone gets at most one SMS a minute, and the owner on
// a new device gets one within the hour.
func TestSMSLimit_StrangerDoesAllWork_OwnerStillGetsACode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := 0
	hammer := func() error { // one request, repeated with the required proof of work
		stranger++
		o := from(fmt.Sprintf("2001:db8:%x::1", stranger))
		_, err := b.SignUps.StartSignUp(t.Context(), input(asha), o)
		if work, asked := errs.As(err).Data["challenge"].(guard.Work); err != nil && asked {
			o.Work = guard.Solve(work)
			_, err = b.SignUps.StartSignUp(t.Context(), input(asha), o)
		}
		return err
	}
	require.NoError(t, hammer())
	for range 5 {
		err := hammer()
		requireCode(t, err, errs.KindRateLimited, "too_many_requests")
		require.Equal(t, account.CodePause, errs.As(err).RetryAfter)
		require.Contains(t, errs.As(err).Message, "in 59 seconds")
	}
	require.Len(t, b.codeIDs(t), 1, "the pause holds for who does work too")

	var refused error
	for range 30 {
		b.clock.Advance(account.CodePause)
		if refused = hammer(); refused != nil {
			break
		}
	}
	require.Len(t, b.codeIDs(t), 11)
	wait := errs.As(refused).RetryAfter
	require.LessOrEqual(t, wait, time.Hour)
	require.Contains(t, errs.As(refused).Message, "minutes")

	b.clock.Advance(wait)
	_, err := b.SignUps.StartSignUp(t.Context(), input(asha), home())
	mine := working(t, home(), err)
	mine.Browser, err = b.SignUps.StartSignUp(t.Context(), input(asha), mine)
	require.NoError(t, err, "the owner is not kept out until midnight")

	// the owner's SMS got lost: the browser that began can request another
	b.clock.Advance(account.CodePause)
	err = b.SignUps.ResendSignUpCode(t.Context(), asha, mine)
	require.NoError(t, b.SignUps.ResendSignUpCode(t.Context(), asha, working(t, mine, err)))
	b.clock.Advance(account.CodePause)
	requireCode(t, b.SignUps.ResendSignUpCode(t.Context(), asha, mine), errs.KindRateLimited, "too_many_requests")
}

// A stranger requests SMS for a whole day and does all the proof of work. A phone gets only as many SMS as the table of limits allows.
func TestSMSLimit_StrangerDoesAllWorkForADay_PhoneStaysWithinItsLimit(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Sends.PerMobile = 2
	b := setupWithLimits(t, limits)
	until := b.clock.Now().Add(5 * time.Hour)
	for n := 0; b.clock.Now().Before(until); n++ {
		o := from(fmt.Sprintf("2001:db8:%x::1", n))
		_, err := b.SignIns.StartReset(t.Context(), asha, o)
		if work, asked := errs.As(err).Data["challenge"].(guard.Work); err != nil && asked {
			o.Work = guard.Solve(work)
			_, _ = b.SignIns.StartReset(t.Context(), asha, o)
		}
		b.clock.Advance(10 * time.Minute)
	}
	sent := count(t, b.db.Owner, `SELECT count(*) FROM one_time_codes WHERE mobile = $1`, asha)
	require.GreaterOrEqual(t, sent, 2+4)
	require.LessOrEqual(t, sent, 2+6, "one in each hour that five hours touch")
}

func TestSMSLimit_PerAddressAndInAll_LimitTheDay(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Sends.PerAddress, limits.Sends.InAll = 3, 5
	b := setupWithLimits(t, limits)
	send := func(n int, address string) error {
		_, err := b.SignUps.StartSignUp(t.Context(), input(fmt.Sprintf("98765%05d", n)), from(address))
		return err
	}
	for n := range 3 {
		require.NoError(t, send(n, "203.0.113.7"))
	}
	require.Equal(t, errs.KindRateLimited, errs.KindOf(send(3, "203.0.113.7")))
	require.NoError(t, send(4, "2001:db8::1"))
	require.NoError(t, send(5, "2001:db8::2"))
	err := send(6, "198.51.100.1")
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "five in all")
	require.Len(t, b.codeIDs(t), 5)

	_, err = b.SignUps.StartSignUp(t.Context(), input("9876500006"), working(t, from("198.51.100.1"), err))
	require.NoError(t, err, "strangers' SMS keep nobody out who does the work")
}

func TestCodeRequest_ManyAtOnce_SendOneSMS(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	b.clock.Advance(minute)
	before := len(b.codeIDs(t))
	var ok atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := b.SignIns.StartReset(t.Context(), asha, home()); err == nil {
				ok.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int32(1), ok.Load())
	require.Len(t, b.codeIDs(t), before+1)
}

func TestCodeSMS_Fails_IsRetriedUntilItsCodeExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.SignUps.StartSignUp(t.Context(), input(asha), home())
	require.NoError(t, err)
	row := b.codeIDs(t)[0]

	b.phone.fail = errs.Unavailable(errors.New("provider is down"))
	require.ErrorIs(t, b.sender.Send(t.Context(), row), b.phone.fail)
	require.Equal(t, []string{"unavailable"}, rows(t, b, `SELECT send_error FROM one_time_codes`))
	b.clock.Advance(5 * time.Minute)
	b.phone.fail = nil
	require.NoError(t, b.sender.Send(t.Context(), row))
	require.NoError(t, b.sender.Send(t.Context(), row), "killed before it was marked done, it runs again")
	require.Len(t, b.phone.messages, 1)
	require.Equal(t, otp.Digits(keyring(t), row), b.phone.messages[0].Values[0], "the same code as the first time")
	require.Empty(t, rows(t, b, `SELECT send_error FROM one_time_codes WHERE send_error IS NOT NULL`))

	b.phone.fail = errs.Unavailable(errors.New("provider is down"))
	require.NoError(t, b.SignUps.ResendSignUpCode(t.Context(), asha, home()))
	late := b.codeIDs(t)[1]
	require.ErrorIs(t, b.sender.Send(t.Context(), late), b.phone.fail)
	b.phone.fail = nil
	b.clock.Advance(10 * time.Minute)
	requireCode(t, b.sender.Send(t.Context(), late), errs.KindInvalid, "too_late")
	require.Len(t, b.phone.messages, 1)
}

func TestCodeSMS_SupersededCode_IsNotSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.SignUps.StartSignUp(t.Context(), input(asha), owner())
	require.NoError(t, err)
	b.clock.Advance(minute)
	require.NoError(t, b.SignUps.ResendSignUpCode(t.Context(), asha, owner()))
	b.deliver(t)
	require.Len(t, b.phone.messages, 1)
	require.Equal(t, b.codeIDs(t)[1], b.phone.messages[0].ID)
}

func TestDatabase_CodesTokensAndPasswords_AreNotStoredInClear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	digits := b.digits(t, asha)
	var dump []string
	for _, table := range []string{
		"franchisers", "one_time_codes", "verifications", "sessions", "refresh_tokens", "code_attempts", "code_sends", "river_job", "rate_limits",
	} {
		dump = append(dump, rows(t, b, `SELECT row_to_json(t)::text FROM `+table+` t`)...)
	}
	all := strings.Join(dump, "\n")
	require.Contains(t, all, asha, "the dump holds what it should")
	for what, value := range map[string]string{
		"access token": in.Tokens.Access, "refresh token": in.Tokens.Refresh, "password": goodPassword, "code": `"` + digits + `"`,
	} {
		require.NotContains(t, all, value, what)
	}
	for _, args := range rows(t, b, `SELECT args::text FROM river_job`) {
		require.NotContains(t, args, asha)
		require.NotContains(t, args, digits)
	}
	for _, key := range b.redis.Keys() {
		require.NotContains(t, key, asha)
		require.NotContains(t, key, in.Tokens.Access)
	}
}
