package support

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

func savedViewsTx(ctx context.Context, tx *sqlx.Tx, list string) ([]SavedView, error) {
	views := []SavedView{}
	err := tx.SelectContext(ctx, &views, `SELECT v.id, v.list, v.name, v.query, v.shared, v.staff_id, v.created_at, `+staff.NameSQL("v.staff_id")+` AS staff_name
		FROM saved_views v WHERE v.list = $1 ORDER BY lower(v.name), v.id`, list)
	if err != nil {
		return nil, fmt.Errorf("list saved views: %w", err)
	}
	return views, nil
}

// One statement inserts and keeps to the limit.
const insertSavedViewSQL = `
INSERT INTO saved_views (id, staff_id, list, name, query, shared, created_at)
SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM saved_views WHERE staff_id = $2 AND list = $3) < $8`

func insertSavedViewTx(ctx context.Context, tx *sqlx.Tx, v SavedView) error {
	done, err := tx.ExecContext(ctx, insertSavedViewSQL, v.ID, v.StaffID, v.List, v.Name, v.Query, v.Shared, v.CreatedAt, maxViews)
	if err != nil {
		return nameTaken(err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return errs.New(errs.KindConflict, "too_many_views", "You keep 50 views of this list already. Delete one first.")
}

func nameTaken(err error) error {
	if postgres.Violates(err, pqerror.UniqueViolation, "saved_views_once") {
		return errs.New(errs.KindConflict, "view_exists", "There is a view of this name already.").Because(err)
	}
	return fmt.Errorf("save view: %w", err)
}

func changeSavedViewTx(ctx context.Context, tx *sqlx.Tx, viewID, name string, shared bool) error {
	done, err := tx.ExecContext(ctx, `UPDATE saved_views SET name = $2, shared = $3 WHERE id = $1`, viewID, name, shared)
	if err != nil {
		return nameTaken(err)
	}
	return oneChanged(done)
}

func deleteSavedViewTx(ctx context.Context, tx *sqlx.Tx, viewID string) error {
	done, err := tx.ExecContext(ctx, `DELETE FROM saved_views WHERE id = $1`, viewID)
	if err != nil {
		return fmt.Errorf("delete saved view: %w", err)
	}
	return oneChanged(done)
}

func oneChanged(done sql.Result) error {
	n, err := done.RowsAffected()
	if err == nil && n == 0 {
		return errs.NotFound()
	}
	return err
}
