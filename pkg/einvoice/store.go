package einvoice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

type store struct{}

const askSQL = `
	INSERT INTO einvoice_registrations (invoice_id, franchiser_id, state, asked_at, changed_at) VALUES ($1, $2, 'waiting', $3, $3)
	ON CONFLICT (invoice_id) DO UPDATE SET tries = einvoice_registrations.tries + 1, asked_at = $3,
		state = 'waiting', changed_at = CASE einvoice_registrations.state WHEN 'waiting' THEN einvoice_registrations.changed_at ELSE $3 END
	WHERE einvoice_registrations.state IN ('waiting', 'refused', 'unsigned')`

// ask records an attempt.
func (store) ask(ctx context.Context, tx *sqlx.Tx, i invoice.Invoice, now time.Time) error {
	if _, err := tx.ExecContext(ctx, askSQL, i.ID, i.FranchiserID, now); err != nil {
		return fmt.Errorf("note registration of %s: %w", i.Number, err)
	}
	return nil
}

const registeredSQL = `
	UPDATE einvoice_registrations SET state = 'registered', code = '', message = '', signed_invoice = $2, acknowledged_at = $3, changed_at = $4
	WHERE invoice_id = $1`

func (store) registered(ctx context.Context, tx *sqlx.Tx, invoiceID string, a Registration, now time.Time) error {
	if _, err := tx.ExecContext(ctx, registeredSQL, invoiceID, a.SignedInvoice, a.AckAt, now); err != nil {
		return fmt.Errorf("keep registration: %w", err)
	}
	return nil
}

const refusedSQL = `
	UPDATE einvoice_registrations SET state = 'refused', code = $2, message = $3, changed_at = $4
	WHERE invoice_id = $1 AND state = 'waiting'`

func (store) refused(ctx context.Context, tx *sqlx.Tx, invoiceID, code, text string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, refusedSQL, invoiceID, code, text, now); err != nil {
		return fmt.Errorf("keep refusal: %w", err)
	}
	return nil
}

const unsignedSQL = `
	UPDATE einvoice_registrations SET state = 'unsigned', code = '2150', message = $2, irn = $3, ack_no = $4, acknowledged_at = $5, changed_at = $6
	WHERE invoice_id = $1 AND state = 'waiting'`

func (store) unsigned(ctx context.Context, tx *sqlx.Tx, invoiceID string, known Registration, text string, now time.Time) error {
	at := sql.NullTime{Time: known.AckAt, Valid: !known.AckAt.IsZero()}
	if _, err := tx.ExecContext(ctx, unsignedSQL, invoiceID, text, known.IRN, known.AckNo, at, now); err != nil {
		return fmt.Errorf("keep registration without a QR code: %w", err)
	}
	return nil
}

const knownSQL = `SELECT irn, ack_no, acknowledged_at FROM einvoice_registrations WHERE invoice_id = $1`

// known returns the portal's data of a registration that it did not show; empty if it gave no data.
func (store) known(ctx context.Context, tx *sqlx.Tx, invoiceID string) (Registration, error) {
	var row struct {
		IRN   string       `db:"irn"`
		AckNo string       `db:"ack_no"`
		AckAt sql.NullTime `db:"acknowledged_at"`
	}
	if err := tx.GetContext(ctx, &row, knownSQL, invoiceID); err != nil {
		return Registration{}, fmt.Errorf("read what is known of a registration: %w", err)
	}
	return Registration{IRN: row.IRN, AckNo: row.AckNo, AckAt: row.AckAt.Time.UTC()}, nil
}

const runningOutSQL = `SELECT issued_at FROM einvoices_running_out($1) ORDER BY issued_at`

// RunningOutTx returns when the documents were issued that the portal has not registered, of those issued before that moment, oldest first.
// It needs the worker's role.
func RunningOutTx(ctx context.Context, tx *sqlx.Tx, before time.Time) (issued []time.Time, err error) {
	if err = tx.SelectContext(ctx, &issued, runningOutSQL, before); err != nil {
		return nil, fmt.Errorf("list documents that the portal has not registered: %w", err)
	}
	return issued, nil
}

const cancelledSQL = `UPDATE einvoice_registrations SET state = 'cancelled', changed_at = $2 WHERE invoice_id = $1 AND state = 'registered'`

func (store) cancelled(ctx context.Context, tx *sqlx.Tx, invoiceID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, cancelledSQL, invoiceID, now); err != nil {
		return fmt.Errorf("keep cancellation: %w", err)
	}
	return nil
}

// Row is a registration in the list of staff.
type Row struct {
	InvoiceID    string `db:"invoice_id"`
	FranchiserID string `db:"franchiser_id"`
	State        State  `db:"state"`
	Tries        int    `db:"tries"`
	Code         string `db:"code"`
	Message      string `db:"message"`
	// IRN and AckNo are the portal's data of a registration that it did not show.
	IRN       string     `db:"irn"`
	AckNo     string     `db:"ack_no"`
	AckAt     *time.Time `db:"acknowledged_at"`
	AskedAt   time.Time  `db:"asked_at"`
	ChangedAt time.Time  `db:"changed_at"`
	All       int        `db:"of_all"`
	Document  invoice.Registered
}

const listSQL = `SELECT invoice_id, franchiser_id, state, tries, code, message, irn, ack_no, acknowledged_at, asked_at, changed_at, of_all FROM einvoices($1, $2, $3, $4)`

func (store) list(ctx context.Context, tx *sqlx.Tx, state State, limit, offset int) ([]Row, error) {
	rows := []Row{}
	if err := tx.SelectContext(ctx, &rows, listSQL, state, nil, limit, offset); err != nil {
		return nil, fmt.Errorf("list registrations: %w", err)
	}
	return rows, nil
}

// one returns the registration of a document, or errs.NotFound.
func (store) one(ctx context.Context, tx *sqlx.Tx, invoiceID string) (Row, error) {
	var row Row
	err := tx.GetContext(ctx, &row, listSQL, "", invoiceID, 1, 0)
	if errors.Is(err, sql.ErrNoRows) {
		return row, errs.NotFound()
	}
	if err != nil {
		return row, fmt.Errorf("read registration: %w", err)
	}
	return row, nil
}

func (store) refusedOf(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string) (refused bool, err error) {
	err = tx.GetContext(ctx, &refused,
		`SELECT EXISTS (SELECT FROM einvoice_registrations WHERE franchiser_id = $1 AND invoice_id = $2 AND state IN ($3, $4))`,
		franchiserID, invoiceID, StateRefused, StateUnsigned)
	if err != nil {
		return false, fmt.Errorf("read whether a document was refused: %w", err)
	}
	return refused, nil
}

const countsSQL = `SELECT state, documents FROM einvoice_counts()`

func (store) counts(ctx context.Context, tx *sqlx.Tx) (map[State]int, error) {
	var rows []struct {
		State     State `db:"state"`
		Documents int   `db:"documents"`
	}
	if err := tx.SelectContext(ctx, &rows, countsSQL); err != nil {
		return nil, fmt.Errorf("count registrations: %w", err)
	}
	counts := map[State]int{}
	for _, row := range rows {
		counts[row.State] = row.Documents
	}
	return counts, nil
}
