package main

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
)

// byteOrderMark begins each CSV file that people open in a spreadsheet.
const byteOrderMark = "\uFEFF"

// file downloads a list as CSV and returns its lines.
func (c staffClient) file(t *testing.T, path string) [][]string {
	t.Helper()
	got := c.call(t, http.MethodGet, path, nil)
	require.Equal(t, 200, got.Status, "%s: %s", path, got.Raw)
	require.Equal(t, "text/csv; charset=utf-8", got.Header.Get("Content-Type"), path)
	require.Equal(t, "no-store", got.Header.Get("Cache-Control"), path)
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(got.Raw), byteOrderMark))).ReadAll() // refuses lines with another number of cells
	require.NoError(t, err, path)
	return lines
}

// Given failed jobs, then staff who may see the list can download the filtered jobs, at most 10,000, with no text that a spreadsheet runs
// as a formula. Each download is recorded.
func TestFailedJobs_Export_EqualsTheFilteredList(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	fail := func(kind, text string, jobs int) {
		_, err := app.db.Owner.Exec(`INSERT INTO river_job (kind, args, queue, state, attempt, max_attempts, finalized_at, errors, metadata)
			SELECT $1, '{}', 'payments', 'discarded', 3, 3, '2026-11-01T20:00:00Z',
				ARRAY[jsonb_build_object('at', '2026-11-01T20:00:00Z'::timestamptz, 'attempt', 3, 'error', $2::text, 'trace', '')], '{}' FROM generate_series(1, $3)`,
			kind, text, jobs)
		require.NoError(t, err)
	}
	fail("verify_payment", `=HYPERLINK("http://evil.example")`, 1)
	fail("render_invoice", "object store, away", 1)
	support := app.signedInStaff(t)

	all := support.file(t, "/jobs/export")
	require.Len(t, all, 3)
	require.Equal(t, []string{
		"Job", "Kind", "Queue", "State", "Attempt", "Of attempts", "Failed on (IST)", "Next on (IST)", "Last error", "Customer", "Sign-up", "Customer id",
	}, all[0])
	one := support.file(t, "/jobs/export?kind=verify_payment")
	require.Len(t, one, 2)
	require.Equal(t, []string{
		"verify_payment", "payments", "discarded", "3", "3", "2026-11-02 01:30:00", "", `'=HYPERLINK("http://evil.example")`, "", "", "",
	}, one[1][1:])
	require.Len(t, support.file(t, "/jobs/export?search=object&queue=payments"), 2)
	require.Len(t, support.file(t, "/jobs/export?state=cancelled"), 1, "the header alone")
	require.Len(t, support.file(t, "/jobs/export?from=2026-11-01T21:00:00Z"), 1)
	require.Equal(t, 422, support.call(t, http.MethodGet, "/jobs/export?state=lost", nil).Status)
	require.Equal(t, 5, app.count(t, `SELECT count(*) FROM staff_actions WHERE action = 'export_list' AND target = 'list:jobs'`), "each, and none for a refusal")

	auditor, finance := app.signedInAs(t, "kiran@example.in", staff.RoleAuditor), app.signedInAs(t, "meera@example.in", staff.RoleFinance)
	require.Len(t, auditor.file(t, "/jobs/export"), 3)
	require.Equal(t, 403, finance.call(t, http.MethodGet, "/jobs", nil).Status)
	require.Equal(t, 403, finance.call(t, http.MethodGet, "/jobs/export", nil).Status)

	fail("verify_payment", "the gateway is away", 9_999)
	whole := support.file(t, "/jobs/export?kind=verify_payment")
	require.Len(t, whole, 1+10_000)
	require.NotContains(t, whole[10_000][0], "Cut")
	fail("verify_payment", "the gateway is away", 1)
	cut := support.file(t, "/jobs/export?kind=verify_payment")
	require.Len(t, cut, 1+10_000+1)
	require.Equal(t, "Cut here: the list has more rows. Narrow the filters for them.", cut[10_001][0])
	seen := map[string]bool{}
	for _, line := range cut[1:10_001] {
		seen[line[0]] = true
	}
	require.Len(t, seen, 10_000, "each job once, whatever the page")
}

// Each list of the console exports a header and the filtered rows, in rupees with two decimals.
func TestConsoleLists_Export_HasHeaderAndRows(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500091")
	gateway := newPayuServer(t)
	franchiser, paid := app.paidBy(t, app.bought(t, c, gateway))
	exec := func(sql string, args ...any) {
		_, err := app.db.Owner.Exec(sql, args...)
		require.NoError(t, err)
	}
	finance, admin := app.signedInAs(t, "meera@example.in", staff.RoleFinance), app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	got := admin.act(t, "/reversals", map[string]any{
		"customer_id": franchiser, "payment_id": paid, "kind": "refund", "all": true, "reason": "Bought by mistake", "printed_reason": "Not needed",
	})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	exec(`INSERT INTO einvoice_registrations (invoice_id, franchiser_id, state, code, message, asked_at, changed_at)
		SELECT id, franchiser_id, 'refused', '3028', 'Buyer GSTIN is invalid', $1, $1 FROM invoices`, app.clock.Now())
	exec(`INSERT INTO bank_credits (id, source, utr, amount_paise, paid_at, payer_name, state, created_at)
		VALUES ($1, 'statement', 'HDFCR52026110100001', 1234567, '2026-11-01T20:00:00Z', '+Asha', 'open', $2)`, id.New(), app.clock.Now())
	other := app.buyer(t, "9876500092")
	tier := app.catalogue(t).Plans[0].Tiers[0]
	total := other.post(t, "/subscription/payments/details", choice(tier, "yearly")).Data(t, "expected_total")
	got = other.do(t, http.MethodPost, "/transfers/plan", choice(tier, "yearly", "expected_total", total, "po_number", "@PO 4711"), "Idempotency-Key", id.New())
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	short := app.buyer(t, "9876500093")
	form, _ := short.post(t, "/subscription/payments/request", choice(tier, "yearly")).Data(t, "gateway_details").(map[string]any)
	gateway.captured(form["txnid"].(string), "159299.00")
	app.client(t).do(t, http.MethodPost, "/payments/callback", app.returned(form, "success"))
	gateway.work(t, app)
	var customer, held string
	require.NoError(t, app.db.Owner.QueryRow(`SELECT franchiser_id, id FROM payments WHERE state = 'held'`).Scan(&customer, &held))
	got = admin.act(t, "/acts", map[string]any{"kind": "short_payment", "customer_id": customer, "payment_id": held, "reason": "A rupee is missing"})
	require.Equal(t, 200, got.Status, "%s", got.Raw)
	var bill money.Paise
	require.NoError(t, app.db.Owner.Get(&bill, `SELECT amount_paise FROM proformas`))

	for _, list := range []struct {
		path, filter, other, first string
		row                        map[string]string
		ofFinance                  bool
	}{
		{"/money/export", "?kind=held", "?kind=dispute", "Since (IST)", map[string]string{"Kind": "held", "Customer id": customer, "Payment": held}, true},
		{"/reversals/export", "?customer_id=" + franchiser, "?state=declined", "Asked for on (IST)", map[string]string{"Kind": "refund", "Reason": "Bought by mistake", "Payment": paid}, true},
		{"/acts/export", "?customer_id=" + customer, "?state=declined", "Asked for on (IST)", map[string]string{"Kind": "short_payment", "Amount (INR)": "1.00"}, false},
		{"/transfers/export", "?state=open&search=4711", "?state=paid", "Proforma", map[string]string{"Proforma": "PF/26-27/000001", "Order number": "'@PO 4711", "Amount (INR)": bill.Decimal()}, true},
		{"/bank-credits/export", "?state=open&search=HDFCR", "?search=nobody", "UTR", map[string]string{"UTR": "HDFCR52026110100001", "Day (IST)": "2026-11-02", "Payer": "'+Asha", "Amount (INR)": "12345.67"}, true},
		{"/e-invoices/export", "?state=refused", "?state=waiting", "Document", map[string]string{"Code": "3028", "State": "refused", "Customer id": franchiser}, true},
	} {
		lines := admin.file(t, list.path+list.filter)
		require.Len(t, lines, 2, list.path)
		require.Equal(t, list.first, lines[0][0], list.path)
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = lines[1][i]
		}
		require.Subset(t, row, list.row, list.path)
		require.Len(t, admin.file(t, list.path+list.other), 1, "%s: the header alone", list.path)
		status := finance.call(t, http.MethodGet, list.path, nil).Status
		require.Equal(t, map[bool]int{true: 200, false: 403}[list.ofFinance], status, list.path)
	}
}
