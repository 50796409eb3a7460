package staff_test

import (
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

// Given an account that opened another while an admin may have controlled it, when the operator resaves the first, then the admin may still
// control the second.
func TestSecondPerson_OpenerResavedByTheOperator_StaysTiedToTheOpenedAccount(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	first := o.joined(t, o.ravi, "first@example.in", staff.RoleAdmin)
	second := o.joined(t, first, "second@example.in", staff.RoleAdmin)
	third := o.joined(t, second, "third@example.in", staff.RoleAdmin)
	o.requireTied(t, o.ravi, second, "by way of the first")
	for _, email := range []string{"first@example.in", "second@example.in"} {
		require.NoError(t, staff.Ensure(t.Context(), o.db.Owner, password.Cheap(1), testkit.NewKeyring(t), o.clock, staff.Account{
			Email: email, Name: email, Password: "Mango#2026#Tree", Role: staff.RoleAdmin, TOTPKey: []byte("12345678901234567890"),
		}))
		if email == "first@example.in" {
			o.requireTied(t, o.ravi, second, "the admin has the second account's password all the same")
		}
	}
	o.requireApart(t, o.ravi, o.principal(t, "second@example.in"), "its password and key are the operator's")
	o.requireTied(t, o.ravi, third, "by way of two that are the operator's now")
	o.clock.Advance(apart)
	o.requireApart(t, o.principal(t, "ravi@example.in"), o.principal(t, "first@example.in"), "all of it ends")
}

// Given admins who opened each other's accounts many times, then each pair is followed once, and the answer lasts as long as the last
// opening.
func TestSecondPerson_ManyMutualOpenings_EndWithTheLast(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera, kiran := o.hired(t, "meera@example.in", staff.RoleAdmin), o.hired(t, "kiran@example.in", staff.RoleAdmin)
	farah := o.hired(t, "farah@example.in", staff.RoleAdmin)
	_, err := o.db.Owner.Exec(`INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until)
		SELECT b, a, 'enabled', $4::timestamptz + n * interval '1 minute', $4::timestamptz + interval '168 hours' + n * interval '1 minute'
		FROM generate_series(1, 200) n, (VALUES ($1::uuid, $2::uuid), ($2, $1), ($2, $3), ($3, $1)) pairs (a, b)`,
		o.ravi.StaffID, meera.StaffID, kiran.StaffID, o.clock.Now())
	require.NoError(t, err)
	var paths int
	require.NoError(t, o.db.Owner.Get(&paths, `SELECT count(*) FROM staff_behind($1, $2)`, o.ravi.StaffID, o.clock.Now()))
	require.Less(t, paths, 20, "each pair is followed once: eight hundred openings took half a minute otherwise")
	o.requireTied(t, o.ravi, meera, "mutual")
	o.requireTied(t, o.ravi, kiran, "in a ring")
	o.requireApart(t, farah, meera, "an old admin is never hindered")
	ties, err := o.accounts.Ties(kiran.Sign(t.Context()))
	require.NoError(t, err)
	require.Len(t, ties, 2)
	last := o.clock.Now().Add(apart + 200*time.Minute)
	require.True(t, ties[0].Until.Equal(last), ties[0].Until)
	o.clock.Set(last)
	o.requireApart(t, o.principal(t, "ravi@example.in"), o.principal(t, "kiran@example.in"), "the last has ended")
}

// Given a role that is removed and granted again, an account that is disabled and enabled by two admins, and an account that already was
// admin, then the admin who did the last step is tied, and two earlier admins are never tied.
func TestSecondPerson_RoleRegranted_TiesTheGranter(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera, kiran := o.hired(t, "meera@example.in", staff.RoleAdmin), o.hired(t, "kiran@example.in", staff.RoleAdmin)
	as := func(p staff.Principal, role staff.Role) {
		require.NoError(t, o.accounts.SetRole(p.Sign(t.Context()), p, kiran.StaffID, role, o.proofOf(p), "Another desk"))
	}
	as(o.ravi, staff.RoleFinance)
	o.requireApart(t, o.ravi, kiranAgain(t, o), "a role that was taken away")
	as(meera, staff.RoleAdmin)
	kiran = kiranAgain(t, o)
	o.requireTied(t, meera, kiran, "she gave it")
	o.requireApart(t, o.ravi, kiran, "he took it")
	o.requireApart(t, o.ravi, meera, "two old admins")
	require.NoError(t, o.accounts.Disable(meera.Sign(t.Context()), meera, kiran.StaffID, "On leave"))
	// Disabled, given another role by one and enabled by another: both may know the password.
	as(o.ravi, staff.RoleSupport)
	as(o.ravi, staff.RoleAdmin)
	require.NoError(t, o.accounts.Enable(meera.Sign(t.Context()), meera, kiran.StaffID, o.proofOf(meera), "Back"))
	kiran = kiranAgain(t, o)
	o.requireTied(t, o.ravi, kiran, "he gave the role while it was disabled")
	o.requireTied(t, meera, kiran, "she enabled it")
	o.requireApart(t, o.ravi, meera, "two old admins")
}

func kiranAgain(t *testing.T, o *office) staff.Principal {
	t.Helper()
	o.clock.Advance(time.Minute)
	return o.principal(t, "kiran@example.in")
}

// Given two resets of one member of which the first link was never used and was sent again by a third admin, then the first link is gone,
// and all who had a hand in the second are tied.
func TestSecondPerson_TwoResets_TheLastCounts(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera, farah := o.hired(t, "meera@example.in", staff.RoleAdmin), o.hired(t, "farah@example.in", staff.RoleAdmin)
	kiran := o.hired(t, "kiran@example.in", staff.RoleAdmin)
	reset := func(asks, approves staff.Principal) staff.Link {
		require.NoError(t, o.accounts.RequestReset(asks.Sign(t.Context()), asks, kiran.StaffID, "His phone is gone"))
		l, err := o.accounts.ApproveReset(approves.Sign(t.Context()), approves, o.directory(t, approves).Resets[0].ID, o.proofOf(approves), "I called him")
		require.NoError(t, err)
		return l
	}
	old := reset(o.ravi, meera)
	o.clock.Advance(time.Minute)
	reset(farah, meera)
	_, _, err := o.accounts.OpenInvitation(t.Context(), old.URL[len(prefix):])
	require.Equal(t, errs.KindMalformed, errs.KindOf(err), "the first link counts no more")
	l, err := o.accounts.Renew(o.ravi.Sign(t.Context()), o.ravi, o.directory(t, o.ravi).Invitations[0].ID, o.proofOf(o.ravi), "It was lost")
	require.NoError(t, err)
	kiran = o.enrolled(t, l, "kiran@example.in")
	for _, p := range []staff.Principal{o.ravi, meera, farah} {
		o.requireTied(t, p, kiran, "a hand in it")
	}
	o.requireApart(t, meera, farah, "not to each other")
}

// Given a wait that ends in the middle of a minute, then the member may decide at the minute that the message names.
func TestSecondPerson_AtTheToldMinute_MayDecide(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	o.clock.Set(o.clock.Now().Truncate(time.Minute).Add(20 * time.Second))
	priya := o.joined(t, o.ravi, "priya@example.in", staff.RoleAdmin)
	ties, err := o.accounts.Ties(priya.Sign(t.Context()))
	require.NoError(t, err)
	told := ties[0].Until.Truncate(time.Minute).Add(time.Minute)
	require.Contains(t, errs.As(o.decides(t, priya, o.ravi.StaffID)).Message,
		"from "+told.In(time.FixedZone("IST", 19_800)).Format("2 January 2006, 15:04")+" on")
	o.clock.Set(told)
	o.requireApart(t, o.ravi, priya, "as it was told")
}

// Given an office of two after a reset, then the two wait until the days are over, and decide again.
func TestSecondPerson_TwoAdminsAfterAReset_DecideAfterTheWait(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera, kiran := o.hired(t, "meera@example.in", staff.RoleAdmin), o.hired(t, "kiran@example.in", staff.RoleAdmin)
	require.NoError(t, o.accounts.RequestReset(o.ravi.Sign(t.Context()), o.ravi, kiran.StaffID, "His phone is gone"))
	l, err := o.accounts.ApproveReset(meera.Sign(t.Context()), meera, o.directory(t, meera).Resets[0].ID, o.proofOf(meera), "I called him")
	require.NoError(t, err)
	key := o.enrol(t, l.URL[len(prefix):])
	require.NoError(t, o.accounts.Disable(o.ravi.Sign(t.Context()), o.ravi, meera.StaffID, "She left"))
	require.ErrorIs(t, o.decides(t, o.ravi, kiran.StaffID), staff.ErrOnePerson, "who else could decide is gone")
	o.clock.Advance(apart)
	tokens, err := o.service.SignIn(t.Context(), staff.SignInInput{Email: "kiran@example.in", Password: "Guava#2027#Tree", Code: totp.Code(key, totp.StepAt(o.clock.Now()))}, guard.Visitor{Address: "203.0.113.7"})
	require.NoError(t, err)
	kiran, err = o.service.Authenticate(t.Context(), tokens.Token)
	require.NoError(t, err)
	o.requireApart(t, o.principal(t, "ravi@example.in"), kiran, "the days are over")
}
