package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Given a plan that was bought and counted, then the figures show it with their definitions, limited by plan and State. Staff who may
// export get it as CSV.
func TestFigures_AreShownWithDefinitionsAndExported(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500081")
	app.paidBy(t, app.bought(t, c, newPayuServer(t)))
	admin := app.signedInAs(t, "ravi@example.in", staff.RoleAdmin)
	before := admin.call(t, http.MethodGet, "/figures", nil)
	require.Equal(t, []any{200, nil, []any{}}, []any{before.Status, before.Data(t, "as_of"), before.Data(t, "recurring")}, "%s", before.Raw)
	_, err := figures.NewCounter(app.db.Worker, app.clock).Count(t.Context())
	require.NoError(t, err)

	shown := admin.call(t, http.MethodGet, "/figures", nil)
	require.Equal(t, 200, shown.Status, "%s", shown.Raw)
	require.Equal(t, []any{"2025-12", "2026-11", 0.}, []any{shown.Data(t, "from"), shown.Data(t, "to"), shown.Data(t, "differences")})
	require.Len(t, shown.Data(t, "definitions"), len(figures.Definitions()))
	month := shown.Data(t, "recurring").([]any)[0].(map[string]any)
	require.Equal(t, []any{"2026-11", 0., 1., nil}, []any{month["month"], month["opening_paise"], month["closing_customers"], month["customer_churn_bps"]})
	require.Positive(t, month["closing_paise"])
	require.Equal(t, month["closing_paise"], month["arpa_paise"])
	require.Equal(t, month["closing_paise"], shown.Data(t, "cohorts").([]any)[0].(map[string]any)["mrr_paise"])
	require.NotEmpty(t, shown.Data(t, "codes"), "the buyer signed up with a code")
	state := shown.Data(t, "states").([]any)[0].(map[string]any)
	var plan string
	require.NoError(t, app.db.Owner.Get(&plan, `SELECT plan_id FROM figure_months`))

	for query, months := range map[string]int{
		"?state=" + state["id"].(string) + "&plan=" + plan: 1, "?state=38": 0, "?plan=019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50": 0,
		"?from=2026-10&to=2026-10": 0, "?from=2026-11": 1,
	} {
		require.Len(t, admin.call(t, http.MethodGet, "/figures"+query, nil).Data(t, "recurring"), months, query)
	}
	for _, query := range []string{"?state=99", "?plan=x", "?from=2026-12", "?to=x", "?from=2026-11&to=2026-10", "?from=2023-11&to=2026-11"} {
		require.Equal(t, 422, admin.call(t, http.MethodGet, "/figures"+query, nil).Status, query)
	}
	for _, d := range figures.Definitions() {
		file := admin.call(t, http.MethodGet, "/figures/"+string(d.Figure)+"/file", nil)
		require.Equal(t, 200, file.Status, d.Figure)
		lines := strings.Split(strings.TrimSpace(string(file.Raw)), "\n")
		require.GreaterOrEqual(t, len(lines), 1, d.Figure)
		for _, line := range lines {
			require.Equal(t, strings.Count(lines[0], ","), strings.Count(line, ","), "%s: %s", d.Figure, line)
		}
	}
	require.Equal(t, 404, admin.call(t, http.MethodGet, "/figures/none/file", nil).Status)
	for role, status := range map[staff.Role]int{staff.RoleFinance: 200, staff.RoleAuditor: 200, staff.RoleSupport: 403} {
		someone := app.signedInAs(t, string(role)+"@example.in", role)
		require.Equal(t, map[bool]int{true: 403, false: 200}[role == staff.RoleSupport], someone.call(t, http.MethodGet, "/figures", nil).Status)
		require.Equal(t, status, someone.call(t, http.MethodGet, "/figures/churn/file", nil).Status, role)
	}
}
