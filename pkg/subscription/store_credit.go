package subscription

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// A line of an order has the position of its line on the invoice.
const paidLinesSQL = `
	SELECT p.id AS payment_id, o.plan_name || ' · ' || o.service_name AS title, l.position, l.period_from, l.period_to
	FROM order_lines l JOIN orders o ON o.franchiser_id = l.franchiser_id AND o.id = l.order_id
	JOIN payment_overview p ON p.franchiser_id = o.franchiser_id AND p.order_id = o.id AND p.state IN ('paid', 'refunded') AND NOT p.surplus
	WHERE l.franchiser_id = $1 AND l.period_to > $2 AND l.kind <> 'fee' AND o.state = 'paid' AND NOT o.credited
		AND ($3 = '' OR o.id::text = $3)
	ORDER BY o.paid_at, o.id, l.position`

// paidAndKept are the paid lines that cover days from today on, without what was given back of them.
func (s store) paidAndKept(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day) ([]PaidLine, error) {
	return s.paidLines(ctx, tx, franchiserID, today, "", "")
}

// paidLines is paidAndKept, of one order where one is named; the refund with the id except counts as not made.
func (store) paidLines(ctx context.Context, tx *sqlx.Tx, franchiserID string, today Day, orderID, except string) ([]PaidLine, error) {
	var rows []struct {
		PaymentID string `db:"payment_id"`
		Title     string `db:"title"`
		Position  int    `db:"position"`
		From      Day    `db:"period_from"`
		To        Day    `db:"period_to"`
	}
	if err := tx.SelectContext(ctx, &rows, paidLinesSQL, franchiserID, today, orderID); err != nil {
		return nil, fmt.Errorf("read what is paid and kept: %w", err)
	}
	var payments []string
	for _, r := range rows {
		if !slices.Contains(payments, r.PaymentID) {
			payments = append(payments, r.PaymentID)
		}
	}
	if len(payments) == 0 {
		return nil, nil
	}
	rests, err := invoice.RemaindersTx(ctx, tx, franchiserID, payments, except)
	if err != nil {
		return nil, err
	}
	lines := make([]PaidLine, 0, len(rows))
	for _, r := range rows {
		rest, at := rests[r.PaymentID], r.Position-1
		if at >= len(rest.Kept) {
			continue
		}
		kept := rest.Kept[at]
		lines = append(lines, PaidLine{
			Value: kept.Taxable, From: r.From, To: r.To, Title: r.Title, Position: r.Position,
			Invoice: OriginalInvoice{ID: rest.ID, Number: rest.Number, IssuedAt: rest.IssuedAt},
			RateBps: kept.RateBps, Regime: rest.Regime, Tax: kept.Tax, TakenBack: rest.TakenBack[at], Rest: &rest.Left[at],
		})
	}
	return lines, nil
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

// insertCredits stores what the order credits.
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

//nolint:gosec // credits, not credentials
const dropCreditsSQL = `DELETE FROM order_credits WHERE franchiser_id = $1 AND order_id = $2`

// replaceCredits stores what the order credits on the day of its payment instead of what it did when it was asked for.
func (s store) replaceCredits(ctx context.Context, tx *sqlx.Tx, o Order) error {
	if _, err := tx.ExecContext(ctx, dropCreditsSQL, o.FranchiserID, o.ID); err != nil {
		return fmt.Errorf("drop credits of order: %w", err)
	}
	return s.insertCredits(ctx, tx, o)
}

//nolint:gosec // credits, not credentials
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

// credits reads what the order credits, by invoice.
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
