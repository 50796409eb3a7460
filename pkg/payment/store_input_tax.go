package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const reversingNoteSQL = `
	SELECT id, franchiser_id, payment_id, number, cgst_paise, sgst_paise, utgst_paise, igst_paise,
		reverses_input_tax AS reverses
	FROM document_overview WHERE franchiser_id = $1 AND id = $2`

// reversingNote reads a credit note of the franchiser; errs.NotFound without the document, ErrNoInputTax for one of another kind.
func (store) reversingNote(ctx context.Context, tx *sqlx.Tx, franchiserID, noteID string) (reversingNote, error) {
	var note reversingNote
	err := tx.GetContext(ctx, &note, reversingNoteSQL, franchiserID, noteID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return note, errs.NotFound()
	case err != nil:
		return note, fmt.Errorf("read credit note: %w", err)
	case !note.Reverses:
		return note, ErrNoInputTax
	}
	return note, nil
}

const inputTaxSQL = `
	SELECT id, state, evidence, staff_name, recorded_at FROM input_tax_states
	WHERE franchiser_id = $1 AND invoice_id = $2 ORDER BY sequence`

func (store) inputTax(ctx context.Context, tx *sqlx.Tx, franchiserID, noteID string) ([]InputTaxRecord, error) {
	var history []InputTaxRecord
	if err := tx.SelectContext(ctx, &history, inputTaxSQL, franchiserID, noteID); err != nil {
		return nil, fmt.Errorf("read what is known of the input tax: %w", err)
	}
	for i := range history {
		history[i].At = history[i].At.UTC()
	}
	return history, nil
}

const insertInputTaxSQL = `
	INSERT INTO input_tax_states (id, franchiser_id, invoice_id, sequence, state, evidence, staff_id, staff_name, recorded_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

func (store) insertInputTax(ctx context.Context, tx *sqlx.Tx, note reversingNote, r InputTaxRecord, sequence int, staffID string) error {
	_, err := tx.ExecContext(ctx, insertInputTaxSQL, r.ID, note.FranchiserID, note.ID, sequence, r.State, r.Evidence, staffID, r.By, r.At)
	if err != nil {
		return fmt.Errorf("record input tax: %w", err)
	}
	return nil
}

const reversingNotesSQL = `
	SELECT id, franchiser_id, number, issued_at, name, gstin, taxable_paise, tax_paise, total_paise, transaction_id, state, evidence,
		recorded_by, recorded_at, of_all
	FROM reversing_notes($1, $2, $3)`

func (store) reversingNotes(ctx context.Context, tx *sqlx.Tx, state InputTaxState, limit, offset int) ([]ReversingNote, int, error) {
	var rows []struct {
		ReversingNote
		OfAll int `db:"of_all"`
	}
	if err := tx.SelectContext(ctx, &rows, reversingNotesSQL, state, limit, offset); err != nil {
		return nil, 0, fmt.Errorf("list credit notes: %w", err)
	}
	notes, total := make([]ReversingNote, 0, len(rows)), 0
	for _, r := range rows {
		notes, total = append(notes, r.ReversingNote), r.OfAll
	}
	return notes, total, nil
}
