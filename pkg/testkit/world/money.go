package world

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// kept returns the captured and not refunded amounts, by transaction.
func (g *Gateway) kept() (txns []string, paise []int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for txn, o := range g.outcomes {
		if o.Status == payment.StatusPaid {
			txns, paise = append(txns, txn), append(paise, int64(o.Amount-g.back[o.GatewayPaymentID]))
		}
	}
	return txns, paise
}

// The gateway's kept amount of each customer equals their invoices less credit notes.
const (
	keptSQL = `WITH kept AS (SELECT k.paise, p.franchiser_id FROM unnest($1::text[], $2::bigint[]) k (txn, paise)
			JOIN payments p ON p.transaction_id = k.txn WHERE p.franchiser_id = ANY ($3::uuid[])),
		invoiced AS (SELECT i.franchiser_id, sum(CASE i.kind WHEN 'invoice' THEN i.total_paise ELSE -i.total_paise END) AS paise
			FROM invoices i JOIN payments p ON p.id = i.payment_id
			WHERE i.kind IN ('invoice', 'credit_note') AND p.gateway <> 'bank' AND i.franchiser_id = ANY ($3::uuid[]) GROUP BY 1)
		SELECT coalesce(k.franchiser_id, i.franchiser_id)::text AS whose, coalesce(k.paise, 0)::bigint AS kept,
			coalesce(i.paise, 0)::bigint AS invoiced
		FROM (SELECT franchiser_id, sum(paise) AS paise FROM kept GROUP BY 1) k FULL JOIN invoiced i USING (franchiser_id)
		WHERE coalesce(k.paise, 0) <> coalesce(i.paise, 0)`
	cameSQL = `SELECT (SELECT coalesce(sum(CASE i.kind WHEN 'invoice' THEN i.total_paise ELSE -i.total_paise END), 0) FROM invoices i
			JOIN payments p ON p.id = i.payment_id WHERE i.kind IN ('invoice', 'credit_note') AND p.gateway = 'bank')::bigint AS invoiced,
		(SELECT coalesce(sum(credit_paise - debit_paise), 0) FROM ledger_lines WHERE account = 'bank_receipts')::bigint AS owed`
)

// moneyHolds compares the money that the gateway and the bank say they have with the documents. Nothing may be under way.
func (w *World) moneyHolds(ctx context.Context, all []*Renewer) error {
	ids := make([]string, 0, len(all))
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	txns, paise := w.Gateway.kept()
	var wrong []struct {
		Whose    string      `db:"whose"`
		Kept     money.Paise `db:"kept"`
		Invoiced money.Paise `db:"invoiced"`
	}
	if err := w.Owner.SelectContext(ctx, &wrong, keptSQL, pq.Array(txns), pq.Array(paise), pq.Array(ids)); err != nil {
		return fmt.Errorf("compare with the gateway: %w", err)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("the gateway keeps %s of %s, who was invoiced for %s; so are %d", wrong[0].Kept, wrong[0].Whose, wrong[0].Invoiced, len(wrong))
	}
	var bank struct {
		Invoiced money.Paise `db:"invoiced"`
		Owed     money.Paise `db:"owed"`
	}
	if err := w.Owner.GetContext(ctx, &bank, cameSQL); err != nil {
		return fmt.Errorf("compare with the bank: %w", err)
	}
	if came := w.Bank.Came(); came != bank.Invoiced+bank.Owed {
		return fmt.Errorf("%s came into the account, %s are invoiced and %s are owed", came, bank.Invoiced, bank.Owed)
	}
	return nil
}
