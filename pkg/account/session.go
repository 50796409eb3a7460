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

// Tokens are the secrets of a session, given to its browser once.
type Tokens struct {
	SessionID string
	Access    string
	Refresh   string
	// Remember keeps the cookies until ExpiresAt; otherwise they end with the browser session.
	Remember bool
	// ExpiresAt is when the sign-in ends, however often it is renewed.
	ExpiresAt time.Time
}

// SignedIn is the result of every kind of sign-in.
type SignedIn struct {
	Tokens Tokens
	User   User
}

// endReason is why a session ended early.
type endReason string

const (
	endLogout        endReason = "logout"
	endRevoked       endReason = "revoked"
	endPasswordReset endReason = "password_reset"
	endMobileChanged endReason = "mobile_changed"
	endRefreshReuse  endReason = "refresh_reuse"
	endErased        endReason = "erased"
	endStaff         endReason = "staff"
	endSwitched      endReason = "switched"
	endRemoved       endReason = "removed"
	endLeft          endReason = "left"
)

// session is a row of sessions.
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
	// AccountID and MemberID are nil in the person's own account.
	AccountID *string `db:"account_id"`
	MemberID  *string `db:"member_id"`
}

// renew gives the session a new access token, never valid beyond the end of the family.
func (s session) renew(access string, o Origin, now time.Time) session {
	s.AccessHash, s.RefreshedAt = secret.Hash(access), now
	s.AccessExpiresAt = now.Add(AccessLife)
	if s.AccessExpiresAt.After(s.ExpiresAt) {
		s.AccessExpiresAt = s.ExpiresAt
	}
	s.UserAgent, s.IPAddress = cut(o.UserAgent, 300), cut(o.Address, 45)
	return s
}

// live reports whether the session may still be renewed: its family has not expired, and it was used recently.
func (s session) live(now time.Time) bool {
	idle := BrowserIdle
	if s.Remember {
		idle = RememberedIdle
	}
	return s.EndedAt == nil && now.Before(s.ExpiresAt) && now.Before(s.RefreshedAt.Add(idle))
}

// cut returns at most n bytes of a string from the browser, in whole characters that Postgres can store.
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

// newSession returns a sign-in that begins now: its fresh tokens, and the row with their hashes.
func newSession(franchiserID string, remember bool, o Origin, now time.Time) (Tokens, session) {
	life := BrowserLife
	if remember {
		life = RememberedLife
	}
	t := Tokens{SessionID: id.New(), Access: secret.Token(), Refresh: secret.Token(), Remember: remember, ExpiresAt: now.Add(life)}
	row := session{ID: t.SessionID, FranchiserID: franchiserID, ExpiresAt: t.ExpiresAt, Remember: remember, CreatedAt: now}
	return t, row.renew(t.Access, o, now)
}

// tokenLength is the length of a secret.Token.
const tokenLength = 43

// purposeSuccession derives the tokens that succeed a refresh token, so that two tabs that spend it concurrently get
// the same ones.
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
