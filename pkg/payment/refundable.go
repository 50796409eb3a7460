package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// refundable is what of a payment can still be given back, in paise.
type refundable struct {
	// Already is what went back, or is on its way.
	Already money.Paise `db:"already"`
	// Gateway is what the gateway can give back of what it captured, as far as the invoice has anything left to credit.
	Gateway money.Paise `db:"-"`
	// Bank is what can be given back by bank transfer: with what credit notes paid of the invoice.
	Bank money.Paise `db:"-"`

	// Owed is what a failed refund of a surplus left unpaid, the oldest one's, and OwedOf the capture that it is of.
	Owed   money.Paise `db:"owed"`
	OwedOf string      `db:"owed_of"`

	Invoiced money.Paise `db:"invoiced"` // the invoice's total
	Noted    money.Paise `db:"noted"`    // credited of it
	Under    money.Paise `db:"under"`    // refunds that will be credited
	Applied  money.Paise `db:"applied"`  // credit notes that pay for it
}

const leftSQL = `
	SELECT
		(SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds
			WHERE payment_id = $1 AND gateway_payment_id = $2 AND state <> 'failed') AS already,
		(SELECT coalesce(sum(amount_paise), 0)::bigint FROM refunds
			WHERE payment_id = $1 AND state IN ('requested', 'sent') AND reason <> 'surplus') AS under,
		(SELECT coalesce(sum(total_paise), 0)::bigint FROM document_overview WHERE payment_id = $1 AND kind = 'invoice') AS invoiced,
		(SELECT coalesce(sum(total_paise), 0)::bigint FROM document_overview WHERE payment_id = $1 AND kind = 'credit_note') AS noted,
		(SELECT coalesce(sum(total_paise), 0)::bigint FROM document_overview WHERE applied_payment_id = $1) AS applied`

const owedSQL = `SELECT owed_paise AS owed, gateway_payment_id AS owed_of FROM owed_of_payment($1) LIMIT 1`

// refundable tells what can still be given back of a payment: of what was captured, and no more than its invoice has uncredited,
// because what went into an upgrade was credited already.
func (store) refundable(ctx context.Context, tx *sqlx.Tx, p Payment) (refundable, error) {
	var l refundable
	if err := tx.GetContext(ctx, &l, leftSQL, p.ID, p.GatewayPaymentID); err != nil {
		return l, fmt.Errorf("read what is left of a payment: %w", err)
	}
	if err := tx.GetContext(ctx, &l, owedSQL, p.ID); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return l, fmt.Errorf("read what a failed refund owes: %w", err)
	}
	uncredited := l.Invoiced - l.Noted - l.Under
	l.Gateway = max(0, min(p.Captured-l.Already, uncredited))
	l.Bank = max(0, min(p.Captured+l.Applied-l.Already, uncredited))
	return l, nil
}

const keptLastSQL = `
	SELECT coalesce((SELECT keep_plan FROM refunds WHERE payment_id = $1 AND gateway_payment_id = $2 AND reason <> 'surplus' AND state = 'done'
		ORDER BY done_at DESC, id DESC LIMIT 1), false)`

// keptLast is what the last refund of the capture that was no surplus says about keeping the plan.
func (store) keptLast(ctx context.Context, tx *sqlx.Tx, r Refund) (bool, error) {
	var keep bool
	if err := tx.GetContext(ctx, &keep, keptLastSQL, r.PaymentID, r.GatewayPaymentID); err != nil {
		return false, fmt.Errorf("read earlier refund: %w", err)
	}
	return keep, nil
}

// keepsPlan says whether what was bought goes on although this refund makes it all of the payment. What was overpaid decides
// nothing about that: where it comes back last, the refund before it does.
func (s store) keepsPlan(ctx context.Context, tx *sqlx.Tx, r Refund) (bool, error) {
	if r.Reason != RefundSurplus {
		return r.KeepPlan, nil
	}
	return s.keptLast(ctx, tx, r)
}

// reversible says how much of the payment can be reversed: amount, or all that is left where that is 0, which
// ReversalInput allows only where it says All. What an upgrade's
// payment was credited can go back by bank transfer even when all that was captured is back.
func (p Payment) reversible(kind ReversalKind, amount money.Paise, rest refundable) (money.Paise, error) {
	most := rest.Gateway
	switch {
	case kind == ReversalRelease:
		if p.State != StateHeld || p.Surplus || rest.Already > 0 {
			return 0, ErrNotHeld
		}
		return p.Captured, nil
	case kind == ReversalBankTransfer:
		if rest.Owed < 1 || amount != 0 && amount != rest.Owed {
			return 0, ErrNothingOwed
		}
		return rest.Owed, nil
	case p.State != StatePaid && p.State != StateRefunded || p.Surplus && kind != ReversalChargeback:
		return 0, ErrNotRefundable
	case kind == ReversalChargeback:
		most = p.Captured
	case kind == ReversalCreditNote:
		most = rest.Bank
		if p.State == StateRefunded && rest.Applied == 0 {
			return 0, ErrNotRefundable
		}
	case p.State != StatePaid:
		return 0, ErrNotRefundable
	}
	if amount == 0 {
		amount = most
	}
	if amount < 1 || amount > most {
		return 0, ErrRefundTooMuch
	}
	return amount, nil
}
