package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Given a registration that the portal refused, then support reads the reason, and only an admin can retry it.
func TestEInvoices_RefusedRegistration_IsRetriedByAnAdmin(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500081")
	_, err := app.db.Owner.Exec(`UPDATE business_addresses SET gstin = '29AAPFU0939F1ZR', legal_name = 'Asha Sweets LLP'`)
	require.NoError(t, err)
	franchiser, _ := app.paidBy(t, app.bought(t, c, newPayuServer(t)))
	var invoiceID, number string
	require.NoError(t, app.db.Owner.QueryRow(`SELECT id, number FROM invoices`).Scan(&invoiceID, &number))
	admin, support := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin), app.signedInAs(t, "sunita@example.in", staff.RoleSupport)

	empty := support.call(t, http.MethodGet, "/e-invoices", nil)
	require.Equal(t, []any{200, []any{}}, []any{empty.Status, empty.Body["data"]})
	_, err = app.db.Owner.Exec(`INSERT INTO einvoice_registrations (invoice_id, franchiser_id, state, code, message, asked_at, changed_at)
		VALUES ($1, $2, 'refused', '3028', 'Buyer GSTIN is invalid', $3, $3)`, invoiceID, franchiser, app.clock.Now())
	require.NoError(t, err)

	shown := support.call(t, http.MethodGet, "/e-invoices?state=refused", nil)
	require.Equal(t, 200, shown.Status, "%s", shown.Raw)
	row := shown.Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, []any{invoiceID, number, "Asha Sweets LLP", "29AAPFU0939F1ZR", "refused", "3028", "Buyer GSTIN is invalid", "", nil},
		[]any{row["id"], row["number"], row["name"], row["gstin"], row["state"], row["code"], row["message"], row["irn"], row["acknowledged_at"]})
	require.Empty(t, support.call(t, http.MethodGet, "/e-invoices?state=waiting", nil).Body["data"])
	require.Equal(t, 422, support.call(t, http.MethodGet, "/e-invoices?state=lost", nil).Status)
	counts := support.call(t, http.MethodGet, "/e-invoices/counts", nil)
	require.Equal(t, []any{false, 0., 1., 0.}, []any{counts.Data(t, "registering"), counts.Data(t, "waiting"), counts.Data(t, "refused"), counts.Data(t, "cancelled")})

	opened := func() string {
		answer := support.call(t, http.MethodGet, "/customers/"+franchiser+"/invoices/"+invoiceID, nil)
		require.Equal(t, []any{200, nil, number}, []any{answer.Status, answer.Data(t, "url"), answer.Data(t, "number")})
		return answer.Body["message"].(string)
	}
	require.Contains(t, opened(), "the Invoice Registration Portal refused the document")
	refused := c.get(t, "/subscription/invoice/"+invoiceID)
	require.Equal(t, []any{409, "document_not_registered"}, []any{refused.Status, refused.Body["code"]}, "the customer is not told to wait for it")

	path := "/e-invoices/" + invoiceID + "/register"
	reason := map[string]any{"reason": "The GSTIN is active now"}
	require.Equal(t, 403, support.call(t, http.MethodPost, path, reason).Status)
	require.Equal(t, 422, admin.call(t, http.MethodPost, path, map[string]any{"reason": " "}).Status)
	require.Equal(t, 404, admin.call(t, http.MethodPost, "/e-invoices/"+id.New()+"/register", reason).Status)
	require.Equal(t, 200, admin.call(t, http.MethodPost, path, reason).Status)
	var jobs, records int
	require.NoError(t, app.db.Owner.Get(&jobs, `SELECT count(*) FROM river_job WHERE kind = 'register_invoice' AND args->>'invoice_id' = $1`, invoiceID))
	require.NoError(t, app.db.Owner.Get(&records, `SELECT count(*) FROM staff_actions WHERE action = 'register_invoice' AND target = 'invoice:' || $1 AND reason = 'The GSTIN is active now'`, invoiceID))
	require.Equal(t, []int{1, 1}, []int{jobs, records})

	_, err = app.db.Owner.Exec(`UPDATE einvoice_registrations SET state = 'waiting', changed_at = $1`, app.clock.Now().Add(time.Minute))
	require.NoError(t, err)
	waits := admin.call(t, http.MethodPost, path, reason)
	require.Equal(t, []any{409, "not_refused"}, []any{waits.Status, waits.Body["code"]})
	require.Equal(t, "The PDF is being made. Try again in a moment.", opened())
	require.Equal(t, 202, c.get(t, "/subscription/invoice/"+invoiceID).Status)
}

// Given an invoice that was cancelled at the portal, then the month's return omits it, counts its number as cancelled, and agrees with the
// ledger, which contains the invoice until its credit note.
func TestGSTReturn_InvoiceCancelledAtThePortal_IsLeftOut(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500082")
	_, err := app.db.Owner.Exec(`UPDATE business_addresses SET gstin = '29AAPFU0939F1ZR', legal_name = 'Asha Sweets LLP'`)
	require.NoError(t, err)
	franchiser, invoiceID := app.paidBy(t, app.bought(t, c, newPayuServer(t)))
	var number string
	require.NoError(t, app.db.Owner.QueryRow(`SELECT id, number FROM invoices`).Scan(&invoiceID, &number))
	finance := app.signedInAs(t, "sunita@example.in", staff.RoleFinance)
	b2b := func() []any {
		shown := finance.call(t, http.MethodGet, "/gst-returns/2026-11", nil)
		require.Equal(t, 200, shown.Status, "%s", shown.Raw)
		require.Equal(t, true, shown.Data(t, "sound"), "%s", shown.Raw)
		table, series := shown.Data(t, "tables").([]any)[0].(map[string]any), shown.Data(t, "series").([]any)[0].(map[string]any)
		return []any{table["table"], table["documents"], series["issued"], series["cancelled"], shown.Data(t, "cancelled")}
	}
	require.Equal(t, []any{"b2b", 1., 1., 0., []any{}}, b2b())
	_, err = app.db.Owner.Exec(`INSERT INTO einvoice_registrations (invoice_id, franchiser_id, state, asked_at, changed_at) VALUES ($1, $2, 'waiting', $3, $3)`,
		invoiceID, franchiser, app.clock.Now())
	require.NoError(t, err)
	for _, state := range []string{"registered", "cancelled"} {
		_, err = app.db.Owner.Exec(`UPDATE einvoice_registrations SET state = $1, acknowledged_at = asked_at, signed_invoice = 'e30.e30.e30'`, state)
		require.NoError(t, err)
	}
	require.Equal(t, []any{"b2b", 0., 1., 1., []any{number}}, b2b())
}
