package consent

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// lockConsentsTx serialises requests for a customer's consent.
func lockConsentsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('consent ' || $1, 0))`, franchiserID); err != nil {
		return fmt.Errorf("lock consents: %w", err)
	}
	return nil
}

// viewBackTx returns the request time of the customer's view at the offset back, newest first, or nil.
func viewBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, back int) (at *time.Time, err error) {
	const backSQL = `SELECT (SELECT requested_at FROM support_views WHERE franchiser_ref = $1 ORDER BY requested_at DESC OFFSET $2 LIMIT 1)`
	if err := tx.GetContext(ctx, &at, backSQL, franchiserID, back); err != nil {
		return nil, fmt.Errorf("read views: %w", err)
	}
	return at, nil
}

const insertViewSQL = `
INSERT INTO support_views (id, franchiser_ref, staff_id, session_id, reason, requested_at, code_expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`

func insertViewTx(ctx context.Context, tx *sqlx.Tx, v View) error {
	_, err := tx.ExecContext(ctx, insertViewSQL, v.ID, v.FranchiserID, v.StaffID, v.SessionID, v.Reason, v.RequestedAt, v.CodeExpiresAt)
	if err != nil {
		return fmt.Errorf("insert view: %w", err)
	}
	return nil
}

const countConsentTrySQL = `
UPDATE support_views SET tries = tries + 1 WHERE id = $1 AND staff_id = $2 AND session_id = $3 AND tries < $4 AND begun_at IS NULL`

// countConsentTry counts a try in its own transaction and reports whether it may be checked.
func countConsentTry(ctx context.Context, db *sqlx.DB, viewID, staffID, sessionID string, limit int) (bool, error) {
	var n int64
	err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		res, err := tx.ExecContext(ctx, countConsentTrySQL, viewID, staffID, sessionID, limit)
		if err != nil {
			return fmt.Errorf("count try: %w", err)
		}
		n, err = res.RowsAffected()
		return err
	})
	return n == 1, err
}

const viewColumns = `v.id, v.franchiser_ref, v.staff_id, coalesce(v.session_id::text, '') AS session_id, v.reason, v.requested_at, v.code_expires_at,
    v.begun_at, v.ends_at, v.ended_at, v.ended_by`

func viewTx(ctx context.Context, tx *sqlx.Tx, viewID string) (View, error) {
	var v View
	err := tx.GetContext(ctx, &v, `SELECT `+viewColumns+`, `+staff.NameSQL("v.staff_id")+` AS staff_name
		FROM support_views v WHERE v.id = $1 FOR UPDATE OF v`, viewID)
	if errors.Is(err, sql.ErrNoRows) {
		return View{}, errs.NotFound()
	}
	if err != nil {
		return View{}, fmt.Errorf("read view: %w", err)
	}
	return v, nil
}

const waitsForCodeSQL = `SELECT EXISTS (SELECT FROM support_views WHERE id = $1 AND begun_at IS NULL AND ended_at IS NULL)`

// waitsForCodeTx reports whether the view has neither begun nor ended.
func waitsForCodeTx(ctx context.Context, tx *sqlx.Tx, viewID string) (bool, error) {
	var waits bool
	if err := tx.GetContext(ctx, &waits, waitsForCodeSQL, viewID); err != nil {
		return false, fmt.Errorf("look whether a view waits: %w", err)
	}
	return waits, nil
}

func beginViewTx(ctx context.Context, tx *sqlx.Tx, v View, hash []byte) error {
	_, err := tx.ExecContext(ctx, `UPDATE support_views SET token_hash = $2, begun_at = $3, ends_at = $4 WHERE id = $1`, v.ID, hash, v.BegunAt, v.EndsAt)
	if err != nil {
		return fmt.Errorf("begin view: %w", err)
	}
	return nil
}

// endOpenViewsTx ends the views that the member of staff has open: one account at a time.
func endOpenViewsTx(ctx context.Context, tx *sqlx.Tx, staffID string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE support_views SET ended_at = $2, ended_by = 'another'
		WHERE staff_id = $1 AND begun_at IS NOT NULL AND ended_at IS NULL AND ends_at > $2`, staffID, now)
	if err != nil {
		return fmt.Errorf("end other views: %w", err)
	}
	return nil
}

const openViewSQL = `
SELECT id, franchiser_ref, staff_id, staff_name, session_id, reason, requested_at, code_expires_at, begun_at, ends_at, ended_at, ended_by
FROM find_staff_view($1, $2)`

func openView(ctx context.Context, db *sqlx.DB, hash []byte, now time.Time) (View, error) {
	var v View
	err := db.GetContext(ctx, &v, openViewSQL, hash, now)
	if errors.Is(err, sql.ErrNoRows) {
		return View{}, errs.Unauthenticated()
	}
	if err != nil {
		return View{}, postgres.Error(fmt.Errorf("find view: %w", err))
	}
	return v, nil
}

func endViewTx(ctx context.Context, tx *sqlx.Tx, viewID, by string, now time.Time) (bool, error) {
	res, err := tx.ExecContext(ctx, `UPDATE support_views SET ended_at = $2, ended_by = $3
		WHERE id = $1 AND ended_at IS NULL AND (ends_at IS NULL OR ends_at > $2)`, viewID, now, by)
	if err != nil {
		return false, fmt.Errorf("end view: %w", err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("end view: %w", err)
	}
	return n == 1, nil
}

func endViewsOfTx(ctx context.Context, tx *sqlx.Tx, franchiserID, by string, now time.Time) (int, error) {
	res, err := tx.ExecContext(ctx, `UPDATE support_views SET ended_at = $2, ended_by = $3
		WHERE franchiser_ref = $1 AND ended_at IS NULL AND (ends_at > $2 OR ends_at IS NULL AND code_expires_at > $2)`, franchiserID, now, by)
	if err != nil {
		return 0, fmt.Errorf("end views: %w", err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("end views: %w", err)
	}
	return int(n), nil
}
