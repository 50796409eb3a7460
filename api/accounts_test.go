package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Given a sale whose first days are booked, then deferred revenue equals the ledger month by month, the trial balance balances, the result
// is the earned revenue, and the customer's statement ends at zero. Each export is recorded.
func TestAccounts_DeferredRevenueTrialBalanceAndStatement_Agree(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500079")
	franchiser, _ := app.paidBy(t, app.bought(t, c, newPayuServer(t)))
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	before := admin.call(t, http.MethodGet, "/books/deferred-revenue", nil)
	require.Equal(t, []any{200, nil, []any{}}, []any{before.Status, before.Data(t, "through"), before.Data(t, "months")}, "%s", before.Raw)

	app.clock.Advance(3 * 24 * time.Hour)
	days, err := revenue.NewService(app.db.Worker, app.clock, app.working(t, app.config).Ledger).Recognise(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, days)
	admin = app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	deferred := admin.call(t, http.MethodGet, "/books/deferred-revenue", nil)
	require.Equal(t, 200, deferred.Status, "%s", deferred.Raw)
	month := deferred.Data(t, "months").([]any)[0].(map[string]any)
	require.Equal(t, []any{"2026-11", 0., false}, []any{month["month"], month["opening_paise"], month["differs"]})
	require.Positive(t, month["recognised_paise"])
	paise := func(name string) int64 { return int64(month[name].(float64)) }
	require.Equal(t, paise("closing_paise"), paise("billed_paise")-paise("recognised_paise")-paise("credited_paise"))
	require.Equal(t, month["closing_paise"], month["ledger_paise"])
	ahead := deferred.Data(t, "later_paise").(float64)
	for _, one := range deferred.Data(t, "waterfall").([]any) {
		ahead += one.(map[string]any)["amount_paise"].(float64)
	}
	require.InDelta(t, month["closing_paise"], ahead, 0)

	through := deferred.Data(t, "through").(string)
	trial := admin.call(t, http.MethodGet, "/books/trial-balance?on="+through, nil)
	require.Equal(t, []any{200, through}, []any{trial.Status, trial.Data(t, "on")}, "%s", trial.Raw)
	require.Equal(t, trial.Data(t, "debit_paise"), trial.Data(t, "credit_paise"))
	require.Positive(t, trial.Data(t, "debit_paise"))
	credits := map[string]any{}
	for _, one := range trial.Data(t, "accounts").([]any) {
		row := one.(map[string]any)
		credits[row["account"].(string)] = row["credit_paise"]
	}
	require.Equal(t, []any{month["closing_paise"], month["recognised_paise"]}, []any{credits["deferred_revenue"], credits["revenue"]})
	require.Zero(t, admin.call(t, http.MethodGet, "/books/trial-balance?on=2026-10-31", nil).Data(t, "debit_paise"))

	result := admin.call(t, http.MethodGet, "/books/profit-and-loss", nil)
	require.Equal(t, 200, result.Status, "%s", result.Raw)
	require.Equal(t, []any{"2026-09", "2026-10", "2026-11"}, result.Data(t, "months"))
	require.Equal(t, []any{0., 0., month["recognised_paise"]}, result.Data(t, "income_paise"))
	require.Equal(t, []any{0., 0., month["recognised_paise"]}, result.Data(t, "result_paise"))

	statement := admin.call(t, http.MethodGet, "/customers/"+franchiser+"/account", nil)
	require.Equal(t, []any{200, 0.}, []any{statement.Status, statement.Data(t, "closing_paise")}, "%s", statement.Raw)
	require.Len(t, statement.Data(t, "lines"), 2)
	var unearned float64
	for _, one := range statement.Data(t, "schedule").([]any) {
		unearned += one.(map[string]any)["unearned_paise"].(float64)
	}
	require.InDelta(t, month["closing_paise"], unearned, 0)
	file := admin.call(t, http.MethodGet, "/customers/"+franchiser+"/account/file", nil)
	require.Equal(t, 200, file.Status)
	require.Equal(t, 5, strings.Count(string(file.Raw), "\n"), "%s", file.Raw)
	printed := admin.call(t, http.MethodGet, "/customers/"+franchiser+"/account/file?format=pdf", nil)
	require.Equal(t, []any{200, "%PDF-"}, []any{printed.Status, string(printed.Raw[:5])})
	require.Equal(t, "application/pdf", printed.Header.Get("Content-Type"))
	for call, status := range map[string]int{
		"/books/trial-balance?on=2099-01-01": 422, "/books/trial-balance?on=x": 422, "/books/profit-and-loss?from=2026-11&to=2026-10": 422,
		"/books/profit-and-loss?from=2025-11&to=2026-11": 422, "/customers/" + franchiser + "/account?from=2026-11-04&to=2026-11-03": 422,
	} {
		require.Equal(t, status, admin.call(t, http.MethodGet, call, nil).Status, call)
	}
	support := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	require.Equal(t, 403, support.call(t, http.MethodGet, "/customers/"+franchiser+"/account/file", nil).Status)
	var taken int
	require.NoError(t, app.db.Owner.Get(&taken, `SELECT count(*) FROM staff_actions WHERE action IN ('take_statement', 'read_account')`))
	require.Equal(t, 3, taken)
}

// Given a sale, then its month's files are exported once the month is over: vouchers for Tally whose debits equal the ledger's, and the
// invoice for Zoho Books. Each export is recorded. The database refuses entries that differ from the trial balance, so a separate test
// covers that case.
func TestBookFiles_ExportedOnceTheyAgreeWithTheLedger(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500079")
	app.paidBy(t, app.bought(t, c, newPayuServer(t)))
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	const path = "/books/files/2026-11"
	shown := admin.call(t, http.MethodGet, path, nil)
	require.Equal(t, []any{200, false, 1., 1., []any{}}, []any{
		shown.Status, shown.Data(t, "over"), shown.Data(t, "invoices"), shown.Data(t, "new_customers"), shown.Data(t, "problems"),
	}, "%s", shown.Raw)
	require.Positive(t, shown.Data(t, "debit_paise"))
	require.Equal(t, 409, admin.call(t, http.MethodGet, path+"/tally_vouchers", nil).Status)

	app.clock.Advance(30 * 24 * time.Hour)
	admin = app.signedInAs(t, "meera@example.in", staff.RoleFinance)
	entries := int(admin.call(t, http.MethodGet, path, nil).Data(t, "entries").(float64))
	for file, times := range map[string]int{"tally_ledgers": 20, "tally_customers": 1, "tally_vouchers": entries} {
		got := admin.call(t, http.MethodGet, path+"/"+file, nil)
		require.Equal(t, 200, got.Status, "%s", got.Raw)
		require.GreaterOrEqual(t, strings.Count(string(got.Raw), "<TALLYMESSAGE>"), min(times, 15), file)
	}
	zoho := admin.call(t, http.MethodGet, path+"/zoho_invoices", nil)
	require.Equal(t, []any{200, 2}, []any{zoho.Status, strings.Count(string(zoho.Raw), "\n")}, "%s", zoho.Raw)
	require.Equal(t, 1, strings.Count(string(admin.call(t, http.MethodGet, path+"/zoho_credit_notes", nil).Raw), "\n"))
	var taken int
	require.NoError(t, app.db.Owner.Get(&taken, `SELECT count(*) FROM staff_actions WHERE action = 'take_books' AND after LIKE '%sha256%'`))
	require.Equal(t, 5, taken)
	auditor := app.signedInAs(t, "sunita@example.in", staff.RoleAuditor)
	for call, status := range map[string]int{path: 200, path + "/tally_vouchers": 200, "/books/files/2026-13": 404} {
		require.Equal(t, status, auditor.call(t, http.MethodGet, call, nil).Status, call)
	}
	require.Equal(t, 404, admin.call(t, http.MethodGet, path+"/all", nil).Status)
}
