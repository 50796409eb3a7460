package staff

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	pageTOTPSQL = `
	SELECT id, totp_secret AS sealed FROM staff
	WHERE id > $1::uuid AND substring(totp_secret FOR octet_length($2::bytea)) <> $2
	ORDER BY id LIMIT 500 FOR UPDATE`
	updateTOTPSQL = `UPDATE staff SET totp_secret = $3 WHERE id = $1 AND totp_secret = $2`

	pageOpenersSQL = `
	SELECT id, sealed FROM staff_passkeys
	WHERE id > $1::uuid AND substring(sealed FOR octet_length($2::bytea)) <> $2
	ORDER BY id LIMIT 500 FOR UPDATE`
	updateOpenersSQL = `UPDATE staff_passkeys SET sealed = $3 WHERE id = $1 AND sealed = $2`
)

// ResealTOTP encrypts the keys of staff's authenticator apps again under the current master key; it needs the owner's
// connection. It returns how many it resealed and how many no key of the ring opens.
func ResealTOTP(ctx context.Context, owner *sqlx.DB, k secret.Keyring) (done, left int, err error) {
	return secret.SealedColumn{Page: pageTOTPSQL, Update: updateTOTPSQL, Purpose: secret.PurposeTOTP, Binding: binding}.Reseal(ctx, owner, k)
}

// ResealPasskeys does the same for the secrets of passkeys.
func ResealPasskeys(ctx context.Context, owner *sqlx.DB, k secret.Keyring) (done, left int, err error) {
	return secret.SealedColumn{
		Page: pageOpenersSQL, Update: updateOpenersSQL, Purpose: secret.PurposePasskey, Binding: passkeyBinding,
	}.Reseal(ctx, owner, k)
}
