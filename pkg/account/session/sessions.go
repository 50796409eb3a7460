package session

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// BeginSessionTx signs the franchiser in with fresh tokens.
func (s *Service) BeginSessionTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, remember bool, o account.Origin, now time.Time) (Tokens, error) {
	t, row := Begin(franchiserID, remember, o, now)
	return t, insertSessionTx(ctx, tx, row, secret.Hash(t.Refresh))
}

// Authenticate returns the owner of the access token; KindUnauthenticated if its session is not live. It reads Redis, and falls back to
// Postgres if Redis has no entry or is unavailable.
func (s *Service) Authenticate(ctx context.Context, access string) (account.Principal, error) {
	if len(access) != TokenLength {
		return account.Principal{}, errs.Unauthenticated()
	}
	now := s.clock.Now()
	hash := secret.Hash(access)
	live, known := s.cache.get(ctx, hash, now)
	if !known {
		err := postgres.Read(ctx, s.db, func(q sqlx.QueryerContext) (err error) {
			live, known, err = findByAccess(ctx, q, hash, now)
			return err
		})
		if err != nil {
			return account.Principal{}, err
		}
		switch old := postgres.IsOld(ctx); {
		case !known && old:
			return account.Principal{}, errs.Unavailable(nil) // it may have begun since
		case known && !old: // else it may have ended since
			s.cache.put(ctx, hash, live, now)
		}
	}
	if !known || !now.Before(live.AccessExpiresAt) {
		return account.Principal{}, errs.Unauthenticated()
	}
	s.see(ctx, live)
	return account.Principal{
		FranchiserID: live.FranchiserID, SessionID: live.ID, PersonID: live.PersonID, MemberID: live.MemberID, Role: live.Role,
	}, nil
}

// Refresh spends the refresh token and returns its successors. Reusing a spent token ends the session, because one of
// its two users is a thief; but for a moment the previous token is still accepted, because a second tab may have sent
// it at the same time. Both tabs then get the same successors.
func (s *Service) Refresh(ctx context.Context, refresh string, o account.Origin) (SignedIn, error) {
	if len(refresh) != TokenLength {
		return SignedIn{}, errs.Unauthenticated()
	}
	p, acting, ok, err := findByRefresh(ctx, s.db, secret.Hash(refresh))
	if err != nil {
		return SignedIn{}, err
	}
	if !ok {
		return SignedIn{}, errs.Unauthenticated()
	}
	var in SignedIn
	var dead [][]byte
	err = postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		if in.Tokens, dead, err = s.refreshTx(ctx, tx, p, refresh, o); err != nil || in.Tokens.Access == "" {
			return err
		}
		in.User, err = s.userInTx(ctx, tx, p.FranchiserID, acting)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	s.cache.End(ctx, dead)
	if in.Tokens.Access == "" {
		return SignedIn{}, errs.Unauthenticated()
	}
	return in, nil
}

// refreshTx returns the new tokens, zero if the session must not continue, and the access tokens that it invalidated.
func (s *Service) refreshTx(ctx context.Context, tx *sqlx.Tx, p account.Principal, refresh string, o account.Origin) (Tokens, [][]byte, error) {
	now := s.clock.Now()
	row, ok, err := lockSessionTx(ctx, tx, p)
	if err != nil || !ok || !row.live(now) {
		return Tokens{}, nil, err
	}
	spentAt, ok, err := refreshSpentTx(ctx, tx, secret.Hash(refresh), p.FranchiserID)
	if err != nil || !ok {
		return Tokens{}, nil, err
	}
	next := successors(s.keys, refresh, row)
	switch {
	case spentAt == nil:
		dead := [][]byte{row.AccessHash}
		row = row.renew(next.Access, o, now)
		if err := rotateSessionTx(ctx, tx, row, secret.Hash(refresh)); err != nil {
			return Tokens{}, nil, err
		}
		return next, dead, insertRefreshTx(ctx, tx, secret.Hash(next.Refresh), row, now)
	case now.Sub(*spentAt) <= refreshGrace:
		for one := range s.keys.Each() { // the first tab may have been answered under another key
			if next := successors(one, refresh, row); sameHash(row.AccessHash, next.Access) {
				return next, nil, nil
			}
		}
		fallthrough
	default:
		s.logger.WarnContext(ctx, "spent refresh token came again: session ended")
		dead, err := EndSessionsTx(ctx, tx, p.FranchiserID, endRefreshReuse, &p.SessionID, nil, now)
		return Tokens{}, dead, err
	}
}

// Logout ends the session on the server.
func (s *Service) Logout(ctx context.Context, p account.Principal) error {
	_, err := s.EndSessions(ctx, p.Person(), endLogout, &p.SessionID, nil)
	return err
}

// EndSessions ends one session of the person, all except one, or all, and returns how many.
func (s *Service) EndSessions(ctx context.Context, franchiserID string, why EndReason, only, except *string) (int, error) {
	var dead [][]byte
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if only == nil { // a session that a switch is about to begin is one of all
			if _, err := store.LockCredentialsTx(ctx, tx, franchiserID); err != nil {
				return err
			}
		}
		var err error
		dead, err = EndSessionsTx(ctx, tx, franchiserID, why, only, except, s.clock.Now())
		return err
	})
	if err != nil {
		return 0, err
	}
	s.cache.End(ctx, dead)
	return len(dead), nil
}

// Info is one of a person's own sessions, as shown to that person.
type Info struct {
	ID         string
	Current    bool
	Device     string
	IPAddress  string
	CreatedAt  time.Time
	LastSeenAt time.Time
	ExpiresAt  time.Time
}

// Sessions lists the person's live sessions, most recently used first.
func (s *Service) Sessions(ctx context.Context, p account.Principal) ([]Info, error) {
	var rows []Row
	now := s.clock.Now()
	err := postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		rows, err = listSessionsTx(ctx, tx, p.FranchiserID, now)
		return err
	})
	if err != nil {
		return nil, err
	}
	list := make([]Info, 0, len(rows))
	for _, r := range rows {
		if !r.live(now) {
			continue
		}
		list = append(list, Info{
			ID: r.ID, Current: r.ID == p.SessionID, Device: account.Device(r.UserAgent), IPAddress: r.IPAddress,
			CreatedAt: r.CreatedAt, LastSeenAt: r.RefreshedAt, ExpiresAt: r.ExpiresAt,
		})
	}
	return list, nil
}

// EndSession ends one of the person's own sessions; KindNotFound if it is not live or not the person's.
func (s *Service) EndSession(ctx context.Context, p account.Principal, sessionID string) error {
	n, err := s.EndSessions(ctx, p.FranchiserID, endRevoked, &sessionID, nil)
	if err == nil && n == 0 {
		err = errs.NotFound()
	}
	return err
}

// EndOtherSessions ends all of the person's sessions except the caller's.
func (s *Service) EndOtherSessions(ctx context.Context, p account.Principal) error {
	_, err := s.EndSessions(ctx, p.FranchiserID, endRevoked, nil, &p.SessionID)
	return err
}
