package staff_test

import (
	"context"
	"encoding/base32"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// office is a set of accounts with a signed-in admin and Sunita.
type office struct {
	*bundle

	accounts *staff.Accounts
	ravi     staff.Principal
	// enrolledKeys are the authenticators of those who accepted an invitation, by e-mail.
	enrolledKeys map[string][]byte
}

func newOffice(t *testing.T, email bool) *office {
	t.Helper()
	b := setup(t)
	o := &office{bundle: b, enrolledKeys: map[string][]byte{}}
	o.accounts = staff.NewAccounts(b.service, b.db.API, testkit.NewInserter(t, b.db.API), email, "https://site.test", apart)
	o.ravi = o.hired(t, "ravi@example.in", staff.RoleAdmin)
	return o
}

func (o *office) hired(t *testing.T, email string, role staff.Role) staff.Principal {
	t.Helper()
	require.NoError(t, o.ensure(t, func(a *staff.Account) { a.Email, a.Name, a.Role = email, email, role }))
	return o.principal(t, email)
}

func (o *office) principal(t *testing.T, email string) staff.Principal {
	t.Helper()
	token, err := o.signIn(t, email, "Mango#2026#Tree")
	require.NoError(t, err)
	p, err := o.service.Authenticate(t.Context(), token)
	require.NoError(t, err)
	return p
}

// proof is the password with a fresh code of the authenticator that all accounts of the tests begin with.
func (o *office) proof(password string) staff.Proof {
	o.clock.Advance(time.Minute)
	return staff.Proof{Password: password, Code: totp.Code([]byte("12345678901234567890"), totp.StepAt(o.clock.Now())), Visitor: from()}
}

// proofOf is the member's own password with a fresh code.
func (o *office) proofOf(p staff.Principal) staff.Proof {
	in := o.proof("Mango#2026#Tree")
	if key, ok := o.enrolledKeys[p.Email]; ok {
		in.Password, in.Code = "Guava#2027#Tree", totp.Code(key, totp.StepAt(o.clock.Now()))
	}
	return in
}

func (o *office) directory(t *testing.T, p staff.Principal) staff.Directory {
	t.Helper()
	d, err := o.accounts.Directory(p.Sign(t.Context()))
	require.NoError(t, err)
	return d
}

func codeOf(t *testing.T, err error) string {
	t.Helper()
	require.Error(t, err)
	return errs.As(err).Code
}

// enrol opens the link, confirms the key and sets the password; it returns the key.
func (o *office) enrol(t *testing.T, link string) []byte {
	t.Helper()
	_, key, err := o.accounts.OpenInvitation(t.Context(), link)
	require.NoError(t, err)
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(key.Secret)
	require.NoError(t, err)
	in := staff.EnrolmentInput{Link: link, Password: "Guava#2027#Tree", Sealed: key.Sealed, Code: "000000"}
	require.Equal(t, errs.KindInvalid, errs.KindOf(o.accounts.Enrol(t.Context(), in, guard.Visitor{Address: "203.0.113.9"})), "a wrong code uses nothing up")
	in.Code = totp.Code(raw, totp.StepAt(o.clock.Now()))
	require.NoError(t, o.accounts.Enrol(t.Context(), in, guard.Visitor{Address: "203.0.113.9"}))
	require.Equal(t, "invitation_invalid", codeOf(t, o.accounts.Enrol(t.Context(), in, guard.Visitor{})), "a link counts once")
	return raw
}

const prefix = "https://site.test/support/join#"

func TestInvitation_LinkWorksOnceAndEnrolsPasswordAndAuthenticator(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	ctx := o.ravi.Sign(t.Context())
	in := staff.InvitationInput{Email: " Priya@Example.in ", Name: "Priya  Rao", Role: staff.RoleFinance}
	first, err := o.accounts.Invite(ctx, o.ravi, in, o.proofOf(o.ravi), "She joins")
	require.NoError(t, err)
	require.Contains(t, first.URL, prefix)
	require.Equal(t, "staff_exists", codeOf(t, second(o.accounts.Invite(ctx, o.ravi, staff.InvitationInput{Email: "sunita@example.in", Name: "S", Role: staff.RoleSupport}, o.proofOf(o.ravi), "Again"))))

	list := o.directory(t, o.ravi).Invitations
	require.Len(t, list, 1)
	require.Equal(t, "priya@example.in", list[0].Email)
	next, err := o.accounts.Renew(ctx, o.ravi, list[0].ID, o.proofOf(o.ravi), "It was lost")
	require.NoError(t, err)
	_, _, err = o.accounts.OpenInvitation(t.Context(), first.URL[len(prefix):])
	require.Equal(t, "invitation_invalid", codeOf(t, err), "a renewed link counts no longer")
	require.Equal(t, "invitation_over", codeOf(t, o.accounts.Withdraw(ctx, o.ravi, list[0].ID, "Too late")))

	link := next.URL[len(prefix):]
	key := o.enrol(t, link)
	require.Empty(t, o.directory(t, o.ravi).Invitations)
	o.clock.Advance(time.Minute)
	tokens, err := o.service.SignIn(t.Context(), staff.SignInInput{
		Email: "priya@example.in", Password: "Guava#2027#Tree", Code: totp.Code(key, totp.StepAt(o.clock.Now())),
	}, guard.Visitor{Address: "203.0.113.9"})
	require.NoError(t, err)
	require.Equal(t, staff.RoleFinance, tokens.Role)

	late, err := o.accounts.Invite(ctx, o.ravi, staff.InvitationInput{Email: "late@example.in", Name: "Late", Role: staff.RoleAuditor}, o.proofOf(o.ravi), "Reads")
	require.NoError(t, err)
	o.clock.Advance(staff.InvitationLife)
	_, _, err = o.accounts.OpenInvitation(t.Context(), late.URL[len(prefix):])
	require.Equal(t, "invitation_invalid", codeOf(t, err), "after 72 hours it is over")
	check, err := o.auditor.Check(t.Context())
	require.NoError(t, err)
	require.Zero(t, check.BrokenAt)
}

func second[T any](_ T, err error) error { return err }

type letters struct{ sent []message.Message }

func (l *letters) Send(_ context.Context, m message.Message) error {
	l.sent = append(l.sent, m)
	return nil
}

func TestInvitation_ByEmail_HidesItsLink(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	in := staff.InvitationInput{Email: "priya@example.in", Name: "Priya Rao", Role: staff.RoleSupport}
	l, err := o.accounts.Invite(o.ravi.Sign(t.Context()), o.ravi, in, o.proofOf(o.ravi), "She joins")
	require.NoError(t, err)
	require.Empty(t, l.URL)
	var args string
	require.NoError(t, o.db.Owner.Get(&args, `SELECT args ->> 'invitation_id' FROM river_job WHERE kind = 'send_staff_invitation'`))
	box := &letters{}
	site := message.Site{Host: "site.test", URL: "https://site.test"}
	outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: o.clock, Email: box, Logger: testkit.NewLogger(t)})
	sender := staff.NewInvitationSender(o.db.Worker, outbox, o.clock, testkit.NewKeyring(t), site.URL)
	require.NoError(t, sender.Send(t.Context(), args))
	require.NoError(t, sender.Send(t.Context(), args), "once")
	require.Len(t, box.sent, 1)
	require.Equal(t, "priya@example.in", box.sent[0].Email)
	require.NotEmpty(t, box.sent[0].HTML)
	require.NotNil(t, o.directory(t, o.ravi).Invitations[0].SentAt)
	o.enrol(t, box.sent[0].Link[len(prefix):])
}

// Given two admins, when a third account becomes an admin by a new role, an invitation or being enabled again, then each other admin gets
// one notice.
func TestAdminNotice_AccountBecomesAdmin_IsSentToEachOtherAdminOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t, true)
	ctx := o.ravi.Sign(t.Context())
	box := &letters{}
	site := message.Site{Host: "site.test", URL: "https://site.test"}
	outbox := message.NewOutbox(message.OutboxOptions{SMS: box, Site: site, Clock: o.clock, Email: box, Logger: testkit.NewLogger(t)})
	told := func() (who []string) {
		t.Helper()
		var waiting []string
		require.NoError(t, o.db.Owner.Select(&waiting, `SELECT args ->> 'notice_id' FROM river_job WHERE kind = 'send_staff_notice' ORDER BY id`))
		box.sent = nil
		for range 2 {
			for _, one := range waiting {
				require.NoError(t, staff.NewNoticeSender(o.db.Worker, outbox, o.clock).Send(t.Context(), one))
			}
		}
		for _, m := range box.sent {
			require.Equal(t, message.TemplateStaffAdminMade, m.Template)
			who = append(who, m.Email+": "+m.Values[0])
		}
		slices.Sort(who)
		return who
	}
	require.NoError(t, o.accounts.SetRole(ctx, o.ravi, o.sunita.StaffID, staff.RoleFinance, o.proofOf(o.ravi), "Keeps the books"))
	require.Empty(t, told())
	require.NoError(t, o.accounts.SetRole(ctx, o.ravi, o.sunita.StaffID, staff.RoleAdmin, o.proofOf(o.ravi), "Second admin"))
	require.Equal(t, []string{"ravi@example.in: Sunita, sunita@example.in"}, told())

	_, err := o.accounts.Invite(ctx, o.ravi, staff.InvitationInput{Email: "mala@example.in", Name: "Mala", Role: staff.RoleAdmin}, o.proofOf(o.ravi), "She joins")
	require.NoError(t, err)
	require.Empty(t, told(), "nobody acts with an invitation that was not accepted")
	var invited string
	require.NoError(t, o.db.Owner.Get(&invited, `SELECT args ->> 'invitation_id' FROM river_job WHERE kind = 'send_staff_invitation'`))
	require.NoError(t, staff.NewInvitationSender(o.db.Worker, outbox, o.clock, testkit.NewKeyring(t), site.URL).Send(t.Context(), invited))
	o.enrol(t, box.sent[0].Link[len(prefix):])
	require.Equal(t, []string{"ravi@example.in: Mala, mala@example.in", "sunita@example.in: Mala, mala@example.in"}, told())

	o.clock.Advance(time.Hour)
	require.NoError(t, o.accounts.Disable(ctx, o.ravi, o.sunita.StaffID, "On leave"))
	require.Empty(t, told())
	require.NoError(t, o.accounts.Enable(ctx, o.ravi, o.sunita.StaffID, o.proofOf(o.ravi), "Back"))
	require.Equal(t, []string{"mala@example.in: Sunita, sunita@example.in", "ravi@example.in: Sunita, sunita@example.in"}, told())
}

func TestAccounts_OwnAccountAndLastAdmin_CannotBeDisabled(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera := o.hired(t, "meera@example.in", staff.RoleAdmin)
	ctx := o.ravi.Sign(t.Context())
	require.Equal(t, "own_account", codeOf(t, o.accounts.Disable(ctx, o.ravi, o.ravi.StaffID, "Myself")))
	require.Equal(t, "own_account", codeOf(t, o.accounts.SetRole(ctx, o.ravi, o.ravi.StaffID, staff.RoleAuditor, o.proofOf(o.ravi), "Myself")))
	require.Equal(t, "not_found", codeOf(t, o.accounts.Disable(ctx, o.ravi, id.New(), "Nobody")))
	require.Equal(t, errs.KindInvalid, errs.KindOf(o.accounts.Disable(ctx, o.ravi, meera.StaffID, " ")))

	require.NoError(t, o.accounts.SetRole(ctx, o.ravi, o.sunita.StaffID, staff.RoleFinance, o.proofOf(o.ravi), "Keeps the books"))
	require.Equal(t, "staff_same", codeOf(t, o.accounts.SetRole(ctx, o.ravi, o.sunita.StaffID, staff.RoleFinance, o.proofOf(o.ravi), "Again")))
	require.NoError(t, o.accounts.Disable(ctx, o.ravi, meera.StaffID, "On leave"))
	err := o.accounts.Disable(meera.Sign(t.Context()), meera, o.ravi.StaffID, "Her revenge")
	require.Error(t, err, "whoever is disabled changes nothing more, and so an admin is left")
	_, err = o.signIn(t, "meera@example.in", "Mango#2026#Tree")
	require.Equal(t, "invalid_credentials", codeOf(t, err))
	require.NoError(t, o.accounts.Enable(ctx, o.ravi, meera.StaffID, o.proofOf(o.ravi), "Back"))
	o.principal(t, "meera@example.in")
}

func TestDisable_TwoAdminsEachOther_OnlyOneSucceeds(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera := o.hired(t, "meera@example.in", staff.RoleAdmin)
	done := make(chan error, 2)
	for _, pair := range [][2]staff.Principal{{o.ravi, meera}, {meera, o.ravi}} {
		go func() {
			done <- o.accounts.Disable(pair[0].Sign(context.WithoutCancel(t.Context())), pair[0], pair[1].StaffID, "At once")
		}()
	}
	failed := 0
	for range 2 {
		if <-done != nil {
			failed++
		}
	}
	require.Equal(t, 1, failed)
	var left int
	require.NoError(t, o.db.Owner.Get(&left, `SELECT count(*) FROM staff WHERE role = 'admin' AND disabled_at IS NULL`))
	require.Equal(t, 1, left)
}

func TestAuthenticatorReset_NeedsTwoAdminsAndANewEnrolment(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera := o.hired(t, "meera@example.in", staff.RoleAdmin)
	sunita := o.principal(t, "sunita@example.in")
	ctx := o.ravi.Sign(t.Context())
	require.Equal(t, "own_account", codeOf(t, o.accounts.RequestReset(ctx, o.ravi, o.ravi.StaffID, "My phone is gone")))
	require.NoError(t, o.accounts.RequestReset(ctx, o.ravi, sunita.StaffID, "Her phone is gone"))
	require.Equal(t, "reset_waits", codeOf(t, o.accounts.RequestReset(ctx, o.ravi, sunita.StaffID, "Again")))
	reset := o.directory(t, o.ravi).Resets[0].ID
	require.Equal(t, "own_account", codeOf(t, second(o.accounts.ApproveReset(ctx, o.ravi, reset, o.proofOf(o.ravi), "Myself"))))
	require.NoError(t, o.accounts.DeclineReset(ctx, o.ravi, reset, "She found it"), "whoever asked may withdraw")

	require.NoError(t, o.accounts.RequestReset(ctx, o.ravi, sunita.StaffID, "Her phone is gone again"))
	reset = o.directory(t, o.ravi).Resets[0].ID
	l, err := o.accounts.ApproveReset(meera.Sign(t.Context()), meera, reset, o.proofOf(meera), "I called her")
	require.NoError(t, err)
	_, err = o.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.Equal(t, "invalid_credentials", codeOf(t, err), "nobody signs in before the new enrolment")
	require.Empty(t, o.directory(t, o.ravi).Resets)
	o.enrol(t, l.URL[len(prefix):])
	require.Contains(t, o.actions(t), "staff_enrolled: Accepted the invitation from 203.0.113.9")
}

func TestSessions_StaffEndTheirOwnAndAdminsAny(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	sunita, other := o.principal(t, "sunita@example.in"), o.principal(t, "sunita@example.in")
	own, err := o.accounts.Activity(sunita.Sign(t.Context()), sunita.StaffID)
	require.NoError(t, err)
	require.Len(t, own.Sessions, 3, "with the one of the set-up, which has the time of the machine and no address")
	require.Equal(t, "203.0.113.7", own.Sessions[1].Address)
	require.Len(t, own.SignIns, 2)
	ofRavi, err := o.accounts.Activity(sunita.Sign(t.Context()), o.ravi.StaffID)
	require.NoError(t, err)
	require.Empty(t, ofRavi.Sessions)
	require.Equal(t, "not_found", codeOf(t, o.accounts.EndSession(sunita.Sign(t.Context()), sunita, o.ravi.SessionID, "His")))
	require.NoError(t, o.accounts.EndSession(sunita.Sign(t.Context()), sunita, other.SessionID, "The one at home"))
	require.NoError(t, o.accounts.EndSession(o.ravi.Sign(t.Context()), o.ravi, sunita.SessionID, "She left her desk"))
	seen, err := o.accounts.Activity(o.ravi.Sign(t.Context()), sunita.StaffID)
	require.NoError(t, err)
	require.Len(t, seen.Sessions, 1)
	require.Empty(t, o.directory(t, sunita).Accounts, "an ended session proves nothing")
}

func TestOwnPasswordAndAuthenticator_CanBeChanged(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	sunita, other := o.principal(t, "sunita@example.in"), o.principal(t, "sunita@example.in")
	ctx := sunita.Sign(t.Context())
	from := guard.Visitor{Address: "203.0.113.7"}
	require.Contains(t, errs.As(o.accounts.ChangePassword(ctx, sunita, "Mango#2026#Bush", "Guava#2027#Tree", from)).Fields, "current_password")
	require.NoError(t, o.accounts.ChangePassword(ctx, sunita, "Mango#2026#Tree", "Guava#2027#Tree", from))
	require.Empty(t, mustActivity(t, o, other).Sessions, "the other session is ended")
	require.Len(t, mustActivity(t, o, sunita).Sessions, 1)

	key, err := o.accounts.ProposeAuthenticator(sunita)
	require.NoError(t, err)
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(key.Secret)
	require.NoError(t, err)
	replace := func(p staff.Proof, sealed string) error {
		return o.accounts.ReplaceAuthenticator(ctx, sunita, p, sealed, totp.Code(raw, totp.StepAt(o.clock.Now())))
	}
	require.Contains(t, errs.As(replace(o.proof("Mango#2026#Tree"), key.Sealed)).Fields, "current_password")
	stolen, err := o.accounts.ProposeAuthenticator(o.ravi)
	require.NoError(t, err)
	require.Equal(t, "authenticator_expired", codeOf(t, replace(o.proof("Guava#2027#Tree"), stolen.Sealed)),
		"a key that was proposed to another member")
	for name, wrong := range map[string]staff.Proof{
		"no code":               {Password: "Guava#2027#Tree"},
		"a wrong code":          {Password: "Guava#2027#Tree", Code: "000000"},
		"a code of the new app": {Password: "Guava#2027#Tree", Code: totp.Code(raw, totp.StepAt(o.clock.Now()))},
		"Devanagari digits":     {Password: "Guava#2027#Tree", Code: "१२"},
	} {
		require.Equal(t, []string{"current_code"}, slices.Collect(maps.Keys(errs.As(replace(wrong, key.Sealed)).Fields)), name)
	}
	require.NoError(t, replace(o.proof("Guava#2027#Tree"), key.Sealed))
	_, err = o.signIn(t, "sunita@example.in", "Guava#2027#Tree")
	require.Equal(t, "invalid_credentials", codeOf(t, err), "the old app is none any more")
	o.clock.Advance(time.Hour)
	require.Equal(t, "authenticator_expired", codeOf(t, replace(o.proof("Guava#2027#Tree"), key.Sealed)))
}

func TestStaffPassword_CommonShortOrPersonal_IsRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	sunita := o.principal(t, "sunita@example.in")
	invited, err := o.accounts.Invite(o.ravi.Sign(t.Context()), o.ravi,
		staff.InvitationInput{Email: "sunita.devi@example.in", Name: "Sunita Devi", Role: staff.RoleAdmin}, o.proofOf(o.ravi), "She joins")
	require.NoError(t, err)
	link := invited.URL[len(prefix):]
	_, key, err := o.accounts.OpenInvitation(t.Context(), link)
	require.NoError(t, err)
	for _, weak := range []string{
		"password1234", "qwerty123456", "123456789012", "administrator", "letmein12345", "iloveyou1234", "welcome12345", "support12345", "franchise3600",
		"aaaaaaaaaaaa", "Password@1234", "P@ssw0rd!2026", "Welcome@12345", "Franchise@360", "Mango#2026", "mangotrees#27", "Sunita#Mango#27", "S.u.n.i.t.a#27Mango",
		"passwordpassword", strings.Repeat("Mango#2026#", 12), "",
	} {
		require.Contains(t, errs.As(o.accounts.ChangePassword(sunita.Sign(t.Context()), sunita, "Mango#2026#Tree", weak, from())).Fields, "password", weak)
		in := staff.EnrolmentInput{Link: link, Password: weak, Sealed: key.Sealed, Code: "000000"}
		require.Contains(t, errs.As(o.accounts.Enrol(t.Context(), in, from())).Fields, "password", weak)
		require.Contains(t, errs.As(o.ensure(t, func(a *staff.Account) { a.Password = weak })).Fields, "password", weak)
	}
	require.NoError(t, o.accounts.ChangePassword(sunita.Sign(t.Context()), sunita, "Mango#2026#Tree", "four mango trees stand", from()))
}

func mustActivity(t *testing.T, o *office, p staff.Principal) staff.Activity {
	t.Helper()
	act, err := o.accounts.Activity(p.Sign(t.Context()), p.StaffID)
	require.NoError(t, err)
	return act
}

func TestAccounts_OtherRolesThanAdmin_AreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	for _, role := range []staff.Role{staff.RoleSupport, staff.RoleFinance, staff.RoleAuditor} {
		p := o.hired(t, string(role)+"@example.in", role)
		ctx := p.Sign(t.Context())
		_, err := o.accounts.Invite(ctx, p, staff.InvitationInput{Email: "new@example.in", Name: "New", Role: staff.RoleAdmin}, o.proofOf(p), "Myself")
		require.Error(t, err, role)
		require.Error(t, o.accounts.SetRole(ctx, p, o.sunita.StaffID, staff.RoleAdmin, o.proofOf(p), "A favour"), role)
		require.Error(t, o.accounts.RequestReset(ctx, p, o.ravi.StaffID, "A trick"), role)
		require.Equal(t, role == staff.RoleAuditor, len(o.directory(t, p).Accounts) > 0, role)
	}
	require.Empty(t, o.directory(t, staff.Principal{}).Accounts, "the api's role alone sees nobody")
	var n int
	require.Error(t, o.db.API.Get(&n, `SELECT count(token_hash) FROM staff_invitations`))
	require.NoError(t, o.db.API.Get(&n, `SELECT count(*) FROM staff_invitations`))
	require.Zero(t, n)
}
