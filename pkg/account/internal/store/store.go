// Package store reads and writes the rows that all parts of accounts share.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Found reads one row into dest and reports whether there was one.
func Found(ctx context.Context, q sqlx.QueryerContext, dest any, what, query string, args ...any) (bool, error) {
	err := sqlx.GetContext(ctx, q, dest, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, postgres.Error(fmt.Errorf("%s: %w", what, err))
	}
	return true, nil
}

// Changed runs a statement and reports whether it changed a row.
func Changed(ctx context.Context, x sqlx.ExecerContext, what, query string, args ...any) (bool, error) {
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

const findByMobileSQL = `SELECT id FROM find_franchiser_by_mobile($1)`

// FindByMobile returns the id of the franchiser with the mobile, or "".
func FindByMobile(ctx context.Context, q sqlx.QueryerContext, mobile string) (string, error) {
	var id string
	_, err := Found(ctx, q, &id, "find franchiser", findByMobileSQL, mobile)
	return id, err
}

const franchiserSQL = `
	SELECT id, mobile, email, first_name, last_name, totp_enabled_at IS NOT NULL AS totp_enabled, created_at,
	       erasure_requested_at, email_proved_at, email_refused_at, language, document_language
	FROM franchisers WHERE id = $1 AND erased_at IS NULL`

// FranchiserTx returns the franchiser, and whether the account lives.
func FranchiserTx(ctx context.Context, tx *sqlx.Tx, id string) (account.Franchiser, bool, error) {
	var f account.Franchiser
	ok, err := Found(ctx, tx, &f, "read franchiser", franchiserSQL, id)
	return f, ok, err
}

// Credentials are the data for the check of a sign-in; the zero value belongs to no account and matches nothing.
type Credentials struct {
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

// CredentialsTx reads the credentials; the zero value for an account that does not exist.
func CredentialsTx(ctx context.Context, tx *sqlx.Tx, id string) (Credentials, error) {
	var c Credentials
	_, err := Found(ctx, tx, &c, "read credentials", credentialsSQL, id)
	return c, err
}

// LockCredentialsTx reads the credentials and makes a password reset, a mobile change, an erasure and the end of all
// sessions wait until tx ends.
func LockCredentialsTx(ctx context.Context, tx *sqlx.Tx, id string) (Credentials, error) {
	var c Credentials
	_, err := Found(ctx, tx, &c, "lock credentials", lockCredentialsSQL, id)
	return c, err
}

// ReadCredentials reads the credentials for a sign-in; the zero value for an account that does not exist.
func ReadCredentials(ctx context.Context, db *sqlx.DB, franchiserID string) (c Credentials, err error) {
	err = postgres.InTenantTx(ctx, db, franchiserID, func(tx *sqlx.Tx) error {
		c, err = CredentialsTx(ctx, tx, franchiserID)
		return err
	})
	return c, err
}

// Change runs fn in the franchiser's transaction and returns the updated franchiser.
func Change(ctx context.Context, db *sqlx.DB, franchiserID string, fn func(tx *sqlx.Tx) error) (f account.Franchiser, err error) {
	err = postgres.InTenantTx(ctx, db, franchiserID, func(tx *sqlx.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		var ok bool
		if f, ok, err = FranchiserTx(ctx, tx, franchiserID); err == nil && !ok {
			err = errs.Unauthenticated()
		}
		return err
	})
	return f, err
}

// DeleteChallengesSQL deletes the franchiser's challenges, whose sign-ins must not go on.
const DeleteChallengesSQL = `DELETE FROM totp_challenges WHERE franchiser_id = $1`

// ErrMobileTaken is only returned to a user who proved that the mobile is theirs.
func ErrMobileTaken() *errs.Error {
	return errs.New(errs.KindConflict, "conflict", "An account with this mobile number already exists. Please log in.")
}

// DeleteSignUpsSQL deletes every sign-up with the mobile.
const DeleteSignUpsSQL = `DELETE FROM pending_sign_ups WHERE mobile = $1`

const accountNameSQL = `SELECT coalesce(account_name(), '')`

// AccountNameTx returns the name of the account that tx sees.
func AccountNameTx(ctx context.Context, tx *sqlx.Tx) (name string, err error) {
	_, err = Found(ctx, tx, &name, "read name of an account", accountNameSQL)
	return name, err
}

const membershipsSQL = `SELECT member_id, account_id, role, name FROM own_memberships()`

// MembershipsTx returns the other accounts that the person of tx may act in, by name.
func MembershipsTx(ctx context.Context, tx *sqlx.Tx) ([]account.Membership, error) {
	list := []account.Membership{}
	if err := tx.SelectContext(ctx, &list, membershipsSQL); err != nil {
		return nil, fmt.Errorf("list memberships: %w", err)
	}
	return list, nil
}

// Memberships returns the other accounts that the person may act in, by name.
func Memberships(ctx context.Context, db *sqlx.DB, personID string) (list []account.Membership, err error) {
	err = postgres.InTenantTx(ctx, db, personID, func(tx *sqlx.Tx) error {
		list, err = MembershipsTx(ctx, tx)
		return err
	})
	return list, err
}

// Membership returns the person's membership of the account, or KindNotFound.
func Membership(ctx context.Context, db *sqlx.DB, personID, accountID string) (account.Membership, error) {
	list, err := Memberships(ctx, db, personID)
	if err != nil {
		return account.Membership{}, err
	}
	for _, m := range list {
		if m.AccountID == accountID {
			return m, nil
		}
	}
	return account.Membership{}, errs.NotFound()
}
