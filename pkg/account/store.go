package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// found reads one row into dest and reports whether there was one.
func found(ctx context.Context, q sqlx.QueryerContext, dest any, what, query string, args ...any) (bool, error) {
	err := sqlx.GetContext(ctx, q, dest, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, postgres.Error(fmt.Errorf("%s: %w", what, err))
	}
	return true, nil
}

// changed runs a statement and reports whether it changed a row.
func changed(ctx context.Context, x sqlx.ExecerContext, what, query string, args ...any) (bool, error) {
	res, err := x.ExecContext(ctx, query, args...)
	if err != nil {
		return false, postgres.Error(fmt.Errorf("%s: %w", what, err))
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	return n > 0, nil
}

const findLoginSQL = `SELECT id, password_hash FROM find_login($1)`

// login is the data for the check of a password; the zero value belongs to no account.
type login struct {
	ID           string `db:"id"`
	PasswordHash string `db:"password_hash"`
}

func findLogin(ctx context.Context, q sqlx.QueryerContext, mobile string) (login, error) {
	var l login
	_, err := found(ctx, q, &l, "find login", findLoginSQL, mobile)
	return l, err
}

const findByMobileSQL = `SELECT id FROM find_franchiser_by_mobile($1)`

// findByMobile returns the id of the franchiser with the mobile, or "".
func findByMobile(ctx context.Context, q sqlx.QueryerContext, mobile string) (string, error) {
	var id string
	_, err := found(ctx, q, &id, "find franchiser", findByMobileSQL, mobile)
	return id, err
}

const franchiserSQL = `
	SELECT id, mobile, email, first_name, last_name, totp_enabled_at IS NOT NULL AS totp_enabled, created_at,
	       erasure_requested_at, email_proved_at, email_refused_at, language, document_language
	FROM franchisers WHERE id = $1 AND erased_at IS NULL`

func franchiserTx(ctx context.Context, tx *sqlx.Tx, id string) (Franchiser, bool, error) {
	var f Franchiser
	ok, err := found(ctx, tx, &f, "read franchiser", franchiserSQL, id)
	return f, ok, err
}

const userSQL = `
	SELECT id, mobile, email, first_name, last_name, totp_enabled_at IS NOT NULL AS totp_enabled, created_at,
	       erasure_requested_at, email_proved_at, email_refused_at,
	       coalesce((SELECT store_name FROM store_overview WHERE franchiser_id = $1 AND closed_at IS NULL), '') AS store_name,
	       EXISTS (SELECT FROM address_overview WHERE franchiser_id = $1) AS has_address,
	       EXISTS (SELECT FROM own_memberships() m WHERE m.account_id <> $1) AS other_accounts
	FROM franchisers WHERE id = $1 AND erased_at IS NULL`

// userTx returns the franchiser with its status according to its store, which always has a name, and its address.
func userTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (User, bool, error) {
	var u User
	ok, err := found(ctx, tx, &u, "read user", userSQL, franchiserID)
	u.HasStoreDetails = u.StoreName != ""
	return u, ok, err
}

// credentials are the data for the check of a sign-in; the zero value belongs to no account and matches nothing.
type credentials struct {
	Mobile        string     `db:"mobile"`
	PasswordHash  string     `db:"password_hash"`
	TOTPSecret    []byte     `db:"totp_secret"`
	TOTPBegunAt   *time.Time `db:"totp_begun_at"`
	TOTPEnabledAt *time.Time `db:"totp_enabled_at"`
	TOTPLastStep  int64      `db:"totp_last_step"`
}

const (
	credentialsSQL = `
	SELECT mobile, password_hash, totp_secret, totp_begun_at, totp_enabled_at, totp_last_step
	FROM franchisers WHERE id = $1 AND erased_at IS NULL`
	lockCredentialsSQL = credentialsSQL + ` FOR UPDATE`
)

func credentialsTx(ctx context.Context, tx *sqlx.Tx, id string) (credentials, error) {
	var c credentials
	_, err := found(ctx, tx, &c, "read credentials", credentialsSQL, id)
	return c, err
}

// lockCredentialsTx reads the credentials and makes a password reset, a mobile change, an erasure and the end of all
// sessions wait until tx ends.
func lockCredentialsTx(ctx context.Context, tx *sqlx.Tx, id string) (credentials, error) {
	var c credentials
	_, err := found(ctx, tx, &c, "lock credentials", lockCredentialsSQL, id)
	return c, err
}

// readCredentials reads the credentials for a sign-in; the zero value for an account that does not exist.
func readCredentials(ctx context.Context, db *sqlx.DB, franchiserID string) (c credentials, err error) {
	err = postgres.InTenantTx(ctx, db, franchiserID, func(tx *sqlx.Tx) error {
		c, err = credentialsTx(ctx, tx, franchiserID)
		return err
	})
	return c, err
}

// change runs fn in the franchiser's transaction and returns the updated franchiser.
func change(ctx context.Context, db *sqlx.DB, franchiserID string, fn func(tx *sqlx.Tx) error) (f Franchiser, err error) {
	err = postgres.InTenantTx(ctx, db, franchiserID, func(tx *sqlx.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		var ok bool
		if f, ok, err = franchiserTx(ctx, tx, franchiserID); err == nil && !ok {
			err = errs.Unauthenticated()
		}
		return err
	})
	return f, err
}

// DeleteChallengesSQL deletes the franchiser's challenges, whose sign-ins must not go on.
const DeleteChallengesSQL = `DELETE FROM totp_challenges WHERE franchiser_id = $1`

const insertFranchiserSQL = `
	INSERT INTO franchisers (id, mobile, email, first_name, password_hash, terms_version, terms_accepted_at, created_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

func insertFranchiserTx(ctx context.Context, tx *sqlx.Tx, id string, p signUp, now time.Time) error {
	_, err := tx.ExecContext(ctx, insertFranchiserSQL,
		id, p.Mobile, p.Email, p.FirstName, p.PasswordHash, p.TermsVersion, p.CreatedAt, now)
	if postgres.Violates(err, postgres.UniqueViolation, "franchisers_mobile") {
		return errMobileTaken().Because(err)
	}
	if err != nil {
		return fmt.Errorf("insert franchiser: %w", err)
	}
	return nil
}

// errMobileTaken is only returned to a user who proved that the mobile is theirs.
func errMobileTaken() *errs.Error {
	return errs.New(errs.KindConflict, "conflict", "An account with this mobile number already exists. Please log in.")
}

const (
	takeTrialSQL = `INSERT INTO trial_mobiles (mobile_mac, used_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	markTrialSQL = `UPDATE franchisers SET trial_used_at = $2 WHERE id = $1`
)

// takeTrialTx records that the mobile has had its one trial; it returns false if it already had it.
func takeTrialTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, mobileMAC []byte, now time.Time) (bool, error) {
	fresh, err := changed(ctx, tx, "take trial", takeTrialSQL, mobileMAC, now)
	if err != nil || !fresh {
		return false, err
	}
	return changed(ctx, tx, "mark trial", markTrialSQL, franchiserID, now)
}

// signUp is a row of pending_sign_ups.
type signUp struct {
	ID           string    `db:"id"`
	Mobile       string    `db:"mobile"`
	BrowserHash  []byte    `db:"browser_hash"`
	Email        string    `db:"email"`
	FirstName    string    `db:"first_name"`
	PasswordHash string    `db:"password_hash"`
	FreeTrial    bool      `db:"free_trial"`
	TermsVersion string    `db:"terms_version"`
	CreatedAt    time.Time `db:"created_at"`
	ExpiresAt    time.Time `db:"expires_at"`
}

const upsertSignUpSQL = `
	INSERT INTO pending_sign_ups (id, mobile, browser_hash, email, first_name, password_hash, free_trial, terms_version,
	                              created_at, expires_at)
	VALUES (:id, :mobile, :browser_hash, :email, :first_name, :password_hash, :free_trial, :terms_version,
	        :created_at, :expires_at)
	ON CONFLICT (mobile, browser_hash) DO UPDATE SET
		email = excluded.email, first_name = excluded.first_name, password_hash = excluded.password_hash,
		free_trial = excluded.free_trial, terms_version = excluded.terms_version,
		created_at = excluded.created_at, expires_at = excluded.expires_at, request_id = excluded.request_id
	RETURNING id`

// upsertSignUpTx stores the latest data of a browser's sign-up and returns the row's id, which stays the same.
func upsertSignUpTx(ctx context.Context, tx *sqlx.Tx, p signUp) (string, error) {
	query, args, err := tx.BindNamed(upsertSignUpSQL, p)
	if err != nil {
		return "", fmt.Errorf("bind sign-up: %w", err)
	}
	var id string
	if err := tx.GetContext(ctx, &id, query, args...); err != nil {
		return "", fmt.Errorf("keep sign-up: %w", err)
	}
	return id, nil
}

const latestSignUpSQL = `
	SELECT id, mobile, browser_hash, email, first_name, password_hash, free_trial, terms_version, created_at, expires_at
	FROM pending_sign_ups
	WHERE mobile = $1 AND expires_at > $3 AND ($2::bytea IS NULL OR browser_hash = $2)
	ORDER BY created_at DESC LIMIT 1`

// latestSignUp returns the browser's sign-up with the mobile, or the newest one if the browser keeps no cookies; the id is empty if not
// found.
func latestSignUp(ctx context.Context, q sqlx.QueryerContext, mobile string, browserHash []byte, now time.Time) (signUp, error) {
	var p signUp
	_, err := found(ctx, q, &p, "read sign-up", latestSignUpSQL, mobile, browserHash, now)
	return p, err
}

const lockSignUpSQL = `
	SELECT id, mobile, browser_hash, email, first_name, password_hash, free_trial, terms_version, created_at, expires_at
	FROM pending_sign_ups WHERE id = $1 FOR UPDATE`

func lockSignUpTx(ctx context.Context, tx *sqlx.Tx, id string) (signUp, bool, error) {
	var p signUp
	ok, err := found(ctx, tx, &p, "lock sign-up", lockSignUpSQL, id)
	return p, ok, err
}

const deleteSignUpsSQL = `DELETE FROM pending_sign_ups WHERE mobile = $1`

// deleteSignUpsTx deletes every sign-up with the mobile, with its codes and verifications.
func deleteSignUpsTx(ctx context.Context, tx *sqlx.Tx, mobile string) error {
	_, err := changed(ctx, tx, "delete sign-ups", deleteSignUpsSQL, mobile)
	return err
}

const (
	setPasswordSQL = `UPDATE franchisers SET password_hash = $2 WHERE id = $1 AND erased_at IS NULL`
	setNamesSQL    = `UPDATE franchisers SET first_name = $2, last_name = $3 WHERE id = $1 AND erased_at IS NULL`
	// The first language is that of the documents, too, until another one is chosen for them.
	setLanguageSQL = `
		UPDATE franchisers SET language = $2,
			document_language = CASE WHEN language = '' AND document_language = '' AND $2 <> 'en' THEN $2 ELSE document_language END
		WHERE id = $1 AND erased_at IS NULL`
	setDocumentLanguageSQL = `UPDATE franchisers SET document_language = $2 WHERE id = $1 AND erased_at IS NULL`
	setEmailSQL            = `UPDATE franchisers SET email = $2, email_proved_at = NULL, email_refused_at = NULL WHERE id = $1 AND erased_at IS NULL`
	setMobileSQL           = `UPDATE franchisers SET mobile = $2 WHERE id = $1 AND erased_at IS NULL`
)

func setMobileTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error {
	_, err := tx.ExecContext(ctx, setMobileSQL, franchiserID, mobile)
	if postgres.Violates(err, postgres.UniqueViolation, "franchisers_mobile") {
		return errMobileTaken().Because(err)
	}
	if err != nil {
		return fmt.Errorf("set mobile: %w", err)
	}
	return nil
}
