package main

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// paidBy returns the payment's franchiser and id.
func (a *testApp) paidBy(t *testing.T, txn string) (franchiser, payment string) {
	t.Helper()
	require.NoError(t, a.db.Owner.QueryRow(`SELECT franchiser_id, id FROM payments WHERE transaction_id = $1`, txn).Scan(&franchiser, &payment))
	return franchiser, payment
}

func TestPaymentList_Refund_LinksItsCreditNote(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500021")
	txn := app.bought(t, c, newPayuServer(t))
	franchiser, paid := app.paidBy(t, txn)
	refund, err := testkit.DoneRefund(t.Context(), app.db.Owner, franchiser, paid, 1_58_000_00, app.clock.Now())
	require.NoError(t, err)
	_, err = app.db.Owner.Exec(`UPDATE refunds SET gateway_payment_id = (SELECT gateway_payment_id FROM payments WHERE id = payment_id)`)
	require.NoError(t, err)
	working := app.working(t, app.config)
	require.NoError(t, postgres.InTx(t.Context(), app.db.Worker, func(tx *sqlx.Tx) error {
		_, err := working.Invoices.IssueCreditNoteTx(t.Context(), tx, invoice.CreditNoteInput{
			FranchiserID: franchiser, InvoiceID: paid, RefundID: refund, Amount: money.FromRupees(1_58_000), Reason: "Plan not needed",
			IssuedAt: app.clock.Now(),
		})
		return err
	}))

	stranger := app.buyer(t, "9876500022")
	for _, path := range []string{"/subscription/payments/list", "/subscription/list"} {
		got := c.get(t, path)
		require.Equal(t, 200, got.Status, "%s", got.Raw)
		row := got.Body["data"].([]any)[0].(map[string]any)
		require.Equal(t, "partly", row["refund_state"], path)
		require.Equal(t, "₹1,58,000", row["refunded"], path)
		require.InDelta(t, 158000, row["refunded_value"], 0, path)
		documents := row["documents"].([]any)
		require.Len(t, documents, 2, path)
		note := documents[1].(map[string]any)
		require.Equal(t, "credit_note", note["kind"], path)
		require.Equal(t, "CN/26-27/000001", note["number"], path)
		require.Equal(t, "₹1,58,000", note["amount"], path)
		require.Equal(t, "Plan not needed", note["reason"], path)

		link := c.get(t, "/subscription/invoice/"+note["id"].(string))
		require.Equal(t, 202, link.Status, "the PDF is being made")
		require.Equal(t, "CN/26-27/000001", link.Data(t, "invoice_number"))
		require.Equal(t, 404, stranger.get(t, "/subscription/invoice/"+note["id"].(string)).Status, "another's document")
		require.Contains(t, string(c.get(t, path+"/export").Raw), "158000.00,CN/26-27/000001", path)
	}
	_, err = app.db.Owner.Exec(`INSERT INTO refunds (id, franchiser_id, payment_id, token, gateway_payment_id, amount_paise, reason, state, created_at, done_at)
		VALUES ($1, $2, $3, 'second', 'SECOND', 1475000, 'surplus', 'done', $4, $4)`, id.New(), franchiser, paid, app.clock.Now())
	require.NoError(t, err)
	row := c.get(t, "/subscription/payments/list").Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, "₹1,58,000", row["refunded"], "what was taken twice is apart")
	again := row["taken_again"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"₹14,750", "returned"}, []any{again["amount"], again["state"]})
	require.Contains(t, string(c.get(t, "/subscription/payments/list/export").Raw), ",14750.00,14750.00,2026-")
	state := c.get(t, "/subscription/payments/status/"+txn)
	require.Equal(t, "partly", state.Data(t, "refund_state"))
	require.Len(t, state.Data(t, "documents"), 2)
}

// Given a payment held because of a wrong amount, then every call reports it and no call starts a second payment.
func TestHeldPayment_IsReportedByEachCallAndNotChargedAgain(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	c := app.buyer(t, "9876500023")
	wanted := choice(app.catalogue(t).Plans[0].Tiers[0], "monthly")
	form := c.post(t, "/subscription/payments/request", wanted).Data(t, "gateway_details").(map[string]any)
	txn := form["txnid"].(string)
	gateway.captured(txn, "14749.00")
	require.Equal(t, 200, app.client(t).do(t, "POST", "/payments/webhook/payu", app.returned(form, "success")).Status)
	gateway.work(t, app)

	page := "/checkout/result/success?transaction_id=" + txn
	for _, path := range []string{"/subscription/payments/details", "/subscription/payments/request"} {
		refused := c.post(t, path, wanted)
		require.Equal(t, 409, refused.Status, "%s %s", path, refused.Raw)
		require.Equal(t, "payment_held", refused.Body["code"], path)
		require.Equal(t, page, refused.Body["redirect_to"], path)
		require.Contains(t, refused.Body["message"], "₹14,749", path)
	}
	state := c.get(t, "/subscription/payments/status/"+txn)
	require.Equal(t, "held", state.Data(t, "state"))
	require.Equal(t, "₹14,749", state.Data(t, "amount"))
	order := c.get(t, "/subscription/list").Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, "Under review", order["subscription_status_value"])
	require.Equal(t, "₹14,749", order["captured"])
	paid := c.get(t, "/subscription/payments/list").Body["data"].([]any)
	require.Len(t, paid, 1)
	require.Equal(t, "₹14,749", paid[0].(map[string]any)["payable_total"])
	require.Equal(t, []any{map[string]any{"transaction_id": txn, "amount": "₹14,749"}}, c.get(t, "/subscription/dashboard").Data(t, "held_payments"))
	require.Contains(t, string(c.get(t, "/subscription/payments/list/export").Raw), ",held,unpaid,upi,0.00,14749.00,"+txn)
}
