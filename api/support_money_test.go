package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// settling is a PayU stub that serves settlements.
type settling struct {
	lines []settlement.Line
}

func (settling) Name() string { return "payu" }

func (s settling) Settlements(context.Context, string) ([]settlement.Line, error) {
	return s.lines, nil
}

// bought pays for the first plan and returns the transaction.
func (a *testApp) bought(t *testing.T, c *testClient, gateway *payuServer) string {
	t.Helper()
	session := c.post(t, "/subscription/payments/request", choice(a.catalogue(t).Plans[0].Tiers[0], "yearly"))
	require.Equal(t, 200, session.Status, "%s", session.Raw)
	form, _ := session.Data(t, "gateway_details").(map[string]any)
	txn, _ := form["txnid"].(string)
	gateway.captured(txn, "159300.00")
	require.Equal(t, 303, a.client(t).do(t, http.MethodPost, "/payments/callback", a.returned(form, "success")).Status)
	gateway.work(t, a)
	return txn
}

func TestAuditor_FollowsAPaymentThroughTheAPI(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	gateway := newPayuServer(t)
	txn := app.bought(t, app.buyer(t, "9876500077"), gateway)
	people := app.signedInStaff(t)

	fee := money.FromRupees(3186)
	line := settlement.Line{
		ID: "capture:1", Kind: settlement.KindCapture, TransactionID: txn, Amount: money.FromRupees(1_59_300), Fee: fee,
		FeeTax: fee.MulBps(1800), UTR: "UTR42", At: app.clock.Now(),
	}
	line.Net = line.Amount - line.Fee - line.FeeTax
	books := app.working(t, app.config).Settlements
	today := subscription.DayOf(app.clock.Now())
	unknown := settlement.Line{ID: "capture:2", Kind: settlement.KindCapture, TransactionID: "FPNOBODY", Amount: 100, Net: 100}
	_, err := books.CompareDay(t.Context(), settling{lines: []settlement.Line{line, unknown}}, today)
	require.NoError(t, err)

	report := people.call(t, http.MethodGet, "/settlements", nil)
	require.Equal(t, 200, report.Status, "%s", report.Raw)
	days, _ := report.Data(t, "days").([]any)
	require.Len(t, days, 1)
	day, _ := days[0].(map[string]any)
	require.Equal(t, "2026-11-02", day["day"])
	differences, _ := day["differences"].([]any)
	require.Len(t, differences, 1)
	difference, _ := differences[0].(map[string]any)
	require.Equal(t, "FPNOBODY", difference["transaction_id"])
	require.Equal(t, "The gateway settled a transaction that we do not know.", difference["meaning"])
	require.Nil(t, difference["cleared_at"])
	require.Len(t, report.Data(t, "open_differences"), 1)
	open, _ := report.Data(t, "open_lines").([]any)
	require.Len(t, open, 1)
	waiting, _ := open[0].(map[string]any)
	require.Equal(t, "capture:2", waiting["line_id"])
	require.Equal(t, "The gateway settled a transaction that we do not know.", waiting["waits_for"])
	require.Nil(t, waiting["booked_at"])
	one := people.call(t, http.MethodGet, "/settlements/payu/2026-11-02", nil)
	require.Equal(t, 200, one.Status, "%s", one.Raw)
	require.Len(t, one.Data(t, "lines"), 2)

	trail := people.call(t, http.MethodGet, "/payments/"+txn+"/trail", nil)
	require.Equal(t, 200, trail.Status, "%s", trail.Raw)
	for part, want := range map[string]int{"events": 2, "documents": 1, "journals": 3, "settlements": 1, "refunds": 0, "disputes": 0, "requests": 0} {
		require.Len(t, trail.Data(t, part), want, part)
	}
	require.InDelta(t, 0, trail.Data(t, "clearing_paise"), 0, "all of it reached the bank")
	require.InDelta(t, float64(money.FromRupees(1_59_300)), trail.Data(t, "left_paise"), 0)
	require.InDelta(t, float64(money.FromRupees(50_000)), trail.Data(t, "approval_above_paise"), 0)
	waits := people.call(t, http.MethodGet, "/money", nil)
	require.Equal(t, map[string]any{
		"held": 0., "disputes": 0., "unconfirmed_disputes": 0., "failed_refunds": 0., "settlement_differences": 1., "acknowledged_differences": 0.,
	}, waits.Data(t, "counts"))
	require.Equal(t, map[string]any{"what": "plan", "until": "2027-11-02"}, trail.Data(t, "holding"))
	require.Contains(t, string(trail.Raw), "UTR42")
	require.NotContains(t, string(trail.Raw), "hash", "no signature is shown")
	paid, _ := trail.Data(t, "payment").(map[string]any)
	paymentID, _ := paid["id"].(string)
	require.Equal(t, string(trail.Raw), string(people.call(t, http.MethodGet, "/payments/"+paymentID+"/trail", nil).Raw))
}

func TestMoneyRoutes_OnlyForStaff(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	franchiser := staffClient{app.client(t)}
	franchiser.signUp(t, "9876543210")
	anonymous := staffClient{app.client(t)}
	people := app.signedInStaff(t)
	for _, route := range []string{"/payments/" + id.New() + "/trail", "/settlements", "/settlements/payu/2026-11-02", "/money"} {
		require.Equal(t, 403, franchiser.call(t, http.MethodGet, route, nil).Status, route)
		require.Equal(t, 401, anonymous.call(t, http.MethodGet, route, nil).Status, route)
	}
	for route, want := range map[string]int{
		"/payments/" + id.New() + "/trail": 404, "/payments/FPNOBODY/trail": 404, "/payments/%27%20OR%20true/trail": 404,
		"/money": 200, "/money?kind=held": 200, "/money?kind=lost": 422,
		"/settlements/payu/2026-11-02": 404, "/settlements/payu/yesterday": 404, "/settlements": 200,
		"/settlements?from=yesterday": 422, "/settlements?from=2026-11-02&to=2026-11-01": 422,
		"/settlements?from=2000-01-01&to=2026-11-01": 422, "/settlements?from=2026-01-01&to=2026-11-01": 200,
	} {
		got := people.call(t, http.MethodGet, route, nil)
		require.Equal(t, want, got.Status, "%s %s: %s", handler.SupportPrefix, route, got.Raw)
	}
}

// Given a settlement that was compared, then an admin has it compared again, with a reason recorded in the audit trail.
func TestSettlement_ComparedAgainByAnAdmin(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	admin := app.signedInStaff(t)
	_, err := app.db.Owner.Exec(`UPDATE staff SET role = 'admin'`)
	require.NoError(t, err)
	books := app.working(t, app.config).Settlements
	yesterday := subscription.DayOf(app.clock.Now()) - 1
	_, err = books.CompareDay(t.Context(), settling{lines: []settlement.Line{}}, yesterday)
	require.NoError(t, err)

	reason := map[string]any{"reason": "the refund is done now"}
	for route, want := range map[string]int{
		"/settlements/payu/2026-11-01/compare": 200, "/settlements/payu/compare": 200,
		"/settlements/payu/2026-11-02/compare": 422, "/settlements/payu/yesterday/compare": 404,
		"/settlements/nobody/compare": 404,
	} {
		got := admin.call(t, http.MethodPost, route, reason)
		require.Equal(t, want, got.Status, "%s: %s", route, got.Raw)
	}
	require.Equal(t, 422, admin.call(t, http.MethodPost, "/settlements/payu/compare", map[string]any{"reason": " "}).Status)
	var jobs, records int
	require.NoError(t, app.db.Owner.Get(&jobs, `SELECT count(*) FROM river_job WHERE kind = 'compare_settlements'`))
	require.NoError(t, app.db.Owner.Get(&records, `SELECT count(*) FROM staff_actions WHERE action = 'compare_settlements'`))
	require.Equal(t, []int{2, 2}, []int{jobs, records})

	_, err = app.db.Owner.Exec(`UPDATE staff SET role = 'support'`)
	require.NoError(t, err)
	require.Equal(t, 403, admin.call(t, http.MethodPost, "/settlements/payu/compare", reason).Status, "of admins alone")
}
