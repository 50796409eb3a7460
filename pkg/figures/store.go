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

// monthsTx recounts the months from one until that of the day.
func monthsTx(ctx context.Context, tx *sqlx.Tx, from, asOf string) error {
	if _, err := tx.ExecContext(ctx, deleteMonthsSQL, from); err != nil {
		return fmt.Errorf("drop months: %w", err)
	}
	_, err := tx.ExecContext(ctx, insertMonthsSQL, from, asOf)
	return wrap("count months", err)
}

// checkTx compares the stored months with the rows, by another method than monthsTx.
func checkTx(ctx context.Context, tx *sqlx.Tx, asOf string) ([]Finding, error) {
	var found []Finding
	return found, wrap("check the figures", tx.SelectContext(ctx, &found, checkSQL, asOf, maxFindings))
}
