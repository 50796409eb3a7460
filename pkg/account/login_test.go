package account_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
)

func TestRedirect_EachBillingStatus_HasItsTarget(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		standing account.BillingStatus
		want     account.Redirect
	}{
		{account.BillingStatus{}, "subscription_price"},
		{account.BillingStatus{HasStoreDetails: true, HasAddress: true}, "subscription_price"},
		{account.BillingStatus{EverSubscribed: true}, "subscription_price"}, // the plan has ended
		{account.BillingStatus{EverSubscribed: true, IsActive: true}, "subscription_price"},
		{account.BillingStatus{EverSubscribed: true, IsActive: true, PlanRuns: true}, "subscription_store"},
		{account.BillingStatus{EverSubscribed: true, HasStoreDetails: true}, "subscription_dashboard"},
		{account.BillingStatus{EverSubscribed: true, HasStoreDetails: true, IsActive: true}, "subscription_dashboard"},
	} {
		require.Equal(t, tc.want, tc.standing.Redirect(), "%+v", tc.standing)
	}
}

func TestLogin_GuessesAtOneAccountFromManyAddresses_AreLimited(t *testing.T) {
	t.Parallel()
	for name, redisDown := range map[string]bool{"redis up": false, "redis down": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.join(t, asha)
			if redisDown {
				b.redis.Close()
			}
			guess := func(n int, pass string) error {
				_, _, err := b.SignIns.Login(t.Context(), signin.LoginInput{Username: asha, Password: pass}, from(fmt.Sprintf("198.51.100.%d", n)))
				return err
			}
			for n := range 11 { // the last one has to wait for the next turn
				requireCode(t, guess(n, "Wrong#2026"), errs.KindMalformed, "invalid_credentials")
			}
			err := guess(11, goodPassword)
			requireCode(t, err, errs.KindRateLimited, "too_many_requests")
			require.Equal(t, 30*time.Second, errs.As(err).RetryAfter)

			// the proof of work admits one sign-in
			in := signin.LoginInput{Username: asha, Password: goodPassword}
			worked := working(t, from("198.51.100.12"), err)
			_, _, err = b.SignIns.Login(t.Context(), in, worked)
			require.NoError(t, err)
			_, _, err = b.SignIns.Login(t.Context(), in, worked)
			workOf(t, err)

			// the way out stays open
			b.reset(t, asha, "Guava#2027")
			require.NoError(t, guess(12, "Guava#2027"))
		})
	}
}

// reset takes the mobile through forgotten password.
func (b *bundle) reset(tb testing.TB, mobile, pass string) {
	tb.Helper()
	b.clock.Advance(minute)
	b.startReset(tb, mobile)
	token, err := b.SignIns.VerifyReset(tb.Context(), mobile, b.digits(tb, mobile), owner())
	require.NoError(tb, err)
	require.NoError(tb, b.SignIns.Reset(tb.Context(), signin.ResetInput{
		Mobile: mobile, Verification: token, Password: pass, Confirmation: pass,
	}))
}

func TestLogin_GuessesAtManyAccountsFromOneAddress_AreLimited(t *testing.T) {
	t.Parallel()
	limits := guard.Default()
	limits.Login.Address = 5
	b := setupWithLimits(t, limits)
	b.join(t, asha)
	for n := range 5 {
		_, err := b.login(t, fmt.Sprintf("98765%05d", n), "Wrong#2026")
		requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	}
	_, err := b.login(t, asha, goodPassword)
	requireCode(t, err, errs.KindRateLimited, "too_many_requests")
	_, _, err = b.SignIns.Login(t.Context(), signin.LoginInput{Username: asha, Password: goodPassword}, from("198.51.100.1"))
	require.NoError(t, err, "elsewhere nobody is disturbed")
}

func TestLogin_CorrectPasswords_DoNotCountTowardsTheLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	for range 15 {
		_, err := b.login(t, asha, goodPassword)
		require.NoError(t, err)
	}
}

func TestReset_EndsSessionsAndTheOldPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.join(t, asha)
	second, err := b.login(t, asha, goodPassword)
	require.NoError(t, err)
	require.True(t, b.lives(t, first.Tokens.Access))
	require.True(t, b.lives(t, second.Tokens.Access))

	b.reset(t, asha, "Guava#2027")
	require.False(t, b.lives(t, first.Tokens.Access))
	require.False(t, b.lives(t, second.Tokens.Access))
	_, err = b.Sessions.Refresh(t.Context(), first.Tokens.Refresh, home())
	requireCode(t, err, errs.KindUnauthenticated, "unauthorized")
	_, err = b.login(t, asha, goodPassword)
	requireCode(t, err, errs.KindMalformed, "invalid_credentials")
	_, err = b.login(t, asha, "Guava#2027")
	require.NoError(t, err)
}

func TestReset_InvalidInput_NamesTheFields(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := b.SignIns.Reset(t.Context(), signin.ResetInput{Mobile: asha, Verification: "x", Password: goodPassword, Confirmation: "Other#2026"})
	require.Equal(t, []string{"Password and confirm password should be the same"}, errs.As(err).Fields["password_confirmation"])
	err = b.SignIns.Reset(t.Context(), signin.ResetInput{})
	require.Len(t, errs.As(err).Fields, 3)
}

func TestStaff_UnlockAnAccountAndEndItsSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := b.join(t, asha)
	b.clock.Advance(minute)
	b.startReset(t, asha)
	right := b.digits(t, asha)
	for range account.MaxCodeTries {
		_, err := b.SignIns.VerifyReset(t.Context(), asha, wrongDigits(right), owner())
		require.Error(t, err)
	}
	for range 11 {
		_, err := b.login(t, asha, "Wrong#2026")
		require.Error(t, err)
	}
	_, err := b.login(t, asha, goodPassword)
	requireCode(t, err, errs.KindRateLimited, "too_many_requests")

	require.NoError(t, b.SignIns.StaffUnlock(t.Context(), in.User.ID))
	_, err = b.login(t, asha, goodPassword)
	require.NoError(t, err)
	_, err = b.SignIns.VerifyReset(t.Context(), asha, right, owner())
	require.NoError(t, err)
	requireCode(t, b.SignIns.StaffUnlock(t.Context(), "00000000-0000-0000-0000-000000000000"), errs.KindNotFound, "not_found")

	n, err := b.SignIns.StaffEndSessions(t.Context(), in.User.ID)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.False(t, b.lives(t, in.Tokens.Access))
}

// Of far more concurrent sign-ins than the server can check, the excess is refused at once. Known browsers still sign in.
func TestLogin_Flood_IsRefusedEarlyButKnownBrowsersSignIn(t *testing.T) {
	t.Parallel()
	b := setupWith(t, guard.Default(), password.NewHasher(1))
	b.join(t, asha)
	known := home()
	known.Device = guard.ReadDevice(b.keys, guard.ReadDevice(b.keys, "").Remember(guard.KindFranchiser, asha, b.clock.Now()))

	const strangers = 150
	failed := make([][]error, strangers)
	over := make(chan struct{})
	var flood sync.WaitGroup
	for n := range strangers {
		flood.Go(func() {
			for who := n; ; who += strangers {
				select {
				case <-over:
					return
				default:
				}
				in := signin.LoginInput{Username: fmt.Sprintf("98760%05d", who%100_000), Password: goodPassword}
				_, _, err := b.SignIns.Login(t.Context(), in, from(fmt.Sprintf("2001:db8:%x:%x::1", who&0xffff, who>>16)))
				failed[n] = append(failed[n], err)
				if errs.KindOf(err) == errs.KindBusy {
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	require.Eventually(t, func() bool { return b.passwords.Open() != nil }, time.Minute, time.Millisecond, "the line is full")
	_, _, err := b.SignIns.Login(t.Context(), signin.LoginInput{Username: asha, Password: goodPassword}, known)
	require.NoError(t, err)
	close(over)
	flood.Wait()
	refused := 0
	for _, err := range slices.Concat(failed...) {
		if errs.KindOf(err) == errs.KindMalformed { // it was judged
			continue
		}
		requireCode(t, err, errs.KindBusy, "busy")
		require.Positive(t, errs.As(err).RetryAfter)
		refused++
	}
	require.Positive(t, refused)
}
