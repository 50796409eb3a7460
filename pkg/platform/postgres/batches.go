package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
)

// batch is how many rows are deleted at once: a few hundred milliseconds of work.
const batch = 10_000

// DeleteInBatches runs a statement of the form DELETE FROM table WHERE condition in batches, each in its own transaction,
// until no rows match, and returns the number deleted. Finished batches stay deleted if ctx ends or a later batch fails, so
// the next run continues from there: a delete of millions that never finishes in time would start over for ever.
func DeleteInBatches(ctx context.Context, db *sqlx.DB, statement string, args ...any) (int64, error) {
	rest, isDelete := strings.CutPrefix(strings.TrimSpace(statement), "DELETE FROM ")
	table, condition, hasCondition := strings.Cut(rest, " WHERE ")
	if !isDelete || !hasCondition {
		return 0, errors.New("delete in batches: want DELETE FROM table WHERE condition")
	}
	some := fmt.Sprintf("DELETE FROM %[1]s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %[1]s WHERE %[2]s LIMIT %[3]d))", table, condition, batch)
	var all int64
	for {
		res, err := db.ExecContext(ctx, some, args...)
		if err != nil {
			return all, Error(fmt.Errorf("delete from %s: %w", table, err))
		}
		gone, err := res.RowsAffected()
		if err != nil {
			return all, fmt.Errorf("delete from %s: %w", table, err)
		}
		all += gone
		if gone < batch {
			return all, nil
		}
	}
}
