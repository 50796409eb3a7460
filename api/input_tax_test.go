package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Given a credit note to a recipient with a GSTIN, then staff see it in the trail, the list and the export, and an admin records, with
// evidence, the recipient's reaction.
func TestInputTax_ReactionOfTheRecipient_IsRecordedByAnAdmin(t *testing.T) {
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
		if note, err = working.Invoices.IssueCreditNoteTx(t.Context(), tx, invoice.CreditNoteInput{
			FranchiserID: franchiser, InvoiceID: paid, RefundID: refund, Amount: money.FromRupees(11_800), Reason: "Plan not needed", IssuedAt: app.clock.Now(),
		}); err != nil {
			return err
		}
		return working.Ledger.PostTx(t.Context(), tx, ledger.CreditNote(note))
	}))
	people := app.signedInStaff(t)
	path := "/credit-notes/" + note.ID + "/input-tax"
	body := map[string]any{"customer_id": franchiser, "state": "refused", "evidence": "Rejected in IMS on 12 Nov 2026"}
	require.Equal(t, 403, people.call(t, http.MethodPost, path, body).Status, "of admins alone")
	require.Equal(t, 403, people.call(t, http.MethodGet, "/credit-notes/export", nil).Status)
	list := people.call(t, http.MethodGet, "/credit-notes?state=unknown", nil)
	require.Equal(t, 200, list.Status, "%s", list.Raw)
	row := list.Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, []any{note.Number, "29AAPFU0939F1ZR", "unknown", 180_000.}, []any{row["number"], row["gstin"], row["state"], row["tax_paise"]})

	_, err = app.db.Owner.Exec(`UPDATE staff SET role = 'admin'`)
	require.NoError(t, err)
	done := people.call(t, http.MethodPost, path, body)
	require.Equal(t, 200, done.Status, "%s", done.Raw)
	require.Equal(t, "refused", done.Data(t, "state"))
	again := people.call(t, http.MethodPost, path, body)
	require.Equal(t, []any{409, "input_tax_state_known"}, []any{again.Status, again.Body["code"]})
	body["evidence"] = ""
	require.Equal(t, 422, people.call(t, http.MethodPost, path, body).Status)
	trail := people.call(t, http.MethodGet, "/payments/"+txn+"/trail", nil)
	documents := trail.Data(t, "documents").([]any)
	require.Nil(t, documents[0].(map[string]any)["input_tax"])
	require.Equal(t, "refused", documents[1].(map[string]any)["input_tax"].(map[string]any)["state"])
	require.Contains(t, string(trail.Raw), "tax_not_recovered")
	require.Equal(t, 422, people.call(t, http.MethodGet, "/credit-notes?state=lost", nil).Status)
	file := string(people.call(t, http.MethodGet, "/credit-notes/export?state=refused", nil).Raw)
	require.Contains(t, file, note.Number+",2026-11-02,'=Asha Sweets,29AAPFU0939F1ZR,10000.00,1800.00,11800.00,"+txn+",refused,Rejected in IMS")
	require.Equal(t, 2, strings.Count(file, "\n"))
	var audited int
	require.NoError(t, app.db.Owner.Get(&audited, `SELECT count(*) FROM staff_actions WHERE action IN ('record_input_tax', 'export_credit_notes')`))
	require.Equal(t, 2, audited)
}
