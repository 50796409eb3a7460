package team

import (
	"time"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Lifetimes and limits of a team.
const (
	// InviteLife is how long an invitation to an account can be accepted.
	InviteLife = 7 * 24 * time.Hour

	maxTeam           = 50 // members and open invitations of an account
	maxTeamInvites    = 30 // invitations of an account in 24 hours
	maxUnpaidInvites  = 3  // of these, before the account's first payment
	maxMemberInvites  = 5  // of one member in 24 hours
	maxInvitesOfPhone = 5  // to one mobile in a day, whichever accounts they are of
	teamActivity      = 20 // entries that the team's page shows
)

const purposeTeamInvite = secret.Purpose("team invitation")

// MemberState is the state of a member of an account.
type MemberState string

// The states of a member. A removed person can be invited again, as a new member.
const (
	MemberInvited MemberState = "invited"
	MemberActive  MemberState = "active"
	MemberRemoved MemberState = "removed"
)

// memberStates returns the only allowed transitions of a member.
func memberStates() lifecycle.Table[MemberState] {
	return lifecycle.Table[MemberState]{
		"":            {MemberInvited},
		MemberInvited: {MemberActive, MemberRemoved},
		MemberActive:  {MemberRemoved},
	}
}

// Failures of teams, safe to show.
var (
	// ErrMemberExists says that the mobile is another member's of the account.
	ErrMemberExists = errs.Invalid("You already invited this mobile number.").Field("mobile", "You already invited this mobile number.")
	// ErrTeamInvitation is the one answer for an invitation that was accepted, withdrawn, replaced, has expired or never was.
	ErrTeamInvitation = errs.New(errs.KindNotFound, "no_invitation", "This invitation is no longer valid. Ask for another one.")
	errMemberChanged  = errs.New(errs.KindConflict, "member_state", "This person accepted or was removed meanwhile.")
	errMemberTwice    = errs.New(errs.KindConflict, "member_already", "You already belong to this account.")
)

// errOtherMobile refuses an invitation to a person with another mobile than the invited one.
func errOtherMobile(invited string) *errs.Error {
	return errs.New(errs.KindConflict, "other_mobile",
		"This invitation is for the mobile number that ends with "+lastDigits(invited)+". Log in with that number to accept it.")
}

func lastDigits(mobile string) string { return mobile[max(0, len(mobile)-4):] }

// Member is a person who was invited to an account.
type Member struct {
	ID         string       `db:"id"`
	Name       string       `db:"name"`
	Mobile     string       `db:"mobile"`
	Role       account.Role `db:"role"`
	State      MemberState  `db:"state"`
	PersonID   *string      `db:"person_id"`
	InvitedAt  time.Time    `db:"invited_at"`
	AcceptedAt *time.Time   `db:"accepted_at"`
	SeenAt     *time.Time   `db:"seen_at"`
	// ExpiresAt is when the newest invitation expires, SentAt when its SMS was sent, SendError why it was not.
	ExpiresAt *time.Time `db:"expires_at"`
	SentAt    *time.Time `db:"sent_at"`
	SendError string     `db:"send_error"`
}

// MaskedMobile shows the last four digits.
func (m Member) MaskedMobile() string { return "•••••• " + lastDigits(m.Mobile) }

// Event is one thing that happened to a team, or that a member did.
type Event struct {
	ID        string       `db:"id"`
	Name      string       `db:"name"`
	Actor     string       `db:"actor"`
	Kind      string       `db:"kind"`
	Role      account.Role `db:"role"`
	Operation string       `db:"operation"`
	Outcome   *string      `db:"outcome"`
	At        time.Time    `db:"at"`
}

// Team is who belongs to an account and what its members did last, newest first.
type Team struct {
	Members []Member
	Events  []Event
}

// MemberInput is an invitation as it was typed.
type MemberInput struct {
	Name, Mobile string
	Role         account.Role
}

func (in MemberInput) normalise() MemberInput {
	in.Name, in.Mobile = text.Line(in.Name), text.Mobile(in.Mobile)
	return in
}

func (in MemberInput) check() error {
	var v errs.Validation
	account.CheckName(&v, "name", in.Name)
	account.CheckMobile(&v, "mobile", in.Mobile)
	checkRole(&v, in.Role)
	return v.Err()
}

func checkRole(v *errs.Validation, role account.Role) {
	v.Check(role == account.RoleAccountant || role == account.RoleManager, "role", "Kindly choose one")
}

// Invitation is the content of an invitation's page.
type Invitation struct {
	Member
	// AccountName is the account of the invitation, Owner the inviting person.
	AccountName, Owner string
}
