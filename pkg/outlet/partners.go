package outlet

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// partnerActor is a partner who acts at the store's host.
const partnerActor = "partner"

// Sends counts an SMS towards the day's ceiling, and refuses it with KindRateLimited beyond; otp.Service implements it.
type Sends interface {
	CountSMSTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error
}

// Partners holds the use cases of partners: inviting and removing them, and their own sign-in.
type Partners struct {
	db    *sqlx.DB
	jobs  *queue.Inserter
	clock clock.Clock
	keys  secret.Keyring
	sends Sends
}

// NewPartners returns the partners over the pool.
func NewPartners(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, keys secret.Keyring, sends Sends) *Partners {
	return wiring.Complete(&Partners{db: db, jobs: jobs, clock: clk, keys: keys, sends: sends})
}

// List returns the partners of the store that were not removed, by name, with how many outlets each has.
func (s *Partners) List(ctx context.Context, ref tenant.Ref) (list []Partner, err error) {
	err = postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		list, err = partners(ctx, tx, ref)
		return err
	})
	return list, err
}

// Invite notes the partner and sends the invitation by SMS. It fails with ErrPartnerExists for a mobile that was invited, and with
// KindRateLimited for more than a store may invite in a day.
func (s *Partners) Invite(ctx context.Context, ref tenant.Ref, in PartnerInput) (Partner, error) {
	in = in.normalise()
	if err := in.check(); err != nil {
		return Partner{}, err
	}
	var p Partner
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		n, err := countPartners(ctx, tx, ref)
		if err != nil {
			return err
		}
		if n >= maxPartners {
			return errPartnersFull
		}
		p, err = s.inviteTx(ctx, tx, ref, in, "")
		return err
	})
	return p, err
}

// inviteTx notes the partner and sends the invitation. The invitations of an import beyond the store's daily limit wait for later days.
func (s *Partners) inviteTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, in PartnerInput, importID string) (Partner, error) {
	now := s.clock.Now()
	at, err := nextInvite(ctx, tx, ref, now)
	if err != nil {
		return Partner{}, err
	}
	p := Partner{ID: id.New(), Name: in.Name, Mobile: in.Mobile, Role: in.Role, State: PartnerInvited, InvitedAt: at}
	details := map[string]any{"partner_id": p.ID, "role": p.Role}
	if importID != "" {
		details["import_id"], details["consent"] = importID, "confirmed by the store"
	} else if at.After(now) {
		return Partner{}, errs.RateLimited(at.Sub(now))
	}
	if err := insertPartner(ctx, tx, ref, p, importID); err != nil {
		return Partner{}, err
	}
	if err := s.sendTx(ctx, tx, ref, p.Mobile, invitationOf(p.ID, at)); err != nil {
		return Partner{}, err
	}
	return p, insertEvent(ctx, tx, ref, nil, ownerActor, "partner_invited", details, now)
}

func invitationOf(partnerID string, at time.Time) partnerMessage {
	return partnerMessage{PartnerID: partnerID, Kind: messageInvitation, CreatedAt: at, ExpiresAt: at.Add(InviteLife)}
}

// nextInvite returns when the store may send its next invitation: now, or a day after the invitation that fills the daily limit.
func nextInvite(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, now time.Time) (time.Time, error) {
	limit, err := inviteLimit(ctx, tx, ref)
	if err != nil {
		return now, err
	}
	earliest, err := invitedBack(ctx, tx, ref, limit-1, now)
	if err != nil || errs.WaitSince(earliest, 24*time.Hour, now) == nil {
		return now, err
	}
	return earliest.Add(24 * time.Hour), nil
}

// Resend sends another invitation: not within a minute, five times a day at most. The link before no longer counts.
func (s *Partners) Resend(ctx context.Context, ref tenant.Ref, partnerID string) error {
	return s.withPartner(ctx, ref, partnerID, func(tx *sqlx.Tx, p Partner, now time.Time) error {
		if p.State != PartnerInvited {
			return errPartnerChanged
		}
		fifth, err := sentBack(ctx, tx, ref, p.ID, messageInvitation, maxInvitesADay-1)
		if err != nil {
			return err
		}
		if err := errs.WaitSince(fifth, 24*time.Hour, now); err != nil {
			return err
		}
		last, err := sentBack(ctx, tx, ref, p.ID, messageInvitation, 0)
		if err != nil {
			return err
		}
		if err := errs.WaitSince(last, sendPause, now); err != nil {
			return err
		}
		at, err := nextInvite(ctx, tx, ref, now)
		if err != nil {
			return err
		}
		if at.After(now) {
			return errs.RateLimited(at.Sub(now))
		}
		if err := s.sendTx(ctx, tx, ref, p.Mobile, invitationOf(p.ID, now)); err != nil {
			return err
		}
		return insertEvent(ctx, tx, ref, nil, ownerActor, "invitation_resent", map[string]any{"partner_id": p.ID}, now)
	})
}

// Remove takes the partner off every outlet and ends their sessions; an invitation that is open is withdrawn.
func (s *Partners) Remove(ctx context.Context, ref tenant.Ref, partnerID string) error {
	return s.withPartner(ctx, ref, partnerID, func(tx *sqlx.Tx, p Partner, now time.Time) error {
		if err := removePartner(ctx, tx, ref, p.ID, now); err != nil {
			return err
		}
		return insertEvent(ctx, tx, ref, nil, ownerActor, "partner_removed", map[string]any{"partner_id": p.ID}, now)
	})
}

// withPartner locks the store and reads the partner. It returns errs.NotFound if the partner does not exist or was removed.
func (s *Partners) withPartner(
	ctx context.Context, ref tenant.Ref, partnerID string, do func(tx *sqlx.Tx, p Partner, now time.Time) error,
) error {
	if !id.Valid(partnerID) {
		return errs.NotFound()
	}
	return postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		p, err := partnerByID(ctx, tx, ref, partnerID)
		if err != nil {
			return err
		}
		return do(tx, p, s.clock.Now())
	})
}

func (s *Partners) sendTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, mobile string, m partnerMessage) error {
	if err := s.sends.CountSMSTx(ctx, tx, ref.FranchiserID, mobile); err != nil {
		return err
	}
	m.ID = id.New()
	now := s.clock.Now()
	if err := pruneMessages(ctx, tx, ref, now.Add(-messagesKept)); err != nil {
		return err
	}
	if err := insertMessage(ctx, tx, ref, m); err != nil {
		return err
	}
	o := queue.Options{Queue: queue.QueueOTP, Delay: m.CreatedAt.Sub(now)}
	o.Subject.FranchiserID = ref.FranchiserID
	_, err := s.jobs.InsertTx(ctx, tx, SendPartnerMessageArgs{MessageID: m.ID}, o)
	return err
}

// Invited returns the franchiser whose store sent the invitation of a link, or ErrInvitation if the link is unknown.
func (s *Partners) Invited(ctx context.Context, code string) (franchiserID string, err error) {
	messageID, ok := s.keys.LinkedRow(purposeInvite, code)
	if !ok {
		return "", ErrInvitation
	}
	return franchiserOfInvitation(ctx, s.db, messageID)
}

// Invitation returns the partner whom the link of an invitation invites to the store; ErrInvitation if it is not open.
func (s *Partners) Invitation(ctx context.Context, ref tenant.Ref, code string) (p Partner, err error) {
	err = postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		p, err = s.invitationTx(ctx, tx, ref, code)
		return err
	})
	return p, err
}

func (s *Partners) invitationTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, code string) (Partner, error) {
	messageID, ok := s.keys.LinkedRow(purposeInvite, code)
	if !ok {
		return Partner{}, ErrInvitation
	}
	p, err := partnerInvitedBy(ctx, tx, ref, messageID, s.clock.Now())
	if errors.Is(err, errs.NotFound()) {
		return Partner{}, ErrInvitation
	}
	return p, err
}

// SendCode sends a code by SMS to a partner who signs in with the mobile. The caller never learns whether the mobile is a partner's, or
// whether a code was sent less than a minute ago.
func (s *Partners) SendCode(ctx context.Context, ref tenant.Ref, mobile string) error {
	return s.sendCode(ctx, ref, func(tx *sqlx.Tx) (Partner, error) {
		return partnerByMobile(ctx, tx, ref, text.Mobile(mobile), PartnerActive)
	})
}

// SendInviteCode sends a code to the mobile that the invitation went to.
func (s *Partners) SendInviteCode(ctx context.Context, ref tenant.Ref, invitation string) error {
	return s.sendCode(ctx, ref, func(tx *sqlx.Tx) (Partner, error) { return s.invitationTx(ctx, tx, ref, invitation) })
}

func (s *Partners) sendCode(ctx context.Context, ref tenant.Ref, find func(tx *sqlx.Tx) (Partner, error)) error {
	now := s.clock.Now()
	return postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		p, err := find(tx)
		if errors.Is(err, errs.NotFound()) {
			return nil
		}
		if err != nil {
			return err
		}
		last, err := sentBack(ctx, tx, ref, p.ID, messageCode, 0)
		if err != nil || errs.WaitSince(last, sendPause, now) != nil {
			return err
		}
		earliest, err := sentBack(ctx, tx, ref, p.ID, messageCode, maxCodesADay-1)
		if err != nil || errs.WaitSince(earliest, 24*time.Hour, now) != nil {
			return err
		}
		err = s.sendTx(ctx, tx, ref, p.Mobile, partnerMessage{PartnerID: p.ID, Kind: messageCode, CreatedAt: now, ExpiresAt: now.Add(CodeLife)})
		if errs.KindOf(err) == errs.KindRateLimited {
			return nil
		}
		return err
	})
}

// SignIn signs the partner with the mobile in with a code, and returns the session's token; ErrPartnerCode for a wrong one.
func (s *Partners) SignIn(ctx context.Context, ref tenant.Ref, mobile, code string) (string, error) {
	return s.enter(ctx, ref, code, func(tx *sqlx.Tx) (Partner, error) {
		return partnerByMobile(ctx, tx, ref, text.Mobile(mobile), PartnerActive)
	})
}

// Accept makes the invited partner an active one with a code, signs them in and returns the session's token. An invitation is
// accepted once.
func (s *Partners) Accept(ctx context.Context, ref tenant.Ref, invitation, code string) (string, error) {
	return s.enter(ctx, ref, code, func(tx *sqlx.Tx) (Partner, error) { return s.invitationTx(ctx, tx, ref, invitation) })
}

// enter counts the try before it looks at the code, so that at most maxTries of any number at once are judged.
func (s *Partners) enter(ctx context.Context, ref tenant.Ref, code string, find func(tx *sqlx.Tx) (Partner, error)) (string, error) {
	now := s.clock.Now()
	var messageID string
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := find(tx)
		if err != nil {
			return err
		}
		messageID, err = countTry(ctx, tx, ref, p.ID, now)
		return err
	})
	switch {
	case errors.Is(err, ErrInvitation):
		return "", err
	case errors.Is(err, errs.NotFound()):
		return "", ErrPartnerCode
	case err != nil:
		return "", err
	case !isPartnerCode(s.keys, messageID, code):
		return "", ErrPartnerCode
	}
	token := secret.Token()
	err = postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		if err := tenant.LockTx(ctx, tx, ref); err != nil {
			return err
		}
		p, err := find(tx) // if the partner was removed before, the code is invalid
		if err != nil {
			return err
		}
		used, err := useCode(ctx, tx, ref, messageID, now)
		if err != nil {
			return err
		}
		if !used {
			return ErrPartnerCode
		}
		if p.State == PartnerInvited {
			err = s.acceptTx(ctx, tx, ref, p, now)
		} else {
			err = insertEvent(ctx, tx, ref, nil, partnerActor, "partner_signed_in", map[string]any{"partner_id": p.ID}, now)
		}
		if err != nil {
			return err
		}
		return insertPartnerSession(ctx, tx, ref, p.ID, secret.Hash(token), now)
	})
	if errors.Is(err, errs.NotFound()) {
		err = ErrPartnerCode
	}
	return token, err
}

func (s *Partners) acceptTx(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, p Partner, now time.Time) error {
	if err := acceptPartner(ctx, tx, ref, p.ID, now); err != nil {
		return err
	}
	return insertEvent(ctx, tx, ref, nil, partnerActor, "partner_accepted", map[string]any{"partner_id": p.ID}, now)
}

// seenEvery is how often at most a session notes that it is in use.
const seenEvery = time.Minute

// SignedIn returns the partner with this session token at this store, or nil. A removed partner has no session.
func (s *Partners) SignedIn(ctx context.Context, ref tenant.Ref, token string) (*Partner, error) {
	if token == "" {
		return nil, nil // not signed in
	}
	hash, now := secret.Hash(token), s.clock.Now()
	var found *Partner
	err := postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		p, seen, err := partnerOfSession(ctx, tx, ref, hash, now)
		if errors.Is(err, errs.NotFound()) {
			return nil
		}
		if err != nil {
			return err
		}
		found = &p
		if now.Sub(seen) < seenEvery {
			return nil
		}
		return seePartnerSession(ctx, tx, ref, hash, now)
	})
	return found, err
}

// SignOut ends the session of the token; an unknown token is no failure.
func (s *Partners) SignOut(ctx context.Context, ref tenant.Ref, token string) error {
	return postgres.InTenantTx(ctx, s.db, ref.FranchiserID, func(tx *sqlx.Tx) error {
		return deletePartnerSession(ctx, tx, ref, secret.Hash(token))
	})
}
