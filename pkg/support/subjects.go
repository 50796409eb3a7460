package support

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// Subjects names what staff acted on to staff.
type Subjects struct{}

// Customers, payments and documents are named by a function, because the API's role cannot see customers' rows here.
const subjectsSQL = `
WITH targets AS (SELECT DISTINCT target, CASE WHEN target ~ '^contact:[0-9a-f-]{36}$' THEN split_part(target, ':', 2)::uuid END AS id
    FROM unnest($1::text[]) AS target)
SELECT subject, name FROM named_subjects($1)
UNION ALL SELECT t.target, c.name FROM targets t JOIN contact_overview c ON c.id = t.id`

// NamesTx returns the names of the customers, payments, documents and requests among the targets of the audit trail.
func (Subjects) NamesTx(ctx context.Context, tx *sqlx.Tx, targets []string) (map[string]string, error) {
	var found []struct {
		Subject string `db:"subject"`
		Name    string `db:"name"`
	}
	if err := tx.SelectContext(ctx, &found, subjectsSQL, pq.Array(targets)); err != nil {
		return nil, fmt.Errorf("name what was acted on: %w", err)
	}
	names := make(map[string]string, len(found))
	for _, f := range found {
		names[f.Subject] = f.Name
	}
	return names, nil
}
