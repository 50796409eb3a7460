package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// refundable is what can still be returned of a payment, in paise.
type refundable struct {
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

// refundable returns what can still be returned of a payment: part of the capture, up to the uncredited amount of its invoice,
// because the part used for an upgrade was already credited.
func (s store) refundable(ctx context.Context, tx *sqlx.Tx, p Payment) (refundable, error) {
	var l refundable
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
		if l.Gone, err = s.gone(ctx, tx, p); err != nil {
			return l, err
		}
	}
	l.Bank = max(0, min(l.received(p), uncredited))
	return l, nil
}

// received returns the amount paid for the payment's invoice, in money or by credit notes, less refunds.
func (l refundable) received(p Payment) money.Paise {
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

// setOff lists the earlier payments whose credit notes paid the upgrade, the newest first.
func (store) setOff(ctx context.Context, tx *sqlx.Tx, upgrade Payment) ([]setOffPart, error) {
	var parts []setOffPart
	if err := tx.SelectContext(ctx, &parts, setOffSQL, upgrade.FranchiserID, upgrade.ID); err != nil {
		return nil, fmt.Errorf("list what was set off: %w", err)
	}
	return parts, nil
}

// gone returns how much of the money behind the credit notes that paid the upgrade was returned since, such as by a chargeback of an
// earlier payment. It cannot be returned a second time with the upgrade.
func (s store) gone(ctx context.Context, tx *sqlx.Tx, upgrade Payment) (money.Paise, error) {
	parts, err := s.setOff(ctx, tx, upgrade)
	if err != nil {
		return 0, err
	}
	var sum money.Paise
	for _, part := range parts {
		earlier, err := s.find(ctx, tx, part.PaymentID)
		if err != nil {
			return 0, err
		}
		rest, err := s.refundable(ctx, tx, earlier)
		if err != nil {
			return 0, err
		}
		sum += min(part.Amount, max(0, part.Amount-rest.received(earlier)))
	}
	return sum, nil
}

// owedOfInvoiced returns what failed refunds of a payment still owe of invoiced money.
func (store) owedOfInvoiced(ctx context.Context, tx *sqlx.Tx, paymentID string) (money.Paise, error) {
	var owed money.Paise
	if err := tx.GetContext(ctx, &owed, `SELECT owed_of_invoiced($1)`, paymentID); err != nil {
		return 0, fmt.Errorf("read what failed refunds owe: %w", err)
	}
	return owed, nil
}

const keptLastSQL = `
	SELECT coalesce((SELECT keep_plan FROM refunds WHERE payment_id = $1 AND gateway_payment_id = $2 AND reason <> 'surplus' AND state = 'done'
		AND credits_payment_id IS NULL ORDER BY done_at DESC, id DESC LIMIT 1), false)`

// keptLast returns keep_plan of the capture's last completed refund that was not a surplus.
func (store) keptLast(ctx context.Context, tx *sqlx.Tx, r Refund) (bool, error) {
	var keep bool
	if err := tx.GetContext(ctx, &keep, keptLastSQL, r.PaymentID, r.GatewayPaymentID); err != nil {
		return false, fmt.Errorf("read earlier refund: %w", err)
	}
	return keep, nil
}

// keepsPlan reports whether the purchase continues although this refund completes the payment's return. An overpayment does not
// decide that: if it is returned last, the refund before it does.
func (s store) keepsPlan(ctx context.Context, tx *sqlx.Tx, r Refund) (bool, error) {
	if r.Reason != RefundSurplus {
		return r.KeepPlan, nil
	}
	return s.keptLast(ctx, tx, r)
}

// tooSmallError is ErrRefundTooSmall with the least amount in its message.
func tooSmallError(least money.Paise) error {
	e := *ErrRefundTooSmall
	e.Message = tooSmall(least)
	return &e
}

// reversible returns how much of the payment can be reversed: amount, or the whole remainder if it is 0, which
// ReversalInput allows only with All. Credit notes applied to an upgrade's payment can be returned by bank
// transfer even when the whole capture is back.
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
	case p.Gateway == GatewayBank && kind != ReversalCreditNote:
		return 0, ErrPaidByTransfer
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
	if kind == ReversalRefund && amount < rest.Least {
		return 0, tooSmallError(rest.Least)
	}
	return amount, nil
}
