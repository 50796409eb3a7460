package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Reach is how a franchiser can be reached; both are empty once the account is erased.
type Reach struct {
	Mobile string `db:"mobile"`
	Email  string `db:"email"`
	// Proved means that the address was proved and takes messages.
	Proved bool `db:"proved"`
	Erased bool `db:"erased"`
	// Language is the franchiser's language, empty if they never chose.
	Language i18n.Language `db:"language"`
}

const reachSQL = `
SELECT CASE WHEN erased_at IS NULL THEN mobile ELSE '' END AS mobile, CASE WHEN erased_at IS NULL THEN email ELSE '' END AS email,
    email_proved_at IS NOT NULL AND email_refused_at IS NULL AS proved, erased_at IS NOT NULL AS erased, language
FROM franchisers WHERE id = $1`

// ReachTx returns how the franchiser can be reached; KindNotFound if there is no such franchiser.
func ReachTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Reach, error) {
	var r Reach
	err := tx.GetContext(ctx, &r, reachSQL, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return r, errs.NotFound()
	}
	if err != nil {
		return r, fmt.Errorf("read how a franchiser is reached: %w", err)
	}
	return r, nil
}

// MobileTx returns the franchiser's mobile, empty if it was erased or does not exist.
func MobileTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error) {
	r, err := ReachTx(ctx, tx, franchiserID)
	if err != nil && errs.KindOf(err) == errs.KindNotFound {
		return "", nil
	}
	return r.Mobile, err
}

// LanguageTx returns the franchiser's language, English if they never chose or do not exist.
func LanguageTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (i18n.Language, error) {
	r, err := ReachTx(ctx, tx, franchiserID)
	if err != nil && errs.KindOf(err) == errs.KindNotFound {
		return i18n.English, nil
	}
	return r.Language.Or(), err
}

// RequireLiveTx fails with KindNotFound if there is no such franchiser, and with KindConflict if it was erased.
func RequireLiveTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	r, err := ReachTx(ctx, tx, franchiserID)
	if err == nil && r.Erased {
		return errs.New(errs.KindConflict, "customer_erased", "This account was erased. There is nobody left to help.")
	}
	return err
}

// ProvedOwnerTx returns the franchiser that proved the e-mail address, or "". It returns "" as well if several did.
func ProvedOwnerTx(ctx context.Context, tx *sqlx.Tx, email string) (string, error) {
	var owners []string
	const ownersSQL = `SELECT id FROM franchisers WHERE email = $1 AND erased_at IS NULL AND email_proved_at IS NOT NULL AND email_refused_at IS NULL LIMIT 2`
	if err := tx.SelectContext(ctx, &owners, ownersSQL, email); err != nil {
		return "", fmt.Errorf("find who proved an e-mail address: %w", err)
	}
	if len(owners) != 1 {
		return "", nil
	}
	return owners[0], nil
}
