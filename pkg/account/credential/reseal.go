package credential

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

const (
	pageTOTPSQL = `
	SELECT id, totp_secret AS sealed FROM franchisers
	WHERE id > $1::uuid AND totp_secret IS NOT NULL AND substring(totp_secret FOR octet_length($2::bytea)) <> $2
	ORDER BY id LIMIT 500 FOR UPDATE`
	updateTOTPSQL = `UPDATE franchisers SET totp_secret = $3 WHERE id = $1 AND totp_secret = $2`
)

// ResealTOTP encrypts the keys of customers' authenticator apps again under the current master key; it needs the
// owner's connection. It returns how many it resealed and how many no key of the ring opens.
func ResealTOTP(ctx context.Context, owner *sqlx.DB, k secret.Keyring) (done, left int, err error) {
	return secret.SealedColumn{
		Page: pageTOTPSQL, Update: updateTOTPSQL, Purpose: secret.PurposeTOTP, Binding: func(id string) string { return id },
	}.Reseal(ctx, owner, k)
}
