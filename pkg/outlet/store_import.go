package outlet

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/tenant"
)

const importedNamesSQL = `SELECT name, code, city FROM franchises WHERE franchiser_id = $1 AND tenant_id = $2 AND removed_at IS NULL`

// importedNames returns the names, codes and cities of the store's outlets, with which rows are compared.
func importedNames(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) ([]Outlet, error) {
	var list []Outlet
	if err := tx.SelectContext(ctx, &list, importedNamesSQL, ref.FranchiserID, ref.TenantID); err != nil {
		return nil, fmt.Errorf("read names of outlets: %w", err)
	}
	return list, nil
}

const importedSQL = `SELECT f.id, f.name, f.city, f.revision, f.created_at, f.removed_at,
    coalesce((SELECT p.state FROM outlet_partners p WHERE p.franchiser_id = f.franchiser_id AND p.id = f.partner_id), '') AS partner_state
FROM franchises f WHERE f.franchiser_id = $1 AND f.tenant_id = $2 AND f.import_id = $3 ORDER BY f.id`

// imported returns all outlets that an import added, including outlets that its undo deleted.
func imported(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, importID string) ([]ImportedOutlet, error) {
	var list []ImportedOutlet
	if err := tx.SelectContext(ctx, &list, importedSQL, ref.FranchiserID, ref.TenantID, importID); err != nil {
		return nil, fmt.Errorf("read an import: %w", err)
	}
	return list, nil
}

const invitedBySQL = `SELECT invited_at FROM outlet_partners
WHERE franchiser_id = $1 AND tenant_id = $2 AND import_id = $3 AND state <> 'removed' ORDER BY invited_at`

// invitedBy returns when the invitations of an import go out.
func invitedBy(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, importID string) ([]time.Time, error) {
	var list []time.Time
	if err := tx.SelectContext(ctx, &list, invitedBySQL, ref.FranchiserID, ref.TenantID, importID); err != nil {
		return nil, fmt.Errorf("read invitations of an import: %w", err)
	}
	return list, nil
}

const latestImportSQL = `SELECT coalesce((SELECT import_id::text FROM franchises
WHERE franchiser_id = $1 AND tenant_id = $2 AND import_id IS NOT NULL AND removed_at IS NULL AND created_at > $3
ORDER BY created_at DESC LIMIT 1), '')`

func latestImport(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, after time.Time) (importID string, err error) {
	err = get(ctx, tx, &importID, "find the latest import", latestImportSQL, ref.FranchiserID, ref.TenantID, after)
	return importID, err
}

// An outlet that an undo removes keeps no content: it was a mistake.
const removeImportedSQL = `UPDATE franchises SET ` + blanks + `, removed_at = $4 WHERE franchiser_id = $1 AND tenant_id = $2 AND id = $3`

func removeImported(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, outletID string, now time.Time) error {
	return execute(ctx, tx, "remove an imported outlet", removeImportedSQL, ref.FranchiserID, ref.TenantID, outletID, now)
}

const idlePartnersSQL = `SELECT p.id FROM outlet_partners p
WHERE p.franchiser_id = $1 AND p.tenant_id = $2 AND p.import_id = $3 AND p.state = 'invited' AND NOT EXISTS (
    SELECT FROM franchises f WHERE f.franchiser_id = p.franchiser_id AND f.partner_id = p.id AND f.removed_at IS NULL)`

// idlePartners returns the partners of an import who have not accepted and run no outlet.
func idlePartners(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, importID string) ([]string, error) {
	var list []string
	if err := tx.SelectContext(ctx, &list, idlePartnersSQL, ref.FranchiserID, ref.TenantID, importID); err != nil {
		return nil, fmt.Errorf("read partners of an import: %w", err)
	}
	return list, nil
}
