package recovery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const (
	mobileChangeSQL = `
	SELECT id, franchiser_id, old_mobile, mobile, state, stopped_by, created_at, due_at, ended_at FROM mobile_changes`
	insertMobileChangeSQL = `
	INSERT INTO mobile_changes (id, franchiser_id, old_mobile, mobile, state, created_at, due_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	endMobileChangeSQL = `UPDATE mobile_changes SET state = $2, stopped_by = $3, ended_at = $4 WHERE id = $1`
	ownerOfChangeSQL   = `SELECT franchiser_id FROM find_mobile_change($1)`
)

func insertMobileChangeTx(ctx context.Context, tx *sqlx.Tx, c MobileChange) error {
	_, err := tx.ExecContext(ctx, insertMobileChangeSQL, c.ID, c.FranchiserID, c.Old, c.Mobile, string(c.State), c.CreatedAt, c.DueAt)
	if err != nil {
		return fmt.Errorf("insert change of mobile: %w", err)
	}
	return nil
}

// lockMobileChangeTx returns and locks a change, or returns errs.NotFound.
func lockMobileChangeTx(ctx context.Context, tx *sqlx.Tx, id string) (MobileChange, error) {
	var c MobileChange
	err := tx.GetContext(ctx, &c, mobileChangeSQL+` WHERE id = $1 FOR NO KEY UPDATE`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return c, errs.NotFound()
	}
	if err != nil {
		return c, fmt.Errorf("read change of mobile: %w", err)
	}
	return c, nil
}

// PendingMoveTx returns the waiting change of the franchiser's mobile, or nil.
func PendingMoveTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*MobileChange, error) {
	var c MobileChange
	err := tx.GetContext(ctx, &c, mobileChangeSQL+` WHERE franchiser_id = $1 AND state = 'waiting'`, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // no change waits
	}
	if err != nil {
		return nil, fmt.Errorf("look for a change of mobile: %w", err)
	}
	return &c, nil
}

func endMobileChangeTx(ctx context.Context, tx *sqlx.Tx, c MobileChange, to MobileChangeState, by string, now time.Time) error {
	if err := mobileChangeStates().Move(&c.State, to); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, endMobileChangeSQL, c.ID, string(c.State), by, now); err != nil {
		return fmt.Errorf("end change of mobile: %w", err)
	}
	return nil
}

// ownerOfMobileChange returns the franchiser of the change, or "".
func ownerOfMobileChange(ctx context.Context, db *sqlx.DB, id string) (franchiserID string, err error) {
	err = db.GetContext(ctx, &franchiserID, ownerOfChangeSQL, id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", postgres.Error(fmt.Errorf("find change of mobile: %w", err))
	}
	return franchiserID, nil
}
