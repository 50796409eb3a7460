package account_test

import (
	"encoding/base32"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/totp"
)

// enrol enables the authenticator app and returns its secret and the recovery codes.
func (b *bundle) enrol(tb testing.TB, p account.Principal) ([]byte, []string) {
	tb.Helper()
	e, err := b.Credentials.BeginTOTP(tb.Context(), p, goodPassword)
	require.NoError(tb, err)
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(e.Secret)
	require.NoError(tb, err)
	codes, err := b.Credentials.ConfirmTOTP(tb.Context(), p, totp.Code(key, totp.StepAt(b.clock.Now())))
	require.NoError(tb, err)
	return key, codes
}

func (b *bundle) challenge(tb testing.TB, mobile, pass string) string {
	tb.Helper()
	in, challenge, err := b.SignIns.Login(tb.Context(), signin.LoginInput{Username: mobile, Password: pass}, home())
	require.NoError(tb, err)
	require.Empty(tb, in.Tokens.Access, "there is no session yet")
	require.NotEmpty(tb, challenge)
	return challenge
}

func TestLogin_WithAnAuthenticatorApp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	key, recovery := b.enrol(t, p)
	require.Len(t, recovery, 10)

	now := func() string { return totp.Code(key, totp.StepAt(b.clock.Now())) }
	challenge := b.challenge(t, asha, goodPassword)
	_, err := b.SignIns.LoginTOTP(t.Context(), challenge, now(), home())
	requireCode(t, err, errs.KindMalformed, "totp_wrong") // the time step that confirmed the app is used up

	b.clock.Advance(totp.Step)
	in, err := b.SignIns.LoginTOTP(t.Context(), challenge, now(), home())
	require.NoError(t, err)
	require.True(t, b.lives(t, in.Tokens.Access))
	require.True(t, in.User.TOTPEnabled)
	b.clock.Advance(totp.Step)
	_, err = b.SignIns.LoginTOTP(t.Context(), challenge, now(), home())
	requireCode(t, err, errs.KindMalformed, "totp_wrong") // the challenge is used up
	_, err = b.SignIns.LoginTOTP(t.Context(), "forged", now(), home())
	requireCode(t, err, errs.KindMalformed, "totp_wrong")

	// a recovery code works once
	_, err = b.SignIns.LoginTOTP(t.Context(), b.challenge(t, asha, goodPassword), recovery[3], home())
	require.NoError(t, err)
	_, err = b.SignIns.LoginTOTP(t.Context(), b.challenge(t, asha, goodPassword), recovery[3], home())
	requireCode(t, err, errs.KindMalformed, "totp_wrong")

	// a challenge ends by timeout and by a password reset
	late := b.challenge(t, asha, goodPassword)
	b.clock.Advance(account.ChallengeLife)
	_, err = b.SignIns.LoginTOTP(t.Context(), late, now(), home())
	requireCode(t, err, errs.KindMalformed, "totp_wrong")
	old := b.challenge(t, asha, goodPassword)
	b.reset(t, asha, "Guava#2027")
	_, err = b.SignIns.LoginTOTP(t.Context(), old, now(), home())
	requireCode(t, err, errs.KindMalformed, "totp_wrong")
	require.NotEmpty(t, b.challenge(t, asha, "Guava#2027"), "a reset by SMS does not switch the app off")
}

func TestAuthenticatorCode_Guesses_AreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.keep(t)
	p := principal(b.join(t, asha))
	key, _ := b.enrol(t, p)
	b.clock.Advance(totp.Step)
	right := totp.Code(key, totp.StepAt(b.clock.Now()))

	challenge := b.challenge(t, asha, goodPassword)
	for range account.MaxCodeTries {
		_, err := b.SignIns.LoginTOTP(t.Context(), challenge, wrongDigits(right), home())
		requireCode(t, err, errs.KindMalformed, "totp_wrong")
	}
	_, err := b.SignIns.LoginTOTP(t.Context(), challenge, right, home())
	requireCode(t, err, errs.KindMalformed, "totp_wrong") // five tries end the attempt

	challenge = b.challenge(t, asha, goodPassword)
	for range 5 {
		_, err = b.SignIns.LoginTOTP(t.Context(), challenge, wrongDigits(right), home())
		requireCode(t, err, errs.KindMalformed, "totp_wrong")
	}
	challenge = b.challenge(t, asha, goodPassword)
	_, err = b.SignIns.LoginTOTP(t.Context(), challenge, right, home())
	requireCode(t, err, errs.KindRateLimited, "too_many_requests")
	b.requireFailures(t, asha, append(slices.Repeat([]string{"wrong_code"}, 11), "too_many_tries")...)
	_, err = b.SignIns.LoginTOTP(t.Context(), challenge, right, working(t, home(), err))
	require.NoError(t, err, "the work was done instead of waiting")
}

// Codes of fewer than 112 bits would need a slow hash (ASVS 6.5.2).
func TestRecoveryCodes_HaveAtLeast112Bits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	_, codes := b.enrol(t, principal(in))
	seen := map[string]bool{}
	for _, code := range codes {
		require.Regexp(t, `^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$`, code, "24 letters of 5 bits")
		require.False(t, seen[code])
		seen[code] = true
	}
}

func TestAuthenticator_OnlyItsOwnerRemovesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	_, err := b.Credentials.BeginTOTP(t.Context(), p, "Wrong#2026")
	requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	_, err = b.Credentials.ConfirmTOTP(t.Context(), p, "123456")
	requireCode(t, err, errs.KindConflict, "conflict")
	requireCode(t, b.Credentials.DisableTOTP(t.Context(), p, goodPassword, "123456"), errs.KindConflict, "conflict")

	key, _ := b.enrol(t, p)
	_, err = b.Credentials.BeginTOTP(t.Context(), p, goodPassword)
	requireCode(t, err, errs.KindConflict, "conflict")
	b.clock.Advance(totp.Step)
	right := totp.Code(key, totp.StepAt(b.clock.Now()))
	requireCode(t, b.Credentials.DisableTOTP(t.Context(), p, "Wrong#2026", right), errs.KindMalformed, "invalid_credentials")
	requireCode(t, b.Credentials.DisableTOTP(t.Context(), p, goodPassword, wrongDigits(right)), errs.KindMalformed, "totp_wrong")
	require.NoError(t, b.Credentials.DisableTOTP(t.Context(), p, goodPassword, right))
	_, err = b.login(t, asha, goodPassword)
	require.NoError(t, err)
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM totp_recovery_codes`))
}

func TestAuthenticator_Secret_IsEncrypted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	key, recovery := b.enrol(t, p)
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM franchisers WHERE position($1::bytea in totp_secret) > 0`, key))
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM totp_recovery_codes WHERE position($1::bytea in code_mac) > 0`, []byte(recovery[0])))

	// moved to another account, it decrypts nothing
	other := b.join(t, ravi)
	b.enrol(t, principal(other))
	_, err := b.db.Owner.Exec(`UPDATE franchisers SET totp_last_step = 0, totp_secret = (SELECT totp_secret FROM franchisers WHERE id = $1) WHERE id = $2`,
		p.FranchiserID, other.User.ID)
	require.NoError(t, err)
	b.clock.Advance(totp.Step)
	_, err = b.SignIns.LoginTOTP(t.Context(), b.challenge(t, ravi, goodPassword), totp.Code(key, totp.StepAt(b.clock.Now())), home())
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
}

func TestEmailChange_NeedsACodeToTheMobile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	err := b.Profiles.StartEmailChange(t.Context(), p, "new@example.in", credential.Proof{Password: "Wrong#2026"}, home())
	requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	require.NoError(t, b.Profiles.StartEmailChange(t.Context(), p, "New@example.in", credential.Proof{Password: goodPassword}, home()))
	digits := b.digits(t, asha)

	_, err = b.Profiles.ConfirmEmailChange(t.Context(), p, "other@example.in", digits, home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong") // the code is bound to the address it was requested for
	other := principal(b.join(t, ravi))
	_, err = b.Profiles.ConfirmEmailChange(t.Context(), other, "new@example.in", digits, home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong")
	f, err := b.Profiles.ConfirmEmailChange(t.Context(), p, "new@example.in", digits, home())
	require.NoError(t, err)
	require.Equal(t, "new@example.in", f.Email)
	_, err = b.Profiles.ConfirmEmailChange(t.Context(), p, "new@example.in", digits, home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong")
}

func TestMobileChange_NeedsACodeToTheNewMobile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.join(t, asha)
	second, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	taken := b.join(t, ravi)
	p := principal(second)
	const fresh = "9000000001"

	// a number that has an account gets a notice; the requester cannot tell, and nothing can be confirmed
	b.clock.Advance(minute)
	require.NoError(t, b.Profiles.StartMobileChange(t.Context(), p, ravi, credential.Proof{Password: goodPassword}, home()))
	list := b.inbox(t, ravi)
	require.Contains(t, list[len(list)-1].Text, "already have")
	_, err = b.Profiles.ConfirmMobileChange(t.Context(), p, ravi, "000000", home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong")

	require.NoError(t, b.Profiles.StartMobileChange(t.Context(), p, fresh, credential.Proof{Password: goodPassword}, home()))
	digits := b.digits(t, fresh)
	_, err = b.Profiles.ConfirmMobileChange(t.Context(), principal(taken), fresh, digits, home())
	requireCode(t, err, errs.KindMalformed, "otp_wrong") // requested by another franchiser
	f, err := b.Profiles.ConfirmMobileChange(t.Context(), p, fresh, digits, home())
	require.NoError(t, err)
	require.Equal(t, fresh, f.Mobile)

	require.True(t, b.lives(t, second.Tokens.Access))
	require.False(t, b.lives(t, first.Tokens.Access), "other sessions end")
	list = b.inbox(t, asha)
	require.Equal(t, "mobile_changed", list[len(list)-1].Template, "the old number is told")
	_, err = b.login(t, asha, goodPassword)
	requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	_, err = b.login(t, fresh, goodPassword)
	require.NoError(t, err)
}

func TestExport_NeedsThePasswordAndContainsThePersonalData(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	_, err := b.Erasures.ExportData(t.Context(), p, credential.Proof{Password: "Wrong#2026"})
	requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	e, err := b.Erasures.ExportData(t.Context(), p, credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	raw, err := json.Marshal(e.Sections)
	require.NoError(t, err)
	for _, want := range []string{asha, "asha@example.in", "Asha", "203.0.113.7", "Chrome on Android", account.TermsVersion} {
		require.Contains(t, string(raw), want)
	}
	require.NotContains(t, string(raw), "argon2id")
}

func TestErasure_SevenDaysAfterTheRequest_UnlessWithdrawn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	p := principal(in)
	requireCode(t, b.Erasures.WithdrawErasure(t.Context(), p), errs.KindConflict, "conflict")
	e, err := b.Erasures.RequestErasure(t.Context(), p, credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	require.Equal(t, "2026-11-09", e.Pending.On.Format(time.DateOnly))
	told := b.inbox(t, asha)
	require.Equal(t, "Your Franchise 360 account will be erased, on 9 Nov 2026 at the earliest. "+
		"If you did not ask for this, log in and keep your account: https://franchise360.example/account/security", told[len(told)-1].Text)
	_, err = b.Erasures.RequestErasure(t.Context(), p, credential.Proof{Password: goodPassword})
	requireCode(t, err, errs.KindConflict, "conflict")
	require.NoError(t, b.Erasures.WithdrawErasure(t.Context(), p))
	b.clock.Advance(8 * 24 * time.Hour)
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	in, err = b.login(t, asha, goodPassword)
	require.NoError(t, err, "withdrawn in time")

	p = principal(in)
	_, err = b.Erasures.RequestErasure(t.Context(), p, credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	b.clock.Advance(account.ErasureDelay - time.Second)
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	in, err = b.login(t, asha, goodPassword)
	require.NoError(t, err, "not a second early")
	require.True(t, b.lives(t, in.Tokens.Access))

	b.clock.Advance(time.Second)
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	require.NoError(t, b.janitor.EraseDue(t.Context()), "twice is as once")
	require.False(t, b.lives(t, in.Tokens.Access))
	_, err = b.login(t, asha, goodPassword)
	requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	for _, table := range []string{"franchisers", "sessions", "one_time_codes", "code_attempts", "pending_sign_ups", "verifications"} {
		for _, row := range rows(t, b, `SELECT row_to_json(t)::text FROM `+table+` t`) {
			for _, personal := range []string{asha, "asha@example.in", "Asha", "203.0.113.7", "Android", "argon2id"} {
				require.NotContains(t, row, personal, table)
			}
		}
	}
	again := b.join(t, asha)
	require.NotEqual(t, in.User.ID, again.User.ID, "the mobile is free for a new account")
}

// Of two accounts due for erasure, the one that is owed money stays until it is paid, and does not delay the other.
func TestErasure_MoneyOwedToTheAccount_Waits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owed, free := b.join(t, asha), b.join(t, ravi)
	b.billing.owed = map[string]money.Paise{owed.User.ID: 14_749}
	for _, in := range []session.SignedIn{owed, free} {
		e, err := b.Erasures.RequestErasure(t.Context(), principal(in), credential.Proof{Password: goodPassword})
		require.NoError(t, err)
		require.Equal(t, b.billing.owed[in.User.ID], e.Owed)
	}
	erased := func() []string {
		return rows(t, b, `SELECT id::text FROM franchisers WHERE erased_at IS NOT NULL`)
	}
	b.clock.Advance(account.ErasureDelay)
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	require.Equal(t, []string{free.User.ID}, erased())
	again, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	e, err := b.Erasures.Erasure(t.Context(), principal(again))
	require.NoError(t, err)
	require.NotNil(t, e.Pending)
	require.Equal(t, money.Paise(14_749), e.Owed)

	b.billing.owed = nil
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	require.Len(t, erased(), 2)
}

func TestPurge_DeletesOnlyEndedRows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	_, err := b.SignIns.VerifyReset(t.Context(), asha, "000000", owner())
	require.Error(t, err)
	_, err = b.db.Owner.Exec(`WITH s AS (INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at)
		VALUES ($1, 'sunita@example.in', 'Sunita', 'support', '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$ZGlnZXN0', 'x', $2) RETURNING id)
		INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at) SELECT $1, id, sha256('x'), $2, $2 FROM s`, id.New(), b.clock.Now())
	require.NoError(t, err)
	require.NoError(t, b.janitor.Purge(t.Context()))
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM staff_sessions`))
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM sessions`))
	b.clock.Advance(31 * 24 * time.Hour)
	in, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	require.NoError(t, b.janitor.Purge(t.Context()))
	for _, table := range []string{"one_time_codes", "code_attempts", "code_sends", "verifications", "pending_sign_ups", "staff_sessions"} {
		require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM `+table), table)
	}
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM sessions`), "the live one stays")
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM refresh_tokens`))
	require.True(t, b.lives(t, in.Tokens.Access))
}

func TestAuthenticate_DatabaseDown_IsNotUnauthenticated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	b.redis.Close()
	require.NoError(t, b.db.API.Close())
	_, err := b.Sessions.Authenticate(t.Context(), in.Tokens.Access)
	require.Error(t, err)
	require.NotErrorIs(t, err, errs.Unauthenticated())
}

func TestAuthenticatorApp_MoveEmailErasureAndExport_NeedCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	key, recovery := b.enrol(t, p)
	now := func() string {
		b.clock.Advance(minute)
		return totp.Code(key, totp.StepAt(b.clock.Now()))
	}
	for code, want := range map[string]string{"": "totp_required", "000000": "totp_wrong", "AAAA-AAAA": "totp_wrong"} {
		_, err := b.Erasures.RequestErasure(t.Context(), p, credential.Proof{Password: goodPassword, Code: code})
		require.Equal(t, want, errs.As(err).Code, code)
		_, err = b.Erasures.ExportData(t.Context(), p, credential.Proof{Password: goodPassword, Code: code})
		require.Equal(t, want, errs.As(err).Code, code)
		err = b.Profiles.StartMobileChange(t.Context(), p, ravi, credential.Proof{Password: goodPassword, Code: code}, home())
		require.Equal(t, want, errs.As(err).Code, code)
		err = b.Profiles.StartEmailChange(t.Context(), p, "thief@example.in", credential.Proof{Password: goodPassword, Code: code}, home())
		require.Equal(t, want, errs.As(err).Code, code)
	}
	require.Empty(t, b.inbox(t, ravi))
	b.clock.Advance(minute)
	email := func(address, code string) error {
		return b.Profiles.StartEmailChange(t.Context(), p, address, credential.Proof{Password: goodPassword, Code: code}, home())
	}
	require.NoError(t, email("new@example.in", now()))
	b.clock.Advance(minute)
	require.NoError(t, email("New@example.in", ""), "sent again")
	require.Equal(t, "totp_required", errs.As(email("thief@example.in", "")).Code, "another address")
	b.clock.Advance(minute)
	require.NoError(t, b.Profiles.StartMobileChange(t.Context(), p, ravi, credential.Proof{Password: goodPassword, Code: now()}, home()))
	b.clock.Advance(minute)
	require.NoError(t, b.Profiles.StartMobileChange(t.Context(), p, ravi, credential.Proof{Password: goodPassword}, home()), "sent again")
	require.Equal(t, "totp_required", errs.As(b.Profiles.StartMobileChange(t.Context(), p, "9000000004", credential.Proof{Password: goodPassword}, home())).Code)
	b.clock.Advance(minute)
	_, err := b.Erasures.ExportData(t.Context(), p, credential.Proof{Password: goodPassword, Code: recovery[1]})
	require.NoError(t, err)
	_, err = b.Erasures.RequestErasure(t.Context(), p, credential.Proof{Password: goodPassword, Code: recovery[0]})
	require.NoError(t, err)
}
