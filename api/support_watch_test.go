package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Given an alert, then support takes it over and silences it with a reason. Finance does not see it, and an auditor cannot change it.
func TestAlert_IsOwnedAndSilencedBySupport(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	sunita := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	first := func() map[string]any {
		shown := sunita.call(t, http.MethodGet, "/alerts", nil)
		require.Equal(t, 200, shown.Status, "%s", shown.Raw)
		return shown.Data(t, "alerts").([]any)[0].(map[string]any)
	}
	found := first()
	require.Equal(t, []any{"no_workers", "critical", ""}, []any{found["rule"], found["severity"], found["acknowledged_by"]})
	path, because := "/alerts/"+found["id"].(string), map[string]any{"reason": "I look at it"}
	require.Equal(t, 200, sunita.call(t, http.MethodPost, path+"/acknowledge", because).Status)
	for minutes, status := range map[int]int{4: 422, 1 << 40: 422, 60: 200} {
		got := sunita.call(t, http.MethodPost, path+"/silence", map[string]any{"minutes": minutes, "reason": "It is mended"})
		require.Equal(t, status, got.Status, "%d: %s", minutes, got.Raw)
	}
	require.Equal(t, "It is mended", first()["silence_reason"])
	require.NotEmpty(t, first()["acknowledged_by"])
	require.Equal(t, 200, sunita.call(t, http.MethodPost, path+"/unsilence", because).Status)
	require.Nil(t, first()["silenced_until"])
	past := sunita.call(t, http.MethodGet, "/alerts/history", nil)
	require.Equal(t, 200, past.Status, "%s", past.Raw)
	var kinds []any
	for _, e := range past.Data(t, "alerts").([]any)[0].(map[string]any)["events"].([]any) {
		kinds = append(kinds, e.(map[string]any)["kind"])
	}
	require.Equal(t, []any{"fired", "acknowledged", "silenced", "unsilenced"}, kinds)
	rules := sunita.call(t, http.MethodGet, "/alerts/rules", nil)
	require.Equal(t, 200, rules.Status, "%s", rules.Raw)
	for _, one := range rules.Data(t, "rules").([]any) {
		require.NotEmpty(t, one.(map[string]any)["threshold"], one)
	}
	require.Equal(t, 404, sunita.call(t, http.MethodPost, "/alerts/019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50/acknowledge", because).Status)
	require.Equal(t, 403, app.signedInAs(t, "meera@example.in", staff.RoleFinance).call(t, http.MethodGet, "/alerts", nil).Status)
	require.Equal(t, 403, app.signedInAs(t, "arun@example.in", staff.RoleAuditor).call(t, http.MethodPost, path+"/acknowledge", because).Status)
	var audited int
	require.NoError(t, app.db.Owner.Get(&audited, `SELECT count(*) FROM staff_actions WHERE target = $1`, "alert:"+found["id"].(string)))
	require.Equal(t, 3, audited)
}

// Given a late contact request, then support claims it, a second person may only take it over, and finance does not see it.
func TestWorkList_ClaimAndTakeOver(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	sunita, ravi := app.signedInAs(t, "sunita@example.in", staff.RoleSupport), app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	_, err := app.db.Owner.Exec(`INSERT INTO alerts (id, rule, subject, severity, message, opened_at, seen_at)
		VALUES ('019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51', 'sms_provider', 'msg91', 'critical', 'It fails.', $1, $1)`, app.clock.Now())
	require.NoError(t, err)
	row := func(c staffClient) map[string]any {
		shown := c.call(t, http.MethodGet, "/work", nil)
		require.Equal(t, 200, shown.Status, "%s", shown.Raw)
		for _, one := range shown.Data(t, "groups").([]any) {
			if group := one.(map[string]any); group["kind"] == "failing_dependency" {
				require.InDelta(t, 1, group["count"], 0)
				return group["rows"].([]any)[0].(map[string]any)
			}
		}
		return nil
	}
	body := map[string]any{"kind": "failing_dependency", "key": row(sunita)["key"]}
	require.Equal(t, 200, sunita.call(t, http.MethodPost, "/work/claim", body).Status)
	require.Equal(t, true, row(sunita)["mine"])
	refused := ravi.call(t, http.MethodPost, "/work/claim", body)
	require.Equal(t, []any{409, "claimed"}, []any{refused.Status, refused.Body["code"]})
	body["take_over"] = true
	require.Equal(t, 200, ravi.call(t, http.MethodPost, "/work/claim", body).Status)
	require.Equal(t, false, row(sunita)["mine"])
	delete(body, "take_over")
	require.Equal(t, 200, ravi.call(t, http.MethodPost, "/work/release", body).Status)
	require.Empty(t, row(sunita)["claimed_by"])
	finance := app.signedInAs(t, "meera@example.in", staff.RoleFinance)
	require.Nil(t, row(finance))
	require.Equal(t, 404, finance.call(t, http.MethodPost, "/work/claim", body).Status)
	require.Equal(t, 403, app.signedInAs(t, "arun@example.in", staff.RoleAuditor).call(t, http.MethodPost, "/work/claim", body).Status)
	var read int
	require.NoError(t, app.db.Owner.Get(&read, `SELECT count(*) FROM staff_actions WHERE action = 'read_list' AND target = 'list:work'`))
	require.Positive(t, read)
}

// Given a check that found something, then staff see the rule and the rows, and finance has the books checked again.
func TestBookChecks_FinanceSeesAndRunsThem(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	finance, support := app.signedInAs(t, "meera@example.in", staff.RoleFinance), app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	none := support.call(t, http.MethodGet, "/books/checks", nil)
	require.Equal(t, 200, none.Status, "%s", none.Raw)
	require.Nil(t, none.Data(t, "last"))
	require.NoError(t, app.working(t, app.config).Ledger.Keep(t.Context(), ledger.Report{
		Findings: []ledger.Finding{{Check: "journal_balances", Subject: "sale 1", Detail: "debit 2, credit 1"}},
	}))
	shown := finance.call(t, http.MethodGet, "/books/checks", nil)
	require.Equal(t, 200, shown.Status, "%s", shown.Raw)
	rule := shown.Data(t, "invariants").([]any)[0].(map[string]any)
	require.Equal(t, []any{"Every journal entry balances", 1.}, []any{rule["title"], rule["findings"]})
	require.Equal(t, "sale 1", rule["rows"].([]any)[0].(map[string]any)["subject"])
	require.Len(t, rule["trend"], 1)
	because := map[string]any{"reason": "The entry is mended"}
	_, err := app.db.Owner.Exec(`INSERT INTO job_schedules (kind, queue, every_seconds, seen_at) VALUES ('verify_books', 'default', 86400, now())`)
	require.NoError(t, err)
	require.Equal(t, 403, support.call(t, http.MethodPost, "/books/checks/run", because).Status)
	run := finance.call(t, http.MethodPost, "/books/checks/run", because)
	require.Equal(t, 200, run.Status, "%s", run.Raw)
	require.Positive(t, run.Data(t, "job_id"))
	require.Equal(t, 409, finance.call(t, http.MethodPost, "/books/checks/run", because).Status)
}
