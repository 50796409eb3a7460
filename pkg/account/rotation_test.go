package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func oldKey() string { return strings.Repeat("ab", 32) }
func newKey() string { return strings.Repeat("0123456789abcdef", 4) }

// withKeys returns the same product's processes under other master keys.
func (b *bundle) withKeys(tb testing.TB, current string, others ...string) *bundle {
	tb.Helper()
	ring, err := secret.ParseKeyring(current, others...)
	require.NoError(tb, err)
	keys, err := secret.Load(tb.Context(), b.db.API, ring, b.clock.Now())
	require.NoError(tb, err)
	cache, err := redis.Open(testkit.RedisURL(b.redis))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = cache.Close() })
	next := *b
	limiter := ratelimit.New(cache, b.db.API, b.clock, keys)
	next.Accounts = app.NewAccounts(app.AccountParts{
		DB: b.db.API, Jobs: testkit.NewInserter(tb, b.db.API), Redis: cache, Limiter: limiter,
		Guard:     guard.New(limiter, b.db.API, b.clock, keys),
		Passwords: password.Cheap(2), Clock: b.clock, Keys: keys, Logger: testkit.NewLogger(tb), Limits: guard.Default(),
		Trials: b.billing, Subscriptions: b.billing, Debts: b.billing, Email: true,
	})
	next.sender = otp.NewSender(b.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: b.phone, Site: message.Site{Host: "franchise360.example"}, Clock: b.clock, Logger: testkit.NewLogger(tb),
	}), b.clock, keys)
	return &next
}

func (b *bundle) loginWithCode(tb testing.TB, code string) error {
	tb.Helper()
	_, challenge, err := b.SignIns.Login(tb.Context(), signin.LoginInput{Username: asha, Password: goodPassword}, home())
	require.NoError(tb, err)
	require.NotEmpty(tb, challenge)
	_, err = b.SignIns.LoginTOTP(tb.Context(), challenge, code, home())
	return err
}

func TestSecretKey_Rotated_CustomersNoticeNothing(t *testing.T) {
	t.Parallel()
	// given an existing customer: a session, an authenticator app, recovery codes, a trial, and a code on its way
	b := setup(t).withKeys(t, oldKey())
	in := input(asha)
	in.FreeTrial = true
	signedIn := b.joinWith(t, in)
	require.Len(t, b.billing.trials, 1)
	require.NoError(t, b.Profiles.StartEmailChange(t.Context(), principal(signedIn), "new@example.in", credential.Proof{Password: goodPassword}, home()))
	digits := b.digits(t, asha)
	key, recovery := b.enrol(t, principal(signedIn))

	// when the key changes
	_, err := secret.Load(t.Context(), b.db.API, ring(t, newKey()), b.clock.Now())
	require.ErrorIs(t, err, secret.ErrOldKeyMissing, "no process starts that could not read what is there")
	during := b.withKeys(t, newKey(), oldKey())

	// then the customer notices nothing
	require.True(t, during.lives(t, signedIn.Tokens.Access))
	_, err = during.Profiles.ConfirmEmailChange(t.Context(), principal(signedIn), "new@example.in", digits, home())
	require.NoError(t, err)
	b.clock.Advance(time.Minute)
	require.NoError(t, during.loginWithCode(t, totp.Code(key, totp.StepAt(b.clock.Now()))))
	require.NoError(t, during.loginWithCode(t, recovery[0]))

	// and once everything is resealed, the old key is no longer needed
	done, left, err := credential.ResealTOTP(t.Context(), b.db.Owner, ring(t, newKey(), oldKey()))
	require.NoError(t, err)
	require.Equal(t, []int{1, 0}, []int{done, left})
	done, left, err = secret.ResealKept(t.Context(), b.db.Owner, ring(t, newKey(), oldKey()))
	require.NoError(t, err)
	require.Equal(t, []int{3, 0}, []int{done, left})
	after := b.withKeys(t, newKey())
	b.clock.Advance(time.Minute)
	require.True(t, after.lives(t, signedIn.Tokens.Access))
	require.NoError(t, after.loginWithCode(t, totp.Code(key, totp.StepAt(b.clock.Now()))))
	require.NoError(t, after.loginWithCode(t, recovery[1]))
	requireCode(t, after.loginWithCode(t, recovery[0]), errs.KindMalformed, "totp_wrong")
	_, err = b.db.Owner.Exec(`UPDATE franchisers SET mobile = '9000000009'`)
	require.NoError(t, err)
	after.joinWith(t, in)
	require.Len(t, b.billing.trials, 1, "the mobile had its trial")
}

func ring(tb testing.TB, current string, others ...string) secret.Keyring {
	tb.Helper()
	k, err := secret.ParseKeyring(current, others...)
	require.NoError(tb, err)
	return k
}

func TestReseal_OldKeyMissing_ReportsTheRemainingRowsAndLosesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t).withKeys(t, oldKey())
	p := principal(b.join(t, asha))
	key, _ := b.enrol(t, p)

	done, left, err := credential.ResealTOTP(t.Context(), b.db.Owner, ring(t, newKey()))
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, []int{done, left}, "without the old key it can't be sealed again")
	_, left, err = secret.ResealKept(t.Context(), b.db.Owner, ring(t, newKey()))
	require.NoError(t, err)
	require.Equal(t, 3, left)
	b.clock.Advance(time.Minute)
	require.NoError(t, b.loginWithCode(t, totp.Code(key, totp.StepAt(b.clock.Now()))))

	_, _, err = credential.ResealTOTP(t.Context(), b.db.API, ring(t, newKey(), oldKey()))
	require.Error(t, err, "a role that sees some rows only must not say that nothing is left")
}

func TestRefresh_TwoTabsDuringAKeyRotation_GetTheSameTokens(t *testing.T) {
	t.Parallel()
	b := setup(t).withKeys(t, oldKey())
	in := b.join(t, asha)
	first, err := b.refresh(t, in.Tokens.Refresh)
	require.NoError(t, err)
	second, err := b.withKeys(t, newKey(), oldKey()).refresh(t, in.Tokens.Refresh)
	require.NoError(t, err)
	require.Equal(t, first.Tokens, second.Tokens)
}
