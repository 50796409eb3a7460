package signup

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const insertFranchiserSQL = `
	INSERT INTO franchisers (id, mobile, email, first_name, password_hash, terms_version, terms_accepted_at, created_at, language, document_language)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`

// insertFranchiserTx stores the account. The language applies to site, messages and documents; it is empty for English.
func insertFranchiserTx(ctx context.Context, tx *sqlx.Tx, id string, p signUp, language i18n.Language, now time.Time) error {
	_, err := tx.ExecContext(ctx, insertFranchiserSQL,
		id, p.Mobile, p.Email, p.FirstName, p.PasswordHash, p.TermsVersion, p.CreatedAt, now, language)
	if postgres.Violates(err, postgres.UniqueViolation, "franchisers_mobile") {
		return store.ErrMobileTaken().Because(err)
	}
	if err != nil {
		return fmt.Errorf("insert franchiser: %w", err)
	}
	return nil
}

const (
	takeTrialSQL = `INSERT INTO trial_mobiles (mobile_mac, used_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	markTrialSQL = `UPDATE franchisers SET trial_used_at = $2 WHERE id = $1`
)

// takeTrialTx records that the mobile has had its one trial; it returns false if it already had it.
func takeTrialTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, mobileMAC []byte, now time.Time) (bool, error) {
	fresh, err := store.Changed(ctx, tx, "take trial", takeTrialSQL, mobileMAC, now)
	if err != nil || !fresh {
		return false, err
	}
	return store.Changed(ctx, tx, "mark trial", markTrialSQL, franchiserID, now)
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
	_, err := store.Found(ctx, q, &p, "read sign-up", latestSignUpSQL, mobile, browserHash, now)
	return p, err
}

const lockSignUpSQL = `
	SELECT id, mobile, browser_hash, email, first_name, password_hash, free_trial, terms_version, created_at, expires_at
	FROM pending_sign_ups WHERE id = $1 FOR UPDATE`

func lockSignUpTx(ctx context.Context, tx *sqlx.Tx, id string) (signUp, bool, error) {
	var p signUp
	ok, err := store.Found(ctx, tx, &p, "lock sign-up", lockSignUpSQL, id)
	return p, ok, err
}

// deleteSignUpsTx deletes every sign-up with the mobile, with its codes and verifications.
func deleteSignUpsTx(ctx context.Context, tx *sqlx.Tx, mobile string) error {
	_, err := store.Changed(ctx, tx, "delete sign-ups", store.DeleteSignUpsSQL, mobile)
	return err
}
