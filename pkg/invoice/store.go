package invoice

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// store holds all SQL of the invoice tables; row-level security backs every franchiser_id it names.
type store struct{}

// The upsert locks the counter's row until the transaction ends; a rollback releases the number. Of two transactions
// that began on either side of midnight the earlier may come second: it then takes the other's timestamp.
const takeNumberSQL = `
	INSERT INTO invoice_counters (series, financial_year, last, last_issued_at) VALUES ($1, $2, 1, $3)
	ON CONFLICT (series, financial_year) DO UPDATE
	SET last = invoice_counters.last + 1, last_issued_at = greatest(invoice_counters.last_issued_at, $3)
	RETURNING last, last_issued_at`

// takeNumber sets the next number of the series and the time of issue. lastIssued returns the date of the last document of the series, or
// zero.
func (store) lastIssued(ctx context.Context, tx *sqlx.Tx, series, year string) (time.Time, error) {
	var at sql.NullTime
	err := tx.GetContext(ctx, &at, `SELECT max(last_issued_at) FROM invoice_counters WHERE series = $1 AND financial_year = $2`, series, year)
	if err != nil {
		return time.Time{}, fmt.Errorf("read the last date of %s/%s: %w", series, year, err)
	}
	return at.Time.UTC(), nil
}

func (store) takeNumber(ctx context.Context, tx *sqlx.Tx, i *Invoice) error {
	row := tx.QueryRowxContext(ctx, takeNumberSQL, i.Series, i.FinancialYear, i.IssuedAt)
	if err := row.Scan(&i.Sequence, &i.IssuedAt); err != nil {
		return fmt.Errorf("take number of %s/%s: %w", i.Series, i.FinancialYear, err)
	}
	i.IssuedAt = i.IssuedAt.UTC()
	return nil
}

const insertSQL = `
	WITH head AS (
		INSERT INTO invoices (id, franchiser_id, kind, payment_id, original_id, refund_id, reason, series, financial_year,
			sequence, number, issued_at, supplier, recipient, receipt, place_of_supply, reverse_charge, regime,
			amount_paise, discount_paise, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise, total_paise,
			applied_payment_id, commercial, corrects_id)
		VALUES ($1, $2, $3, $4, nullif($5, '')::uuid, nullif($6, '')::uuid, $7, $8, $9,
			$10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
			nullif($28, '')::uuid, $29, nullif($30, '')::uuid)
	)
	INSERT INTO invoice_lines (invoice_id, franchiser_id, position, description, detail, sac, rate_bps, quantity,
		amount_paise, discount_paise, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise)
	SELECT $1, $2, position, description, detail, sac, rate_bps, quantity,
		amount_paise, discount_paise, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise
	FROM jsonb_to_recordset($27::jsonb) AS l (position int, description text, detail text, sac text, rate_bps int,
		quantity bigint, amount_paise bigint, discount_paise bigint, taxable_paise bigint,
		cgst_paise bigint, sgst_paise bigint, utgst_paise bigint, igst_paise bigint)`

func (store) insert(ctx context.Context, tx *sqlx.Tx, i Invoice) error {
	parts := make([]string, 4)
	for n, part := range []any{i.Supplier, i.Recipient, i.Receipt, i.Lines} {
		text, err := json.Marshal(part)
		if err != nil {
			return fmt.Errorf("write snapshot of %s: %w", i.Number, err)
		}
		parts[n] = string(text)
	}
	t := i.Totals
	_, err := tx.ExecContext(ctx, insertSQL, i.ID, i.FranchiserID, i.Kind, i.PaymentID, i.OriginalID, i.RefundID, i.Reason,
		i.Series, i.FinancialYear, i.Sequence, i.Number, i.IssuedAt, parts[0], parts[1], parts[2],
		i.PlaceOfSupply, i.ReverseCharge, i.Regime, t.Amount, t.Discount, t.Taxable, t.CGST, t.SGST, t.UTGST, t.IGST,
		t.Total, parts[3], i.AppliedPaymentID, i.Commercial, i.CorrectsID)
	if err != nil {
		return fmt.Errorf("insert %s %s: %w", i.Kind, i.Number, err)
	}
	return nil
}

// selectSQL reads whole documents; callers append the condition.
const selectSQL = `
	SELECT i.id, i.franchiser_id, i.kind, i.payment_id, coalesce(i.original_id::text, '') AS original_id,
		coalesce(o.number, '') AS original_number, o.issued_at AS original_date, coalesce(i.refund_id::text, '') AS refund_id,
		coalesce(i.applied_payment_id::text, '') AS applied_payment_id, i.commercial, i.reason, i.series, i.financial_year, i.sequence, i.number, i.issued_at, i.supplier, i.recipient, i.receipt,
		i.place_of_supply, i.reverse_charge, i.regime, i.amount_paise, i.discount_paise, i.taxable_paise,
		i.cgst_paise, i.sgst_paise, i.utgst_paise, i.igst_paise, i.total_paise,
		i.replaced, coalesce(i.corrects_id::text, '') AS corrects_id, coalesce(c.number, '') AS corrects_number,
		coalesce(i.irn, '') AS irn, coalesce(i.ack_no, '') AS ack_no, coalesce(i.signed_qr, '') AS signed_qr, i.ack_at,
		(SELECT jsonb_agg(to_jsonb(l) ORDER BY l.position) FROM invoice_lines l WHERE l.invoice_id = i.id) AS lines,
		(SELECT jsonb_agg(jsonb_build_object('number', n.number, 'issued_at', n.issued_at, 'total_paise', n.total_paise)
			ORDER BY n.series, n.financial_year, n.sequence)
		 FROM invoices n WHERE i.kind = 'invoice' AND n.franchiser_id = i.franchiser_id AND n.applied_payment_id = i.payment_id) AS credits
	FROM invoices i LEFT JOIN invoices o ON o.franchiser_id = i.franchiser_id AND o.id = i.original_id
		LEFT JOIN invoices c ON c.franchiser_id = i.franchiser_id AND c.id = i.corrects_id
	WHERE `

// row is a result row of selectSQL.
type row struct {
	ID             string       `db:"id"`
	FranchiserID   string       `db:"franchiser_id"`
	Kind           Kind         `db:"kind"`
	PaymentID      string       `db:"payment_id"`
	OriginalID     string       `db:"original_id"`
	OriginalNumber string       `db:"original_number"`
	OriginalDate   sql.NullTime `db:"original_date"`
	RefundID       string       `db:"refund_id"`
	Applied        string       `db:"applied_payment_id"`
	Commercial     bool         `db:"commercial"`
	Replaced       bool         `db:"replaced"`
	CorrectsID     string       `db:"corrects_id"`
	CorrectsNumber string       `db:"corrects_number"`
	Credits        []byte       `db:"credits"`
	Reason         string       `db:"reason"`
	Series         string       `db:"series"`
	FinancialYear  string       `db:"financial_year"`
	Sequence       int64        `db:"sequence"`
	Number         string       `db:"number"`
	IssuedAt       time.Time    `db:"issued_at"`
	Supplier       []byte       `db:"supplier"`
	Recipient      []byte       `db:"recipient"`
	Receipt        []byte       `db:"receipt"`
	PlaceOfSupply  StateCode    `db:"place_of_supply"`
	ReverseCharge  bool         `db:"reverse_charge"`
	Regime         Regime       `db:"regime"`
	Lines          []byte       `db:"lines"`
	IRN            string       `db:"irn"`
	AckNo          string       `db:"ack_no"`
	SignedQR       string       `db:"signed_qr"`
	AckAt          sql.NullTime `db:"ack_at"`
	Totals
}

func (r row) invoice() (Invoice, error) {
	i := Invoice{
		ID: r.ID, FranchiserID: r.FranchiserID, Kind: r.Kind, PaymentID: r.PaymentID,
		OriginalID: r.OriginalID, OriginalNumber: r.OriginalNumber, RefundID: r.RefundID, Reason: r.Reason,
		Series: r.Series, FinancialYear: r.FinancialYear, Sequence: r.Sequence, Number: r.Number,
		IssuedAt: r.IssuedAt.UTC(), PlaceOfSupply: r.PlaceOfSupply, ReverseCharge: r.ReverseCharge, Regime: r.Regime,
		Totals: r.Totals, IRN: r.IRN, AckNo: r.AckNo, AckAt: r.AckAt.Time.UTC(), SignedQR: r.SignedQR,
		AppliedPaymentID: r.Applied, Commercial: r.Commercial,
		Replaced: r.Replaced, CorrectsID: r.CorrectsID, CorrectsNumber: r.CorrectsNumber,
	}
	if r.Credits != nil {
		if err := json.Unmarshal(r.Credits, &i.Credits); err != nil {
			return Invoice{}, fmt.Errorf("read credits of %s: %w", r.Number, err)
		}
	}
	if r.OriginalDate.Valid {
		i.OriginalDate = r.OriginalDate.Time.UTC()
	}
	err := errors.Join(
		json.Unmarshal(r.Supplier, &i.Supplier), json.Unmarshal(r.Recipient, &i.Recipient),
		json.Unmarshal(r.Receipt, &i.Receipt), json.Unmarshal(r.Lines, &i.Lines),
	)
	if err != nil {
		return Invoice{}, fmt.Errorf("read snapshot of %s: %w", r.Number, err)
	}
	return i, nil
}

func (store) get(ctx context.Context, tx *sqlx.Tx, condition string, args ...any) (Invoice, error) {
	var r row
	err := tx.GetContext(ctx, &r, selectSQL+condition, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return Invoice{}, ErrNotFound
	}
	if err != nil {
		return Invoice{}, fmt.Errorf("read invoice: %w", err)
	}
	return r.invoice()
}

// byIDOrPayment returns the document with that id, or the payment's invoice that was not replaced.
func (s store) byIDOrPayment(ctx context.Context, tx *sqlx.Tx, franchiserID, id string) (Invoice, error) {
	return s.get(ctx, tx, `i.franchiser_id = $1 AND (i.id = $2 OR (i.payment_id = $2 AND i.kind = 'invoice' AND NOT i.replaced))`, franchiserID, id)
}

func (s store) byPayment(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) (Invoice, error) {
	return s.get(ctx, tx, `i.franchiser_id = $1 AND i.payment_id = $2 AND i.kind = 'invoice' AND NOT i.replaced`, franchiserID, paymentID)
}

// noteOf returns the existing note of the original for the refund or upgrade.
func (s store) noteOf(ctx context.Context, tx *sqlx.Tx, original Invoice, in CreditNoteInput) (Invoice, error) {
	if in.AppliedPaymentID != "" {
		return s.get(ctx, tx, `i.franchiser_id = $1 AND i.original_id = $2 AND i.applied_payment_id = $3`,
			in.FranchiserID, original.ID, in.AppliedPaymentID)
	}
	return s.get(ctx, tx, `i.franchiser_id = $1 AND i.refund_id = $2 AND i.kind = 'credit_note'`, in.FranchiserID, in.RefundID)
}

// byID returns a document of any franchiser; only the worker's role sees it.
func (s store) byID(ctx context.Context, tx *sqlx.Tx, id string) (Invoice, error) {
	return s.get(ctx, tx, `i.id = $1`, id)
}

// notesOf lists the credit notes of an invoice in the order of their numbers.
func (s store) notesOf(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string) ([]Invoice, error) {
	return s.list(ctx, tx, `i.franchiser_id = $1 AND i.original_id = $2 AND i.kind = 'credit_note'
		ORDER BY i.financial_year, i.sequence`, franchiserID, invoiceID)
}

// ofFranchiser lists all documents of a franchiser, oldest first.
func (s store) ofFranchiser(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Invoice, error) {
	return s.list(ctx, tx, `i.franchiser_id = $1 ORDER BY i.issued_at, i.number`, franchiserID)
}

func (store) list(ctx context.Context, tx *sqlx.Tx, condition string, args ...any) ([]Invoice, error) {
	var rows []row
	if err := tx.SelectContext(ctx, &rows, selectSQL+condition, args...); err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	documents := make([]Invoice, 0, len(rows))
	for _, r := range rows {
		document, err := r.invoice()
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
	return documents, nil
}

const linkSQL = `
	SELECT i.id, i.number, i.kind, coalesce(d.object_key, '') AS object_key
	FROM invoices i LEFT JOIN invoice_documents d ON d.invoice_id = i.id AND d.franchiser_id = i.franchiser_id
	WHERE i.franchiser_id = $1 AND (i.id = $2 OR (i.payment_id = $2 AND i.kind = 'invoice' AND NOT i.replaced))`

// Ref holds the few fields of a document that lists and links need.
type Ref struct {
	ID        string `db:"id"`
	Number    string `db:"number"`
	Kind      Kind   `db:"kind"`
	ObjectKey string `db:"object_key"`
}

// Ready reports whether the PDF has been rendered and can be linked.
func (r Ref) Ready() bool { return r.ObjectKey != "" }

// ref returns a document by its id or its payment's, or ErrNotFound.
func (store) ref(ctx context.Context, tx *sqlx.Tx, franchiserID, id string) (Ref, error) {
	var ref Ref
	err := tx.GetContext(ctx, &ref, linkSQL, franchiserID, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Ref{}, ErrNotFound
	}
	if err != nil {
		return Ref{}, fmt.Errorf("read document of invoice: %w", err)
	}
	return ref, nil
}

const documentSQL = `
	SELECT invoice_id, object_key, sha256, size_bytes, rendered_at FROM invoice_documents WHERE invoice_id = $1`

// document returns where the PDF is stored; found is false until it is rendered.
func (store) document(ctx context.Context, tx *sqlx.Tx, invoiceID string) (doc Document, found bool, err error) {
	err = tx.GetContext(ctx, &doc, documentSQL, invoiceID)
	if errors.Is(err, sql.ErrNoRows) {
		return Document{}, false, nil
	}
	if err != nil {
		return Document{}, false, fmt.Errorf("read document: %w", err)
	}
	doc.RenderedAt = doc.RenderedAt.UTC()
	return doc, true, nil
}

// The first of two workers that rendered the same document wins; both rendered the same bytes.
const insertDocumentSQL = `
	INSERT INTO invoice_documents (invoice_id, franchiser_id, object_key, sha256, size_bytes, rendered_at)
	VALUES ($1, $2, $3, $4, $5, $6)
	ON CONFLICT (invoice_id) DO NOTHING`

func (store) insertDocument(ctx context.Context, tx *sqlx.Tx, franchiserID string, d Document) error {
	_, err := tx.ExecContext(ctx, insertDocumentSQL, d.InvoiceID, franchiserID, d.ObjectKey, d.SHA256, d.SizeBytes, d.RenderedAt)
	if err != nil {
		return fmt.Errorf("insert document: %w", err)
	}
	return nil
}
