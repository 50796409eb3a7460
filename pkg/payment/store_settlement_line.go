package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	lineColumns = `l.gateway, l.day, l.line_id, l.kind, l.action, l.transaction_id, l.gateway_payment_id, l.refund_id, l.amount_paise,
		l.fee_paise, l.tax_paise, l.net_paise, l.settlement_id, l.utr, NOT l.settled AS pending,
		coalesce(l.settled_at, '0001-01-01T00:00:00Z') AS settled_at, l.booked_at, l.blocked_by, l.listed,
		coalesce(l.booked_net_paise, 0) AS booked_net_paise`
	linesSQL     = `SELECT ` + lineColumns + ` FROM settlement_lines l WHERE l.gateway = $1 AND l.day = $2 ORDER BY l.position`
	openLinesSQL = `
		SELECT ` + lineColumns + ` FROM settlement_lines l WHERE l.booked_at IS NULL AND ($1 = '' OR l.gateway = $1)
		ORDER BY l.day, l.position LIMIT $2`
	// Every open line, and of those that are booked whatever changed since or still differs.
	linesToJudgeSQL = `
		SELECT ` + lineColumns + ` FROM settlement_lines l
		WHERE l.gateway = $1 AND l.line_id IN (
			SELECT o.line_id FROM settlement_lines o
			WHERE o.gateway = $1 AND (o.booked_at IS NULL OR o.booked_net_paise <> o.net_paise OR NOT o.listed)
			UNION SELECT x.line_id FROM settlement_differences x WHERE x.gateway = $1 AND x.cleared_at IS NULL)
		ORDER BY l.day, l.position`
)

func (store) lines(ctx context.Context, tx *sqlx.Tx, query string, args ...any) ([]StoredLine, error) {
	var lines []StoredLine
	if err := tx.SelectContext(ctx, &lines, query, args...); err != nil {
		return nil, fmt.Errorf("list settlement: %w", err)
	}
	for i := range lines {
		lines[i].At = lines[i].At.UTC()
	}
	return lines, nil
}

func (s store) settlementLines(ctx context.Context, tx *sqlx.Tx, gateway string, day subscription.Day) ([]StoredLine, error) {
	return s.lines(ctx, tx, linesSQL, gateway, day)
}

func (s store) openLines(ctx context.Context, tx *sqlx.Tx, gateway string, limit int) ([]StoredLine, error) {
	return s.lines(ctx, tx, openLinesSQL, gateway, limit)
}

func (s store) linesToJudge(ctx context.Context, tx *sqlx.Tx, gateway string) ([]StoredLine, error) {
	return s.lines(ctx, tx, linesToJudgeSQL, gateway)
}

const (
	lineWaitsSQL = `
		UPDATE settlement_lines SET blocked_by = $3, transaction_id = $4
		WHERE gateway = $1 AND line_id = $2 AND (blocked_by, transaction_id) <> ($3, $4)`
	lineBookedSQL = `
		UPDATE settlement_lines SET blocked_by = '', transaction_id = $3, booked_at = $4, booked_net_paise = net_paise,
			journal_id = nullif($5, '')::uuid
		WHERE gateway = $1 AND line_id = $2`
)

// lineWaits notes why an open line can't be booked yet.
func (store) lineWaits(ctx context.Context, tx *sqlx.Tx, l StoredLine, forWhat string) error {
	if _, err := tx.ExecContext(ctx, lineWaitsSQL, l.Gateway, l.ID, forWhat, l.TransactionID); err != nil {
		return fmt.Errorf("note open line: %w", err)
	}
	return nil
}

// lineBooked notes that a line is in the books, under its journal.
func (store) lineBooked(ctx context.Context, tx *sqlx.Tx, l StoredLine, journalID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, lineBookedSQL, l.Gateway, l.ID, l.TransactionID, now, journalID); err != nil {
		return fmt.Errorf("note booked line: %w", err)
	}
	return nil
}

// settledKnown is what we know of the payments and refunds that lines name.
type settledKnown struct {
	byTransaction, byGateway, byDispute map[string]*settled
	byRefund                            map[string]*settledRefund
}

// of is the payment and the refund that a line means, nil for none. A line that names no transaction of ours may name the
// gateway's payment or the dispute.
func (k settledKnown) of(l StoredLine) (*settled, *settledRefund) {
	r := k.byRefund[l.RefundID]
	for _, p := range []*settled{k.byTransaction[l.TransactionID], k.byGateway[l.GatewayPaymentID], k.byDispute[l.RefundID]} {
		if p != nil {
			if r != nil && r.PaymentID != p.PaymentID {
				r = nil // somebody else's
			}
			return p, r
		}
	}
	return nil, nil
}

const (
	settledSQL = `
		SELECT p.id, p.franchiser_id, p.transaction_id, p.state, coalesce(p.gateway_payment_id, '') AS gateway_payment_id,
			coalesce(p.captured_paise, 0) AS captured_paise,
			coalesce((SELECT jsonb_object_agg(r.gateway_payment_id, r.amount_paise) FROM refunds r
				WHERE r.payment_id = p.id AND r.reason = 'surplus'), '{}') AS others,
			coalesce((SELECT jsonb_object_agg(d.gateway_dispute_id, jsonb_build_object('state', d.state, 'amount', d.amount_paise))
				FROM disputes d WHERE d.payment_id = p.id), '{}') AS disputes,
			coalesce((SELECT jsonb_object_agg(l.gateway_payment_id, l.line_id) FROM settlement_lines l
				WHERE l.gateway = p.gateway AND l.transaction_id = p.transaction_id AND l.kind = 'capture' AND l.booked_at IS NOT NULL), '{}') AS booked,
			coalesce((SELECT jsonb_agg(r.amount_paise) FROM refunds r WHERE r.payment_id = p.id AND r.state = 'failed'), '[]') AS failed,
			coalesce((SELECT jsonb_agg(l.amount_paise) FROM settlement_lines l WHERE l.gateway = p.gateway
				AND l.transaction_id = p.transaction_id AND l.kind = 'refund_reversal' AND l.settled AND l.listed), '[]') AS returned
		FROM payments p WHERE p.gateway = $1 AND (p.transaction_id = ANY ($2) OR p.gateway_payment_id = ANY ($3)
			OR p.id IN (SELECT d.payment_id FROM disputes d WHERE d.gateway_dispute_id = ANY ($4)))`
	settledRefundsSQL = `
		SELECT id, gateway_refund_id, payment_id, state, amount_paise FROM refunds WHERE gateway_refund_id = ANY ($1)`
)

// settledBy reads what we know of the transactions, payments, disputes and refunds that the lines name.
func (store) settledBy(ctx context.Context, tx *sqlx.Tx, gateway string, lines []StoredLine) (settledKnown, error) {
	known := settledKnown{
		byTransaction: map[string]*settled{}, byGateway: map[string]*settled{}, byDispute: map[string]*settled{},
		byRefund: map[string]*settledRefund{},
	}
	var transactions, captures, refundIDs []string
	for _, l := range lines {
		transactions, captures, refundIDs = named(transactions, l.TransactionID), named(captures, l.GatewayPaymentID), named(refundIDs, l.RefundID)
	}
	var rows []settledRow
	err := tx.SelectContext(ctx, &rows, settledSQL, gateway, pq.Array(transactions), pq.Array(captures), pq.Array(refundIDs))
	if err != nil {
		return known, fmt.Errorf("read settled payments: %w", err)
	}
	for i := range rows {
		p, err := rows[i].read()
		if err != nil {
			return known, err
		}
		known.byTransaction[p.TransactionID] = p
		if p.GatewayPaymentID != "" {
			known.byGateway[p.GatewayPaymentID] = p
		}
		for dispute := range p.Disputes {
			known.byDispute[dispute] = p
		}
	}
	var refunds []*settledRefund
	if err := tx.SelectContext(ctx, &refunds, settledRefundsSQL, pq.Array(refundIDs)); err != nil {
		return known, fmt.Errorf("read settled refunds: %w", err)
	}
	for _, r := range refunds {
		known.byRefund[r.GatewayRefundID] = r
	}
	return known, nil
}

func named(list []string, name string) []string {
	if name == "" {
		return list
	}
	return append(list, name)
}

type settledRow struct {
	settled
	Others   []byte `db:"others"`
	Disputes []byte `db:"disputes"`
	Booked   []byte `db:"booked"`
	Failed   []byte `db:"failed"`
	Returned []byte `db:"returned"`
}

func (r *settledRow) read() (*settled, error) {
	p := &r.settled
	p.Others, p.Disputes, p.Booked = map[string]money.Paise{}, map[string]settledDispute{}, map[string]string{}
	for _, part := range []struct {
		text []byte
		into any
	}{{r.Others, &p.Others}, {r.Disputes, &p.Disputes}, {r.Booked, &p.Booked}, {r.Failed, &p.Failed}, {r.Returned, &p.Returned}} {
		if err := json.Unmarshal(part.text, part.into); err != nil {
			return nil, fmt.Errorf("read what a settlement names: %w", err)
		}
	}
	return p, nil
}
