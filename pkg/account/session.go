package account

import (
	"crypto/subtle"
	"encoding/base64"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

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

// cut is at most n bytes of what a browser says, in whole letters that Postgres can hold.
func cut(s string, n int) string {
	if !text.Storable(s) {
		s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	}
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

// tokenLength is that of secret.Token.
const tokenLength = 43

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
