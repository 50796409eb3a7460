package refund

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Rest is what can still be returned of a payment, in paise.
type Rest struct {
	// Already is the returned or pending part of its invoice, also through earlier payments.
	Already money.Paise `db:"already"`
	// Taken is the returned or pending part of its capture, including refunds of upgrades' invoices that its credit notes paid.
	Taken money.Paise `db:"taken"`
	// Gateway is the part of its capture that the gateway can still refund, limited to the creditable rest of the invoice.
	Gateway money.Paise `db:"-"`
	// Bank is what can be returned by bank transfer, including credit notes applied to the invoice.
	Bank money.Paise `db:"-"`

	// Owed is the unpaid amount of the oldest failed surplus refund, and OwedOf its capture.
	Owed   money.Paise `db:"owed"`
	OwedOf string      `db:"owed_of"`

	// Least is the least amount that the gateway refunds.
	Least money.Paise `db:"-"`

	Invoiced money.Paise `db:"invoiced"` // the invoice's total
	Most     money.Paise `db:"most"`     // that of its payment's largest one: another recipient's tax may round to a paisa less
	Noted    money.Paise `db:"noted"`    // amount already credited
	Under    money.Paise `db:"under"`    // refunds that will be credited
	Applied  money.Paise `db:"applied"`  // credit notes applied to it
	Gone     money.Paise `db:"-"`        // the part of those credit notes' money that was refunded
}

const leftSQL = `
	SELECT
		(SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds
			WHERE payment_id = $1 AND gateway_payment_id = $2 AND state <> 'failed') AS taken,
		(SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds WHERE franchiser_id = $3 AND state <> 'failed'
			AND (payment_id = $1 AND gateway_payment_id = $2 AND credits_payment_id IS NULL OR credits_payment_id = $1)) AS already,
		(SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds WHERE franchiser_id = $3 AND state IN ('requested', 'sent')
			AND reason <> 'surplus' AND coalesce(credits_payment_id, payment_id) = $1) AS under,
		(SELECT coalesce(sum(total_paise), 0)::bigint FROM document_overview WHERE payment_id = $1 AND kind = 'invoice'
			AND NOT replaced) AS invoiced,
		-- a corrected invoice may be a paisa less than the paid amount
		(SELECT coalesce(max(total_paise), 0)::bigint FROM document_overview WHERE payment_id = $1 AND kind = 'invoice') AS most,
		(SELECT coalesce(sum(total_paise), 0)::bigint FROM document_overview WHERE payment_id = $1 AND kind = 'credit_note'
			AND corrects_id IS NULL) AS noted,
		(SELECT coalesce(sum(total_paise), 0)::bigint FROM document_overview WHERE applied_payment_id = $1) AS applied`

const owedSQL = `SELECT owed_paise AS owed, gateway_payment_id AS owed_of FROM owed_of_payment($1) LIMIT 1`

// RestTx returns what can still be returned of a payment: part of the capture, up to the uncredited amount of its invoice,
// because the part used for an upgrade was already credited.
func RestTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment) (Rest, error) {
	var l Rest
	if err := tx.GetContext(ctx, &l, leftSQL, p.ID, p.GatewayPaymentID, p.FranchiserID); err != nil {
		return l, fmt.Errorf("read what is left of a payment: %w", err)
	}
	if err := tx.GetContext(ctx, &l, owedSQL, p.ID); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return l, fmt.Errorf("read what a failed refund owes: %w", err)
	}
	uncredited := l.Most - l.Noted - l.Under
	l.Gateway = max(0, min(p.Captured-l.Taken, uncredited))
	if l.Applied > 0 {
		var err error
		if l.Gone, err = goneTx(ctx, tx, p); err != nil {
			return l, err
		}
	}
	l.Bank = max(0, min(l.received(p), uncredited))
	return l, nil
}

// GatewayRestTx returns how much of the payment the gateway can still refund.
func GatewayRestTx(ctx context.Context, tx *sqlx.Tx, paymentID string) (money.Paise, error) {
	p, err := store.Find(ctx, tx, paymentID)
	if err != nil {
		return 0, err
	}
	rest, err := RestTx(ctx, tx, p)
	return rest.Gateway, err
}

// received returns the amount paid for the payment's invoice, in money or by credit notes, less refunds.
func (l Rest) received(p payment.Payment) money.Paise {
	return p.Captured + l.Applied - l.Gone - l.Already
}

const setOffSQL = `
	SELECT n.payment_id, sum(n.total_paise)::bigint AS paise FROM document_overview n JOIN payments p ON p.id = n.payment_id
	WHERE n.franchiser_id = $1 AND n.applied_payment_id = $2 GROUP BY n.payment_id, p.decided_at ORDER BY p.decided_at DESC, n.payment_id DESC`

// setOffPart is how much an earlier payment paid of an upgrade, by its credit notes.
type setOffPart struct {
	PaymentID string      `db:"payment_id"`
	Amount    money.Paise `db:"paise"`
}

// SetOffTx lists the earlier payments whose credit notes paid the upgrade, the newest first.
func SetOffTx(ctx context.Context, tx *sqlx.Tx, upgrade payment.Payment) ([]setOffPart, error) {
	var parts []setOffPart
	if err := tx.SelectContext(ctx, &parts, setOffSQL, upgrade.FranchiserID, upgrade.ID); err != nil {
		return nil, fmt.Errorf("list what was set off: %w", err)
	}
	return parts, nil
}

// goneTx returns how much of the money behind the credit notes that paid the upgrade was returned since, such as by a chargeback of an
// earlier payment. It cannot be returned a second time with the upgrade.
func goneTx(ctx context.Context, tx *sqlx.Tx, upgrade payment.Payment) (money.Paise, error) {
	parts, err := SetOffTx(ctx, tx, upgrade)
	if err != nil {
		return 0, err
	}
	var sum money.Paise
	for _, part := range parts {
		earlier, err := store.Find(ctx, tx, part.PaymentID)
		if err != nil {
			return 0, err
		}
		rest, err := RestTx(ctx, tx, earlier)
		if err != nil {
			return 0, err
		}
		sum += min(part.Amount, max(0, part.Amount-rest.received(earlier)))
	}
	return sum, nil
}

// OwedOfInvoicedTx returns what failed refunds of a payment still owe of invoiced money.
func OwedOfInvoicedTx(ctx context.Context, tx *sqlx.Tx, paymentID string) (money.Paise, error) {
	var owed money.Paise
	if err := tx.GetContext(ctx, &owed, `SELECT owed_of_invoiced($1)`, paymentID); err != nil {
		return 0, fmt.Errorf("read what failed refunds owe: %w", err)
	}
	return owed, nil
}

const keptLastSQL = `
	SELECT coalesce((SELECT keep_plan FROM refunds WHERE payment_id = $1 AND gateway_payment_id = $2 AND reason <> 'surplus' AND state <> 'failed'
		AND credits_payment_id IS NULL ORDER BY created_at DESC, id DESC LIMIT 1), false)`

// KeepsPlanTx reports whether the purchase continues although this refund completes the payment's return. The refund that was requested
// last decides, in whichever order the gateway completes them. An overpayment and a failed refund decide nothing, and a chargeback
// always ends the purchase.
func KeepsPlanTx(ctx context.Context, tx *sqlx.Tx, r Refund) (bool, error) {
	if r.Reason == payment.RefundDispute {
		return false, nil
	}
	var keep bool
	if err := tx.GetContext(ctx, &keep, keptLastSQL, r.PaymentID, r.GatewayPaymentID); err != nil {
		return false, fmt.Errorf("read the refund requested last: %w", err)
	}
	return keep, nil
}
