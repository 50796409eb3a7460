package einvoice

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the registrations that wait for staff, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "e_invoice", Title: "Documents that the Invoice Registration Portal does not have", Link: "/support/e-invoices?state=refused", Roles: []staff.Role{staff.RoleFinance}, Read: work,
	}}
}

// A registration and its job are stored together. A waiting registration without a job used up the job's tries.
const hasJob = `EXISTS (SELECT FROM job_overview j WHERE j.kind = 'register_invoice' AND j.args = jsonb_build_object('invoice_id', e.invoice_id)
	AND jsonb_hash_extended(j.args, 0) = jsonb_hash_extended(jsonb_build_object('invoice_id', e.invoice_id), 0)
	AND j.state IN ('available', 'pending', 'retryable', 'running', 'scheduled'))`

const workSQL = `
	WITH waits AS (SELECT invoice_id, state, code, message, changed_at, total FROM einvoices_that_wait($1)),
	lost AS (SELECT invoice_id, state, code, message, changed_at FROM einvoices('waiting', NULL, 1000, 0) e WHERE NOT ` + hasJob + `)
	SELECT invoice_id, state, code, message, changed_at, coalesce((SELECT max(total) FROM waits), 0) + (SELECT count(*) FROM lost) AS of_all
	FROM (SELECT invoice_id, state, code, message, changed_at FROM waits UNION ALL SELECT * FROM lost) w
	ORDER BY changed_at, invoice_id LIMIT $1`

const lostSQL = `SELECT EXISTS (SELECT FROM einvoices('waiting', $1, 1, 0) e WHERE NOT ` + hasJob + `)`

// lost reports whether the document waits for a registration that no job asks for.
func (store) lost(ctx context.Context, tx *sqlx.Tx, invoiceID string) (lost bool, err error) {
	if err := tx.GetContext(ctx, &lost, lostSQL, invoiceID); err != nil {
		return false, fmt.Errorf("find registration without a job: %w", err)
	}
	return lost, nil
}

func work(ctx context.Context, tx *sqlx.Tx, _ time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []Row
	if err := tx.SelectContext(ctx, &rows, workSQL, limit); err != nil {
		return nil, 0, fmt.Errorf("list registrations that wait: %w", err)
	}
	ids := make([]string, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.InvoiceID)
	}
	documents, err := invoice.RegisteredDocumentsTx(ctx, tx, ids)
	if err != nil {
		return nil, 0, err
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.All
		item := worklist.Item{
			Key: r.InvoiceID, Title: documents[r.InvoiceID].Number + " · " + documents[r.InvoiceID].Name, Since: r.ChangedAt, Amount: documents[r.InvoiceID].Total,
			Wrong: "The portal refused it: " + r.Message + " (" + r.Code + ").", Link: "/support/e-invoices?state=" + string(r.State),
			ToDo: "Without a reference number it is no invoice. Mend the reason, and an admin asks again.",
		}
		switch r.State {
		case StateUnsigned:
			item.Wrong, item.ToDo = r.Message, "Without the QR code it is no invoice that can be sent. An admin asks again. If that does not help, write to the portal's help desk with the IRN."
		case StateCancelled:
			item.Wrong, item.ToDo = cancelledWords(documents[r.InvoiceID].Kind)
		case StateWaiting:
			item.Wrong, item.ToDo = "The portal gave no answer in any of the tries, and nothing asks it again.",
				"Without a reference number it is no invoice. Once the portal answers, an admin asks again."
		case StateRegistered, StateRefused:
		}
		items = append(items, item)
	}
	return items, total, nil
}

func cancelledWords(kind invoice.Kind) (wrong, toDo string) {
	if kind == invoice.KindCreditNote {
		return "It was cancelled at the portal, so that no return has it: the tax of its invoice is owed in full.",
			"The money went back all the same. Tell the accountant before the month's return is filed."
	}
	return "It was cancelled at the portal, and counts for nothing there: the month's return leaves it out.",
		"Take it back by a credit note, or issue it again to the right recipient, on the customer's page."
}
