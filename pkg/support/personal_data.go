package support

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/timeline"
)

// PersonalData exports and erases what staff noted about a customer.
type PersonalData struct{}

// NotesExport is what staff noted about a person, in the export of personal data.
type NotesExport struct {
	Notes []NoteExport `json:"notes"`
	Tags  []string     `json:"tags"`
}

// NoteExport is one note in the export of personal data; it does not name its author.
type NoteExport struct {
	Text      string    `json:"text" db:"text"`
	CreatedAt time.Time `json:"created_at" db:"created_at"`
}

// ExportTx returns the notes and tags under the section "notes_of_staff", or nil.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	section = "notes_of_staff"
	out := NotesExport{Notes: []NoteExport{}, Tags: []string{}}
	if err := tx.SelectContext(ctx, &out.Notes, `SELECT text, created_at FROM customer_notes WHERE franchiser_ref = $1 ORDER BY created_at, id`, franchiserID); err != nil {
		return section, nil, fmt.Errorf("export notes: %w", err)
	}
	if err := tx.SelectContext(ctx, &out.Tags, `SELECT tag FROM customer_tags WHERE franchiser_ref = $1 ORDER BY tag`, franchiserID); err != nil {
		return section, nil, fmt.Errorf("export tags: %w", err)
	}
	if len(out.Notes)+len(out.Tags) == 0 {
		return section, nil, nil
	}
	return section, out, nil
}

const (
	// An undecided act of an erased account is withdrawn.
	withdrawActsSQL = `UPDATE staff_acts SET state = 'withdrawn', decision_reason = 'The account was erased.'
		WHERE franchiser_ref = $1 AND state = 'waiting'`
	endScheduledSQL = `UPDATE staff_acts SET state = 'failed', outcome = 'The account was erased.', finished_at = decided_at
		WHERE franchiser_ref = $1 AND state = 'scheduled'`
	eraseActsSQL = `UPDATE staff_acts SET content = '{}', facts = '[]', erased_at = coalesce(finished_at, decided_at, requested_at)
		WHERE franchiser_ref = $1 AND erased_at IS NULL AND state <> 'approved'`
)

// EraseTx deletes the notes and tags, and the content of acts, such as a new mobile. The audit trail keeps the fact that staff wrote a
// note or requested an act. An act that a worker is executing keeps its content.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	for _, statement := range []string{`DELETE FROM customer_notes WHERE franchiser_ref = $1`, `DELETE FROM customer_tags WHERE franchiser_ref = $1`, withdrawActsSQL, endScheduledSQL, eraseActsSQL} {
		if _, err := tx.ExecContext(ctx, statement, franchiserID); err != nil {
			return fmt.Errorf("erase notes: %w", err)
		}
	}
	return nil
}

// MoveTx changes nothing: a note keeps its text.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }

// TimelineSources tell the notes of staff.
func TimelineSources() []timeline.Source {
	return []timeline.Source{{Name: "note", Kind: timeline.KindNote, SQL: `
		SELECT n.created_at AS at, n.id::text AS id, 'Note' AS title, CASE WHEN n.pinned THEN 'pinned' ELSE 'done' END AS status, '' AS reference,
			m.name AS actor, NULL::text AS request, jsonb_build_object('text', n.text) AS details
		FROM customer_notes n JOIN staff_overview m ON m.id = n.written_by WHERE n.franchiser_ref = $1`}}
}
