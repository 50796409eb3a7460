package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// store holds all SQL of the books; row-level security backs every franchiser_id it names.
type store struct{}

const insertSQL = `
	WITH journal AS (
		INSERT INTO ledger_journals (id, franchiser_id, kind, reference, payment_id, invoice_id, description, posted_at, happened_at)
		SELECT $1, nullif($2, '')::uuid, $3, $4, nullif($5, '')::uuid, nullif($6, '')::uuid, $7, greatest($8::timestamptz, open_from),
			CASE WHEN $8::timestamptz < open_from THEN $8::timestamptz END
		FROM books_open_from() AS open_from
		ON CONFLICT (kind, reference) DO NOTHING
		RETURNING id, franchiser_id
	)
	INSERT INTO ledger_lines (journal_id, franchiser_id, position, account, debit_paise, credit_paise)
	SELECT j.id, j.franchiser_id, l.position, l.line->>'account', (l.line->>'debit_paise')::bigint, (l.line->>'credit_paise')::bigint
	FROM journal j, jsonb_array_elements($9::jsonb) WITH ORDINALITY AS l (line, position)`

// insert appends the entry; posted is false if the event is already in the books.
func (store) insert(ctx context.Context, tx *sqlx.Tx, journalID string, e Entry) (posted bool, err error) {
	lines, err := json.Marshal(e.Lines)
	if err != nil {
		return false, fmt.Errorf("write lines of %s %s: %w", e.Kind, e.Reference, err)
	}
	result, err := tx.ExecContext(ctx, insertSQL, journalID, e.FranchiserID, e.Kind, e.Reference, e.PaymentID, e.InvoiceID,
		e.Description, e.PostedAt, string(lines))
	if err != nil {
		return false, fmt.Errorf("post %s %s: %w", e.Kind, e.Reference, err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("post %s %s: %w", e.Kind, e.Reference, err)
	}
	return n > 0, nil
}

const linesSQL = `
	SELECT l.account, l.debit_paise, l.credit_paise
	FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
	WHERE j.franchiser_id IS NOT DISTINCT FROM nullif($1, '')::uuid AND j.kind = $2 AND j.reference = $3
	ORDER BY l.position`

func (store) linesOf(ctx context.Context, tx *sqlx.Tx, e Entry) ([]Line, error) {
	var lines []Line
	if err := tx.SelectContext(ctx, &lines, linesSQL, e.FranchiserID, e.Kind, e.Reference); err != nil {
		return nil, fmt.Errorf("read lines of %s %s: %w", e.Kind, e.Reference, err)
	}
	return lines, nil
}

const journalIDSQL = `SELECT coalesce((SELECT id FROM ledger_journals WHERE kind = $1 AND reference = $2)::text, '')`

func (store) journalID(ctx context.Context, tx *sqlx.Tx, e Entry) (string, error) {
	var found string
	if err := tx.GetContext(ctx, &found, journalIDSQL, e.Kind, e.Reference); err != nil {
		return "", fmt.Errorf("find journal of %s %s: %w", e.Kind, e.Reference, err)
	}
	return found, nil
}

const byPaymentSQL = `
	SELECT j.id, j.kind, j.reference, coalesce(j.payment_id::text, '') AS payment_id,
		coalesce(j.invoice_id::text, '') AS invoice_id, j.description, j.posted_at,
		coalesce(j.happened_at, '0001-01-01T00:00:00Z') AS happened_at,
		(SELECT jsonb_agg(to_jsonb(l) ORDER BY l.position) FROM ledger_lines l
		 WHERE l.franchiser_id = j.franchiser_id AND l.journal_id = j.id) AS lines
	FROM ledger_journals j
	WHERE j.franchiser_id = $1 AND j.payment_id = $2
	ORDER BY j.posted_at, j.id`

func (store) byPayment(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) ([]Journal, error) {
	var rows []struct {
		ID          string    `db:"id"`
		Kind        Kind      `db:"kind"`
		Reference   string    `db:"reference"`
		PaymentID   string    `db:"payment_id"`
		InvoiceID   string    `db:"invoice_id"`
		Description string    `db:"description"`
		PostedAt    time.Time `db:"posted_at"`
		HappenedAt  time.Time `db:"happened_at"`
		Lines       []byte    `db:"lines"`
	}
	if err := tx.SelectContext(ctx, &rows, byPaymentSQL, franchiserID, paymentID); err != nil {
		return nil, fmt.Errorf("read journals of payment: %w", err)
	}
	journals := make([]Journal, 0, len(rows))
	for _, r := range rows {
		j := Journal{
			ID: r.ID, Kind: r.Kind, Reference: r.Reference, PaymentID: r.PaymentID, InvoiceID: r.InvoiceID,
			Description: r.Description, PostedAt: r.PostedAt.UTC(), HappenedAt: r.HappenedAt.UTC(),
		}
		if err := json.Unmarshal(r.Lines, &j.Lines); err != nil {
			return nil, fmt.Errorf("read lines of journal: %w", err)
		}
		journals = append(journals, j)
	}
	return journals, nil
}

const balancesSQL = `
	SELECT a.code AS account, a.name, a.type,
		coalesce(sum(l.debit_paise), 0)::bigint AS debit_paise, coalesce(sum(l.credit_paise), 0)::bigint AS credit_paise
	FROM ledger_accounts a LEFT JOIN ledger_lines l ON l.account = a.code
	GROUP BY a.code, a.name, a.type, a.position
	ORDER BY a.position`

func (store) balances(ctx context.Context, tx *sqlx.Tx) ([]Balance, error) {
	var balances []Balance
	if err := tx.SelectContext(ctx, &balances, balancesSQL); err != nil {
		return nil, fmt.Errorf("sum accounts: %w", err)
	}
	return balances, nil
}
