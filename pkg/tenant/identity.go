package tenant

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// OwnerOf returns the franchiser whose open store has the id, or errs.NotFound.
func OwnerOf(ctx context.Context, db *sqlx.DB, tenantID string) (string, error) {
	var owner sql.NullString
	if err := db.GetContext(ctx, &owner, storeOwnerSQL, tenantID); err != nil {
		return "", postgres.Error(fmt.Errorf("find store: %w", err))
	}
	if !owner.Valid {
		return "", errs.NotFound()
	}
	return owner.String, nil
}

// IDTx returns the id of the franchiser's store, empty if there is none.
func IDTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (string, error) {
	t, err := tenantOf(ctx, tx, franchiserID)
	if err != nil || t == nil {
		return "", err
	}
	return t.ID, nil
}
