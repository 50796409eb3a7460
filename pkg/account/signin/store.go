package signin

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/session"
)

const findLoginSQL = `SELECT id, password_hash FROM find_login($1)`

// login is the data for the check of a password; the zero value belongs to no account.
type login struct {
	ID           string `db:"id"`
	PasswordHash string `db:"password_hash"`
}

func findLogin(ctx context.Context, q sqlx.QueryerContext, mobile string) (login, error) {
	var l login
	_, err := store.Found(ctx, q, &l, "find login", findLoginSQL, mobile)
	return l, err
}

const setPasswordSQL = `UPDATE franchisers SET password_hash = $2 WHERE id = $1 AND erased_at IS NULL`

const enterSQL = `
	SELECT b.id, b.mobile, b.email, b.first_name, b.last_name, b.totp_enabled, b.created_at, b.erasure_requested_at, b.store_name,
	       b.has_address, EXISTS (SELECT FROM own_memberships() m WHERE m.account_id <> b.id) AS other_accounts
	FROM begin_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) b`

// enterTx stores the session with its first refresh token, or the challenge if the account requires an authenticator
// code, and returns who signed in; it returns false if the password was changed since it was checked. It sets the
// franchiser for the rest of tx.
func enterTx(ctx context.Context, tx *sqlx.Tx, checked login, s session.Row, refreshHash, challengeHash []byte, challengeExpires time.Time) (account.User, bool, error) {
	var u account.User
	ok, err := store.Found(ctx, tx, &u, "begin session", enterSQL, checked.ID, checked.PasswordHash, s.RefreshedAt, s.Remember,
		s.ID, s.AccessHash, s.AccessExpiresAt, s.ExpiresAt, s.UserAgent, s.IPAddress, refreshHash, challengeHash, challengeExpires)
	u.HasStoreDetails = u.StoreName != ""
	return u, ok, err
}

// failReason is why a sign-in failed.
type failReason string

const (
	failPassword failReason = "wrong_password"
	failCode     failReason = "wrong_code"
	failLimit    failReason = "too_many_tries"
)

// failedSignIn is a failed sign-in: of the franchiser if known, otherwise of the owner of the mobile, if any.
type failedSignIn struct {
	FranchiserID, Mobile string
	RequestID            string
	Reason               failReason
	At                   time.Time
}

const keepFailedSQL = `
	INSERT INTO failed_sign_ins (id, franchiser_id, at, reason) SELECT $1, $2, $3, $4
	WHERE (SELECT count(*) FROM failed_sign_ins WHERE franchiser_id = $2 AND reason = $4 AND at > $5) < $6`

const (
	findByChallengeSQL = `SELECT id FROM find_franchiser_by_challenge($1)`
	countChallengeSQL  = `
	UPDATE totp_challenges SET tries = tries + 1
	WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 AND tries < $3
	RETURNING remember`
	useChallengeSQL = `UPDATE totp_challenges SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL`
)

func findByChallenge(ctx context.Context, q sqlx.QueryerContext, hash []byte) (string, error) {
	var franchiserID string
	_, err := store.Found(ctx, q, &franchiserID, "find challenge", findByChallengeSQL, hash)
	return franchiserID, err
}

func countChallengeTx(ctx context.Context, tx *sqlx.Tx, hash []byte, now time.Time) (remember, live bool, err error) {
	live, err = store.Found(ctx, tx, &remember, "count challenge", countChallengeSQL, hash, now, account.MaxCodeTries)
	return remember, live, err
}

func useChallengeTx(ctx context.Context, tx *sqlx.Tx, hash []byte, now time.Time) (bool, error) {
	return store.Changed(ctx, tx, "use challenge", useChallengeSQL, hash, now)
}
