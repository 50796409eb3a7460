package account

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Principal is who stands behind a live session.
type Principal struct{ FranchiserID, SessionID string }

// Tokens are the secrets of a session as its browser gets them, once.
type Tokens struct {
	SessionID string
	Access    string
	Refresh   string
	// Remember keeps the cookies until ExpiresAt; otherwise they end with the browser.
	Remember bool
	// ExpiresAt is the end of the sign-in, however often it is renewed.
	ExpiresAt time.Time
}

// SignedIn is the outcome of every way to sign in.
type SignedIn struct {
	Tokens Tokens
	User   User
}

// endReason is why a session ended before its time.
type endReason string

const (
	endLogout        endReason = "logout"
	endRevoked       endReason = "revoked"
	endPasswordReset endReason = "password_reset"
	endMobileChanged endReason = "mobile_changed"
	endRefreshReuse  endReason = "refresh_reuse"
	endErased        endReason = "erased"
	endStaff         endReason = "staff"
)

// session is one row of sessions.
type session struct {
	ID              string     `db:"id"`
	FranchiserID    string     `db:"franchiser_id"`
	AccessHash      []byte     `db:"access_hash"`
	AccessExpiresAt time.Time  `db:"access_expires_at"`
	RefreshedAt     time.Time  `db:"refreshed_at"`
	ExpiresAt       time.Time  `db:"expires_at"`
	Remember        bool       `db:"remember"`
	UserAgent       string     `db:"user_agent"`
	IPAddress       string     `db:"ip_address"`
	CreatedAt       time.Time  `db:"created_at"`
	EndedAt         *time.Time `db:"ended_at"`
}

// renew gives the session a new access token, never beyond the end of the family.
func (s session) renew(access string, o Origin, now time.Time) session {
	s.AccessHash, s.RefreshedAt = secret.Hash(access), now
	s.AccessExpiresAt = now.Add(AccessLife)
	if s.AccessExpiresAt.After(s.ExpiresAt) {
		s.AccessExpiresAt = s.ExpiresAt
	}
	s.UserAgent, s.IPAddress = cut(o.UserAgent, 300), cut(o.Address, 45)
	return s
}

// live says whether the session may still be renewed: its family goes on, and it was in use not long ago.
func (s session) live(now time.Time) bool {
	idle := BrowserIdle
	if s.Remember {
		idle = RememberedIdle
	}
	return s.EndedAt == nil && now.Before(s.ExpiresAt) && now.Before(s.RefreshedAt.Add(idle))
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// newSession is a sign-in that begins now: its fresh tokens, and the row that knows their hashes.
func newSession(franchiserID string, remember bool, o Origin, now time.Time) (Tokens, session) {
	life := BrowserLife
	if remember {
		life = RememberedLife
	}
	t := Tokens{SessionID: id.New(), Access: secret.Token(), Refresh: secret.Token(), Remember: remember, ExpiresAt: now.Add(life)}
	row := session{ID: t.SessionID, FranchiserID: franchiserID, ExpiresAt: t.ExpiresAt, Remember: remember, CreatedAt: now}
	return t, row.renew(t.Access, o, now)
}

// beginSessionTx signs the franchiser in with fresh tokens.
func (s *Service) beginSessionTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, remember bool, o Origin, now time.Time) (Tokens, error) {
	t, row := newSession(franchiserID, remember, o, now)
	return t, insertSessionTx(ctx, tx, row, secret.Hash(t.Refresh))
}

// Authenticate returns who the access token belongs to; KindUnauthenticated where its session is not live.
// It asks Redis, and Postgres where Redis does not know or is away.
func (s *Service) Authenticate(ctx context.Context, access string) (Principal, error) {
	if len(access) != tokenLength {
		return Principal{}, errs.Unauthenticated()
	}
	now := s.clock.Now()
	hash := secret.Hash(access)
	live, known := s.cache.get(ctx, hash, now)
	if !known {
		var err error
		if live, known, err = findByAccess(ctx, s.db, hash, now); err != nil {
			return Principal{}, err
		}
		if known {
			s.cache.put(ctx, hash, live, now)
		}
	}
	if !known || !now.Before(live.AccessExpiresAt) {
		return Principal{}, errs.Unauthenticated()
	}
	return Principal{FranchiserID: live.FranchiserID, SessionID: live.ID}, nil
}

// tokenLength is that of secret.Token.
const tokenLength = 43

// Refresh spends the refresh token and returns its successors. A token that was spent before ends the session, for
// one of its two users is a thief; only for a moment the token before is taken too, because a second tab may have
// sent it at the same time. Both tabs are then given the same successors.
func (s *Service) Refresh(ctx context.Context, refresh string, o Origin) (SignedIn, error) {
	if len(refresh) != tokenLength {
		return SignedIn{}, errs.Unauthenticated()
	}
	p, ok, err := findByRefresh(ctx, s.db, secret.Hash(refresh))
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
		in.User, err = s.userTx(ctx, tx, p.FranchiserID)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	s.cache.end(ctx, dead)
	if in.Tokens.Access == "" {
		return SignedIn{}, errs.Unauthenticated()
	}
	return in, nil
}

// refreshTx returns the new tokens, none where the session may not go on, and the access tokens that died of it.
func (s *Service) refreshTx(ctx context.Context, tx *sqlx.Tx, p Principal, refresh string, o Origin) (Tokens, [][]byte, error) {
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
		dead, err := endSessionsTx(ctx, tx, p.FranchiserID, endRefreshReuse, &p.SessionID, nil, now)
		return Tokens{}, dead, err
	}
}

// purposeSuccession derives the tokens that follow a refresh token, so that two tabs which spend it at once get the same.
const purposeSuccession secret.Purpose = "session succession"

func successors(keys secret.Keyring, refresh string, row session) Tokens {
	derive := func(what string) string {
		return base64.RawURLEncoding.EncodeToString(keys.MAC(purposeSuccession, what, refresh))
	}
	return Tokens{
		SessionID: row.ID, Access: derive("access"), Refresh: derive("refresh"), Remember: row.Remember, ExpiresAt: row.ExpiresAt,
	}
}

func sameHash(hash []byte, token string) bool {
	return subtle.ConstantTimeCompare(hash, secret.Hash(token)) == 1
}

// Logout ends the session on the server.
func (s *Service) Logout(ctx context.Context, p Principal) error {
	_, err := s.endSessions(ctx, p.FranchiserID, endLogout, &p.SessionID, nil)
	return err
}

func (s *Service) endSessions(ctx context.Context, franchiserID string, why endReason, only, except *string) (int, error) {
	var dead [][]byte
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		dead, err = endSessionsTx(ctx, tx, franchiserID, why, only, except, s.clock.Now())
		return err
	})
	if err != nil {
		return 0, err
	}
	s.cache.end(ctx, dead)
	return len(dead), nil
}
