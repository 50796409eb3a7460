package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// EntryLine is a line of an entry of any customer, with the entry that it belongs to. What does not apply is empty.
type EntryLine struct {
	Line

	JournalID    string    `db:"journal_id"`
	Kind         Kind      `db:"kind"`
	FranchiserID string    `db:"franchiser_id"`
	PaymentID    string    `db:"payment_id"`
	InvoiceID    string    `db:"invoice_id"`
	Description  string    `db:"description"`
	PostedAt     time.Time `db:"posted_at"`
}

// EntriesTx returns the lines of the entries that are dated in [after, before), entry by entry in order of time. The
// transaction has to carry the proof of a member of staff.
func EntriesTx(ctx context.Context, tx *sqlx.Tx, after, before time.Time) ([]EntryLine, error) {
	var list []EntryLine
	err := tx.SelectContext(ctx, &list, `SELECT journal_id, kind, coalesce(franchiser_id::text, '') AS franchiser_id,
			coalesce(payment_id::text, '') AS payment_id, coalesce(invoice_id::text, '') AS invoice_id, description, posted_at,
			account, debit_paise, credit_paise
		FROM books_by_entry($1, $2)`, after, before)
	if err != nil {
		return nil, fmt.Errorf("read the entries of the books: %w", err)
	}
	return list, nil
}

// BalancesTx returns the balance of every account over the entries dated before the moment. The transaction has to carry the proof of a
// member of staff.
func BalancesTx(ctx context.Context, tx *sqlx.Tx, before time.Time) ([]Balance, error) {
	var balances []Balance
	err := tx.SelectContext(ctx, &balances, `SELECT account, name, type, debit_paise, credit_paise FROM books_at($1)`, before)
	if err != nil {
		return nil, fmt.Errorf("sum the books: %w", err)
	}
	return balances, nil
}

// CustomersTx returns the customers whose first entry is dated in [after, before). The transaction has to carry the proof of a member of
// staff.
func CustomersTx(ctx context.Context, tx *sqlx.Tx, after, before time.Time) ([]string, error) {
	var ids []string
	if err := tx.SelectContext(ctx, &ids, `SELECT franchiser_id FROM customers_in_books($1, $2) ORDER BY 1`, after, before); err != nil {
		return nil, fmt.Errorf("read the customers of the books: %w", err)
	}
	return ids, nil
}
