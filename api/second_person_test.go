package main

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
)

// decides matches the paths with which staff decide a colleague's request.
var decides = regexp.MustCompile(`^/api/support/.*/(accept|approve|authorise|authorize|confirm|decide|decision|decline|reject)$`)

// decisions returns a call of each kind that decides a waiting request of the asker's, by route.
func (a *testApp) decisions(t *testing.T, asker string) map[string]any {
	t.Helper()
	franchiser, payment := a.paidBy(t, a.bought(t, a.buyer(t, "9876543210"), newPayuServer(t)))
	reversal, act, use, credit, change, reset := id.New(), id.New(), id.New(), id.New(), id.New(), id.New()
	at := a.clock.Now()
	for _, row := range []struct {
		statement string
		values    []any
	}{
		{`INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key, requested_by, requested_at)
			VALUES ($1, $2, $3, 'refund', 100, 'By mistake', 'waiting', true, 'key-00000001', $4, $5)`, []any{reversal, franchiser, payment, asker, at}},
		{`INSERT INTO staff_acts (id, kind, subject, content, facts, reason, state, needs_approval, key, requested_by, requested_at)
			VALUES ($1, 'outage_grace', 'outage', '{}', '[]', 'An outage', 'waiting', true, 'key-00000002', $2, $3)`, []any{act, asker, at}},
		{`INSERT INTO bank_credits (id, source, utr, amount_paise, paid_at, state, created_at)
			VALUES ($1, 'statement', 'HDFCR52026112500009', 100, $2, 'open', $2)`, []any{credit, at}},
		{`INSERT INTO bank_credit_uses (id, credit_id, kind, amount_paise, state, reason, requested_by, requested_at)
			VALUES ($1, $2, 'dismissal', 100, 'waiting', 'Not ours', $3, $4)`, []any{use, credit, asker, at}},
		{`INSERT INTO catalogue_changes (id, state, base_revision, content, edit, drafted_by, drafted_at, edited_by, edited_at, proposed_by,
				proposed_at, effective_from)
			SELECT $1, 'proposed', max(revision), '{}', 1, $2, $3, $2, $3, $2, $3, $3 FROM catalogue_revisions`, []any{change, asker, at}},
		{`INSERT INTO staff_resets (id, staff_id, requested_by, reason, requested_at)
			SELECT $1, id, $2, 'Lost phone', $3 FROM staff WHERE email = 'kiran@example.in'`, []any{reset, asker, at}},
	} {
		_, err := a.db.Owner.Exec(row.statement, row.values...)
		require.NoError(t, err, row.statement)
	}
	return map[string]any{
		"/reversals/" + reversal + "/approve":         nil,
		"/reversals/" + reversal + "/decline":         nil,
		"/acts/" + act + "/approve":                   nil,
		"/acts/" + act + "/decline":                   nil,
		"/bank-credit-uses/" + use + "/decision":      map[string]any{"approve": true},
		"/catalogue/changes/" + change + "/decision":  map[string]any{"decision": "approve"},
		"/catalogue/changes/" + change + "/decision ": map[string]any{"decision": "reject"},
		"/staff-resets/" + reset + "/approve":         nil,
	}
}

// Given a colleague whom the requester invited, then each deciding call is refused with the end of the wait, and the colleague sees whose
// requests wait for others. A deciding call that is missing in this list fails here.
func TestDecisions_ByALinkedAccount_AreRefused(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	app.hire(t, "ravi@example.in", staff.RoleAdmin)
	app.hire(t, "kiran@example.in", staff.RoleSupport)
	meera := app.signedInAs(t, "meera@example.in", staff.RoleAdmin)
	asker := app.text(t, `SELECT id FROM staff WHERE email = 'ravi@example.in'`)
	calls := app.decisions(t, asker)
	opened := app.clock.Now()
	_, err := app.db.Owner.Exec(`INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until)
		SELECT id, $1, 'invited', $2, $3 FROM staff WHERE email = 'meera@example.in'`, asker, opened, opened.Add(7*24*time.Hour))
	require.NoError(t, err)

	ids := regexp.MustCompile(`/[0-9a-f-]{36}(/| ?$)`)
	tried := []string{"/api/support/staff-resets/:id/decline"} // leaves all as it was
	for call, body := range calls {
		path := regexp.MustCompile(` $`).ReplaceAllString(call, "")
		in := map[string]any{"reason": "Looked at it"}
		if more, ok := body.(map[string]any); ok {
			maps.Copy(in, more)
		}
		if strings.HasPrefix(path, "/staff-resets/") {
			in = app.proved(in)
		}
		got := meera.act(t, path, in)
		require.Equal(t, []any{403, "one_person"}, []any{got.Status, got.Body["code"]}, "%s: %s", path, got.Raw)
		require.Contains(t, got.Body["message"], opened.Add(7*24*time.Hour).In(time.FixedZone("IST", 19_800)).Format("2 January 2006, 15:04"))
		tried = append(tried, "/api/support"+ids.ReplaceAllString(path, "/:id$1"))
	}
	server, ok := app.server.Config.Handler.(handler.Server)
	require.True(t, ok)
	for _, route := range server.Engine.Routes() {
		if decides.MatchString(route.Path) {
			require.Contains(t, tried, route.Path, "a call that decides goes round four eyes, or is not in this list")
		}
	}
	ties := meera.call(t, http.MethodGet, "/account/ties", nil)
	require.Equal(t, 200, ties.Status, "%s", ties.Raw)
	require.InDelta(t, 7, ties.Data(t, "days"), 0)
	require.Len(t, ties.Data(t, "ties"), 1)
	require.True(t, slices.ContainsFunc(ties.Data(t, "ties").([]any), func(tie any) bool { return tie.(map[string]any)["staff_id"] == asker }))

	// Another admin decides, also once the asker has left.
	_, err = app.db.Owner.Exec(`UPDATE staff SET disabled_at = now() WHERE id = $1`, asker)
	require.NoError(t, err)
	sunita := app.signedInAs(t, "sunita@example.in", staff.RoleAdmin)
	for _, list := range []string{"/reversals?state=waiting", "/acts?state=waiting"} {
		shown := sunita.call(t, http.MethodGet, list, nil)
		require.Equal(t, 200, shown.Status, "%s", shown.Raw)
		require.Len(t, shown.Body["data"], 1, "%s shows what a disabled admin asked for", list)
	}
	for call := range calls {
		if decided := regexp.MustCompile(`^/(reversals|acts|staff-resets)/.*/approve$`).FindStringSubmatch(call); decided != nil {
			in := map[string]any{"reason": "Looked at it"}
			if decided[1] == "staff-resets" {
				in = app.proved(in)
			}
			got := sunita.act(t, call, in)
			require.Equal(t, 200, got.Status, "%s: %s", call, got.Raw)
		}
	}
}
