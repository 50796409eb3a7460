package staff_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func account(change func(*staff.Account)) staff.Account {
	a := staff.Account{
		Email: "sunita@example.in", Name: "Sunita", Password: "Mango#2026#Tree", Role: staff.RoleSupport, TOTPKey: []byte("12345678901234567890"),
	}
	change(&a)
	return a
}

func (b *bundle) ensure(t *testing.T, change func(*staff.Account)) error {
	t.Helper()
	return staff.Ensure(t.Context(), b.db.Owner, password.Cheap(1), testkit.NewKeyring(t), b.clock, account(change))
}

func (b *bundle) actions(t *testing.T) (names []string) {
	t.Helper()
	require.NoError(t, b.db.Owner.Select(&names, `SELECT action || ': ' || reason FROM staff_actions ORDER BY sequence`))
	return names
}

func (b *bundle) signIn(t *testing.T, email, pass string) (string, error) {
	t.Helper()
	b.clock.Advance(time.Minute)
	in := staff.SignInInput{Email: email, Password: pass, Code: totp.Code([]byte("12345678901234567890"), totp.StepAt(b.clock.Now()))}
	tokens, err := b.service.SignIn(t.Context(), in, guard.Visitor{Address: "203.0.113.7"})
	return tokens.Token, err
}

func TestSession_AccountChangedOrDisabled_EndsImmediately(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*staff.Account){
		"password": func(a *staff.Account) { a.Password = "Guava#2027#Tree" },
		"key":      func(a *staff.Account) { a.TOTPKey = []byte("09876543210987654321") },
		"role":     func(a *staff.Account) { a.Role = staff.RoleAdmin },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			token, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
			require.NoError(t, err)
			require.NoError(t, b.ensure(t, func(*staff.Account) {}), "the same again changes nothing")
			_, err = b.service.Authenticate(t.Context(), token)
			require.NoError(t, err)
			require.NoError(t, b.ensure(t, change))
			_, err = b.service.Authenticate(t.Context(), token)
			require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
			require.Equal(t, []string{"sign_in: Signed in from 203.0.113.7", "staff_changed: The operator saved the account"}, b.actions(t))
		})
	}
}

func TestSession_Idle_Ends(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	for range 4 { // in use
		b.clock.Advance(staff.IdleLife - time.Second)
		_, err = b.service.Authenticate(t.Context(), token)
		require.NoError(t, err)
	}
	b.clock.Advance(staff.IdleLife)
	_, err = b.service.Authenticate(t.Context(), token)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
}

func TestDisable_EnsureDoesNotEnableTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	require.Equal(t, errs.KindInvalid, errs.KindOf(staff.Disable(t.Context(), b.db.Owner, b.clock, "sunita@example.in", " ")))
	require.Equal(t, errs.KindNotFound, errs.KindOf(staff.Disable(t.Context(), b.db.Owner, b.clock, "nobody@example.in", "Left us")))
	require.NoError(t, staff.Disable(t.Context(), b.db.Owner, b.clock, "Sunita@example.in", "Left us"))
	require.NoError(t, staff.Disable(t.Context(), b.db.Owner, b.clock, "sunita@example.in", "Left us"), "twice is once")
	_, err = b.service.Authenticate(t.Context(), token)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
	require.Equal(t, "staff_disabled", errs.As(b.ensure(t, func(a *staff.Account) { a.Password = "Guava#2027#Tree" })).Code)

	list, err := staff.List(t.Context(), b.db.Owner)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.NotNil(t, list[0].DisabledAt)
	require.NotNil(t, list[0].LastSeenAt)
	require.NoError(t, staff.Enable(t.Context(), b.db.Owner, b.clock, "sunita@example.in", "Back again"))
	_, err = b.service.Authenticate(t.Context(), token)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err), "its sessions stay ended")
	_, err = b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	require.Equal(t, []string{
		"sign_in: Signed in from 203.0.113.7", "staff_disabled: Left us", "staff_enabled: Back again", "sign_in: Signed in from 203.0.113.7",
	}, b.actions(t))
}

func TestFailedSignIn_IsAuditedWithItsAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.signIn(t, "sunita@example.in", "Mango#2026#Bush")
	require.Equal(t, "invalid_credentials", errs.As(err).Code)
	_, err = b.signIn(t, "nobody@example.in", "Mango#2026#Bush")
	require.Equal(t, "invalid_credentials", errs.As(err).Code)
	_, err = b.service.SignIn(t.Context(), staff.SignInInput{Email: "sunita@example.in", Password: "Mango#2026#Tree", Code: "000000"},
		guard.Visitor{Address: "198.51.100.9"})
	require.Equal(t, "invalid_credentials", errs.As(err).Code)
	require.Equal(t, []string{"sign_in_failed: Sign-in failed from 203.0.113.7", "sign_in_failed: Sign-in failed from 198.51.100.9"}, b.actions(t))
	check, err := b.auditor.Check(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, check.Entries)
}

func TestFailedSignIns_AreAllLoggedAndAFewAnHourAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	limits := guard.Default()
	limits.Staff.Free, limits.Staff.Address = 1000, 1000
	b.service = b.serviceWith(t, limits)
	fail := func(times int) {
		for range times {
			in := staff.SignInInput{Email: "sunita@example.in", Password: "Mango#2026#Bush", Code: "000000"}
			_, err := b.service.SignIn(t.Context(), in, guard.Visitor{Address: "2001:db8:1:2:3:4:5:6"})
			require.Equal(t, "invalid_credentials", errs.As(err).Code)
		}
	}
	fail(25)
	require.Len(t, b.actions(t), 10)
	require.Contains(t, b.actions(t)[9], "Further ones of this hour are in the log only")
	b.clock.Advance(61 * time.Minute)
	fail(1)
	require.Len(t, b.actions(t), 11)

	logged := b.logged.String()
	require.Equal(t, 26, strings.Count(logged, "staff_id="+b.sunita.StaffID+" address=2001:db8:1:2::/64"))
	require.NotContains(t, logged, "@")
}
