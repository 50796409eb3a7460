package staff

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// InvitationLife is how long the link of an invitation counts.
const InvitationLife = 72 * time.Hour

const purposeInvite secret.Purpose = "staff invitation"

// Accounts manages the accounts of staff from the console: admins invite, change and reset those of others, and everybody looks after
// their own. The database allows each change under the proof of the session alone.
type Accounts struct {
	people *Service
	db     *sqlx.DB
	jobs   *queue.Inserter
	email  bool
	site   string
	apart  time.Duration
}

// NewAccounts returns the accounts of the people who sign in at the service. Without e-mail, the admin sees the links; site is the
// site's URL without a trailing slash. During apart, a day to 90 days, an account and its opener cannot decide each other's requests.
func NewAccounts(people *Service, db *sqlx.DB, jobs *queue.Inserter, email bool, site string, apart time.Duration) *Accounts {
	a := wiring.Complete(&Accounts{people: people, db: db, jobs: jobs, site: site, email: true, apart: apart})
	a.email = email
	return a
}

// ConsoleAccount is an account as the console lists it. It has no authenticator between a reset and the new enrolment.
type ConsoleAccount struct {
	ID         string     `db:"id"`
	Email      string     `db:"email"`
	Name       string     `db:"name"`
	Role       Role       `db:"role"`
	CreatedAt  time.Time  `db:"created_at"`
	DisabledAt *time.Time `db:"disabled_at"`
	Enrolled   bool       `db:"enrolled"`
	LastSignIn *time.Time `db:"last_sign_in"`
	Sessions   int        `db:"sessions"`
}

// Invitation is a link by which a person becomes a member or, if Enrols, a member enrols again.
type Invitation struct {
	ID        string     `db:"id"`
	StaffID   string     `db:"staff_id"`
	Email     string     `db:"email"`
	Name      string     `db:"name"`
	Role      Role       `db:"role"`
	Enrols    bool       `db:"enrols"`
	InvitedBy string     `db:"invited_by_name"`
	CreatedAt time.Time  `db:"created_at"`
	ExpiresAt time.Time  `db:"expires_at"`
	SentAt    *time.Time `db:"sent_at"`
	SendError string     `db:"send_error"`
}

// Reset is a request to take a member's authenticator away.
type Reset struct {
	ID            string    `db:"id"`
	StaffID       string    `db:"staff_id"`
	RequestedBy   string    `db:"requested_by"`
	RequestedName string    `db:"requested_by_name"`
	Reason        string    `db:"reason"`
	RequestedAt   time.Time `db:"requested_at"`
}

// Directory is everything about accounts that admins and auditors see: accounts, open invitations and requests that wait.
type Directory struct {
	Accounts    []ConsoleAccount
	Invitations []Invitation
	Resets      []Reset
	// Emails is true if a job sends invitations by e-mail.
	Emails bool
}

// Directory returns it; for other members it is empty.
func (a *Accounts) Directory(ctx context.Context) (d Directory, err error) {
	now := a.people.clock.Now()
	d.Emails = a.email
	err = postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		if d.Accounts, err = accountsTx(ctx, tx, now); err != nil {
			return err
		}
		if d.Invitations, err = openInvitationsTx(ctx, tx); err != nil {
			return err
		}
		d.Resets, err = waitingResetsTx(ctx, tx)
		return err
	})
	return d, err
}

// InvitationInput is who is invited, and as what.
type InvitationInput struct {
	Email, Name string
	Role        Role
}

func (in *InvitationInput) validate() error {
	in.Email = strings.ToLower(strings.TrimSpace(in.Email))
	in.Name = strings.Join(strings.Fields(in.Name), " ")
	var v errs.Validation
	checkEmail(&v, in.Email)
	v.Check(in.Name != "" && len(in.Name) <= 100, "name", "Please enter a name of at most 100 characters.")
	in.Role.check(&v)
	return v.Err()
}

// Link is the result of an invitation. URL is empty if it was sent by e-mail, otherwise the address, which is shown once.
type Link struct {
	URL       string
	ExpiresAt time.Time
}

// Invite invites a person by e-mail and replaces an open invitation to the same address. It returns KindConflict if the address has an
// account. It needs a Proof, as everything does that returns a Link.
func (a *Accounts) Invite(ctx context.Context, p Principal, in InvitationInput, proof Proof, reason string) (Link, error) {
	if err := in.validate(); err != nil {
		return Link{}, err
	}
	staffID := id.New()
	return a.link(ctx, p, proof, Action{
		Action: "invite_staff", Target: "staff:" + staffID, Reason: reason, After: JSON(map[string]any{"email": in.Email, "role": in.Role}),
	}, func(tx *sqlx.Tx, l newLink) error {
		ok, err := inviteTx(ctx, tx, l, staffID, in)
		if err == nil && !ok {
			err = errs.New(errs.KindConflict, "staff_exists", "There is an account with this e-mail already.")
		}
		return err
	})
}

// Renew replaces an unaccepted invitation by another one, with a new link and a new expiry.
func (a *Accounts) Renew(ctx context.Context, p Principal, invitationID string, proof Proof, reason string) (Link, error) {
	if !id.Valid(invitationID) {
		return Link{}, errs.NotFound()
	}
	return a.link(ctx, p, proof, Action{Action: "resend_staff_invitation", Target: "staff_invitation:" + invitationID, Reason: reason},
		func(tx *sqlx.Tx, l newLink) error {
			ok, err := yesTx(ctx, tx, "renew invitation of staff", renewSQL, invitationID, l.ID, l.Hash, l.Now, l.Until)
			return orGone(ok, err)
		})
}

// Withdraw ends an unaccepted invitation.
func (a *Accounts) Withdraw(ctx context.Context, p Principal, invitationID, reason string) error {
	if !id.Valid(invitationID) {
		return errs.NotFound()
	}
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		ok, err := yesTx(ctx, tx, "withdraw invitation of staff", withdrawSQL, invitationID, a.people.clock.Now())
		if err := orGone(ok, err); err != nil {
			return err
		}
		return a.people.RecordTx(ctx, tx, p, Action{
			Action: "withdraw_staff_invitation", Target: "staff_invitation:" + invitationID, Reason: reason,
		})
	})
}

func orGone(ok bool, err error) error {
	if err == nil && !ok {
		err = errs.New(errs.KindConflict, "invitation_over", "This invitation was accepted, withdrawn or replaced.")
	}
	return err
}

// newLink is an invitation that is being made; its secret follows from its id.
type newLink struct {
	ID         string
	Hash       []byte
	Now, Until time.Time
}

// link makes an invitation with its record in the trail, and the job that sends it if the product sends e-mail.
func (a *Accounts) link(ctx context.Context, p Principal, proof Proof, action Action, note func(*sqlx.Tx, newLink) error) (Link, error) {
	var err error
	if action.Reason, err = a.Prove(ctx, p, proof, action.Reason); err != nil {
		return Link{}, err
	}
	l := newLink{ID: id.New(), Now: a.people.clock.Now()}
	l.Until = l.Now.Add(InvitationLife)
	token, err := a.people.keys.LinkTo(purposeInvite, l.ID)
	if err != nil {
		return Link{}, err
	}
	l.Hash = secret.Hash(token)
	err = postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		if err := note(tx, l); err != nil {
			return err
		}
		if err := a.people.RecordTx(ctx, tx, p, action); err != nil {
			return err
		}
		if !a.email {
			return nil
		}
		_, err := a.jobs.InsertTx(ctx, tx, SendInvitationArgs{InvitationID: l.ID}, queue.Options{MaxAttempts: 20})
		return err
	})
	if err != nil || a.email {
		return Link{ExpiresAt: l.Until}, err
	}
	return Link{URL: joinURL(a.site, token), ExpiresAt: l.Until}, nil
}

// joinURL keeps the secret behind the #, which browsers send to no server.
func joinURL(site, token string) string { return site + "/support/join#" + token }

// SetRole gives another member another role; the member's sessions end. It needs a Proof, because the role outlives the session.
func (a *Accounts) SetRole(ctx context.Context, p Principal, staffID string, role Role, proof Proof, reason string) error {
	var v errs.Validation
	role.check(&v)
	if err := v.Err(); err != nil {
		return err
	}
	reason, err := a.Prove(ctx, p, proof, reason)
	if err != nil {
		return err
	}
	return a.change(ctx, p, staffID, reason, func(m ConsoleAccount) (string, Role, bool) { return "staff_changed", role, m.DisabledAt != nil })
}

// Disable keeps another member out from this moment and removes the member's passkeys.
func (a *Accounts) Disable(ctx context.Context, p Principal, staffID, reason string) error {
	return a.change(ctx, p, staffID, reason, func(m ConsoleAccount) (string, Role, bool) { return "staff_disabled", m.Role, true })
}

// Enable lets another member in again. It needs a Proof, because the member's access outlives the session.
func (a *Accounts) Enable(ctx context.Context, p Principal, staffID string, proof Proof, reason string) error {
	reason, err := a.Prove(ctx, p, proof, reason)
	if err != nil {
		return err
	}
	return a.change(ctx, p, staffID, reason, func(m ConsoleAccount) (string, Role, bool) { return "staff_enabled", m.Role, false })
}

func (a *Accounts) change(ctx context.Context, p Principal, staffID, reason string, to func(ConsoleAccount) (action string, role Role, off bool)) error {
	if !id.Valid(staffID) {
		return errs.NotFound()
	}
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		now := a.people.clock.Now()
		m, err := accountTx(ctx, tx, staffID, now)
		if err != nil {
			return err
		}
		action, role, off := to(m)
		outcome, before, err := changeAccountTx(ctx, tx, staffID, role, off, now, a.apart)
		if err != nil {
			return err
		}
		if err := outcomeError(outcome); err != nil {
			return err
		}
		act := Action{Action: action, Target: "staff:" + staffID, Reason: reason}
		if before != role {
			act.Before, act.After = JSON(map[string]any{"role": before}), JSON(map[string]any{"role": role})
		}
		if err := a.people.RecordTx(ctx, tx, p, act); err != nil || role != RoleAdmin || off {
			return err
		}
		return a.tellAdminsTx(ctx, tx, staffID, now)
	})
}

// tellAdminsTx notifies every other admin of a new way to act as an admin, for example to approve another admin's request. It sends
// nothing for an account of another role, or if the product sends no e-mail.
func (a *Accounts) tellAdminsTx(ctx context.Context, tx *sqlx.Tx, staffID string, now time.Time) error {
	if !a.email {
		return nil
	}
	var notices []string
	if err := tx.SelectContext(ctx, &notices, `SELECT tell_other_admins($1, $2)`, staffID, now); err != nil {
		return fmt.Errorf("note who is told of an admin: %w", err)
	}
	for _, notice := range notices {
		if _, err := a.jobs.InsertTx(ctx, tx, SendNoticeArgs{NoticeID: notice}, queue.Options{MaxAttempts: 20}); err != nil {
			return err
		}
	}
	return nil
}

func outcomeError(outcome string) error {
	switch outcome {
	case "done":
		return nil
	case "self":
		return errs.New(errs.KindForbidden, "own_account", "Nobody decides about their own account or request. Ask another admin.")
	case "last_admin":
		return errs.New(errs.KindConflict, "last_admin", "Nobody else is an admin. Make another admin first.")
	case "same":
		return errs.New(errs.KindConflict, "staff_same", "The account is already in that state.")
	default:
		return errs.NotFound()
	}
}

// RequestReset requests that another admin remove a member's authenticator; the member then enrols again by a link.
func (a *Accounts) RequestReset(ctx context.Context, p Principal, staffID, reason string) error {
	if !id.Valid(staffID) {
		return errs.NotFound()
	}
	if staffID == p.StaffID {
		return outcomeError("self")
	}
	reason, err := CleanReason(reason)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		m, err := accountTx(ctx, tx, staffID, a.people.clock.Now())
		if err != nil {
			return err
		}
		if m.DisabledAt != nil {
			return errs.New(errs.KindConflict, "staff_disabled", "This account is disabled. Enable it first.")
		}
		err = requestResetTx(ctx, tx, id.New(), staffID, p.StaffID, reason, a.people.clock.Now())
		if err != nil {
			return err
		}
		return a.people.RecordTx(ctx, tx, p, Action{Action: "request_staff_reset", Target: "staff:" + staffID, Reason: reason})
	})
}

// ApproveReset removes the authenticator and passkeys, ends the member's sessions and creates the link for the new enrolment. It
// returns KindForbidden to the requester and the member, and ErrOnePerson to a possible second account of the requester.
func (a *Accounts) ApproveReset(ctx context.Context, p Principal, resetID string, proof Proof, reason string) (Link, error) {
	if !id.Valid(resetID) {
		return Link{}, errs.NotFound()
	}
	return a.link(ctx, p, proof, Action{Action: "approve_staff_reset", Target: "staff_reset:" + resetID, Reason: reason},
		func(tx *sqlx.Tx, l newLink) error {
			if err := a.secondPersonTx(ctx, tx, resetID); err != nil {
				return err
			}
			return decideResetTx(ctx, tx, resetID, true, l)
		})
}

// secondPersonTx refuses an approval if approver and requester may be the same person; decideResetTx checks the rest.
func (a *Accounts) secondPersonTx(ctx context.Context, tx *sqlx.Tx, resetID string) error {
	waiting, err := waitingResetsTx(ctx, tx)
	if err != nil {
		return err
	}
	for _, r := range waiting {
		if r.ID == resetID {
			return SecondPersonTx(ctx, tx, r.RequestedBy, a.people.clock.Now())
		}
	}
	return nil
}

// DeclineReset ends the request; the requester withdraws it in the same way.
func (a *Accounts) DeclineReset(ctx context.Context, p Principal, resetID, reason string) error {
	if !id.Valid(resetID) {
		return errs.NotFound()
	}
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		if err := decideResetTx(ctx, tx, resetID, false, newLink{Now: a.people.clock.Now()}); err != nil {
			return err
		}
		return a.people.RecordTx(ctx, tx, p, Action{Action: "decline_staff_reset", Target: "staff_reset:" + resetID, Reason: reason})
	})
}

// LiveSession is one of a member's sessions.
type LiveSession struct {
	ID        string    `db:"id"`
	Address   string    `db:"address"`
	CreatedAt time.Time `db:"created_at"`
	SeenAt    time.Time `db:"seen_at"`
	ExpiresAt time.Time `db:"expires_at"`
}

// SignInRecord is a sign-in, or the try of one, as the trail has it.
type SignInRecord struct {
	At     time.Time `db:"at"`
	Failed bool      `db:"failed"`
	Reason string    `db:"reason"`
}

// Activity is how a member is signed in, was lately, and may sign in by passkey.
type Activity struct {
	Sessions []LiveSession
	SignIns  []SignInRecord
	Passkeys []PasskeyInfo
}

// Activity returns the member's, for the member, admins and auditors; for others it has no sessions and no passkeys.
func (a *Accounts) Activity(ctx context.Context, staffID string) (act Activity, err error) {
	if !id.Valid(staffID) {
		return act, errs.NotFound()
	}
	err = postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		if act.Sessions, err = liveSessionsTx(ctx, tx, staffID, a.people.clock.Now()); err != nil {
			return err
		}
		if act.SignIns, err = signInsTx(ctx, tx, staffID); err != nil {
			return err
		}
		act.Passkeys, err = passkeysTx(ctx, tx, staffID)
		return err
	})
	return act, err
}

// EndSession ends one of the principal's own sessions or, for admins, one of anybody's; the trail tells of the latter with its reason.
func (a *Accounts) EndSession(ctx context.Context, p Principal, sessionID, reason string) error {
	if !id.Valid(sessionID) {
		return errs.NotFound()
	}
	return postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		// The record comes first: after ending their own session, the caller can no longer prove who they are.
		owner, err := ownerOfSessionTx(ctx, tx, sessionID)
		if err != nil {
			return err
		}
		act := Action{Action: "end_staff_session", Target: "staff:" + owner, Reason: reason}
		if err := a.people.RecordTx(ctx, tx, p, act); err != nil {
			return err
		}
		return endSessionTx(ctx, tx, sessionID, a.people.clock.Now())
	})
}

// guess limits how often the password of a signed-in member may be tried.
func (a *Accounts) guess(ctx context.Context, p Principal, v guard.Visitor, judge func() error) error {
	return a.people.guard.Try(ctx, a.people.limits.Staff, guard.KindStaff, p.Email, v, judge)
}
