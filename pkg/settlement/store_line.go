package settlement

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	lineColumns = `l.gateway, l.day, l.line_id, l.kind, l.action, l.transaction_id, l.gateway_payment_id, l.refund_id, l.amount_paise,
		l.fee_paise, l.tax_paise, l.net_paise, l.settlement_id, l.utr, NOT l.settled AS pending,
		coalesce(l.settled_at, '0001-01-01T00:00:00Z') AS settled_at, l.booked_at, l.blocked_by, l.listed,
		coalesce(l.booked_net_paise, 0) AS booked_net_paise`
	linesSQL     = `SELECT ` + lineColumns + ` FROM settlement_lines l WHERE l.gateway = $1 AND l.day = $2 ORDER BY l.position`
	linesOfSQL   = `SELECT ` + lineColumns + ` FROM settlement_lines l WHERE l.gateway = $1 AND l.transaction_id = $2 ORDER BY l.day, l.position`
	openLinesSQL = `
		SELECT ` + lineColumns + ` FROM settlement_lines l WHERE l.booked_at IS NULL AND ($1 = '' OR l.gateway = $1)
		ORDER BY l.day, l.position LIMIT $2`
	// Every open line, and every booked line that has changed since or still differs.
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

func (s store) linesOf(ctx context.Context, tx *sqlx.Tx, gateway, transactionID string) ([]StoredLine, error) {
	return s.lines(ctx, tx, linesOfSQL, gateway, transactionID)
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

// lineWaits records why an open line can't be booked yet.
func (store) lineWaits(ctx context.Context, tx *sqlx.Tx, l StoredLine, forWhat string) error {
	if _, err := tx.ExecContext(ctx, lineWaitsSQL, l.Gateway, l.ID, forWhat, l.TransactionID); err != nil {
		return fmt.Errorf("note open line: %w", err)
	}
	return nil
}

// lineBooked records that a line is in the books, under its journal.
func (store) lineBooked(ctx context.Context, tx *sqlx.Tx, l StoredLine, journalID string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, lineBookedSQL, l.Gateway, l.ID, l.TransactionID, now, journalID); err != nil {
		return fmt.Errorf("note booked line: %w", err)
	}
	return nil
}

const settledBeforeSQL = `
	SELECT transaction_id, gateway_payment_id, line_id, kind, amount_paise FROM settlement_lines
	WHERE gateway = $1 AND transaction_id = ANY ($2)
		AND (kind = 'capture' AND booked_at IS NOT NULL OR kind = 'refund_reversal' AND settled AND listed)`

// settledBefore adds earlier settlements of the payments: which line booked which capture, and which refunds were returned.
func (store) settledBefore(ctx context.Context, tx *sqlx.Tx, gateway string, byTransaction map[string]*settled) error {
	var lines []Line
	err := tx.SelectContext(ctx, &lines, settledBeforeSQL, gateway, pq.Array(slices.Collect(maps.Keys(byTransaction))))
	if err != nil {
		return fmt.Errorf("read what was settled before: %w", err)
	}
	for _, l := range lines {
		p := byTransaction[l.TransactionID]
		if l.Kind == KindCapture {
			p.Booked[l.GatewayPaymentID] = l.ID
		} else {
			p.Returned = append(p.Returned, l.Amount)
		}
	}
	return nil
}
