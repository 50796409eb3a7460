package session

import (
	"crypto/subtle"
	"encoding/base64"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const refreshGrace = 20 * time.Second // in which a second tab may still present the previous token

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
	User   account.User
}

// EndReason is why a session ended early.
type EndReason string

// The ends that other packages cause, and those within this one.
const (
	endLogout        EndReason = "logout"
	endRevoked       EndReason = "revoked"
	EndPasswordReset EndReason = "password_reset"
	EndMobileChanged EndReason = "mobile_changed"
	endRefreshReuse  EndReason = "refresh_reuse"
	EndErased        EndReason = "erased"
	EndStaff         EndReason = "staff"
	endSwitched      EndReason = "switched"
	EndRemoved       EndReason = "removed"
	EndLeft          EndReason = "left"
)

// Row is a row of sessions.
type Row struct {
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
func (s Row) renew(access string, o account.Origin, now time.Time) Row {
	s.AccessHash, s.RefreshedAt = secret.Hash(access), now
	s.AccessExpiresAt = now.Add(account.AccessLife)
	if s.AccessExpiresAt.After(s.ExpiresAt) {
		s.AccessExpiresAt = s.ExpiresAt
	}
	s.UserAgent, s.IPAddress = cut(o.UserAgent, 300), cut(o.Address, 45)
	return s
}

// live reports whether the session may still be renewed: its family has not expired, and it was used recently.
func (s Row) live(now time.Time) bool {
	idle := account.BrowserIdle
	if s.Remember {
		idle = account.RememberedIdle
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

// Begin returns a sign-in that begins now: its fresh tokens, and the row with their hashes.
func Begin(franchiserID string, remember bool, o account.Origin, now time.Time) (Tokens, Row) {
	life := account.BrowserLife
	if remember {
		life = account.RememberedLife
	}
	t := Tokens{SessionID: id.New(), Access: secret.Token(), Refresh: secret.Token(), Remember: remember, ExpiresAt: now.Add(life)}
	row := Row{ID: t.SessionID, FranchiserID: franchiserID, ExpiresAt: t.ExpiresAt, Remember: remember, CreatedAt: now}
	return t, row.renew(t.Access, o, now)
}

// TokenLength is the length of a secret.Token.
const TokenLength = 43

// purposeSuccession derives the tokens that succeed a refresh token, so that two tabs that spend it concurrently get
// the same ones.
const purposeSuccession secret.Purpose = "session succession"

func successors(keys secret.Keyring, refresh string, row Row) Tokens {
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

// BrowserOf returns the token of the browser, or a new one.
func BrowserOf(o account.Origin) string {
	if len(o.Browser) != TokenLength {
		return secret.Token()
	}
	return o.Browser
}

const seenEvery = 5 * time.Minute
