package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Given a sale and a credit note that is not in the ledger, then the return shows the difference and cannot be exported until the note is
// booked and the month is over. The export is recorded.
func TestGSTReturn_ExportedOnceItAgreesWithTheLedger(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500079")
	_, err := app.db.Owner.Exec(`UPDATE business_addresses SET gstin = '29AAPFU0939F1ZR', legal_name = '=Asha Sweets'`)
	require.NoError(t, err)
	txn := app.bought(t, c, newPayuServer(t))
	franchiser, paid := app.paidBy(t, txn)
	refund, err := testkit.DoneRefund(t.Context(), app.db.Owner, franchiser, paid, 11_800_00, app.clock.Now())
	require.NoError(t, err)
	working := app.working(t, app.config)
	var note invoice.Invoice
	require.NoError(t, postgres.InTx(t.Context(), app.db.Worker, func(tx *sqlx.Tx) error {
		note, err = working.Invoices.IssueCreditNoteTx(t.Context(), tx, invoice.CreditNoteInput{
			FranchiserID: franchiser, InvoiceID: paid, RefundID: refund, Amount: money.FromRupees(11_800), Reason: "Plan not needed", IssuedAt: app.clock.Now(),
		})
		return err
	}))
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	require.Equal(t, []any{"2026-11", "2026-10"}, admin.call(t, http.MethodGet, "/gst-returns", nil).Body["data"].([]any)[:2])
	const path = "/gst-returns/2026-11"
	shown := admin.call(t, http.MethodGet, path, nil)
	require.Equal(t, 200, shown.Status, "%s", shown.Raw)
	require.Equal(t, []any{false, false, []any{}}, []any{shown.Data(t, "over"), shown.Data(t, "sound"), shown.Data(t, "problems")}, "%s", shown.Raw)
	var taxable, total float64
	require.NoError(t, app.db.Owner.QueryRow(`SELECT sum(l.taxable_paise), sum(l.taxable_paise + l.cgst_paise + l.sgst_paise + l.utgst_paise + l.igst_paise)
		FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id WHERE i.kind = 'invoice'`).Scan(&taxable, &total))
	sums := map[string]map[string]any{}
	for _, one := range shown.Data(t, "tables").([]any) {
		sum := one.(map[string]any)
		sums[sum["table"].(string)] = sum
	}
	require.Equal(t, []any{1., taxable}, []any{sums["b2b"]["documents"], sums["b2b"]["taxable_paise"]})
	require.Equal(t, []any{1., 1_000_000.}, []any{sums["cdnr"]["documents"], sums["cdnr"]["taxable_paise"]})
	value := shown.Data(t, "books").([]any)[0].(map[string]any)
	require.Equal(t, []any{taxable - 1_000_000, taxable, true}, []any{value["return_paise"], value["other_paise"], value["differs"]})
	running := admin.call(t, http.MethodGet, path+"/file", nil)
	require.Equal(t, []any{409, "month_runs"}, []any{running.Status, running.Body["code"]})

	app.clock.Advance(30 * 24 * time.Hour)
	admin, auditor := app.signedInAs(t, "meera@example.in", staff.RoleAdmin), app.signedInAs(t, "sunita@example.in", staff.RoleAuditor)
	for _, query := range []string{"", "?table=b2b"} {
		differs := admin.call(t, http.MethodGet, path+"/file"+query, nil)
		require.Equal(t, []any{409, "return_not_reconciled"}, []any{differs.Status, differs.Body["code"]})
	}
	require.NoError(t, postgres.InTx(t.Context(), app.db.Worker, func(tx *sqlx.Tx) error {
		return working.Ledger.PostTx(t.Context(), tx, ledger.CreditNote(note))
	}))
	shown = admin.call(t, http.MethodGet, path, nil)
	require.Equal(t, []any{true, true}, []any{shown.Data(t, "over"), shown.Data(t, "sound")}, "%s", shown.Raw)
	file := admin.call(t, http.MethodGet, path+"/file", nil)
	require.Equal(t, 200, file.Status, "%s", file.Raw)
	var filed struct {
		GSTIN string `json:"gstin"`
		B2B   []struct {
			GSTIN    string `json:"ctin"`
			Invoices []struct {
				Value float64 `json:"val"`
			} `json:"inv"`
		} `json:"b2b"`
	}
	require.NoError(t, json.Unmarshal(file.Raw, &filed))
	require.Equal(t, app.config.Supplier.GSTIN, filed.GSTIN)
	require.Equal(t, "29AAPFU0939F1ZR", filed.B2B[0].GSTIN)
	require.InDelta(t, total/100, filed.B2B[0].Invoices[0].Value, 1, "the invoice's total is rounded to rupees")
	table := admin.call(t, http.MethodGet, path+"/file?table=cdnr", nil)
	require.Contains(t, string(table.Raw), "29AAPFU0939F1ZR,'=Asha Sweets,"+note.Number)
	require.Equal(t, 2, strings.Count(string(table.Raw), "\n"))
	for name, row := range map[string]string{"hsn_b2b": "997331,,NA,0,", "docs": "Credit Note," + note.Number + "," + note.Number + ",1,0"} {
		require.Contains(t, string(admin.call(t, http.MethodGet, path+"/file?table="+name, nil).Raw), row)
	}
	var taken int
	require.NoError(t, app.db.Owner.Get(&taken, `SELECT count(*) FROM staff_actions WHERE action = 'take_gst_return' AND target LIKE 'gst_return:2026-11%'`))
	require.Equal(t, 4, taken)

	list := auditor.call(t, http.MethodGet, path+"/documents?table=cdnr", nil)
	require.Equal(t, 200, list.Status, "%s", list.Raw)
	row := list.Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, []any{note.Number, "credit_note", franchiser, 1_180_000., 1.},
		[]any{row["number"], row["kind"], row["customer_id"], row["total_paise"], list.Body["total"]})
	require.Empty(t, auditor.call(t, http.MethodGet, path+"/documents?table=cdnr&page=2", nil).Body["data"])
	code := shown.Data(t, "hsn").([]any)[0].(map[string]any)
	require.Equal(t, []any{"hsn_b2b", "997331", 1800., 2.}, []any{code["table"], code["sac"], code["rate_bps"], code["documents"]})
	behind := auditor.call(t, http.MethodGet, path+"/documents?table=hsn_b2b&sac=997331&rate_bps=1800", nil)
	require.InDelta(t, 2, behind.Body["total"], 0, "the invoice and its note: %s", behind.Raw)
	for call, status := range map[string]int{
		path + "/file": 200, path + "/documents?table=all": 422, path + "/documents": 422, path + "/documents?table=hsn_b2b": 422, path + "/documents?table=docs": 422, path + "/documents?table=hsn_b2b&sac=997331&rate_bps=x": 422, "/gst-returns/2026-13": 404,
		"/gst-returns/2027-01": 404, "/gst-returns/2020-01/documents?table=at": 404, "/gst-returns/2026-10/file": 200,
	} {
		require.Equal(t, status, auditor.call(t, http.MethodGet, call, nil).Status, call)
	}
}
