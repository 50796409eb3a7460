package staff

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// JSON encodes the Before or After of an Action; the value must always be encodable.
func JSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// NameSQL returns an expression for other domains' statements: the name of the member of staff whose id is in the column, or NULL.
func NameSQL(column string) string { return `(SELECT m.name FROM staff m WHERE m.id = ` + column + `)` }

const activeSQL = `SELECT id AS staff_id, role FROM staff WHERE id = $1 AND disabled_at IS NULL`

// ActiveTx returns the member of staff without a session, for work that continues after sign-out; KindNotFound for a
// former one.
func ActiveTx(ctx context.Context, tx *sqlx.Tx, staffID string) (Principal, error) {
	var p Principal
	err := tx.GetContext(ctx, &p, activeSQL, staffID)
	if errors.Is(err, sql.ErrNoRows) {
		return p, errs.NotFound()
	}
	if err != nil {
		return p, fmt.Errorf("read member of staff: %w", err)
	}
	return p, nil
}

const (
	actionsOnSQL = `
		SELECT a.id, a.at, m.name AS staff_name, a.action FROM staff_actions a JOIN staff m ON m.id = a.staff_id
		WHERE a.franchiser_ref = $1 ORDER BY a.at DESC, a.sequence DESC LIMIT $2 OFFSET $3`
	countActionsOnSQL = `SELECT count(*) FROM staff_actions WHERE franchiser_ref = $1`
)

// ActionsOnTx lists what staff did with the franchiser's account, newest first, without reasons, and the total number.
func ActionsOnTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, limit, offset int) (list []Action, total int, err error) {
	if err := tx.SelectContext(ctx, &list, actionsOnSQL, franchiserID, limit, offset); err != nil {
		return nil, 0, fmt.Errorf("list actions on an account: %w", err)
	}
	if err := tx.GetContext(ctx, &total, countActionsOnSQL, franchiserID); err != nil {
		return nil, 0, fmt.Errorf("count actions on an account: %w", err)
	}
	return list, total, nil
}

const didSinceSQL = `
SELECT EXISTS (SELECT FROM staff_actions WHERE franchiser_ref = $1 AND at > $3 AND staff_id = $2 AND action = $4)`

// DidSinceTx reports whether the member of staff did such an action on the franchiser's account after the given time.
func DidSinceTx(ctx context.Context, tx *sqlx.Tx, staffID, franchiserID, action string, since time.Time) (bool, error) {
	var did bool
	if err := tx.GetContext(ctx, &did, didSinceSQL, franchiserID, staffID, since, action); err != nil {
		return false, fmt.Errorf("look for an earlier action: %w", err)
	}
	return did, nil
}
