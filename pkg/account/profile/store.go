package profile

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const setNamesSQL = `UPDATE franchisers SET first_name = $2, last_name = $3 WHERE id = $1 AND erased_at IS NULL`

const (
	setLanguageSQL         = `UPDATE franchisers SET language = $2 WHERE id = $1 AND erased_at IS NULL`
	setDocumentLanguageSQL = `UPDATE franchisers SET document_language = $2 WHERE id = $1 AND erased_at IS NULL`
	setEmailSQL            = `UPDATE franchisers SET email = $2, email_proved_at = NULL, email_refused_at = NULL WHERE id = $1 AND erased_at IS NULL`
	setMobileSQL           = `UPDATE franchisers SET mobile = $2 WHERE id = $1 AND erased_at IS NULL`
)

func setMobileTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error {
	_, err := tx.ExecContext(ctx, setMobileSQL, franchiserID, mobile)
	if postgres.Violates(err, postgres.UniqueViolation, "franchisers_mobile") {
		return store.ErrMobileTaken().Because(err)
	}
	if err != nil {
		return fmt.Errorf("set mobile: %w", err)
	}
	return nil
}
