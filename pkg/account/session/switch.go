package session

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// SwitchAccount continues the sign-in in another account of the person, or in the person's own: the session ends, and a session with other
// tokens replaces it, until the same end. KindNotFound for an account without membership.
func (s *Service) SwitchAccount(ctx context.Context, p account.Principal, accountID string, o account.Origin) (SignedIn, error) {
	personID := p.Person()
	var to *account.Membership
	if accountID != personID {
		m, err := store.Membership(ctx, s.db, personID, accountID)
		if err != nil {
			return SignedIn{}, err
		}
		to = &m
	}
	var in SignedIn
	var dead [][]byte
	err := postgres.InTenantTx(ctx, s.db, personID, func(tx *sqlx.Tx) error {
		now := s.clock.Now()
		// A call that ends all of the person's sessions waits for the session that begins here, and ends it too.
		if _, err := store.LockCredentialsTx(ctx, tx, personID); err != nil {
			return err
		}
		old, ok, err := lockSessionTx(ctx, tx, account.Principal{FranchiserID: personID, SessionID: p.SessionID})
		if err != nil {
			return err
		}
		if !ok || !old.live(now) {
			return errs.Unauthenticated()
		}
		if dead, err = EndSessionsTx(ctx, tx, personID, endSwitched, &old.ID, nil, now); err != nil {
			return err
		}
		tokens, row := Begin(personID, old.Remember, o, now)
		tokens.ExpiresAt, row.ExpiresAt = old.ExpiresAt, old.ExpiresAt
		row = row.renew(tokens.Access, o, now)
		if to != nil {
			row.AccountID, row.MemberID = &to.AccountID, &to.MemberID
		}
		if err := insertSessionTx(ctx, tx, row, secret.Hash(tokens.Refresh)); err != nil {
			return err
		}
		in.Tokens = tokens
		in.User, err = s.userInTx(ctx, tx, personID, to)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	s.cache.End(ctx, dead)
	return in, nil
}

// SessionUser returns the person of a session with the billing status of the open account.
func (s *Service) SessionUser(ctx context.Context, p account.Principal) (account.User, error) {
	if p.MemberID == "" {
		return s.User(ctx, p.FranchiserID)
	}
	var u account.User
	err := postgres.InTenantTx(ctx, s.db, p.Person(), func(tx *sqlx.Tx) error {
		var err error
		u, err = s.userInTx(ctx, tx, p.Person(), &account.Membership{MemberID: p.MemberID, AccountID: p.FranchiserID, Role: p.Role})
		return err
	})
	return u, err
}

// userInTx is userTx for a person who acts in another account: the person is the member, the billing status is the account's. It sets the
// account for the rest of tx.
func (s *Service) userInTx(ctx context.Context, tx *sqlx.Tx, personID string, in *account.Membership) (account.User, error) {
	if in == nil {
		return s.UserTx(ctx, tx, personID)
	}
	person, ok, err := store.FranchiserTx(ctx, tx, personID)
	if err != nil {
		return account.User{}, err
	}
	if err := postgres.SetFranchiser(ctx, tx, in.AccountID); err != nil {
		return account.User{}, err
	}
	opened, lives, err := userTx(ctx, tx, in.AccountID)
	if err != nil {
		return account.User{}, err
	}
	if !ok || !lives {
		return account.User{}, errs.Unauthenticated()
	}
	if err := s.Stand(ctx, tx, &opened); err != nil {
		return account.User{}, err
	}
	name, err := store.AccountNameTx(ctx, tx)
	if err != nil {
		return account.User{}, err
	}
	acting := *in
	acting.Name = name
	return account.User{Franchiser: person, BillingStatus: opened.BillingStatus, Acting: &acting, OtherAccounts: true}, nil
}

// see notes that the member uses the account, every few minutes.
func (s *Service) see(ctx context.Context, live liveSession) {
	now := s.clock.Now()
	if live.MemberID == "" || live.SeenAt != nil && now.Sub(*live.SeenAt) < seenEvery {
		return
	}
	err := postgres.InTenantTx(ctx, s.db, live.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := store.Changed(ctx, tx, "note use by a member", seeMemberSQL, live.FranchiserID, live.MemberID, now)
		return err
	})
	if err != nil {
		s.logger.WarnContext(ctx, "use by a member not noted", log.Error(err))
	}
}
