package desk

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

const moneyCountsSQL = `
SELECT count(*) FILTER (WHERE kind = 'held') AS held, count(*) FILTER (WHERE kind = 'dispute') AS disputes,
    count(*) FILTER (WHERE kind = 'unconfirmed') AS unconfirmed, count(*) FILTER (WHERE kind = 'refund') AS refunds
FROM waiting_money()`

// MoneyCountsTx counts all customers' money that awaits staff.
func MoneyCountsTx(ctx context.Context, tx *sqlx.Tx) (MoneyCounts, error) {
	var c MoneyCounts
	if err := tx.GetContext(ctx, &c, moneyCountsSQL); err != nil {
		return c, fmt.Errorf("count waiting money: %w", err)
	}
	return c, nil
}

const waitingMoneySQL = `
WITH w AS MATERIALIZED (
    SELECT kind, franchiser_id, payment_id, reference, amount_paise, due_paise, since, answer_by, failure,
        count(*) OVER () AS total FROM waiting_money()
    WHERE $1 = '' OR kind = $1 ORDER BY since, payment_id, reference LIMIT $2)
SELECT w.kind, w.franchiser_id, w.payment_id, w.reference, w.amount_paise, w.due_paise, w.since, w.answer_by, w.failure, w.total,
    n.transaction_id, n.gateway, n.name, n.mobile, n.bought,
    EXISTS (SELECT FROM reversals v WHERE v.payment_id = w.payment_id AND v.state IN ('waiting', 'approved')) AS requested
FROM w JOIN named_payments(ARRAY(SELECT payment_id FROM w)) n ON n.payment_id = w.payment_id
ORDER BY w.since, w.payment_id, w.reference`

// WaitingMoneyTx lists the money that awaits staff, oldest first, at most maxWaiting rows, optionally of one kind, and returns the number
// of all such rows.
func WaitingMoneyTx(ctx context.Context, tx *sqlx.Tx, kind MoneyKind) (list []WaitingMoney, total int, err error) {
	var rows []struct {
		WaitingMoney
		Total int `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, waitingMoneySQL, string(kind), maxWaiting); err != nil {
		return nil, 0, fmt.Errorf("list waiting money: %w", err)
	}
	list = make([]WaitingMoney, len(rows))
	for i, r := range rows {
		list[i], total = r.WaitingMoney, r.Total
		list[i].Since = list[i].Since.UTC()
		list[i].ByHand = list[i].Kind == MoneyRefund && refund.StaffTransfer(list[i].Gateway, list[i].Failure)
	}
	return list, total, surplusTx(ctx, tx, list)
}

const surplusSQL = `SELECT reason = 'surplus' FROM refunds WHERE franchiser_id = $1 AND id = $2`

// surplusTx marks each failed refund that only a bank transfer can return. Refunds are read with their customer's rights.
func surplusTx(ctx context.Context, tx *sqlx.Tx, list []WaitingMoney) error {
	for i := range list {
		w := &list[i]
		if w.Kind != MoneyRefund {
			continue
		}
		if err := postgres.SetFranchiser(ctx, tx, w.FranchiserID); err != nil {
			return err
		}
		if err := tx.GetContext(ctx, &w.Owed, surplusSQL, w.FranchiserID, w.Reference); err != nil {
			return fmt.Errorf("read why a refund was asked for: %w", err)
		}
	}
	return nil
}

// issuesSQL returns the query for IssuesTx: worst first, then oldest first within a kind. A failed refund is omitted while staff handle
// its payment, so that it is not paid twice.
func issuesSQL() string {
	return `
SELECT kind, transaction_id, gateway, reference, amount_paise, other_paise, since, text FROM (
    SELECT 1 AS place, CASE WHEN p.surplus OR EXISTS (SELECT FROM reversals v WHERE v.payment_id = p.id AND v.state = 'approved') THEN 'released' ELSE 'held' END AS kind, p.transaction_id, p.gateway, '' AS reference,
        coalesce(p.captured_paise, 0) AS amount_paise, p.amount_paise AS other_paise, coalesce(p.decided_at, p.created_at) AS since, '' AS text
    FROM payments p WHERE p.franchiser_id = $1 AND p.state = 'held'
        AND NOT (p.surplus AND EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id HAVING bool_and(r.state = 'failed')))
    UNION ALL
    SELECT CASE WHEN d.confirmed THEN 2 ELSE 3 END, CASE WHEN d.confirmed THEN 'dispute' ELSE 'unconfirmed' END, p.transaction_id, p.gateway,
        d.gateway_dispute_id, d.amount_paise, 0, d.opened_at, answer_due(d.payment_id, d.gateway_dispute_id, d.confirmed)
    FROM disputes d JOIN payments p ON p.franchiser_id = d.franchiser_id AND p.id = d.payment_id
    WHERE d.franchiser_id = $1 AND d.state = 'open'
    UNION ALL
    SELECT 4, CASE r.reason WHEN 'surplus' THEN 'owed' ELSE 'refund' END, p.transaction_id, p.gateway, r.id::text,
        CASE r.reason WHEN 'surplus' THEN r.amount_paise ELSE least(r.amount_paise, w.owed) END, 0, r.created_at, r.failure
    FROM refunds r JOIN payments p ON p.franchiser_id = r.franchiser_id AND p.id = r.payment_id
        CROSS JOIN LATERAL (SELECT CASE WHEN r.reason <> 'surplus' THEN owed_of_invoiced(r.payment_id)
            - (SELECT coalesce(sum(n.amount_paise), 0)::bigint FROM refunds n
                WHERE n.payment_id = r.payment_id AND n.state = 'failed' AND n.reason <> 'surplus' AND n.credits_payment_id IS NULL
                    AND (n.created_at, n.id) > (r.created_at, r.id)) END AS owed) w
    WHERE r.franchiser_id = $1 AND r.state = 'failed' AND r.credits_payment_id IS NULL
        AND NOT EXISTS (SELECT FROM reversals v WHERE v.payment_id = r.payment_id AND v.state IN ('waiting', 'approved'))
        AND CASE r.reason WHEN 'surplus' THEN r.id IN (SELECT o.refund_id FROM owed_of_payment(r.payment_id) o) ELSE w.owed > 0 END
    UNION ALL
    SELECT 5, 'request', p.transaction_id, p.gateway, v.kind, v.amount_paise, 0, v.requested_at, ` + staff.NameSQL("v.requested_by") + `
    FROM reversals v JOIN payments p ON p.franchiser_id = v.franchiser_ref AND p.id = v.payment_id
    WHERE v.franchiser_ref = $1 AND v.state = 'waiting') m
ORDER BY place, since, reference`
}

// IssuesTx lists the franchiser's payment problems and pending items, worst first.
func IssuesTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Issue, error) {
	issues := []Issue{}
	if err := tx.SelectContext(ctx, &issues, issuesSQL(), franchiserID); err != nil {
		return nil, fmt.Errorf("read what is wrong with the money: %w", err)
	}
	return issues, nil
}

func openRequestsSQL() string {
	return `
SELECT v.id, v.payment_id, v.kind, v.state, v.amount_paise, ` + staff.NameSQL("v.requested_by") + ` AS requested_by
FROM reversals v
WHERE v.franchiser_ref = $1 AND v.state IN ('waiting', 'approved') ORDER BY v.requested_at, v.id`
}

// OpenRequestsTx lists the unfinished requests to return the franchiser's money, oldest first.
func OpenRequestsTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]OpenRequest, error) {
	requests := []OpenRequest{}
	if err := tx.SelectContext(ctx, &requests, openRequestsSQL(), franchiserID); err != nil {
		return nil, fmt.Errorf("list open requests: %w", err)
	}
	return requests, nil
}
