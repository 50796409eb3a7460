// Package inputtax records what recipients of credit notes did about their input tax credit.
package inputtax

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// State records what happened to the input tax credit that the recipient of a credit note may have taken.
type State string

// The states. Since 1 October 2025 a note reduces tax only if the recipient reversed the credit or never claimed it (section 34(2) CGST
// Act). A note without any record is Unknown.
const (
	Unknown  State = "unknown"
	Reversed State = "reversed"
	NotTaken State = "not_taken"
	Refused  State = "refused"
)

// Valid reports whether the state is one of these.
func (s State) Valid() bool {
	return s == Unknown || s == Reversed || s == NotTaken || s == Refused
}

// Recording errors, safe to show.
var (
	// ErrNoInputTax reports that a document has no input tax credit to reverse.
	ErrNoInputTax = errs.New(errs.KindConflict, "no_input_tax",
		"Only a credit note with GST to a recipient with a GSTIN has input tax credit to reverse.")
	// ErrSame reports that the note already has the state.
	ErrSame = errs.New(errs.KindConflict, "input_tax_state_known", "This is already recorded for the credit note.")
)

// Length limits of the evidence, in characters.
const (
	minEvidence = 3
	maxEvidence = 500
)

// Record is one recorded state of a note, with its evidence.
type Record struct {
	ID       string    `db:"id"          json:"id"`
	State    State     `db:"state"       json:"state"`
	Evidence string    `db:"evidence"    json:"evidence"`
	By       string    `db:"staff_name"  json:"staff_name"`
	At       time.Time `db:"recorded_at" json:"recorded_at"`
}

// ReversingNote is a credit note whose recipient has input tax credit to reverse, with its recorded state. Amounts are in paise.
type ReversingNote struct {
	ID            string      `db:"id"`
	FranchiserID  string      `db:"franchiser_id"`
	Number        string      `db:"number"`
	IssuedAt      time.Time   `db:"issued_at"`
	Name          string      `db:"name"`
	GSTIN         string      `db:"gstin"`
	Taxable       money.Paise `db:"taxable_paise"`
	Tax           money.Paise `db:"tax_paise"`
	Total         money.Paise `db:"total_paise"`
	TransactionID string      `db:"transaction_id"`
	State         State       `db:"state"`
	Evidence      string      `db:"evidence"`
	By            string      `db:"recorded_by"`
	At            *time.Time  `db:"recorded_at"`
}

// Desk lets staff record what recipients did about the input tax credit of their credit notes. It runs with the API's role.
type Desk struct {
	db       *sqlx.DB
	clock    clock.Clock
	books    *ledger.Service
	recorder payment.Recorder
}

// NewDesk returns a Desk on the API's pool; the recorder logs every record in the same transaction.
func NewDesk(db *sqlx.DB, clk clock.Clock, books *ledger.Service, recorder payment.Recorder) *Desk {
	return wiring.Complete(&Desk{db: db, clock: clk, books: books, recorder: recorder})
}

// Record appends the state of a credit note with its evidence. Refused makes the note's tax owed again, at our own expense; any later
// state reverses that. It returns the whole history, oldest first; errs.NotFound for a document that is not the customer's,
// ErrNoInputTax, ErrInputTaxSame, or a validation error for state or evidence.
func (s *Desk) Record(ctx context.Context, p staff.Principal, franchiserID, noteID string, state State, evidence string) ([]Record, error) {
	evidence = strings.Join(strings.Fields(evidence), " ")
	var v errs.Validation
	v.Check(state.Valid(), "state", "Choose one of the four.")
	letters := utf8.RuneCountInString(evidence)
	v.Check(letters >= minEvidence && letters <= maxEvidence, "evidence", "Say what shows it, in 3 to 500 letters.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	if !id.Valid(franchiserID) || !id.Valid(noteID) {
		return nil, errs.NotFound()
	}
	var history []Record
	err := subscription.InLockedTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		note, err := reversingNoteTx(ctx, tx, franchiserID, noteID)
		if err != nil {
			return err
		}
		if history, err = inputTaxTx(ctx, tx, franchiserID, noteID); err != nil {
			return err
		}
		before := Unknown
		if len(history) > 0 {
			before = history[len(history)-1].State
		}
		if before == state {
			return ErrSame
		}
		record := Record{ID: id.New(), State: state, Evidence: evidence, By: p.Name, At: s.clock.Now().UTC().Truncate(time.Microsecond)}
		history = append(history, record)
		if err := insertInputTaxTx(ctx, tx, note, record, len(history), p.StaffID); err != nil {
			return err
		}
		if err := s.bookTx(ctx, tx, note, record, before); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "record_input_tax", Target: "payment:" + note.PaymentID, FranchiserRef: &note.FranchiserID, Reason: evidence,
			Before: staff.JSON(map[string]any{"credit_note": note.Number, "state": before}),
			After:  staff.JSON(map[string]any{"credit_note": note.Number, "state": state}),
		})
	})
	return history, err
}

// bookTx posts the entries for a change of state: the tax of the note is owed again while the reversal is refused.
func (s *Desk) bookTx(ctx context.Context, tx *sqlx.Tx, note reversingNote, record Record, before State) error {
	owed := ledger.OwedTax{
		FranchiserID: note.FranchiserID, PaymentID: note.PaymentID, InvoiceID: note.ID, Number: note.Number, Tax: note.Tax,
		Reference: record.ID, At: record.At,
	}
	switch {
	case record.State == Refused:
		return s.books.PostTx(ctx, tx, ledger.InputTaxRefused(owed))
	case before == Refused:
		return s.books.PostTx(ctx, tx, ledger.InputTaxRestored(owed))
	default:
		return nil
	}
}

// Notes lists the credit notes of all customers whose recipients have input tax credit to reverse, newest first, and counts them.
// A non-empty state filters the list. For staff.
func (s *Desk) Notes(ctx context.Context, state State, limit, offset int) (notes []ReversingNote, total int, err error) {
	if state != "" && !state.Valid() {
		return nil, 0, errs.Invalid("Please check the marked fields.").Field("state", "Choose one of the four.")
	}
	err = postgres.InRead(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		notes, total, err = reversingNotesTx(ctx, tx, state, limit, offset)
		return err
	})
	return notes, total, err
}

// Export is Notes for a file, limited to most rows. It is recorded in the audit trail because it holds many customers' names.
func (s *Desk) Export(ctx context.Context, p staff.Principal, state State, most int) ([]ReversingNote, error) {
	if state != "" && !state.Valid() {
		return nil, errs.Invalid("Please check the marked fields.").Field("state", "Choose one of the four.")
	}
	var notes []ReversingNote
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if notes, _, err = reversingNotesTx(ctx, tx, state, most, 0); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "export_credit_notes", Target: "credit_notes", Reason: "Export of the credit notes",
			After: staff.JSON(map[string]any{"state": state, "rows": len(notes)}),
		})
	})
	return notes, err
}

// reversingNote holds the tax-related fields of a credit note.
type reversingNote struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	PaymentID    string `db:"payment_id"`
	Number       string `db:"number"`
	Reverses     bool   `db:"reverses"`
	invoice.Tax
}

const reversingNoteSQL = `
	SELECT id, franchiser_id, payment_id, number, cgst_paise, sgst_paise, utgst_paise, igst_paise,
		reverses_input_tax AS reverses
	FROM document_overview WHERE franchiser_id = $1 AND id = $2`

// reversingNoteTx reads a credit note of the franchiser; errs.NotFound if there is no such document, ErrNoInputTax for another kind.
func reversingNoteTx(ctx context.Context, tx *sqlx.Tx, franchiserID, noteID string) (reversingNote, error) {
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

func inputTaxTx(ctx context.Context, tx *sqlx.Tx, franchiserID, noteID string) ([]Record, error) {
	var history []Record
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

func insertInputTaxTx(ctx context.Context, tx *sqlx.Tx, note reversingNote, r Record, sequence int, staffID string) error {
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

func reversingNotesTx(ctx context.Context, tx *sqlx.Tx, state State, limit, offset int) ([]ReversingNote, int, error) {
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
