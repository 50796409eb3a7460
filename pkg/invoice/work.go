package invoice

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// fileAfter is how long a document may be without a PDF until staff look.
const fileAfter = 10 * time.Minute

// WorkSources returns the documents that wait for staff, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{Kind: "document_without_file", Title: "Documents without a PDF for ten minutes", Roles: []staff.Role{staff.RoleSupport, staff.RoleFinance}, Read: fileWork}}
}

const withoutFileSQL = `
SELECT d.franchiser_id, d.invoice_id, d.number, d.kind, d.issued_at, count(*) OVER () AS total
FROM documents_without_file($1) d ORDER BY d.issued_at, d.invoice_id LIMIT $2`

func fileWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		FranchiserID string    `db:"franchiser_id"`
		InvoiceID    string    `db:"invoice_id"`
		Number       string    `db:"number"`
		Kind         string    `db:"kind"`
		IssuedAt     time.Time `db:"issued_at"`
		Total        int       `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, withoutFileSQL, now.Add(-fileAfter), limit); err != nil {
		return nil, 0, fmt.Errorf("list documents without a file: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		items = append(items, worklist.Item{
			Key: r.InvoiceID, Title: r.Number, Since: r.IssuedAt, CustomerID: r.FranchiserID, Wrong: "The " + strings.ReplaceAll(r.Kind, "_", " ") + " has no PDF.",
			ToDo: "On the customer's page, open the failed jobs, and rerun the one that makes the PDF. One that waits for its registration is seen to under E-invoices.",
			ToDoOf: map[staff.Role]string{
				staff.RoleFinance: "Ask support to rerun the failed job that makes the PDF. One that waits for its registration is seen to under E-invoices.",
			},
			Link: "/support/customers/" + r.FranchiserID + "?entry=invoice." + r.InvoiceID,
		})
	}
	return items, total, nil
}
