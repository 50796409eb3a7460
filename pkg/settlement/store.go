package settlement

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/subscription"
)

type store struct{}

const lockSettlementsSQL = `SELECT pg_advisory_xact_lock(hashtextextended('settlements/' || $1, 0))`

// lockSettlements serialises the comparisons of a gateway.
func (store) lockSettlements(ctx context.Context, tx *sqlx.Tx, gateway string) error {
	if _, err := tx.ExecContext(ctx, lockSettlementsSQL, gateway); err != nil {
		return fmt.Errorf("lock settlements: %w", err)
	}
	return nil
}

// Every day since the first comparison without a comparison, or last read too soon to be complete.
const daysToFetchSQL = `
	SELECT d::date FROM generate_series(least((SELECT min(day) FROM settlement_days WHERE gateway = $1), $2::date)::timestamp,
		$2::timestamp, interval '1 day') d
	WHERE NOT EXISTS (SELECT FROM settlement_days s WHERE s.gateway = $1 AND s.day = d
		AND (s.compared_at AT TIME ZONE 'Asia/Kolkata')::date > s.day + $3::int)
	ORDER BY d`

func (store) daysToFetch(ctx context.Context, tx *sqlx.Tx, gateway string, last subscription.Day) ([]subscription.Day, error) {
	var days []subscription.Day
	if err := tx.SelectContext(ctx, &days, daysToFetchSQL, gateway, last, compareAgain); err != nil {
		return nil, fmt.Errorf("list days to compare: %w", err)
	}
	return days, nil
}

const lastComparedSQL = `SELECT max(day) FROM settlement_days WHERE gateway = $1`

// lastCompared returns the gateway's last read day, or 0.
func (store) lastCompared(ctx context.Context, tx *sqlx.Tx, gateway string) (last subscription.Day, err error) {
	if err := tx.GetContext(ctx, &last, lastComparedSQL, gateway); err != nil {
		return 0, fmt.Errorf("read last comparison: %w", err)
	}
	return last, nil
}

const openOfKindSQL = `SELECT transaction_id FROM settlement_differences WHERE gateway = $1 AND kind = $2 AND cleared_at IS NULL`

// openOf returns the transactions with an open difference of the kind.
func (store) openOf(ctx context.Context, tx *sqlx.Tx, gateway string, kind DifferenceKind) ([]string, error) {
	var names []string
	if err := tx.SelectContext(ctx, &names, openOfKindSQL, gateway, string(kind)); err != nil {
		return nil, fmt.Errorf("list open differences: %w", err)
	}
	return names, nil
}

const (
	unsettledSQL = `
		SELECT c.position FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS c (transaction_id, gateway_payment_id, position)
		WHERE NOT EXISTS (SELECT FROM settlement_lines l WHERE l.gateway = $1 AND l.transaction_id = c.transaction_id
			AND l.kind = 'capture' AND l.settled AND l.listed AND l.gateway_payment_id IN ('', c.gateway_payment_id))
		ORDER BY c.position`
	untakenSQL = `
		SELECT c.position FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS c (transaction_id, gateway_payment_id, position)
		WHERE NOT EXISTS (SELECT FROM settlement_lines l WHERE l.gateway = $1 AND l.kind = 'chargeback' AND l.listed
			AND (l.transaction_id = c.transaction_id OR l.gateway_payment_id = nullif(c.gateway_payment_id, '')))
		ORDER BY c.position`
)

// unsettled returns the captures that no settlement has mentioned.
func (s store) unsettled(ctx context.Context, tx *sqlx.Tx, gateway string, list []payment.Payable) ([]payment.Payable, error) {
	return s.without(ctx, tx, unsettledSQL, gateway, list)
}

// untaken returns the lost disputes for which the gateway deducted nothing.
func (s store) untaken(ctx context.Context, tx *sqlx.Tx, gateway string, list []payment.Payable) ([]payment.Payable, error) {
	return s.without(ctx, tx, untakenSQL, gateway, list)
}

func (store) without(ctx context.Context, tx *sqlx.Tx, query, gateway string, list []payment.Payable) ([]payment.Payable, error) {
	if len(list) == 0 {
		return nil, nil
	}
	transactions, captures := make([]string, 0, len(list)), make([]string, 0, len(list))
	for _, p := range list {
		transactions, captures = append(transactions, p.TransactionID), append(captures, p.GatewayPaymentID)
	}
	var positions []int
	if err := tx.SelectContext(ctx, &positions, query, gateway, pq.Array(transactions), pq.Array(captures)); err != nil {
		return nil, fmt.Errorf("find what no settlement names: %w", err)
	}
	missing := make([]payment.Payable, 0, len(positions))
	for _, position := range positions {
		missing = append(missing, list[position-1])
	}
	return missing, nil
}

const (
	saveSettlementSQL = `
		INSERT INTO settlement_days (gateway, day, lines, captured_paise, refunded_paise, fee_paise, tax_paise, net_paise, compared_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (gateway, day) DO UPDATE SET lines = $3, captured_paise = $4, refunded_paise = $5, fee_paise = $6,
			tax_paise = $7, net_paise = $8, compared_at = $9`
	// A line that the gateway lists again on a later day, for example after a failed payout, moves to that day.
	saveLinesSQL = `
		INSERT INTO settlement_lines (gateway, day, position, line_id, kind, action, transaction_id, gateway_payment_id, refund_id,
			amount_paise, fee_paise, tax_paise, net_paise, settlement_id, utr, settled, settled_at, seen_at)
		SELECT $1, $2, position, l->>'ID', l->>'Kind', left(l->>'Action', 60), l->>'TransactionID', l->>'GatewayPaymentID', l->>'RefundID',
			(l->>'Amount')::bigint, (l->>'Fee')::bigint, (l->>'FeeTax')::bigint, (l->>'Net')::bigint, l->>'SettlementID', l->>'UTR',
			NOT (l->>'Pending')::boolean, nullif((l->>'At')::timestamptz, '0001-01-01T00:00:00Z'), $4
		FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS x (l, position)
		ON CONFLICT (gateway, line_id) DO UPDATE SET day = EXCLUDED.day, position = EXCLUDED.position, kind = EXCLUDED.kind,
			action = EXCLUDED.action, gateway_payment_id = EXCLUDED.gateway_payment_id, refund_id = EXCLUDED.refund_id,
			transaction_id = coalesce(nullif(EXCLUDED.transaction_id, ''), settlement_lines.transaction_id),
			amount_paise = EXCLUDED.amount_paise, fee_paise = EXCLUDED.fee_paise, tax_paise = EXCLUDED.tax_paise,
			net_paise = EXCLUDED.net_paise, settlement_id = EXCLUDED.settlement_id, utr = EXCLUDED.utr, settled = EXCLUDED.settled,
			settled_at = EXCLUDED.settled_at, listed = true
		WHERE settlement_lines.day <= EXCLUDED.day`
	unlistSQL = `
		UPDATE settlement_lines SET listed = false WHERE gateway = $1 AND day = $2 AND listed AND NOT line_id = ANY ($3)`
)

// saveSettlement stores the gateway's latest answer for the day.
func (store) saveSettlement(ctx context.Context, tx *sqlx.Tx, d ComparedDay, lines []Line) error {
	_, err := tx.ExecContext(ctx, saveSettlementSQL, d.Gateway, d.Day, d.Lines, d.Captured, d.Refunded, d.Fee, d.Tax, d.Net, d.ComparedAt)
	if err != nil {
		return fmt.Errorf("save comparison: %w", err)
	}
	ids := make([]string, 0, len(lines))
	for _, l := range lines {
		ids = append(ids, l.ID)
	}
	if len(lines) > 0 {
		text, err := json.Marshal(lines)
		if err != nil {
			return fmt.Errorf("write settlement: %w", err)
		}
		if _, err := tx.ExecContext(ctx, saveLinesSQL, d.Gateway, d.Day, string(text), d.ComparedAt); err != nil {
			return fmt.Errorf("save settlement: %w", err)
		}
	}
	if _, err := tx.ExecContext(ctx, unlistSQL, d.Gateway, d.Day, pq.Array(ids)); err != nil {
		return fmt.Errorf("note withdrawn lines: %w", err)
	}
	return nil
}

const (
	clearDifferencesSQL = `
		UPDATE settlement_differences x SET cleared_at = $3
		WHERE x.gateway = $1 AND x.cleared_at IS NULL AND NOT EXISTS (
			SELECT FROM jsonb_to_recordset($2::jsonb) AS f ("LineID" text, "TransactionID" text, "Kind" text)
			WHERE f."LineID" = x.line_id AND f."TransactionID" = x.transaction_id AND f."Kind" = x.kind)`
	saveDifferencesSQL = `
		INSERT INTO settlement_differences (gateway, day, line_id, transaction_id, kind, ours_paise, theirs_paise, opened_at)
		SELECT $1, f."Day", f."LineID", f."TransactionID", f."Kind", f."Ours", f."Theirs", $3
		FROM jsonb_to_recordset($2::jsonb) AS f ("Day" date, "LineID" text, "TransactionID" text, "Kind" text, "Ours" bigint, "Theirs" bigint)
		ON CONFLICT (gateway, transaction_id, line_id, kind) WHERE cleared_at IS NULL
		DO UPDATE SET ours_paise = EXCLUDED.ours_paise, theirs_paise = EXCLUDED.theirs_paise,
			(acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) = (
				SELECT settlement_differences.acknowledged_at, settlement_differences.acknowledged_by,
					settlement_differences.acknowledged_name, settlement_differences.acknowledgement
				WHERE (settlement_differences.ours_paise, settlement_differences.theirs_paise) = (EXCLUDED.ours_paise, EXCLUDED.theirs_paise))`
)

const judgedSQL = `UPDATE settlement_days SET judged_at = $2
	WHERE gateway = $1 AND day = (SELECT max(day) FROM settlement_days WHERE gateway = $1)`

// judged records the time at which all known lines of the gateway were compared with the books.
func (store) judged(ctx context.Context, tx *sqlx.Tx, gateway string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, judgedSQL, gateway, now); err != nil {
		return fmt.Errorf("note judgement of settlements: %w", err)
	}
	return nil
}

// saveDifferences opens the new differences in found, and clears those no longer in it.
func (store) saveDifferences(ctx context.Context, tx *sqlx.Tx, gateway string, found []Difference, now time.Time) error {
	if found == nil {
		found = []Difference{}
	}
	text, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("write differences: %w", err)
	}
	for _, query := range []string{clearDifferencesSQL, saveDifferencesSQL} {
		if _, err := tx.ExecContext(ctx, query, gateway, string(text), now); err != nil {
			return fmt.Errorf("save differences: %w", err)
		}
	}
	return nil
}

const (
	settlementsSQL = `
		SELECT gateway, day, lines, captured_paise, refunded_paise, fee_paise, tax_paise, net_paise, compared_at
		FROM settlement_days WHERE day BETWEEN $1 AND $2 ORDER BY day DESC, gateway`
	differenceColumns = `id, gateway, day, line_id, transaction_id, kind, coalesce(ours_paise, 0) AS ours_paise,
		coalesce(theirs_paise, 0) AS theirs_paise, opened_at, cleared_at,
		acknowledged_at, coalesce(acknowledged_name, '') AS acknowledged_name, coalesce(acknowledgement, '') AS acknowledgement`
	differencesSQL = `
		SELECT ` + differenceColumns + ` FROM settlement_differences WHERE day BETWEEN $1 AND $2
		ORDER BY cleared_at IS NOT NULL, opened_at, transaction_id, kind`
	openDifferencesSQL = `
		SELECT ` + differenceColumns + ` FROM settlement_differences WHERE cleared_at IS NULL AND acknowledged_at IS NULL
		ORDER BY opened_at, transaction_id, kind LIMIT $1`
	countOpenSQL = `SELECT count(*) FROM settlement_differences WHERE cleared_at IS NULL AND acknowledged_at IS NULL`
	// Known lines are compared even if no report can be read: then the last readable report counts.
	lastJudgedSQL = `
		SELECT (` + countOpenSQL + `) AS open, CASE WHEN bool_and(judged_at IS NOT NULL) THEN min(least(judged_at, read_at)) END AS at
		FROM (SELECT max(d.judged_at) AS judged_at, max(d.compared_at) AS read_at
			FROM unnest($1::text[]) g LEFT JOIN settlement_days d ON d.gateway = g GROUP BY g) each`
	acknowledgedSQL = `
		SELECT ` + differenceColumns + ` FROM settlement_differences WHERE cleared_at IS NULL AND acknowledged_at IS NOT NULL
		ORDER BY acknowledged_at DESC, transaction_id, kind LIMIT $1`
)

func (store) differences(ctx context.Context, tx *sqlx.Tx, query string, limit int) ([]Difference, error) {
	var list []Difference
	if err := tx.SelectContext(ctx, &list, query, limit); err != nil {
		return nil, fmt.Errorf("list differences: %w", err)
	}
	return list, nil
}

func (store) settlements(ctx context.Context, tx *sqlx.Tx, first, last subscription.Day) ([]ComparedDay, error) {
	var days []ComparedDay
	if err := tx.SelectContext(ctx, &days, settlementsSQL, first, last); err != nil {
		return nil, fmt.Errorf("list comparisons: %w", err)
	}
	var found []Difference
	if err := tx.SelectContext(ctx, &found, differencesSQL, first, last); err != nil {
		return nil, fmt.Errorf("list differences: %w", err)
	}
	for _, f := range found {
		for i := range days {
			if days[i].Gateway == f.Gateway && days[i].Day == f.Day {
				days[i].Differences = append(days[i].Differences, f)
			}
		}
	}
	return days, nil
}
