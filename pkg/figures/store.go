package figures

import (
	"context"
	_ "embed" // the SQL beside this file
	"fmt"

	"github.com/jmoiron/sqlx"
)

//go:embed months.sql
var insertMonthsSQL string

//go:embed check.sql
var checkSQL string

const deleteMonthsSQL = `DELETE FROM figure_months WHERE month >= $1::date`

// monthsTx counts the months anew, from one to that of the day.
func monthsTx(ctx context.Context, tx *sqlx.Tx, from, asOf string) error {
	if _, err := tx.ExecContext(ctx, deleteMonthsSQL, from); err != nil {
		return fmt.Errorf("drop months: %w", err)
	}
	_, err := tx.ExecContext(ctx, insertMonthsSQL, from, asOf)
	return wrap("count months", err)
}

// checkTx compares what is kept with the rows, by another way than monthsTx counts.
func checkTx(ctx context.Context, tx *sqlx.Tx, asOf string) ([]Finding, error) {
	var found []Finding
	return found, wrap("check the figures", tx.SelectContext(ctx, &found, checkSQL, asOf, maxFindings))
}
