package support

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
)

func notesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Notes, error) {
	n := Notes{Notes: []Note{}, Tags: []string{}, Known: []string{}}
	err := tx.SelectContext(ctx, &n.Notes, `SELECT n.id, n.text, n.pinned, n.written_by, n.created_at, `+staff.NameSQL("n.written_by")+` AS author
		FROM customer_notes n WHERE n.franchiser_ref = $1 ORDER BY n.pinned DESC, n.created_at DESC, n.id DESC LIMIT $2`, franchiserID, shownNotes)
	if err != nil {
		return n, fmt.Errorf("list notes: %w", err)
	}
	if err := tx.SelectContext(ctx, &n.Tags, `SELECT tag FROM customer_tags WHERE franchiser_ref = $1 ORDER BY tag`, franchiserID); err != nil {
		return n, fmt.Errorf("list tags: %w", err)
	}
	// Tags in use, those of most customers first.
	err = tx.SelectContext(ctx, &n.Known, `SELECT tag FROM customer_tags GROUP BY tag ORDER BY count(*) DESC, tag LIMIT 100`)
	if err != nil {
		return n, fmt.Errorf("list known tags: %w", err)
	}
	return n, nil
}

func insertNoteTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, n Note) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO customer_notes (id, franchiser_ref, text, pinned, written_by, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		n.ID, franchiserID, n.Text, n.Pinned, n.AuthorID, n.CreatedAt)
	if err != nil {
		return fmt.Errorf("insert note: %w", err)
	}
	return nil
}

// pinNoteTx reports whether the pin changed.
func pinNoteTx(ctx context.Context, tx *sqlx.Tx, franchiserID, noteID string, pinned bool) (bool, error) {
	var before bool
	err := tx.GetContext(ctx, &before, `SELECT pinned FROM customer_notes WHERE franchiser_ref = $1 AND id = $2 FOR UPDATE`, franchiserID, noteID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, errs.NotFound()
	}
	if err != nil || before == pinned {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE customer_notes SET pinned = $3 WHERE franchiser_ref = $1 AND id = $2`, franchiserID, noteID, pinned); err != nil {
		return false, fmt.Errorf("pin note: %w", err)
	}
	return true, nil
}

func deleteNoteTx(ctx context.Context, tx *sqlx.Tx, franchiserID, noteID string) error {
	done, err := tx.ExecContext(ctx, `DELETE FROM customer_notes WHERE franchiser_ref = $1 AND id = $2`, franchiserID, noteID)
	if err != nil {
		return fmt.Errorf("delete note: %w", err)
	}
	return oneChanged(done)
}

// tagTx reports whether the tag is new. Two that add the last tag at once may pass the limit by one.
func tagTx(ctx context.Context, tx *sqlx.Tx, franchiserID, tag, staffID string, now time.Time) (bool, error) {
	var others int
	err := tx.GetContext(ctx, &others, `SELECT count(*) FROM customer_tags WHERE franchiser_ref = $1 AND tag <> $2`, franchiserID, tag)
	if err != nil {
		return false, fmt.Errorf("count tags: %w", err)
	}
	if others >= maxTags {
		return false, errs.New(errs.KindConflict, "too_many_tags", "This customer has 10 tags already. Remove one first.")
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO customer_tags (franchiser_ref, tag, tagged_by, tagged_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
		franchiserID, tag, staffID, now)
	return changed(done, err)
}

func untagTx(ctx context.Context, tx *sqlx.Tx, franchiserID, tag string) (bool, error) {
	done, err := tx.ExecContext(ctx, `DELETE FROM customer_tags WHERE franchiser_ref = $1 AND tag = $2`, franchiserID, tag)
	return changed(done, err)
}

func changed(done sql.Result, err error) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("change tags: %w", err)
	}
	n, err := done.RowsAffected()
	return n > 0, err
}
