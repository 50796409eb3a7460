package account_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const meera = "9811111111"

// link sends the invitations that wait and returns the end of the newest link that Ravi was sent.
func (b *bundle) link(tb testing.TB) string {
	tb.Helper()
	sender := team.NewSender(b.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: b.phone, Site: message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}, Clock: b.clock,
		Logger: testkit.NewLogger(tb),
	}), b.clock, b.keys)
	var ids []string
	require.NoError(tb, b.db.Owner.Select(&ids, `SELECT args ->> 'invitation_id' FROM river_job WHERE kind = 'send_team_invitation' ORDER BY id`))
	for _, one := range ids {
		require.NoError(tb, sender.Send(tb.Context(), one))
	}
	for _, m := range slices.Backward(b.phone.messages) {
		found := regexp.MustCompile(`https://franchise360\.example/team/([\w-]{38})$`).FindStringSubmatch(m.Text)
		if m.Mobile == ravi && found != nil {
			return found[1]
		}
	}
	require.Fail(tb, "no invitation was sent")
	return ""
}

// invite has the owner invite somebody, with the tests' password.
func (b *bundle) invite(tb testing.TB, accountID string, in team.MemberInput) (team.Member, error) {
	tb.Helper()
	return b.Teams.InviteMember(tb.Context(), account.Principal{FranchiserID: accountID}, in, credential.Proof{Password: goodPassword})
}

// member invites Ravi, who has an account, to the account, accepts and switches to it.
func (b *bundle) member(tb testing.TB, accountID string, role account.Role, person session.SignedIn) (team.Member, session.SignedIn) {
	tb.Helper()
	m, err := b.invite(tb, accountID, team.MemberInput{Name: "Ravi Rao", Mobile: ravi, Role: role})
	require.NoError(tb, err)
	_, err = b.Teams.AcceptInvitation(tb.Context(), principal(person), b.link(tb))
	require.NoError(tb, err)
	in, err := b.Sessions.SwitchAccount(tb.Context(), principal(person), accountID, home())
	require.NoError(tb, err)
	return m, in
}

func (b *bundle) who(tb testing.TB, access string) account.Principal {
	tb.Helper()
	p, err := b.Sessions.Authenticate(tb.Context(), access)
	require.NoError(tb, err)
	return p
}

func TestMember_ActsInTheAccountUntilRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	m, in := b.member(t, boss.User.ID, account.RoleAccountant, person)

	require.False(t, b.lives(t, person.Tokens.Access), "the session before is over")
	p := b.who(t, in.Tokens.Access)
	require.Equal(t, account.Principal{
		FranchiserID: boss.User.ID, SessionID: in.Tokens.SessionID, PersonID: person.User.ID, MemberID: m.ID, Role: account.RoleAccountant,
	}, p)
	require.Equal(t, ravi, in.User.Mobile, "the person is who signed in")
	require.Equal(t, boss.User.ID, in.User.Acting.AccountID)
	require.Equal(t, "Asha", in.User.Acting.Name)
	require.Equal(t, person.Tokens.ExpiresAt, in.Tokens.ExpiresAt, "a switch does not prolong the sign-in")
	u, err := b.Sessions.SessionUser(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, in.User, u)

	renewed, err := b.Sessions.Refresh(t.Context(), in.Tokens.Refresh, home())
	require.NoError(t, err)
	require.Equal(t, in.User.Acting, renewed.User.Acting)
	require.Equal(t, boss.User.ID, b.who(t, renewed.Tokens.Access).FranchiserID)

	_, err = b.Teams.ChangeRole(t.Context(), principal(boss), m.ID, account.RoleManager, credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	require.Equal(t, account.RoleManager, b.who(t, renewed.Tokens.Access).Role, "at the next request")

	require.NoError(t, b.Teams.RemoveMember(t.Context(), boss.User.ID, m.ID))
	require.False(t, b.lives(t, renewed.Tokens.Access))
	_, err = b.Sessions.Refresh(t.Context(), renewed.Tokens.Refresh, home())
	requireCode(t, err, errs.KindUnauthenticated, errs.Unauthenticated().Code)
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM sessions WHERE end_reason = 'removed'`))

	again, err := b.login(t, ravi, goodPassword)
	require.NoError(t, err, "the own account is untouched")
	_, err = b.Sessions.SwitchAccount(t.Context(), principal(again), boss.User.ID, home())
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.True(t, b.lives(t, again.Tokens.Access))
	require.True(t, b.lives(t, boss.Tokens.Access))
}

func TestSignIn_OtherAccounts_AreIndicated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	require.False(t, person.User.OtherAccounts)
	m, in := b.member(t, boss.User.ID, account.RoleAccountant, person)
	require.True(t, in.User.OtherAccounts, "in the other account")

	own, err := b.login(t, ravi, goodPassword)
	require.NoError(t, err)
	require.True(t, own.User.OtherAccounts, "in the own one too")
	u, err := b.Sessions.SessionUser(t.Context(), principal(own))
	require.NoError(t, err)
	require.True(t, u.OtherAccounts)
	u, err = b.Sessions.SessionUser(t.Context(), principal(boss))
	require.NoError(t, err)
	require.False(t, u.OtherAccounts, "whoever helps in an account, its owner has one")

	require.NoError(t, b.Teams.RemoveMember(t.Context(), boss.User.ID, m.ID))
	own, err = b.login(t, ravi, goodPassword)
	require.NoError(t, err)
	require.False(t, own.User.OtherAccounts)
}

func TestMember_Removed_IsSignedOutAtOnceWithoutRedis(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	m, in := b.member(t, boss.User.ID, account.RoleManager, person)
	require.True(t, b.lives(t, in.Tokens.Access))
	b.redis.Close()
	require.NoError(t, b.Teams.RemoveMember(t.Context(), boss.User.ID, m.ID))
	require.NoError(t, b.redis.Restart())
	require.False(t, b.lives(t, in.Tokens.Access), "no cache knows a member's session")
}

func TestLeaveAccount_EndsTheSessionsInThatAccountOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	_, in := b.member(t, boss.User.ID, account.RoleManager, person)
	own, err := b.login(t, ravi, goodPassword)
	require.NoError(t, err)
	require.NoError(t, b.Teams.LeaveAccount(t.Context(), principal(own), boss.User.ID))
	require.False(t, b.lives(t, in.Tokens.Access))
	require.True(t, b.lives(t, own.Tokens.Access))
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.Teams.LeaveAccount(t.Context(), principal(own), boss.User.ID)))
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.Teams.LeaveAccount(t.Context(), principal(own), own.User.ID)), "an owner does not leave")
	team, err := b.Teams.Team(t.Context(), boss.User.ID)
	require.NoError(t, err)
	require.Empty(t, team.Members)
	require.Equal(t, "left", team.Events[0].Kind)
}

func TestInvitation_OtherMobileUsedOrExpired_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person, other := b.join(t, asha), b.join(t, ravi), b.join(t, meera)
	for name, c := range map[string]struct {
		in    team.MemberInput
		field string
	}{
		"no name":        {team.MemberInput{Mobile: ravi, Role: account.RoleManager}, "name"},
		"no mobile":      {team.MemberInput{Name: "Ravi", Role: account.RoleManager}, "mobile"},
		"no role":        {team.MemberInput{Name: "Ravi", Mobile: ravi}, "role"},
		"another owner":  {team.MemberInput{Name: "Ravi", Mobile: ravi, Role: account.RoleOwner}, "role"},
		"the own mobile": {team.MemberInput{Name: "Asha", Mobile: asha, Role: account.RoleManager}, "mobile"},
	} {
		_, err := b.invite(t, boss.User.ID, c.in)
		require.Contains(t, errs.As(err).Fields, c.field, name)
	}
	m, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi", Mobile: ravi, Role: account.RoleAccountant})
	require.NoError(t, err)
	_, err = b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi", Mobile: ravi, Role: account.RoleAccountant})
	require.Equal(t, team.ErrMemberExists, err)
	first := b.link(t)
	i, err := b.Teams.TeamInvitation(t.Context(), first)
	require.NoError(t, err)
	require.Equal(t, []string{"Asha", "Asha", "•••••• 6789"}, []string{i.AccountName, i.Owner, i.MaskedMobile()})

	_, err = b.Teams.AcceptInvitation(t.Context(), principal(other), first)
	requireCode(t, err, errs.KindConflict, "other_mobile")
	_, err = b.Teams.ResendInvitation(t.Context(), principal(boss), m.ID, credential.Proof{Password: goodPassword})
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "not within a minute")
	b.clock.Advance(minute)
	_, err = b.Teams.ResendInvitation(t.Context(), principal(boss), m.ID, credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	second := b.link(t)
	require.NotEqual(t, first, second)
	for name, code := range map[string]string{"replaced": first, "none": "", "short": "x", "made up": second[:37] + "!"} {
		_, err = b.Teams.AcceptInvitation(t.Context(), principal(person), code)
		require.Equal(t, team.ErrTeamInvitation, err, name)
		_, err = b.Teams.TeamInvitation(t.Context(), code)
		require.Equal(t, team.ErrTeamInvitation, err, name)
	}
	b.clock.Advance(team.InviteLife)
	_, err = b.Teams.AcceptInvitation(t.Context(), principal(person), second)
	require.Equal(t, team.ErrTeamInvitation, err, "expired")
	_, err = b.Teams.ResendInvitation(t.Context(), principal(boss), m.ID, credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	third := b.link(t)
	joined, err := b.Teams.AcceptInvitation(t.Context(), principal(person), third)
	require.NoError(t, err)
	twice, err := b.Teams.AcceptInvitation(t.Context(), principal(person), third)
	require.NoError(t, err, "the first answer may have been lost")
	require.Equal(t, joined, twice)
	_, err = b.Teams.TeamInvitation(t.Context(), third)
	require.Equal(t, team.ErrTeamInvitation, err, "it is used")
	_, err = b.Teams.ResendInvitation(t.Context(), principal(boss), m.ID, credential.Proof{Password: goodPassword})
	requireCode(t, err, errs.KindConflict, "member_state")
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM team_events WHERE kind = 'accepted'`))
}

func TestInvitations_AreLimitedPerAccountAndPerMobile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss := b.join(t, asha)
	invite := func(accountID, mobile string) error {
		m, err := b.invite(t, accountID, team.MemberInput{Name: "Ravi", Mobile: mobile, Role: account.RoleManager})
		if err != nil {
			return err
		}
		return b.Teams.RemoveMember(t.Context(), accountID, m.ID)
	}
	for range 5 {
		require.NoError(t, invite(boss.User.ID, ravi))
	}
	require.Equal(t, errs.KindRateLimited, errs.KindOf(invite(boss.User.ID, ravi)))
	require.Equal(t, errs.KindRateLimited, errs.KindOf(invite(b.join(t, meera).User.ID, ravi)), "whoever invites it")
	for n := range 25 {
		require.NoError(t, invite(boss.User.ID, "97000000"+string(rune('0'+n/10))+string(rune('0'+n%10))))
	}
	b.clock.Advance(time.Hour)
	often := errs.As(invite(boss.User.ID, "9700000099"))
	require.Equal(t, errs.KindRateLimited, often.Kind, "thirty a day")
	require.Equal(t, 23*time.Hour, often.RetryAfter, "when the first of them is a day old")
	b.clock.Advance(23 * time.Hour)
	require.NoError(t, invite(boss.User.ID, ravi))
}

func TestInvitations_BeforeFirstPayment_AreThreeADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.billing.unpaid = true
	boss := b.join(t, asha)
	invite := func(mobile string) error {
		_, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi", Mobile: mobile, Role: account.RoleManager})
		return err
	}
	for _, mobile := range []string{"9700000001", "9700000002", "9700000003"} {
		require.NoError(t, invite(mobile))
	}
	require.Equal(t, errs.KindRateLimited, errs.KindOf(invite("9700000004")))
	b.clock.Advance(24 * time.Hour)
	require.NoError(t, invite("9700000004"))
}

// A concurrent removal and acceptance may run in either order, but the removed person is no member afterwards.
func TestInvitation_AcceptedAndRemovedAtOnce_LeavesNoMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	for range 5 {
		m, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi", Mobile: ravi, Role: account.RoleManager})
		require.NoError(t, err)
		code := b.link(t)
		var accepted, removed error
		var wg sync.WaitGroup
		wg.Go(func() { _, accepted = b.Teams.AcceptInvitation(context.Background(), principal(person), code) })
		wg.Go(func() { removed = b.Teams.RemoveMember(context.Background(), boss.User.ID, m.ID) })
		wg.Wait()
		require.NoError(t, removed)
		if accepted != nil {
			require.Equal(t, team.ErrTeamInvitation, accepted)
		}
		list, err := b.Teams.Memberships(t.Context(), person.User.ID)
		require.NoError(t, err)
		require.Empty(t, list)
	}
}

func TestInvitation_AcceptedInTwoTabsAtOnce_MakesOneMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	_, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi", Mobile: ravi, Role: account.RoleManager})
	require.NoError(t, err)
	code := b.link(t)
	var wg sync.WaitGroup
	failures := make([]error, 4)
	for i := range failures {
		wg.Go(func() { _, failures[i] = b.Teams.AcceptInvitation(context.Background(), principal(person), code) })
	}
	wg.Wait()
	for _, err := range failures {
		require.NoError(t, err)
	}
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM team_events WHERE kind = 'accepted'`))
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM team_members WHERE state = 'active'`))
}

func TestSwitchAccount_TwoTabsAtOnce_LeavesOneSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	_, in := b.member(t, boss.User.ID, account.RoleManager, person)
	p := b.who(t, in.Tokens.Access)
	var wg sync.WaitGroup
	failures := make([]error, 2)
	for i := range failures {
		wg.Go(func() { _, failures[i] = b.Sessions.SwitchAccount(context.Background(), p, person.User.ID, home()) })
	}
	wg.Wait()
	require.NotEqual(t, failures[0] == nil, failures[1] == nil, "%v", failures)
	require.Equal(t, 1, count(t, b.db.Owner, `SELECT count(*) FROM sessions WHERE franchiser_id = $1 AND ended_at IS NULL`, person.User.ID))
}

func TestSwitchAccount_WithoutMembership_IsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	for _, accountID := range []string{boss.User.ID, id.New(), "x", ""} {
		_, err := b.Sessions.SwitchAccount(t.Context(), principal(person), accountID, home())
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), accountID)
	}
	require.True(t, b.lives(t, person.Tokens.Access))
	stranger := b.join(t, meera)
	m, _ := b.member(t, boss.User.ID, account.RoleManager, person)
	_, err := b.Teams.ChangeRole(t.Context(), principal(stranger), m.ID, account.RoleAccountant, credential.Proof{Password: goodPassword})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.Teams.RemoveMember(t.Context(), stranger.User.ID, m.ID)))
	list, err := b.Teams.Memberships(t.Context(), stranger.User.ID)
	require.NoError(t, err)
	require.Empty(t, list)
}

// A recovered password or mobile also ends the person's sessions in other accounts.
func TestReset_EndsTheSessionsInOtherAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	_, in := b.member(t, boss.User.ID, account.RoleManager, person)
	b.startReset(t, ravi)
	token, err := b.SignIns.VerifyReset(t.Context(), ravi, b.digits(t, ravi), owner())
	require.NoError(t, err)
	require.NoError(t, b.SignIns.Reset(t.Context(), signin.ResetInput{Mobile: ravi, Verification: token, Password: "Guava#2027", Confirmation: "Guava#2027"}))
	require.False(t, b.lives(t, in.Tokens.Access))
}

func TestErasure_DeletesTheTeamAndTheMemberships(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	_, in := b.member(t, boss.User.ID, account.RoleManager, person)
	_, err := b.invite(t, person.User.ID, team.MemberInput{Name: "Meera", Mobile: meera, Role: account.RoleManager})
	require.NoError(t, err)
	export, err := b.Erasures.ExportData(t.Context(), principal(boss), credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	require.Contains(t, export.Sections, "team")

	_, err = b.db.Owner.Exec(`UPDATE franchisers SET erasure_requested_at = $2 WHERE id = $1`, person.User.ID, b.clock.Now().Add(-account.ErasureDelay-time.Hour))
	require.NoError(t, err)
	require.NoError(t, b.janitor.EraseDue(t.Context()))
	require.False(t, b.lives(t, in.Tokens.Access))
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM team_members WHERE state <> 'removed' OR mobile <> '' OR name <> 'Erased'`))
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM team_invitations`))
	team, err := b.Teams.Team(t.Context(), boss.User.ID)
	require.NoError(t, err)
	require.Empty(t, team.Members)
}

// blocked waits until the given number of statements waits for a lock.
func (b *bundle) blocked(tb testing.TB, n int) {
	tb.Helper()
	require.Eventually(tb, func() bool {
		return count(tb, b.db.Owner, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) >= n
	}, time.Minute, 5*time.Millisecond)
}

// If a person switches accounts while all of the person's sessions are ended, the session of the switch ends too.
func TestSwitchAccount_WhileAllSessionsEnd_EndsToo(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *bundle, person, other session.SignedIn) error{
		"by staff": func(b *bundle, person, _ session.SignedIn) error {
			_, err := b.SignIns.StaffEndSessions(context.Background(), person.User.ID)
			return err
		},
		"by the person": func(b *bundle, _, other session.SignedIn) error {
			return b.Sessions.EndOtherSessions(context.Background(), principal(other))
		},
		"by a new password": func(b *bundle, _, _ session.SignedIn) error {
			b.startReset(t, ravi)
			token, err := b.SignIns.VerifyReset(context.Background(), ravi, b.digits(t, ravi), owner())
			if err != nil {
				return err
			}
			return b.SignIns.Reset(context.Background(), signin.ResetInput{
				Mobile: ravi, Verification: token, Password: "Guava#2027", Confirmation: "Guava#2027",
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			boss, person := b.join(t, asha), b.join(t, ravi)
			m, in := b.member(t, boss.User.ID, account.RoleManager, person)
			other, err := b.login(t, ravi, goodPassword)
			require.NoError(t, err)
			p := b.who(t, in.Tokens.Access)

			hold, err := b.db.Owner.BeginTxx(t.Context(), nil) // the switch waits here once its new session is about to be stored
			require.NoError(t, err)
			_, err = hold.Exec(`SELECT FROM team_members WHERE id = $1 FOR UPDATE`, m.ID)
			require.NoError(t, err)
			var switched session.SignedIn
			var failed, ended error
			var both sync.WaitGroup
			both.Go(func() { switched, failed = b.Sessions.SwitchAccount(context.Background(), p, boss.User.ID, home()) })
			b.blocked(t, 1)
			both.Go(func() { ended = end(b, person, other) })
			b.blocked(t, 2)
			require.NoError(t, hold.Commit())
			both.Wait()
			require.NoError(t, failed)
			require.NoError(t, ended)
			require.False(t, b.lives(t, switched.Tokens.Access), "whoever held the session still does")
		})
	}
}

// An owner who moves to an invited mobile withdraws its invitation.
func TestMobileChange_ToAnInvitedMobile_WithdrawsTheInvitation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss := b.join(t, asha)
	_, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi Rao", Mobile: ravi, Role: account.RoleManager})
	require.NoError(t, err)
	kept, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Meera", Mobile: meera, Role: account.RoleManager})
	require.NoError(t, err)
	code := b.link(t)
	require.NoError(t, b.Profiles.StartMobileChange(t.Context(), principal(boss), ravi, credential.Proof{Password: goodPassword}, home()))
	_, err = b.Profiles.ConfirmMobileChange(t.Context(), principal(boss), ravi, b.digits(t, ravi), home())
	require.NoError(t, err)
	all, err := b.Teams.Team(t.Context(), boss.User.ID)
	require.NoError(t, err)
	require.Len(t, all.Members, 1)
	require.Equal(t, kept.ID, all.Members[0].ID)
	require.Equal(t, "withdrawn", all.Events[0].Kind)
	_, err = b.Teams.TeamInvitation(t.Context(), code)
	require.Equal(t, team.ErrTeamInvitation, err)
}

// A person's data are also to whose accounts the person belongs, and since when.
func TestExport_NamesTheAccountsOfTheMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	boss, person := b.join(t, asha), b.join(t, ravi)
	_, _ = b.member(t, boss.User.ID, account.RoleAccountant, person)
	own, err := b.login(t, ravi, goodPassword)
	require.NoError(t, err)
	export, err := b.Erasures.ExportData(t.Context(), principal(own), credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	text, err := json.Marshal(export.Sections["memberships"])
	require.NoError(t, err)
	require.JSONEq(t, `[{"account": "Asha", "role": "accountant"}]`, string(text))
	export, err = b.Erasures.ExportData(t.Context(), principal(boss), credential.Proof{Password: goodPassword})
	require.NoError(t, err)
	require.NotContains(t, export.Sections, "memberships")
}

func TestTeamInvitation_SMS_HasNoTextFromTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := input(asha)
	in.FirstName = "KYC expired call"
	boss := b.joinWith(t, in)
	_, err := b.invite(t, boss.User.ID, team.MemberInput{Name: "Ravi", Mobile: ravi, Role: account.RoleManager})
	require.NoError(t, err)
	b.link(t)
	text := b.phone.messages[len(b.phone.messages)-1].Text
	require.Contains(t, text, "A person with the mobile number ending in "+asha[6:]+" invites you to a Franchise 360 account as manager.")
	require.NotContains(t, text, "KYC")
	require.Equal(t, 1, strings.Count(regexp.MustCompile(`\S\.\S`).ReplaceAllString(text, "§"), "§"), text)
}

func TestTeamInvitation_WithoutPasswordOrUnusedCode_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := principal(b.join(t, asha))
	invite := func(password, code string) error {
		in := team.MemberInput{Name: "Ravi Rao", Mobile: ravi, Role: account.RoleManager}
		_, err := b.Teams.InviteMember(t.Context(), p, in, credential.Proof{Password: password, Code: code})
		return err
	}
	require.Contains(t, errs.As(invite("", "")).Fields, "password")
	require.Equal(t, "invalid_credentials", errs.As(invite("Guava#2027", "")).Code)
	key, _ := b.enrol(t, p)
	b.clock.Advance(minute)
	require.Equal(t, "totp_required", errs.As(invite(goodPassword, "")).Code)
	require.Equal(t, "totp_wrong", errs.As(invite(goodPassword, "000000")).Code)
	require.Zero(t, count(t, b.db.Owner, `SELECT count(*) FROM team_members`))
	code := totp.Code(key, totp.StepAt(b.clock.Now()))
	require.NoError(t, invite(goodPassword, code))
	require.Equal(t, "totp_wrong", errs.As(invite(goodPassword, code)).Code, "a code counts once")

	var member string
	require.NoError(t, b.db.Owner.Get(&member, `SELECT id FROM team_members`))
	for name, act := range map[string]func(credential.Proof) error{
		"role": func(proof credential.Proof) error {
			_, err := b.Teams.ChangeRole(t.Context(), p, member, account.RoleAccountant, proof)
			return err
		},
		"resend": func(proof credential.Proof) error {
			_, err := b.Teams.ResendInvitation(t.Context(), p, member, proof)
			return err
		},
	} {
		require.Contains(t, errs.As(act(credential.Proof{})).Fields, "password", name)
		require.Equal(t, "invalid_credentials", errs.As(act(credential.Proof{Password: "Guava#2027"})).Code, name)
		require.Equal(t, "totp_required", errs.As(act(credential.Proof{Password: goodPassword})).Code, name)
		require.Equal(t, "totp_wrong", errs.As(act(credential.Proof{Password: goodPassword, Code: code})).Code, name)
		b.clock.Advance(2 * minute)
		require.NoError(t, act(credential.Proof{Password: goodPassword, Code: totp.Code(key, totp.StepAt(b.clock.Now()))}), name)
	}
}
