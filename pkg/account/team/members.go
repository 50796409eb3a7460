package team

import (
	"context"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

const day = 24 * time.Hour

// Team returns who belongs to the account, members before invitations, and what happened last.
func (s *Service) Team(ctx context.Context, accountID string) (t Team, err error) {
	err = postgres.InTenantRead(ctx, s.db, accountID, func(tx *sqlx.Tx) error {
		if t.Members, err = MembersTx(ctx, tx, accountID); err != nil {
			return err
		}
		t.Events, err = teamEventsTx(ctx, tx, accountID, teamActivity)
		return err
	})
	return t, err
}

// InviteMember notes the member and sends the invitation by SMS. It fails with ErrMemberExists for a mobile that was
// invited, and with KindRateLimited for more than an account may send, or a mobile be sent, in a day. It needs a Proof, because a
// member's access outlives the session.
func (s *Service) InviteMember(ctx context.Context, p account.Principal, in MemberInput, proof credential.Proof) (Member, error) {
	in = in.normalise()
	if err := in.check(); err != nil {
		return Member{}, err
	}
	if err := s.credentials.Prove(ctx, p, proof); err != nil {
		return Member{}, err
	}
	accountID, now := p.FranchiserID, s.clock.Now()
	m := Member{ID: id.New(), Name: in.Name, Mobile: in.Mobile, Role: in.Role, State: MemberInvited, InvitedAt: now}
	err := postgres.InTenantTx(ctx, s.db, accountID, func(tx *sqlx.Tx) error {
		owner, err := store.LockCredentialsTx(ctx, tx, accountID)
		if err != nil {
			return err
		}
		if owner.Mobile == in.Mobile {
			return errs.Invalid("This is your own mobile number.").Field("mobile", "This is your own mobile number.")
		}
		n, err := countMembersTx(ctx, tx, accountID)
		if err != nil {
			return err
		}
		if n >= maxTeam {
			return errs.New(errs.KindLimit, "team_full", "An account has 50 people at most. Remove those who left first.")
		}
		if err := insertMemberTx(ctx, tx, accountID, m); err != nil {
			return err
		}
		if m.ExpiresAt, err = s.sendTeamInviteTx(ctx, tx, accountID, m, now); err != nil {
			return err
		}
		return insertTeamEventTx(ctx, tx, teamEvent{AccountID: accountID, MemberID: m.ID, Actor: actorOwner, Kind: "invited", Role: m.Role, At: now})
	})
	return m, err
}

// ResendInvitation sends another invitation, which replaces the one before: not within a minute, five times a day at most. It needs a
// Proof, as the first one does.
func (s *Service) ResendInvitation(ctx context.Context, p account.Principal, memberID string, proof credential.Proof) (Member, error) {
	if err := s.credentials.Prove(ctx, p, proof); err != nil {
		return Member{}, err
	}
	accountID := p.FranchiserID
	var m Member
	err := s.withMember(ctx, accountID, memberID, func(tx *sqlx.Tx, found Member, now time.Time) error {
		m = found
		if m.State != MemberInvited {
			return errMemberChanged
		}
		fifth, err := memberInviteBackTx(ctx, tx, accountID, m.ID, maxMemberInvites-1)
		if err != nil {
			return err
		}
		if err := errs.WaitSince(fifth, day, now); err != nil {
			return err
		}
		last, err := memberInviteBackTx(ctx, tx, accountID, m.ID, 0)
		if err != nil {
			return err
		}
		if err := errs.WaitSince(last, account.CodePause, now); err != nil {
			return err
		}
		if m.ExpiresAt, err = s.sendTeamInviteTx(ctx, tx, accountID, m, now); err != nil {
			return err
		}
		m.SentAt, m.SendError = nil, ""
		return insertTeamEventTx(ctx, tx, teamEvent{AccountID: accountID, MemberID: m.ID, Actor: actorOwner, Kind: "resent", Role: m.Role, At: now})
	})
	return m, err
}

// ChangeRole gives the member another role, which counts from the next request on. It needs a Proof, because the role outlives the
// session.
func (s *Service) ChangeRole(ctx context.Context, p account.Principal, memberID string, role account.Role, proof credential.Proof) (Member, error) {
	var v errs.Validation
	checkRole(&v, role)
	if err := v.Err(); err != nil {
		return Member{}, err
	}
	if err := s.credentials.Prove(ctx, p, proof); err != nil {
		return Member{}, err
	}
	accountID := p.FranchiserID
	var m Member
	err := s.withMember(ctx, accountID, memberID, func(tx *sqlx.Tx, found Member, now time.Time) error {
		m = found
		if m.Role == role {
			return nil
		}
		m.Role = role
		if _, err := store.Changed(ctx, tx, "change a role", changeRoleSQL, accountID, m.ID, role); err != nil {
			return err
		}
		return insertTeamEventTx(ctx, tx, teamEvent{AccountID: accountID, MemberID: m.ID, Actor: actorOwner, Kind: "role_changed", Role: role, At: now})
	})
	return m, err
}

// RemoveMember removes the member and ends the sessions in the account; an invitation that is open is withdrawn.
func (s *Service) RemoveMember(ctx context.Context, accountID, memberID string) error {
	return s.withMember(ctx, accountID, memberID, func(tx *sqlx.Tx, m Member, now time.Time) error {
		kind := "removed"
		if m.State == MemberInvited {
			kind = "withdrawn"
		}
		return endMemberTx(ctx, tx, m, teamEvent{AccountID: accountID, MemberID: m.ID, Actor: actorOwner, Kind: kind, Role: m.Role, At: now}, session.EndRemoved)
	})
}

// WithdrawInvitationTx withdraws the account's invitation to a mobile that is the owner's from now on.
func WithdrawInvitationTx(ctx context.Context, tx *sqlx.Tx, accountID, mobile string, now time.Time) error {
	m, ok, err := lockInvitedTx(ctx, tx, accountID, mobile)
	if err != nil || !ok {
		return err
	}
	e := teamEvent{AccountID: accountID, MemberID: m.ID, Actor: actorOwner, Kind: "withdrawn", Role: m.Role, At: now}
	return endMemberTx(ctx, tx, m, e, session.EndRemoved)
}

// endMemberTx removes the member and ends the sessions in the account. None of them is cached: they end with the commit.
func endMemberTx(ctx context.Context, tx *sqlx.Tx, m Member, e teamEvent, why session.EndReason) error {
	if _, err := store.Changed(ctx, tx, "remove a member", removeMemberSQL, e.AccountID, m.ID, e.At); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, endMemberSessionsSQL, m.ID, e.At, why); err != nil {
		return postgres.Error(err)
	}
	return insertTeamEventTx(ctx, tx, e)
}

// withMember locks the member; an unknown or removed member is errs.NotFound.
func (s *Service) withMember(
	ctx context.Context, accountID, memberID string, do func(tx *sqlx.Tx, m Member, now time.Time) error,
) error {
	return postgres.InTenantTx(ctx, s.db, accountID, func(tx *sqlx.Tx) error {
		m, ok, err := lockMemberTx(ctx, tx, accountID, memberID)
		if err != nil {
			return err
		}
		if !ok {
			return errs.NotFound()
		}
		return do(tx, m, s.clock.Now())
	})
}

// sendTeamInviteTx stores the invitation and the job that sends it, within the daily limits of the account and the mobile.
func (s *Service) sendTeamInviteTx(ctx context.Context, tx *sqlx.Tx, accountID string, m Member, now time.Time) (*time.Time, error) {
	paid, err := s.debts.HasPaidTx(ctx, tx, accountID)
	if err != nil {
		return nil, err
	}
	limit := maxUnpaidInvites
	if paid {
		limit = maxTeamInvites
	}
	earliest, err := teamInviteBackTx(ctx, tx, accountID, limit-1)
	if err != nil {
		return nil, err
	}
	if err := errs.WaitSince(earliest, day, now); err != nil {
		return nil, err
	}
	n, err := s.codes.CountTodayTx(ctx, tx, "team", m.Mobile)
	if err != nil {
		return nil, err
	}
	if n > maxInvitesOfPhone {
		_, left := otp.SendDay(now)
		return nil, errs.RateLimited(left)
	}
	if err := s.codes.CountSMSTx(ctx, tx, accountID, m.Mobile); err != nil {
		return nil, err
	}
	expires := now.Add(InviteLife)
	invitationID := id.New()
	if _, err := store.Changed(ctx, tx, "insert invitation", insertTeamInvitationSQL, invitationID, accountID, m.ID, now, expires); err != nil {
		return nil, err
	}
	o := queue.Options{Queue: queue.QueueOTP}
	o.Subject.FranchiserID = accountID
	_, err = s.jobs.InsertTx(ctx, tx, SendArgs{InvitationID: invitationID}, o)
	return &expires, err
}

// TeamInvitation returns the content of an invitation's link; ErrTeamInvitation unless it can be accepted.
func (s *Service) TeamInvitation(ctx context.Context, code string) (Invitation, error) {
	invitationID, accountID, err := s.findInvitation(ctx, code)
	if err != nil {
		return Invitation{}, err
	}
	var i Invitation
	err = postgres.InTenantTx(ctx, s.db, accountID, func(tx *sqlx.Tx) error {
		var ok bool
		if i.Member, ok, err = invitedByTx(ctx, tx, accountID, invitationID, s.clock.Now()); err != nil {
			return err
		}
		owner, lives, err := store.FranchiserTx(ctx, tx, accountID)
		if err != nil {
			return err
		}
		if !ok || !lives || i.State != MemberInvited {
			return ErrTeamInvitation
		}
		i.Owner = strings.TrimSpace(owner.FirstName + " " + owner.LastName)
		i.AccountName, err = store.AccountNameTx(ctx, tx)
		return err
	})
	return i, err
}

func (s *Service) findInvitation(ctx context.Context, code string) (invitationID, accountID string, err error) {
	invitationID, ok := s.keys.LinkedRow(purposeTeamInvite, code)
	if !ok {
		return "", "", ErrTeamInvitation
	}
	if ok, err = store.Found(ctx, s.db, &accountID, "find invitation", findTeamInvitationSQL, invitationID); err == nil && !ok {
		err = ErrTeamInvitation
	}
	return invitationID, accountID, err
}

// AcceptInvitation makes the person a member of the account, once. The invited mobile must be the person's own, proved by a code at the
// sign-up or at its change. Accepting the same invitation again changes nothing.
func (s *Service) AcceptInvitation(ctx context.Context, p account.Principal, code string) (account.Membership, error) {
	invitationID, accountID, err := s.findInvitation(ctx, code)
	if err != nil {
		return account.Membership{}, err
	}
	personID, now := p.Person(), s.clock.Now()
	var joined account.Membership
	err = postgres.InTenantTx(ctx, s.db, personID, func(tx *sqlx.Tx) error {
		person, err := store.LockCredentialsTx(ctx, tx, personID)
		if err != nil {
			return err
		}
		if err := postgres.SetFranchiser(ctx, tx, accountID); err != nil {
			return err
		}
		if err := account.RequireLiveTx(ctx, tx, accountID); err != nil {
			return ErrTeamInvitation
		}
		m, ok, err := invitedByTx(ctx, tx, accountID, invitationID, now)
		switch {
		case err != nil:
			return err
		case !ok:
			return ErrTeamInvitation
		case m.Mobile != person.Mobile && m.State == MemberInvited:
			return errOtherMobile(m.Mobile)
		}
		joined = account.Membership{MemberID: m.ID, AccountID: accountID, Role: m.Role}
		if joined.Name, err = store.AccountNameTx(ctx, tx); err != nil {
			return err
		}
		if m.State == MemberActive && m.PersonID != nil && *m.PersonID == personID {
			return nil
		}
		return s.acceptTx(ctx, tx, m, teamEvent{AccountID: accountID, MemberID: m.ID, Actor: actorMember, Kind: "accepted", Role: m.Role, At: now}, personID)
	})
	return joined, err
}

func (s *Service) acceptTx(ctx context.Context, tx *sqlx.Tx, m Member, e teamEvent, personID string) error {
	if m.State != MemberInvited {
		return ErrTeamInvitation
	}
	_, err := store.Changed(ctx, tx, "accept invitation", acceptMemberSQL, e.AccountID, m.ID, personID, e.At)
	if postgres.Violates(err, postgres.UniqueViolation, "team_members_person") {
		return errMemberTwice
	}
	if postgres.Violates(err, postgres.CheckViolation, "team_members_other_check") {
		return errMemberTwice // the owner's mobile is now the invited one
	}
	if err != nil {
		return err
	}
	return insertTeamEventTx(ctx, tx, e)
}

// Memberships returns the other accounts that the person may act in, by name.
func (s *Service) Memberships(ctx context.Context, personID string) ([]account.Membership, error) {
	return store.Memberships(ctx, s.db, personID)
}

// LeaveAccount ends the person's own membership of an account, with all sessions in it, or returns KindNotFound.
func (s *Service) LeaveAccount(ctx context.Context, p account.Principal, accountID string) error {
	m, err := store.Membership(ctx, s.db, p.Person(), accountID)
	if err != nil {
		return err
	}
	return s.withMember(ctx, accountID, m.MemberID, func(tx *sqlx.Tx, found Member, now time.Time) error {
		return endMemberTx(ctx, tx, found,
			teamEvent{AccountID: accountID, MemberID: found.ID, Actor: actorMember, Kind: "left", Role: found.Role, At: now}, session.EndLeft)
	})
}

// BeginAct records an action of a member before it starts, so that every action is recorded; EndAct records its outcome.
func (s *Service) BeginAct(ctx context.Context, p account.Principal, operation string) (actID string, err error) {
	actID = id.New()
	err = postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		return insertTeamEventTx(ctx, tx, teamEvent{
			ID: actID, AccountID: p.FranchiserID, MemberID: p.MemberID, Actor: actorMember, Kind: "act", Role: p.Role, Operation: operation, At: s.clock.Now(),
		})
	})
	return actID, err
}

// EndAct notes whether the act was done or refused.
func (s *Service) EndAct(ctx context.Context, p account.Principal, actID string, done bool) error {
	outcome := "refused"
	if done {
		outcome = "done"
	}
	return postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := store.Changed(ctx, tx, "note how an act ended", endActSQL, p.FranchiserID, actID, outcome)
		return err
	})
}
