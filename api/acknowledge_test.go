package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Given a difference that no later event clears, then an admin acknowledges it with a reason: it no longer counts as open, and admin, time
// and reason are stored with it. A difference that clears on its own stays open, and a different amount reopens it.
func TestAcknowledgeDifference_OnlyOnesThatNeverClear(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	txn := app.bought(t, app.buyer(t, "9876500078"), newPayuServer(t))
	people := app.signedInStaff(t)
	books := app.working(t, app.config).Settlements
	today := subscription.DayOf(app.clock.Now())
	unpaid := settlement.Line{ID: "capture:9", Kind: settlement.KindCapture, TransactionID: "FPNOBODY", Amount: 100, Net: 100}
	returned := settlement.Line{ID: "back:1", Kind: settlement.KindRefundReversal, TransactionID: txn, Amount: 500, Net: 500}
	compare := func() {
		_, err := books.CompareDay(t.Context(), settling{lines: []settlement.Line{returned, unpaid}}, today)
		require.NoError(t, err)
	}
	compare()
	_, err := app.db.Owner.Exec(`UPDATE settlement_differences SET kind = 'dispute_taken' WHERE transaction_id = 'FPNOBODY'`)
	require.NoError(t, err)
	open := func() map[string]string {
		report := people.call(t, http.MethodGet, "/settlements", nil)
		require.Equal(t, 200, report.Status, "%s", report.Raw)
		ids := map[string]string{}
		for _, one := range report.Data(t, "open_differences").([]any) {
			one := one.(map[string]any)
			require.Equal(t, one["kind"] != "dispute_taken", one["can_acknowledge"], "%v", one["kind"])
			ids[one["kind"].(string)] = one["id"].(string)
		}
		return ids
	}
	counted := func() any {
		return people.call(t, http.MethodGet, "/money", nil).Data(t, "counts").(map[string]any)["settlement_differences"]
	}
	found := open()
	require.Len(t, found, 2)
	require.InDelta(t, 2, counted(), 0)
	path := func(difference string) string { return "/settlement-differences/" + difference + "/acknowledge" }
	reason := map[string]any{"reason": "The bank rejected it; the customer was paid by transfer"}
	require.Equal(t, 403, people.call(t, http.MethodPost, path(found["refund_returned"]), reason).Status, "of admins alone")
	_, err = app.db.Owner.Exec(`UPDATE staff SET role = 'admin'`)
	require.NoError(t, err)
	require.Equal(t, 422, people.call(t, http.MethodPost, path(found["refund_returned"]), map[string]any{"reason": "  "}).Status)
	require.Equal(t, 404, people.call(t, http.MethodPost, path(id.New()), reason).Status)
	refused := people.call(t, http.MethodPost, path(found["dispute_taken"]), reason)
	require.Equal(t, 409, refused.Status)
	require.Equal(t, "difference_clears", refused.Body["code"])

	done := people.call(t, http.MethodPost, path(found["refund_returned"]), reason)
	require.Equal(t, 200, done.Status, "%s", done.Raw)
	require.Equal(t, 409, people.call(t, http.MethodPost, path(found["refund_returned"]), reason).Status, "once")
	require.InDelta(t, 1, counted(), 0)
	require.NotContains(t, open(), "refund_returned")
	report := people.call(t, http.MethodGet, "/settlements", nil)
	kept := report.Data(t, "acknowledged_differences").([]any)[0].(map[string]any)["acknowledged"].(map[string]any)
	require.Equal(t, reason["reason"], kept["reason"])
	require.NotEmpty(t, kept["by"])
	require.NotEmpty(t, kept["at"])
	var audited int
	require.NoError(t, app.db.Owner.Get(&audited, `SELECT count(*) FROM staff_actions WHERE action = 'acknowledge_difference'`))
	require.Equal(t, 1, audited)

	compare()
	require.NotContains(t, open(), "refund_returned", "the same again stays acknowledged")
	returned.Amount, returned.Net = 600, 600
	compare()
	require.Contains(t, open(), "refund_returned", "another amount is another question")
}
