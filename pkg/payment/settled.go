package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Settled is a payment as needed to compare it with a settlement.
type Settled struct {
	PaymentID        string      `db:"id"`
	FranchiserID     string      `db:"franchiser_id"`
	TransactionID    string      `db:"transaction_id"`
	State            State       `db:"state"`
	GatewayPaymentID string      `db:"gateway_payment_id"`
	Captured         money.Paise `db:"captured_paise"`
	// Others are the transaction's further captures that are being refunded, by the gateway's ids.
	Others map[string]money.Paise `db:"-"`
	// Disputes are the payment's disputes, by the gateway's ids.
	Disputes map[string]SettledDispute `db:"-"`
	// Failed are the amounts of failed refunds.
	Failed []money.Paise `db:"-"`
}

// SettledDispute is a dispute as needed for settlements.
type SettledDispute struct {
	State  DisputeState `json:"state"`
	Amount money.Paise  `json:"amount"`
}

// SettledRefund is a refund as needed to compare it with a settlement.
type SettledRefund struct {
	ID              string      `db:"id"`
	GatewayRefundID string      `db:"gateway_refund_id"`
	PaymentID       string      `db:"payment_id"`
	State           RefundState `db:"state"`
	Amount          money.Paise `db:"amount_paise"`
}

// SettledNames are the ids on the lines of a settlement: our transactions, the gateway's payments, and its refunds or disputes.
type SettledNames struct {
	Transactions, Captures, References []string
}

const (
	settledSQL = `
		SELECT p.id, p.franchiser_id, p.transaction_id, p.state, coalesce(p.gateway_payment_id, '') AS gateway_payment_id,
			coalesce(p.captured_paise, 0) AS captured_paise,
			coalesce((SELECT jsonb_object_agg(r.gateway_payment_id, r.amount_paise) FROM refunds r
				WHERE r.payment_id = p.id AND r.reason = 'surplus'), '{}') AS others,
			coalesce((SELECT jsonb_object_agg(d.gateway_dispute_id, jsonb_build_object('state', d.state, 'amount', d.amount_paise))
				FROM disputes d WHERE d.payment_id = p.id), '{}') AS disputes,
			coalesce((SELECT jsonb_agg(r.amount_paise) FROM refunds r WHERE r.payment_id = p.id AND r.state = 'failed'), '[]') AS failed
		FROM payments p WHERE p.gateway = $1 AND (p.transaction_id = ANY ($2) OR p.gateway_payment_id = ANY ($3)
			OR p.id IN (SELECT d.payment_id FROM disputes d WHERE d.gateway_dispute_id = ANY ($4)))`
	settledRefundsSQL = `
		SELECT id, gateway_refund_id, payment_id, state, amount_paise FROM refunds WHERE gateway_refund_id = ANY ($1)`
)

// SettledTx reads the payments and refunds of a gateway that the lines of a settlement name. For the worker, which sees all rows.
func (Lookup) SettledTx(ctx context.Context, tx *sqlx.Tx, gateway string, names SettledNames) ([]Settled, []SettledRefund, error) {
	var rows []struct {
		Settled
		Others   []byte `db:"others"`
		Disputes []byte `db:"disputes"`
		Failed   []byte `db:"failed"`
	}
	err := tx.SelectContext(ctx, &rows, settledSQL, gateway, pq.Array(names.Transactions), pq.Array(names.Captures), pq.Array(names.References))
	if err != nil {
		return nil, nil, fmt.Errorf("read settled payments: %w", err)
	}
	payments := make([]Settled, 0, len(rows))
	for _, r := range rows {
		p := r.Settled
		for _, part := range []struct {
			text []byte
			into any
		}{{r.Others, &p.Others}, {r.Disputes, &p.Disputes}, {r.Failed, &p.Failed}} {
			if err := json.Unmarshal(part.text, part.into); err != nil {
				return nil, nil, fmt.Errorf("read what a settlement names: %w", err)
			}
		}
		payments = append(payments, p)
	}
	var refunds []SettledRefund
	if err := tx.SelectContext(ctx, &refunds, settledRefundsSQL, pq.Array(names.References)); err != nil {
		return nil, nil, fmt.Errorf("read settled refunds: %w", err)
	}
	return payments, refunds, nil
}

// Payable is money that a settlement must account for: a capture or a lost dispute.
type Payable struct {
	TransactionID    string      `db:"transaction_id"`
	GatewayPaymentID string      `db:"gateway_payment_id"`
	Amount           money.Paise `db:"amount_paise"`
	DecidedAt        time.Time   `db:"decided_at"`
}

// Each part uses its own index.
const capturedSQL = `
	SELECT p.transaction_id, coalesce(p.gateway_payment_id, '') AS gateway_payment_id, p.captured_paise AS amount_paise, p.decided_at
	FROM payments p WHERE p.gateway = $1 AND p.captured_paise > 0 AND p.id IN (
		SELECT id FROM payments WHERE state IN ('paid', 'refunded') AND decided_at >= $2 AND decided_at < $3
		UNION ALL
		SELECT id FROM payments WHERE state = 'held' AND decided_at >= $2 AND decided_at < $3
		UNION ALL
		SELECT id FROM payments WHERE state IN ('paid', 'refunded', 'held') AND transaction_id = ANY ($4))
	ORDER BY p.decided_at, p.transaction_id`

// CapturedTx lists the gateway's captures between from (inclusive) and until (exclusive), and the captures of the named transactions,
// oldest first. It needs the worker's role, which sees all rows.
func (Lookup) CapturedTx(ctx context.Context, tx *sqlx.Tx, gateway string, from, until time.Time, transactions []string) ([]Payable, error) {
	var list []Payable
	if err := tx.SelectContext(ctx, &list, capturedSQL, gateway, from, until, pq.Array(transactions)); err != nil {
		return nil, fmt.Errorf("list captures: %w", err)
	}
	return list, nil
}

const lostSQL = `
	SELECT p.transaction_id, coalesce(p.gateway_payment_id, '') AS gateway_payment_id, d.amount_paise, d.decided_at
	FROM disputes d JOIN payments p ON p.id = d.payment_id
	WHERE p.gateway = $1 AND d.state = 'lost' AND (d.decided_at >= $2 AND d.decided_at < $3 OR p.transaction_id = ANY ($4))
	ORDER BY d.decided_at, p.transaction_id`

// LostTx lists the disputes lost at a gateway between from (inclusive) and until (exclusive), and those of the named transactions,
// oldest first. For the worker, which sees all rows.
func (Lookup) LostTx(ctx context.Context, tx *sqlx.Tx, gateway string, from, until time.Time, transactions []string) ([]Payable, error) {
	var list []Payable
	if err := tx.SelectContext(ctx, &list, lostSQL, gateway, from, until, pq.Array(transactions)); err != nil {
		return nil, fmt.Errorf("list lost disputes: %w", err)
	}
	return list, nil
}
