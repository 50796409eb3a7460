package contact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

func macroColumns() string {
	return `k.id, k.title, k.text, k.changed_by, k.changed_at, ` + staff.NameSQL("k.changed_by") + ` AS changer`
}

// maxMacros is how many macros are kept; a longer list helps nobody.
const maxMacros = 200

func macrosTx(ctx context.Context, tx *sqlx.Tx) ([]Macro, error) {
	list := []Macro{}
	if err := tx.SelectContext(ctx, &list, `SELECT `+macroColumns()+` FROM contact_macros k ORDER BY lower(k.title) LIMIT $1`, maxMacros); err != nil {
		return nil, fmt.Errorf("list macros: %w", err)
	}
	return list, nil
}

func macroTx(ctx context.Context, tx *sqlx.Tx, macroID string) (m Macro, err error) {
	err = tx.GetContext(ctx, &m, `SELECT `+macroColumns()+` FROM contact_macros k WHERE k.id = $1 FOR UPDATE OF k`, macroID)
	if errors.Is(err, sql.ErrNoRows) {
		return m, errs.NotFound()
	}
	if err != nil {
		return m, fmt.Errorf("read macro: %w", err)
	}
	return m, nil
}

const (
	insertMacroSQL = `INSERT INTO contact_macros (id, title, text, changed_by, changed_at)
		SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM contact_macros) < $6`
	changeMacroSQL = `UPDATE contact_macros SET title = $2, text = $3, changed_by = $4, changed_at = $5 WHERE id = $1`
)

func saveMacroTx(ctx context.Context, tx *sqlx.Tx, m Macro, fresh bool) error {
	statement, args := changeMacroSQL, []any{m.ID, m.Title, m.Text, m.ChangedBy, m.ChangedAt}
	if fresh {
		statement, args = insertMacroSQL, append(args, maxMacros)
	}
	done, err := tx.ExecContext(ctx, statement, args...)
	if postgres.Violates(err, pqerror.UniqueViolation, "contact_macros_title") {
		return errs.New(errs.KindConflict, "macro_exists", "There is a saved reply of this title already.").Because(err)
	}
	if err != nil {
		return fmt.Errorf("save macro: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return errs.New(errs.KindConflict, "too_many_macros", "There are 200 saved replies already. Delete one first.")
}

func deleteMacroTx(ctx context.Context, tx *sqlx.Tx, macroID string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM contact_macros WHERE id = $1`, macroID); err != nil {
		return fmt.Errorf("delete macro: %w", err)
	}
	return nil
}
