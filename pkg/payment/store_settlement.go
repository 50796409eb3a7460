package payment

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/subscription"
)

const lastComparedSQL = `SELECT max(day) FROM settlement_days WHERE gateway = $1`

func (store) lastCompared(ctx context.Context, tx *sqlx.Tx, gateway string) (subscription.Day, error) {
	var day subscription.Day
	if err := tx.GetContext(ctx, &day, lastComparedSQL, gateway); err != nil {
		return 0, fmt.Errorf("read last comparison: %w", err)
	}
	return day, nil
}

const (
	settledSQL = `
		SELECT p.id, p.franchiser_id, p.transaction_id, p.state, coalesce(p.gateway_payment_id, '') AS gateway_payment_id,
			coalesce(p.captured_paise, 0) AS captured_paise,
			coalesce((SELECT jsonb_object_agg(r.gateway_payment_id, r.amount_paise) FROM refunds r
				WHERE r.payment_id = p.id AND r.reason = 'surplus'), '{}') AS others
		FROM payments p WHERE p.gateway = $1 AND p.transaction_id = ANY ($2)`
	settledRefundsSQL = `
		SELECT id, gateway_refund_id, franchiser_id, payment_id, state, amount_paise
		FROM refunds WHERE gateway_refund_id = ANY ($1)`
)

// settledBy reads what we know of the transactions and refunds that the lines name, by the gateway's names for them.
func (store) settledBy(ctx context.Context, tx *sqlx.Tx, gateway string, lines []SettlementLine) (map[string]*settled, map[string]*settledRefund, error) {
	var transactions, refundIDs []string
	for _, l := range lines {
		transactions = append(transactions, l.TransactionID)
		if l.RefundID != "" {
			refundIDs = append(refundIDs, l.RefundID)
		}
	}
	var payments []struct {
		settled
		Others []byte `db:"others"`
	}
	if err := tx.SelectContext(ctx, &payments, settledSQL, gateway, pq.Array(transactions)); err != nil {
		return nil, nil, fmt.Errorf("read settled payments: %w", err)
	}
	var refunds []*settledRefund
	if err := tx.SelectContext(ctx, &refunds, settledRefundsSQL, pq.Array(refundIDs)); err != nil {
		return nil, nil, fmt.Errorf("read settled refunds: %w", err)
	}
	byTransaction := make(map[string]*settled, len(payments))
	for i := range payments {
		p := &payments[i]
		if err := json.Unmarshal(p.Others, &p.settled.Others); err != nil {
			return nil, nil, fmt.Errorf("read further captures: %w", err)
		}
		byTransaction[p.TransactionID] = &p.settled
	}
	byRefund := make(map[string]*settledRefund, len(refunds))
	for _, r := range refunds {
		byRefund[r.GatewayRefundID] = r
	}
	return byTransaction, byRefund, nil
}

// What was captured on the day, by Indian time, and of which no settlement has spoken since.
const unsettledSQL = `
	SELECT p.transaction_id, 'not_settled' AS kind, p.captured_paise AS ours_paise, 0::bigint AS theirs_paise
	FROM payments p
	WHERE p.gateway = $1 AND p.state IN ('paid', 'refunded')
		AND p.decided_at >= $2 AND p.decided_at < $3
		AND NOT EXISTS (SELECT FROM ledger_journals j WHERE j.kind = 'settlement' AND j.reference = p.id::text)
	ORDER BY p.transaction_id`

func (store) unsettled(ctx context.Context, tx *sqlx.Tx, gateway string, day subscription.Day) ([]Difference, error) {
	var missing []Difference
	if err := tx.SelectContext(ctx, &missing, unsettledSQL, gateway, day.Start(), (day + 1).Start()); err != nil {
		return nil, fmt.Errorf("find unsettled payments: %w", err)
	}
	return missing, nil
}

const (
	dropSettlementSQL = `DELETE FROM settlement_days WHERE gateway = $1 AND day = $2`
	saveSettlementSQL = `
		INSERT INTO settlement_days (gateway, day, lines, captured_paise, refunded_paise, fee_paise, tax_paise, net_paise,
			differences, compared_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	saveDifferenceSQL = `
		INSERT INTO settlement_differences (gateway, day, transaction_id, kind, ours_paise, theirs_paise)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`
	settlementsSQL = `
		SELECT gateway, day, lines, captured_paise, refunded_paise, fee_paise, tax_paise, net_paise, compared_at
		FROM settlement_days WHERE day BETWEEN $1 AND $2 ORDER BY day DESC, gateway`
	differencesSQL = `
		SELECT gateway, day, transaction_id, kind, coalesce(ours_paise, 0) AS ours_paise, coalesce(theirs_paise, 0) AS theirs_paise
		FROM settlement_differences WHERE day BETWEEN $1 AND $2 ORDER BY transaction_id, kind`
	saveLinesSQL = `
		INSERT INTO settlement_lines (gateway, day, position, transaction_id, gateway_payment_id, refund, refund_id, amount_paise,
			fee_paise, tax_paise, net_paise, utr, settled_at)
		SELECT $1, $2, position, l->>'TransactionID', l->>'GatewayPaymentID', (l->>'Refund')::boolean, l->>'RefundID',
			(l->>'Amount')::bigint, (l->>'Fee')::bigint, (l->>'FeeTax')::bigint, (l->>'Net')::bigint, l->>'UTR',
			nullif((l->>'At')::timestamptz, '0001-01-01T00:00:00Z')
		FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS x (l, position)`
	lineColumns = `transaction_id, gateway_payment_id, refund, refund_id, amount_paise, fee_paise, tax_paise, net_paise, utr,
		coalesce(settled_at, '0001-01-01T00:00:00Z') AS settled_at`
	linesSQL = `SELECT ` + lineColumns + ` FROM settlement_lines WHERE gateway = $1 AND day = $2 ORDER BY position`
)

// saveSettlement replaces what an earlier comparison of the day found.
func (store) saveSettlement(ctx context.Context, tx *sqlx.Tx, d SettlementDay) error {
	if _, err := tx.ExecContext(ctx, dropSettlementSQL, d.Gateway, d.Day); err != nil {
		return fmt.Errorf("drop earlier comparison: %w", err)
	}
	_, err := tx.ExecContext(ctx, saveSettlementSQL, d.Gateway, d.Day, d.Lines, d.Captured, d.Refunded, d.Fee, d.Tax, d.Net,
		len(d.Differences), d.ComparedAt)
	if err != nil {
		return fmt.Errorf("save comparison: %w", err)
	}
	lines, err := json.Marshal(d.All)
	if err != nil {
		return fmt.Errorf("write settlement: %w", err)
	}
	if len(d.All) > 0 {
		if _, err := tx.ExecContext(ctx, saveLinesSQL, d.Gateway, d.Day, string(lines)); err != nil {
			return fmt.Errorf("save settlement: %w", err)
		}
	}
	for _, x := range d.Differences {
		_, err := tx.ExecContext(ctx, saveDifferenceSQL, d.Gateway, d.Day, x.TransactionID, string(x.Kind), x.Ours, x.Theirs)
		if err != nil {
			return fmt.Errorf("save difference: %w", err)
		}
	}
	return nil
}

func (store) settlements(ctx context.Context, tx *sqlx.Tx, first, last subscription.Day) ([]SettlementDay, error) {
	var days []SettlementDay
	if err := tx.SelectContext(ctx, &days, settlementsSQL, first, last); err != nil {
		return nil, fmt.Errorf("list comparisons: %w", err)
	}
	var found []struct {
		Difference
		Gateway string           `db:"gateway"`
		Day     subscription.Day `db:"day"`
	}
	if err := tx.SelectContext(ctx, &found, differencesSQL, first, last); err != nil {
		return nil, fmt.Errorf("list differences: %w", err)
	}
	for _, f := range found {
		for i := range days {
			if days[i].Gateway == f.Gateway && days[i].Day == f.Day {
				days[i].Differences = append(days[i].Differences, f.Difference)
			}
		}
	}
	return days, nil
}

func (store) settlementLines(ctx context.Context, tx *sqlx.Tx, gateway string, day subscription.Day) ([]SettlementLine, error) {
	var lines []SettlementLine
	if err := tx.SelectContext(ctx, &lines, linesSQL, gateway, day); err != nil {
		return nil, fmt.Errorf("list settlement: %w", err)
	}
	for i := range lines {
		lines[i].At = lines[i].At.UTC()
	}
	return lines, nil
}
