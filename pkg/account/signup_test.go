package account_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/signup"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestSignUp_Completed_BecomesAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)

	require.Equal(t, asha, in.User.Mobile)
	require.Equal(t, "asha@example.in", in.User.Email)
	require.Equal(t, "Asha", in.User.FirstName)
	require.Equal(t, account.RedirectPrice, in.User.Redirect())
	require.True(t, b.lives(t, in.Tokens.Access))
	require.Empty(t, b.billing.trials)
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM pending_sign_ups`))

	again, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	require.Equal(t, in.User.ID, again.User.ID)
	require.NotEqual(t, in.Tokens.SessionID, again.Tokens.SessionID, "each sign-in is a session of its own")
	require.NotEqual(t, in.Tokens.Access, again.Tokens.Access)
}

// A new browser whose answer was lost repeats the first step with its key: it gets the same token and no second SMS. With other details, or
// without the key, it waits like any other.
func TestSignUp_FirstStepRepeatedWithItsKey_SendsNoSecondSMS(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := input(asha)
	in.Key = "0123456789-a-key"
	first, err := b.SignUps.StartSignUp(t.Context(), in, home())
	require.NoError(t, err)
	again, err := b.SignUps.StartSignUp(t.Context(), in, home())
	require.NoError(t, err)
	require.Equal(t, first, again)
	known := home()
	known.Browser = first
	again, err = b.SignUps.StartSignUp(t.Context(), in, known)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Len(t, b.inbox(t, asha), 1)

	for name, change := range map[string]func(*signup.Input){
		"password": func(in *signup.Input) { in.Password = "Guava#2027" },
		"e-mail":   func(in *signup.Input) { in.Email = "ravi@example.in" },
		"trial":    func(in *signup.Input) { in.FreeTrial = true },
		"key":      func(in *signup.Input) { in.Key = "0123456789-another" },
		"no key":   func(in *signup.Input) { in.Key = "" },
	} {
		other := in
		change(&other)
		_, err = b.SignUps.StartSignUp(t.Context(), other, home())
		require.Equal(t, errs.KindRateLimited, errs.KindOf(err), name)
	}
	o := home()
	o.Browser = first
	token, err := b.SignUps.VerifySignUp(t.Context(), asha, b.digits(t, asha), o)
	require.NoError(t, err)
	_, err = b.SignUps.CompleteSignUp(t.Context(), asha, token, o)
	require.NoError(t, err)
}

func TestSignUp_EachInvalidField_HasItsMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, tc := range map[string]struct {
		change func(*signup.Input)
		field  string
		want   string
	}{
		"mobile empty":        {func(in *signup.Input) { in.Mobile = "" }, "mobile", "Mobile number can not be empty."},
		"mobile short":        {func(in *signup.Input) { in.Mobile = "987654321" }, "mobile", "Please enter valid number"},
		"mobile long":         {func(in *signup.Input) { in.Mobile = "98765432100" }, "mobile", "Please enter valid number"},
		"mobile letters":      {func(in *signup.Input) { in.Mobile = "98765abcde" }, "mobile", "Invalid: mobile numbers start with 6, 7, 8 or 9"},
		"mobile of a land":    {func(in *signup.Input) { in.Mobile = "5876543210" }, "mobile", "Invalid: mobile numbers start with 6, 7, 8 or 9"},
		"mobile other digits": {func(in *signup.Input) { in.Mobile = "९८७६५४३२१०" }, "mobile", "Invalid: mobile numbers start with 6, 7, 8 or 9"},
		"e-mail empty":        {func(in *signup.Input) { in.Email = " " }, "email", "Email can not be empty."},
		"e-mail no host":      {func(in *signup.Input) { in.Email = "asha" }, "email", "Please enter your valid email id"},
		"e-mail no dot":       {func(in *signup.Input) { in.Email = "asha@localhost" }, "email", "Please enter your valid email id"},
		"e-mail two dots":     {func(in *signup.Input) { in.Email = "asha@example..in" }, "email", "Please enter your valid email id"},
		"e-mail with name":    {func(in *signup.Input) { in.Email = "Asha <asha@example.in>" }, "email", "Please enter your valid email id"},
		"e-mail line end":     {func(in *signup.Input) { in.Email = "asha@example.in\nbcc:x@y.z" }, "email", "Please enter your valid email id"},
		"e-mail long": {
			func(in *signup.Input) { in.Email = strings.Repeat("a", 250) + "@b.in" },
			"email", "Please enter your valid email id",
		},
		"password empty":     {func(in *signup.Input) { in.Password = "" }, "password", "Password can not be empty."},
		"password short":     {func(in *signup.Input) { in.Password = "Ab#4567" }, "password", "Password needs at least 8 characters"},
		"password long":      {func(in *signup.Input) { in.Password = strings.Repeat("Ab#45678", 17) }, "password", "Password is too long"},
		"password one class": {func(in *signup.Input) { in.Password = "mangomango" }, "password", ""},
		"password spaced":    {func(in *signup.Input) { in.Password = "Mango #2026" }, "password", ""},
		"name of a trial": {
			func(in *signup.Input) { in.FirstName, in.FreeTrial = "", true },
			"first_name", "Name can not be empty.",
		},
		"name short":  {func(in *signup.Input) { in.FirstName = "A" }, "first_name", "Please use at least 2 characters"},
		"name long":   {func(in *signup.Input) { in.FirstName = strings.Repeat("a", 40) }, "first_name", ""},
		"name digits": {func(in *signup.Input) { in.FirstName = "Asha 2" }, "first_name", "Please use letters, spaces and . ' - only"},
		"name script": {
			func(in *signup.Input) { in.FirstName = "<script>alert" },
			"first_name", "Please use letters, spaces and . ' - only",
		},
	} {
		in := input(asha)
		tc.change(&in)
		_, err := b.SignUps.StartSignUp(t.Context(), in, home())
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Len(t, errs.As(err).Fields, 1, name)
		require.NotEmpty(t, errs.As(err).Fields[tc.field], name)
		if tc.want != "" {
			require.Equal(t, []string{tc.want}, errs.As(err).Fields[tc.field], name)
		}
	}
	require.Empty(t, b.codeIDs(t))

	for _, name := range []string{"Asha", "आशा", "José Luís", "  Asha   Devi "} {
		in := input(asha)
		in.FirstName = name
		require.NoError(t, in.Validate(), name)
	}
}

func TestSignUpAndReset_DoNotRevealWhetherAMobileHasAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	b.clock.Advance(2 * minute)

	// sign-up: the same outcome, and the owner alone learns why
	for _, mobile := range []string{asha, ravi} {
		browser, err := b.SignUps.StartSignUp(t.Context(), input(mobile), home())
		require.NoError(t, err)
		require.Len(t, browser, 43)
	}
	note := b.inbox(t, asha)
	require.Contains(t, note[len(note)-1].Text, "already have a Franchise 360 account")
	require.NotRegexp(t, `[0-9]{6}`, note[len(note)-1].Text)
	require.NotEmpty(t, b.digits(t, ravi))

	// no digits are right for a code that was not sent, not even those derived from its row
	id := b.codeIDs(t)[1]
	_, err := b.SignUps.VerifySignUp(t.Context(), asha, otp.Digits(keyring(t), id), home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong")

	// resend, forgotten password, sign-in
	b.clock.Advance(2 * minute)
	const stranger = "9000000001"
	for _, mobile := range []string{asha, ravi, stranger} {
		require.NoError(t, b.SignUps.ResendSignUpCode(t.Context(), mobile, home()), mobile)
		b.startReset(t, mobile)
	}
	b.clock.Advance(2 * minute)
	for _, mobile := range []string{asha, ravi, stranger} {
		require.NoError(t, b.SignUps.ResendSignUpCodeWithPassword(t.Context(), mobile, "Wrong#2026", home()), mobile)
		_, err := b.SignIns.VerifyReset(t.Context(), mobile, "000000", owner())
		requireCode(t, err, errs.KindMalformed, "otp_wrong")
		_, err = b.login(t, mobile, "Wrong#2026")
		requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	}
	require.Empty(t, b.inbox(t, stranger), "who has asked for nothing is sent nothing")
	require.Equal(t,
		count(t, b.db.Owner, `SELECT count(*) FROM one_time_codes WHERE mobile = $1 AND purpose = 'password_reset'`, asha),
		count(t, b.db.Owner, `SELECT count(*) FROM one_time_codes WHERE mobile = $1 AND purpose = 'password_reset'`, stranger),
		"the same rows are written for both")
}

func TestSignUp_OfAStranger_IsNotConfirmedByTheOwnersCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, stranger := home(), from("198.51.100.9")
	var err error
	owner.Browser, err = b.SignUps.StartSignUp(t.Context(), input(asha), owner)
	require.NoError(t, err)
	b.clock.Advance(minute)

	trap := input(asha)
	trap.Email, trap.Password = "thief@example.com", "Sneaky#2026"
	stranger.Browser, err = b.SignUps.StartSignUp(t.Context(), trap, stranger)
	require.NoError(t, err)
	digits := b.digits(t, asha)

	// the owner types the code of the SMS that came last: it belongs to the stranger's sign-up
	_, err = b.SignUps.VerifySignUp(t.Context(), asha, digits, owner)
	requireCode(t, err, errs.KindMalformed, "otp_wrong")

	// asking again in the owner's browser leads to the owner's sign-up
	b.clock.Advance(minute)
	require.NoError(t, b.SignUps.ResendSignUpCode(t.Context(), asha, owner))
	token, err := b.SignUps.VerifySignUp(t.Context(), asha, b.digits(t, asha), owner)
	require.NoError(t, err)
	in, err := b.SignUps.CompleteSignUp(t.Context(), asha, token, owner)
	require.NoError(t, err)
	require.Equal(t, "asha@example.in", in.User.Email)
	_, err = b.login(t, asha, "Sneaky#2026")
	requireCode(t, err, errs.KindMalformed, "invalid_credentials")
}

func TestTrial_SecondForAMobile_IsNotStarted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := input(asha)
	in.FreeTrial = true
	first := b.joinWith(t, in)
	require.Equal(t, []string{first.User.ID}, b.billing.trials)

	// the account moves to another mobile, and the first one signs up again
	b.clock.Advance(minute)
	require.NoError(t, b.Profiles.StartMobileChange(t.Context(), principal(first), ravi, credential.Proof{Password: goodPassword}, home()))
	_, err := b.Profiles.ConfirmMobileChange(t.Context(), principal(first), ravi, b.digits(t, ravi), home())
	require.NoError(t, err)
	b.clock.Advance(minute)
	second := b.joinWith(t, in)
	require.NotEqual(t, first.User.ID, second.User.ID)
	require.Len(t, b.billing.trials, 1, "the account is made, without a second trial")
	require.NotContains(t, fmt.Sprint(rows(t, b, `SELECT encode(mobile_mac, 'escape') FROM trial_mobiles`)), asha)
}

func TestSignUp_CompletedTwiceAtOnce_MakesOneAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := home()
	var err error
	o.Browser, err = b.SignUps.StartSignUp(t.Context(), input(asha), o)
	require.NoError(t, err)
	token, err := b.SignUps.VerifySignUp(t.Context(), asha, b.digits(t, asha), o)
	require.NoError(t, err)

	var wg sync.WaitGroup
	results := make(chan error, 10)
	for range 10 {
		wg.Go(func() {
			_, err := b.SignUps.CompleteSignUp(t.Context(), asha, token, o)
			results <- err
		})
	}
	wg.Wait()
	close(results)
	for err := range results {
		require.NoError(t, err, "what one made the others are signed in to")
	}
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM franchisers`))
	require.Equal(t, 10, count(t, b.db.Owner, `SELECT count(*) FROM sessions`))
}

// If the answers to a sign-up's last two steps are lost, its browser can repeat the steps and signs in to the same account. Another browser
// with the token cannot, and neither can any browser after the token has expired.
func TestSignUp_AnswersLost_SameBrowserCanRepeatTheSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := home()
	var err error
	at.Browser, err = b.SignUps.StartSignUp(t.Context(), input(asha), at)
	require.NoError(t, err)
	digits := b.digits(t, asha)
	first, err := b.SignUps.VerifySignUp(t.Context(), asha, digits, at)
	require.NoError(t, err)
	again, err := b.SignUps.VerifySignUp(t.Context(), asha, digits, at)
	require.NoError(t, err)
	require.Equal(t, first, again)

	_, err = b.SignUps.CompleteSignUp(t.Context(), asha, first, home())
	require.Equal(t, "verification_invalid", errs.As(err).Code, "the token of another browser")
	in, err := b.SignUps.CompleteSignUp(t.Context(), asha, first, at)
	require.NoError(t, err)
	repeated, err := b.SignUps.CompleteSignUp(t.Context(), asha, first, at)
	require.NoError(t, err)
	require.Equal(t, in.User.ID, repeated.User.ID)
	require.True(t, b.lives(t, repeated.Tokens.Access))
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM franchisers`))

	_, err = b.SignUps.VerifySignUp(t.Context(), asha, digits, at)
	require.Equal(t, "otp_wrong", errs.As(err).Code, "what it proved is done")
	_, err = b.SignUps.CompleteSignUp(t.Context(), asha, first, home())
	require.Equal(t, "verification_invalid", errs.As(err).Code, "another browser, after it too")
	b.clock.Advance(11 * time.Minute)
	_, err = b.SignUps.CompleteSignUp(t.Context(), asha, first, at)
	require.Equal(t, "verification_invalid", errs.As(err).Code)
}
