package credential

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/internal/store"
)

const (
	beginTOTPSQL = `
	UPDATE franchisers SET totp_secret = $2, totp_begun_at = $3, totp_last_step = 0
	WHERE id = $1 AND totp_enabled_at IS NULL AND erased_at IS NULL`
	enableTOTPSQL = `
	UPDATE franchisers SET totp_enabled_at = $2, totp_last_step = $3, totp_request_id = current_request() WHERE id = $1`
	disableTOTPSQL = `
	UPDATE franchisers SET totp_secret = NULL, totp_begun_at = NULL, totp_enabled_at = NULL, totp_last_step = 0 WHERE id = $1`
	setTOTPStepSQL = `UPDATE franchisers SET totp_last_step = $2 WHERE id = $1`
)

const (
	deleteRecoverySQL = `DELETE FROM totp_recovery_codes WHERE franchiser_id = $1`
	insertRecoverySQL = `INSERT INTO totp_recovery_codes (franchiser_id, code_mac) VALUES ($1, $2)`
	useRecoverySQL    = `
	UPDATE totp_recovery_codes SET used_at = $3 WHERE franchiser_id = $1 AND code_mac = $2 AND used_at IS NULL`
)

// RemoveTOTPTx removes the authenticator app and its recovery codes.
func RemoveTOTPTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := store.Changed(ctx, tx, "disable authenticator", disableTOTPSQL, franchiserID); err != nil {
		return err
	}
	return replaceRecoveryTx(ctx, tx, franchiserID, nil)
}

// replaceRecoveryTx makes the given codes, as keyed hashes, the franchiser's only ones.
func replaceRecoveryTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, macs [][]byte) error {
	if _, err := store.Changed(ctx, tx, "delete recovery codes", deleteRecoverySQL, franchiserID); err != nil {
		return err
	}
	for _, mac := range macs {
		if _, err := store.Changed(ctx, tx, "insert recovery code", insertRecoverySQL, franchiserID, mac); err != nil {
			return err
		}
	}
	return nil
}
