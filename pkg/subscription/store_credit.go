package subscription

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// An order line has the same position as its invoice line.
const paidLinesSQL = `
	SELECT o.id AS order_id, coalesce(bought.names, o.plan_name || ' · ' || o.service_name) AS title, l.position, coalesce(w.from_on, l.period_from) AS period_from,
		l.period_to, coalesce(l.add_on_id::text, '') AS add_on_id, l.quantity, w.value_paise, w.kept_paise
	FROM order_lines l JOIN orders o ON o.franchiser_id = l.franchiser_id AND o.id = l.order_id
		LEFT JOIN switched_lines w ON w.franchiser_id = l.franchiser_id AND w.order_id = l.order_id AND w.position = l.position
		LEFT JOIN LATERAL (SELECT string_agg(r.name, ', ' ORDER BY a.position) AS names
			FROM order_lines a JOIN plan_add_on_overview r ON r.revision = o.catalogue_revision AND r.add_on_id = a.add_on_id
			WHERE o.kind = 'add_on' AND a.franchiser_id = o.franchiser_id AND a.order_id = o.id) bought ON true
	WHERE l.franchiser_id = $1 AND l.period_to > $2 AND l.kind <> 'fee' AND NOT l.once AND o.state = 'paid' AND NOT o.credited
		AND ($3 = '' OR o.id::text = $3)
	ORDER BY o.paid_at, o.id, l.position`

type paidLineRow struct {
	OrderID  string `db:"order_id"`
	Title    string `db:"title"`
	Position int    `db:"position"`
	AddOnID  string `db:"add_on_id"`
	Quantity int    `db:"quantity"`
	From     Day    `db:"period_from"`
	To       Day    `db:"period_to"`
	// Value and Kept are set for a switched line: its value from From on, and the value of the whole line at the switch.
	Value *money.Paise `db:"value_paise"`
	Kept  *money.Paise `db:"kept_paise"`
}

// value is the part of a line's kept value for the days from From on. A switched line has less value for them.
func (r paidLineRow) value(kept money.Paise) money.Paise {
	if r.Value == nil {
		return kept
	}
	if *r.Kept < 1 || kept >= *r.Kept {
		return min(*r.Value, kept)
	}
	return r.Value.Prorate(int64(kept), int64(*r.Kept))
}

// switchedLine is the rest of a paid line for the days from a switch on.
type switchedLine struct {
	OrderID  string      `json:"order_id"`
	Position int         `json:"position"`
	From     Day         `json:"from_on"`
	Value    money.Paise `json:"value_paise"`
	Kept     money.Paise `json:"kept_paise"`
}

const saveSwitchedLinesSQL = `
	INSERT INTO switched_lines (order_id, franchiser_id, position, from_on, value_paise, kept_paise)
	SELECT l.order_id, $1, l.position, l.from_on, l.value_paise, l.kept_paise
	FROM jsonb_to_recordset($2::jsonb) AS l (order_id uuid, position int, from_on date, value_paise bigint, kept_paise bigint)
	ON CONFLICT (order_id, position) DO UPDATE SET from_on = excluded.from_on, value_paise = excluded.value_paise,
		kept_paise = excluded.kept_paise`

func (store) saveSwitchedLines(ctx context.Context, tx *sqlx.Tx, franchiserID string, lines []switchedLine) error {
	if len(lines) == 0 {
		return nil
	}
	text, _ := json.Marshal(lines) // strings and numbers always marshal
	if _, err := tx.ExecContext(ctx, saveSwitchedLinesSQL, franchiserID, string(text)); err != nil {
		return fmt.Errorf("save what a switch left: %w", err)
	}
	return nil
}

const debitAnnouncedSQL = `SELECT EXISTS (SELECT FROM debited_renewals WHERE franchiser_id = $1 AND subscription_id = $2 AND live_on >= $3)`

// debitAnnounced reports whether the debit of the next renewal is announced or under way.
func (store) debitAnnounced(ctx context.Context, tx *sqlx.Tx, sub Subscription) (announced bool, err error) {
	if err := tx.GetContext(ctx, &announced, debitAnnouncedSQL, sub.FranchiserID, sub.ID, sub.RenewOn); err != nil {
		return false, fmt.Errorf("look for an announced debit: %w", err)
	}
	return announced, nil
}

// paidLines returns the lines of paid orders that cover days from today on, limited to one order if one is given.
func (store) paidLines(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day, orderID string) ([]paidLineRow, error) {
	var rows []paidLineRow
	if err := tx.SelectContext(ctx, &rows, paidLinesSQL, franchiserID, today, orderID); err != nil {
		return nil, fmt.Errorf("read what is paid and kept: %w", err)
	}
	return rows, nil
}

const insertCreditsSQL = `
	WITH credited AS (
		INSERT INTO order_credits (order_id, franchiser_id, invoice_id, position, title, taxable_paise, cgst_paise, sgst_paise,
			utgst_paise, igst_paise)
		SELECT $1, $2, c.invoice_id, c.position, c.title, c.taxable_paise, c.cgst_paise, c.sgst_paise, c.utgst_paise, c.igst_paise
		FROM jsonb_to_recordset($3::jsonb) AS c (invoice_id uuid, position int, title text, taxable_paise bigint,
			cgst_paise bigint, sgst_paise bigint, utgst_paise bigint, igst_paise bigint)
	)
	UPDATE orders SET credit_paise = $4 WHERE franchiser_id = $2 AND id = $1`

type creditJSON struct {
	InvoiceID string      `json:"invoice_id"`
	Position  int         `json:"position"`
	Title     string      `json:"title"`
	Taxable   money.Paise `json:"taxable_paise"`
	invoice.Tax
}

// insertCredits stores the order's credits.
func (store) insertCredits(ctx context.Context, tx *sqlx.Tx, o Order) error {
	if len(o.Credits) == 0 {
		return nil
	}
	var rows []creditJSON
	for _, c := range o.Credits {
		for _, p := range c.Parts {
			rows = append(rows, creditJSON{InvoiceID: c.Invoice.ID, Position: p.Position, Title: c.Title, Taxable: p.Taxable, Tax: p.Tax})
		}
	}
	text, _ := json.Marshal(rows) // strings and numbers always marshal
	if _, err := tx.ExecContext(ctx, insertCreditsSQL, o.ID, o.FranchiserID, string(text), creditTotal(o.Credits)); err != nil {
		return fmt.Errorf("insert credits of order: %w", err)
	}
	return nil
}

const dropCreditsSQL = `DELETE FROM order_credits WHERE franchiser_id = $1 AND order_id = $2`

// replaceCredits replaces the order's stored credits with those of the day of its payment.
func (s store) replaceCredits(ctx context.Context, tx *sqlx.Tx, o Order) error {
	if _, err := tx.ExecContext(ctx, dropCreditsSQL, o.FranchiserID, o.ID); err != nil {
		return fmt.Errorf("drop credits of order: %w", err)
	}
	return s.insertCredits(ctx, tx, o)
}

const creditsSQL = `
	SELECT c.invoice_id, i.number, i.issued_at, c.title, c.position, c.taxable_paise, c.cgst_paise, c.sgst_paise, c.utgst_paise,
		c.igst_paise
	FROM order_credits c JOIN document_overview i ON i.franchiser_id = c.franchiser_id AND i.id = c.invoice_id
	WHERE c.franchiser_id = $1 AND c.order_id = $2 ORDER BY i.issued_at, i.number, c.position`

type creditRow struct {
	InvoiceID string      `db:"invoice_id"`
	Number    string      `db:"number"`
	IssuedAt  time.Time   `db:"issued_at"`
	Title     string      `db:"title"`
	Position  int         `db:"position"`
	Taxable   money.Paise `db:"taxable_paise"`
	invoice.Tax
}

// credits returns the order's credits, by invoice.
func (store) credits(ctx context.Context, tx *sqlx.Tx, franchiserID, orderID string) ([]Credit, error) {
	var rows []creditRow
	if err := tx.SelectContext(ctx, &rows, creditsSQL, franchiserID, orderID); err != nil {
		return nil, fmt.Errorf("read credits of order: %w", err)
	}
	var credits []Credit
	for _, r := range rows {
		if n := len(credits); n == 0 || credits[n-1].Invoice.ID != r.InvoiceID {
			credits = append(credits, Credit{Invoice: OriginalInvoice{ID: r.InvoiceID, Number: r.Number, IssuedAt: r.IssuedAt.UTC()}, Title: r.Title})
		}
		last := &credits[len(credits)-1]
		last.Parts = append(last.Parts, invoice.CreditedPart{Position: r.Position, Taxable: r.Taxable, Tax: r.Tax})
	}
	return credits, nil
}
