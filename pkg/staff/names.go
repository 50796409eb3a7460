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

// JSON writes what was or is, for an Action; it is for values that always have a JSON.
func JSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// NameSQL is an expression for another domain's statement: the name of the member of staff whose id the column holds, NULL for
// none.
func NameSQL(column string) string { return `(SELECT m.name FROM staff m WHERE m.id = ` + column + `)` }

const activeSQL = `SELECT id AS staff_id, role FROM staff WHERE id = $1 AND disabled_at IS NULL`

// ActiveTx returns the member of staff without a session, for work that goes on after a sign-out; KindNotFound for one who has
// left.
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

// ActionsOnTx lists what staff did with the franchiser's account, newest first, without reasons, and how much there is in all.
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

// DidSinceTx says whether the member of staff did such an action on the franchiser's account after the time.
func DidSinceTx(ctx context.Context, tx *sqlx.Tx, staffID, franchiserID, action string, since time.Time) (bool, error) {
	var did bool
	if err := tx.GetContext(ctx, &did, didSinceSQL, franchiserID, staffID, since, action); err != nil {
		return false, fmt.Errorf("look for an earlier action: %w", err)
	}
	return did, nil
}
