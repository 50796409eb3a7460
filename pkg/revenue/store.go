package revenue

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// store contains all SQL of the schedule.
type store struct{}

// lock makes two runs book one after the other.
func (store) lock(ctx context.Context, tx *sqlx.Tx) error {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('revenue_days', 0))`); err != nil {
		return fmt.Errorf("wait for whoever books revenue: %w", err)
	}
	return nil
}

const nextSQL = `SELECT coalesce((SELECT max(day) + 1 FROM revenue_days),
	(SELECT day_in_india(issued_at) FROM invoice_line_overview WHERE kind = 'invoice' ORDER BY issued_at LIMIT 1))`

// next returns the first day that is not booked, 0 before the first invoice.
func (store) next(ctx context.Context, tx *sqlx.Tx) (day subscription.Day, err error) {
	if err := tx.GetContext(ctx, &day, nextSQL); err != nil {
		return 0, fmt.Errorf("find the next day of revenue: %w", err)
	}
	return day, nil
}

// late is how many days before the booked one documents are looked for that were committed after their own day was booked.
const late = 2

func window(day subscription.Day) (from, to time.Time) {
	return (day - late).Start(), (day + 1).Start()
}

const scheduleSQL = `
	INSERT INTO revenue_lines (invoice_id, position, sequence, franchiser_id, document_id, booked_on, from_on, to_on, amount_paise)
	SELECT l.invoice_id, l.position, 0, l.franchiser_id, l.invoice_id, $1::date,
		CASE WHEN o.kind <> 'fee' THEN o.period_from ELSE $1::date END, CASE WHEN o.kind <> 'fee' THEN o.period_to ELSE $1::date END, l.taxable_paise
	FROM invoice_line_overview l JOIN payment_overview p ON p.franchiser_id = l.franchiser_id AND p.id = l.payment_id
		LEFT JOIN order_line_overview o ON o.franchiser_id = l.franchiser_id AND o.order_id = p.order_id AND o.position = l.position
	WHERE l.kind = 'invoice' AND l.issued_at >= $2 AND l.issued_at < $3
		AND NOT EXISTS (SELECT FROM revenue_lines r WHERE r.document_id = l.invoice_id)`

// schedule puts the lines of the day's invoices on the schedule.
func (store) schedule(ctx context.Context, tx *sqlx.Tx, day subscription.Day) error {
	from, to := window(day)
	if _, err := tx.ExecContext(ctx, scheduleSQL, day, from, to); err != nil {
		return fmt.Errorf("schedule revenue of %s: %w", day, err)
	}
	return nil
}

// note is a line of a credit note, with the line of the invoice that it reduces.
type note struct {
	DocumentID      string      `db:"document_id"`
	InvoiceID       string      `db:"invoice_id"`
	Position        int         `db:"position"`
	FranchiserID    string      `db:"franchiser_id"`
	Commercial      bool        `db:"commercial"`
	Correction      bool        `db:"correction"` // of an invoice that another one replaces
	Taxable         money.Paise `db:"taxable_paise"`
	OriginalTaxable money.Paise `db:"original_taxable"`
	OriginalTotal   money.Paise `db:"original_total"`
}

const notesSQL = `
	SELECT n.invoice_id AS document_id, n.original_id AS invoice_id, n.position, n.franchiser_id, n.commercial, n.corrects_id IS NOT NULL AS correction, n.taxable_paise,
		i.taxable_paise AS original_taxable, i.total_paise AS original_total
	FROM invoice_line_overview n
		JOIN invoice_line_overview i ON i.franchiser_id = n.franchiser_id AND i.invoice_id = n.original_id AND i.position = n.position
	WHERE n.kind = 'credit_note' AND n.issued_at >= $1 AND n.issued_at < $2
		AND NOT EXISTS (SELECT FROM revenue_lines r WHERE r.document_id = n.invoice_id)
	ORDER BY n.issued_at, n.number, n.position`

// notes returns the lines of the day's credit notes.
func (store) notes(ctx context.Context, tx *sqlx.Tx, day subscription.Day) ([]note, error) {
	from, to := window(day)
	var notes []note
	if err := tx.SelectContext(ctx, &notes, notesSQL, from, to); err != nil {
		return nil, fmt.Errorf("read credit notes of %s: %w", day, err)
	}
	return notes, nil
}

const currentSQL = `SELECT invoice_id, position, sequence, franchiser_id, from_on, to_on, amount_paise FROM revenue_lines
	WHERE invoice_id = $1 AND position = $2 ORDER BY sequence DESC LIMIT 1`

// current returns the row of a credited line that counts.
func (store) current(ctx context.Context, tx *sqlx.Tx, n note) (l Line, err error) {
	if err := tx.GetContext(ctx, &l, currentSQL, n.InvoiceID, n.Position); err != nil {
		return l, fmt.Errorf("read revenue of line %d of %s: %w", n.Position, n.InvoiceID, err)
	}
	return l, nil
}

const (
	endSQL   = `UPDATE revenue_lines SET ended_on = $3 WHERE invoice_id = $1 AND position = $2 AND ended_on IS NULL`
	beginSQL = `INSERT INTO revenue_lines (invoice_id, position, sequence, franchiser_id, document_id, booked_on, from_on, to_on,
		amount_paise, credited_paise) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
)

// replace ends the current row, and begins the row that remains after a credit note.
func (store) replace(ctx context.Context, tx *sqlx.Tx, day subscription.Day, l Line, documentID string, taken money.Paise) error {
	if _, err := tx.ExecContext(ctx, endSQL, l.InvoiceID, l.Position, day); err != nil {
		return fmt.Errorf("end line of revenue: %w", err)
	}
	_, err := tx.ExecContext(ctx, beginSQL, l.InvoiceID, l.Position, l.Sequence, l.FranchiserID, documentID, day, l.From, l.To,
		int64(l.Amount), int64(taken))
	if err != nil {
		return fmt.Errorf("begin line of revenue: %w", err)
	}
	return nil
}

const sumSQL = `
	SELECT $1::date AS day, coalesce((SELECT closing_paise FROM revenue_days WHERE day < $1 ORDER BY day DESC LIMIT 1), 0) AS opening_paise,
		coalesce(sum(amount_paise) FILTER (WHERE sequence = 0), 0)::bigint AS billed_paise,
		coalesce(sum(credited_paise), 0)::bigint AS credited_paise, revenue_left($1) AS closing_paise
	FROM revenue_lines WHERE booked_on = $1`

// sum returns a day's billed and credited amounts, and its opening and closing balance.
func (store) sum(ctx context.Context, tx *sqlx.Tx, day subscription.Day) (d Day, err error) {
	if err := tx.GetContext(ctx, &d, sumSQL, day); err != nil {
		return d, fmt.Errorf("sum revenue of %s: %w", day, err)
	}
	return d, nil
}

const insertDaySQL = `INSERT INTO revenue_days (day, opening_paise, billed_paise, recognised_paise, credited_paise, closing_paise, booked_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7)`

func (store) insertDay(ctx context.Context, tx *sqlx.Tx, d Day) error {
	_, err := tx.ExecContext(ctx, insertDaySQL, d.Day, int64(d.Opening), int64(d.Billed), int64(d.Recognised), int64(d.Credited),
		int64(d.Closing), d.BookedAt)
	if err != nil {
		return fmt.Errorf("keep day of revenue: %w", err)
	}
	return nil
}
