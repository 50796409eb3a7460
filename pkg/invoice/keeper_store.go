package invoice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// kept is a document that the object store should have.
type kept struct {
	InvoiceID string `db:"invoice_id"`
	ObjectKey string `db:"object_key"`
}

// look is the result of checking a page; after is the last document that was checked.
type look struct {
	after       string
	there, lost []string
	ended       bool
}

const nextToCheckSQL = `
	SELECT d.invoice_id, d.object_key FROM invoice_documents d, document_check c
	WHERE c.after IS NULL OR d.invoice_id > c.after
	ORDER BY d.invoice_id LIMIT $1`

func (store) nextToCheck(ctx context.Context, tx *sqlx.Tx, most int) ([]kept, error) {
	var page []kept
	if err := tx.SelectContext(ctx, &page, nextToCheckSQL, most); err != nil {
		return nil, fmt.Errorf("read documents to look at: %w", err)
	}
	return page, nil
}

const (
	insertLostSQL = `
	INSERT INTO lost_documents (invoice_id, found_at) SELECT unnest($1::uuid[]), $2 ON CONFLICT (invoice_id) DO NOTHING`
	foundSQL    = `DELETE FROM lost_documents WHERE invoice_id = ANY ($1::uuid[])`
	noteLookSQL = `
	UPDATE document_check SET after = CASE WHEN $1 THEN NULL ELSE coalesce(nullif($2, '')::uuid, after) END,
		ended_at = CASE WHEN $1 THEN $3 ELSE ended_at END`
)

func (s store) noteLook(ctx context.Context, tx *sqlx.Tx, l look, now time.Time) error {
	if len(l.lost) > 0 {
		if _, err := tx.ExecContext(ctx, insertLostSQL, pq.Array(l.lost), now); err != nil {
			return fmt.Errorf("note lost documents: %w", err)
		}
	}
	if err := s.found(ctx, tx, l.there); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, noteLookSQL, l.ended, l.after, now); err != nil {
		return fmt.Errorf("note how far the check is: %w", err)
	}
	return nil
}

// found records that documents are present.
func (store) found(ctx context.Context, tx *sqlx.Tx, invoiceIDs []string) error {
	if len(invoiceIDs) == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, foundSQL, pq.Array(invoiceIDs)); err != nil {
		return fmt.Errorf("note found documents: %w", err)
	}
	return nil
}

const nextLostSQL = `SELECT invoice_id FROM lost_documents WHERE tried_by IS DISTINCT FROM $1 ORDER BY invoice_id LIMIT 1`

// nextLost returns a lost document that the job has not tried yet, or "".
func (store) nextLost(ctx context.Context, tx *sqlx.Tx, jobID int64) (string, error) {
	var invoiceID string
	err := tx.GetContext(ctx, &invoiceID, nextLostSQL, jobID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read lost documents: %w", err)
	}
	return invoiceID, nil
}

const markDifferentSQL = `UPDATE lost_documents SET tried_by = $2, different = true WHERE invoice_id = $1`

func (store) markDifferent(ctx context.Context, tx *sqlx.Tx, invoiceID string, jobID int64) error {
	if _, err := tx.ExecContext(ctx, markDifferentSQL, invoiceID, jobID); err != nil {
		return fmt.Errorf("note a document that is drawn differently: %w", err)
	}
	return nil
}

const lossesSQL = `
	SELECT count(*) AS count, count(*) FILTER (WHERE different) AS different, min(found_at) AS since,
		(SELECT ended_at FROM document_check) AS checked
	FROM lost_documents`

func (store) losses(ctx context.Context, tx *sqlx.Tx) (Losses, error) {
	var l Losses
	if err := tx.GetContext(ctx, &l, lossesSQL); err != nil {
		return Losses{}, fmt.Errorf("count lost documents: %w", err)
	}
	return l, nil
}
