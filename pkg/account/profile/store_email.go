package profile

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/internal/store"
)

const insertProofSQL = `
	INSERT INTO email_proofs (id, franchiser_id, email, replaces, created_at, expires_at)
	VALUES (:id, :franchiser_id, :email, :replaces, :created_at, :expires_at)`

func insertProofTx(ctx context.Context, tx *sqlx.Tx, p emailProof) error {
	if _, err := tx.NamedExecContext(ctx, insertProofSQL, p); err != nil {
		return fmt.Errorf("insert proof of e-mail: %w", err)
	}
	return nil
}

const lastProofSQL = `SELECT max(created_at) FROM email_proofs WHERE franchiser_id = $1`

// lastProofTx returns when a link was last requested, nil if never.
func lastProofTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*time.Time, error) {
	var last *time.Time
	_, err := store.Found(ctx, tx, &last, "read last proof", lastProofSQL, franchiserID)
	return last, err
}

const proofColumns = `p.id, p.franchiser_id, p.email, p.replaces, p.created_at, p.expires_at`

const openProofSQL = `
	SELECT ` + proofColumns + ` FROM email_proofs p
	WHERE p.franchiser_id = $1 AND p.id = $2 AND p.used_at IS NULL AND p.expires_at > $3 FOR UPDATE`

// openProofTx returns a proof of the franchiser's that is neither used nor expired.
func openProofTx(ctx context.Context, tx *sqlx.Tx, franchiserID, proofID string, now time.Time) (emailProof, bool, error) {
	var p emailProof
	ok, err := store.Found(ctx, tx, &p, "read proof", openProofSQL, franchiserID, proofID, now)
	return p, ok, err
}

const neededProofSQL = `
	SELECT ` + proofColumns + ` FROM email_proofs p JOIN franchisers f ON f.id = p.franchiser_id
	WHERE p.id = $1 AND p.used_at IS NULL AND f.email = p.email AND f.erased_at IS NULL`

// neededProofTx returns a proof whose address is still the account's.
func neededProofTx(ctx context.Context, tx *sqlx.Tx, proofID string) (emailProof, bool, error) {
	var p emailProof
	ok, err := store.Found(ctx, tx, &p, "read proof", neededProofSQL, proofID)
	return p, ok, err
}

func proofTx(ctx context.Context, tx *sqlx.Tx, proofID string) (emailProof, bool, error) {
	var p emailProof
	ok, err := store.Found(ctx, tx, &p, "read proof", `SELECT `+proofColumns+` FROM email_proofs p WHERE p.id = $1`, proofID)
	return p, ok, err
}

const (
	proveEmailSQL = `
	UPDATE franchisers SET email_proved_at = $3, email_refused_at = NULL WHERE id = $1 AND email = $2 AND erased_at IS NULL`
	// Every other link to the address has done its work too.
	useProofsSQL = `
	UPDATE email_proofs SET used_at = $3, use_request_id = CASE WHEN id = $2 THEN current_request() END
	WHERE franchiser_id = $1 AND used_at IS NULL`
	refuseEmailSQL = `UPDATE franchisers SET email_refused_at = $3 WHERE id = $1 AND email = $2 AND erased_at IS NULL`
)

const lockEmailSQL = `SELECT email, email_proved_at IS NOT NULL AS proved FROM franchisers WHERE id = $1 AND erased_at IS NULL FOR UPDATE`

// lockEmailTx returns the account's address and whether it is proved.
func lockEmailTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (email string, proved bool, err error) {
	var row struct {
		Email  string `db:"email"`
		Proved bool   `db:"proved"`
	}
	_, err = store.Found(ctx, tx, &row, "lock e-mail", lockEmailSQL, franchiserID)
	return row.Email, row.Proved, err
}
