package invoice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// ErrUnregistered reports a document that the Invoice Registration Portal has to register before it is rendered.
var ErrUnregistered = errors.New("invoice: not registered yet")

// MustRegister reports whether the document has to be registered at the portal, if registration starts at that moment: invoices and credit
// notes with GST to recipients with a GSTIN (rule 48(4), CGST Rules; notification 13/2020, central tax). A zero moment registers nothing.
func (i Invoice) MustRegister(from time.Time) bool {
	return mustRegister(from, i.Kind, i.IssuedAt, i.Recipient.GSTIN, i.Commercial)
}

// MustRegister is Invoice.MustRegister of a document of the return.
func (d Taxed) MustRegister(from time.Time) bool {
	return mustRegister(from, d.Kind, d.IssuedAt, d.GSTIN, d.Commercial)
}

func mustRegister(from time.Time, kind Kind, issued time.Time, gstin string, commercial bool) bool {
	return !from.IsZero() && !issued.Before(from) && gstin != "" && !commercial && (kind == KindInvoice || kind == KindCreditNote)
}

// RegisterTx enqueues the registration of the document; its rendering follows.
func RegisterTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, i Invoice) error {
	return enqueueTx(ctx, tx, jobs, i, RegisterArgs{InvoiceID: i.ID})
}

// RenderTx enqueues the rendering of the document.
func RenderTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, i Invoice) error {
	return enqueueTx(ctx, tx, jobs, i, RenderArgs{InvoiceID: i.ID})
}

func enqueueTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, i Invoice, args queue.Args) error {
	_, err := jobs.InsertTx(ctx, tx, args, queue.Options{
		Queue: queue.QueueDocuments, Unique: true,
		Subject: queue.Subject{FranchiserID: i.FranchiserID, PaymentID: i.PaymentID, InvoiceID: i.ID},
	})
	return err
}

// DocumentTx returns any customer's document, with the worker's rights, or ErrNotFound.
func DocumentTx(ctx context.Context, tx *sqlx.Tx, invoiceID string) (Invoice, error) {
	return store{}.byID(ctx, tx, invoiceID)
}

const registeredSQL = `UPDATE invoices SET irn = $2, ack_no = $3, signed_qr = $4, ack_at = $5 WHERE id = $1 AND irn IS NULL`

// RegisteredTx adds the portal's registration to the document, once: reference number, acknowledgement with its day, and signed QR code.
func RegisteredTx(ctx context.Context, tx *sqlx.Tx, invoiceID, irn, ackNo string, ackAt time.Time, signedQR string) error {
	if _, err := tx.ExecContext(ctx, registeredSQL, invoiceID, irn, ackNo, signedQR, ackAt); err != nil {
		return fmt.Errorf("add registration: %w", err)
	}
	return nil
}

// Registered is a document as a list of registrations shows it.
type Registered struct {
	ID       string      `db:"id"`
	Kind     Kind        `db:"kind"`
	Number   string      `db:"number"`
	IssuedAt time.Time   `db:"issued_at"`
	Total    money.Paise `db:"total_paise"`
	Name     string      `db:"name"`
	GSTIN    string      `db:"gstin"`
	IRN      string      `db:"irn"`
	AckNo    string      `db:"ack_no"`
}

const registeredDocumentsSQL = `SELECT id, kind, number, issued_at, total_paise, name, gstin, irn, ack_no FROM registered_documents($1)`

// RegisteredDocumentsTx returns documents by their ids. The transaction has to carry the proof of a member of staff.
func RegisteredDocumentsTx(ctx context.Context, tx *sqlx.Tx, ids []string) (map[string]Registered, error) {
	var rows []Registered
	if err := tx.SelectContext(ctx, &rows, registeredDocumentsSQL, pq.Array(ids)); err != nil {
		return nil, fmt.Errorf("read registered documents: %w", err)
	}
	all := make(map[string]Registered, len(rows))
	for _, row := range rows {
		all[row.ID] = row
	}
	return all, nil
}
