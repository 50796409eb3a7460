package main

import (
	"encoding/csv"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const meera = "9811111111"

// ofMembers are the operations that members may call, by role; all others are the owner's alone.
func ofMembers() map[authz.Role][]string {
	all := []string{
		"GET /session", "POST /logout", "GET /accounts", "POST /accounts/switch", "DELETE /accounts/:id", "POST /team/invitations/:code/accept",
		"POST /connected-systems/sign-in",
	}
	return map[authz.Role][]string{
		authz.RoleAccountant: append([]string{
			"GET /subscription/list", "GET /subscription/list/export", "GET /subscription/payments/list", "GET /subscription/payments/list/export",
			"GET /subscription/invoice/:id", "GET /transfers", "GET /transfers/:id", "GET /transfers/:id/proforma", "POST /transfers/:id/utr", "POST /transfers/:id/cancel",
		}, all...),
		authz.RoleManager: append([]string{
			"GET /profile/store/details", "POST /profile/store/update", "POST /profile/store/entry", "GET /subscription/custom-domain/:id",
		}, all...),
	}
}

// ofAccounts returns the operations that need a customer's session, as method and registered path.
func ofAccounts(t *testing.T) []string {
	t.Helper()
	spec, all := operations(t)
	var list []string
	for _, op := range all {
		security := spec.Security
		if op.Security != nil {
			security = *op.Security
		}
		needed := len(security) > 0 && !slices.ContainsFunc(security, func(s openapi3.SecurityRequirement) bool {
			_, ok := s["session"]
			return !ok
		})
		if !needed || strings.HasPrefix(op.path, "/api/") || strings.HasPrefix(op.path, "/dev/") {
			continue
		}
		list = append(list, op.method+" "+regexp.MustCompile(`\{(\w+)\}`).ReplaceAllString(op.path, ":$1"))
	}
	require.Greater(t, len(list), 50)
	slices.Sort(list)
	return list
}

func TestPolicy_EachAccountOperation_HasOneRow(t *testing.T) {
	t.Parallel()
	text, err := os.Open("../pkg/platform/authz/policy.csv")
	require.NoError(t, err)
	t.Cleanup(func() { _ = text.Close() })
	rows := csv.NewReader(text)
	rows.Comment, rows.FieldsPerRecord, rows.TrimLeadingSpace = '#', -1, true
	records, err := rows.ReadAll()
	require.NoError(t, err)
	var named []string
	for _, r := range records {
		if r[0] == "p" && r[2] == "own" && r[1] != "role:viewer" {
			named = append(named, r[4]+" "+strings.TrimPrefix(r[3], handler.Prefix))
		}
	}
	slices.Sort(named)
	require.Equal(t, ofAccounts(t), named, "each operation that needs a session has one row in policy.csv, and no row is for nothing")

	e, err := authz.New()
	require.NoError(t, err)
	members := ofMembers()
	for _, operation := range named {
		method, path, _ := strings.Cut(operation, " ")
		for role, want := range map[authz.Role]bool{
			authz.RoleFranchiser: true, authz.RoleAccountant: slices.Contains(members[authz.RoleAccountant], operation),
			authz.RoleManager: slices.Contains(members[authz.RoleManager], operation), "role:": false, "role:owner": false,
			authz.RoleSupport: false, authz.RoleAdmin: false,
		} {
			r := authz.Request{Role: role, Tenant: "own", Owner: "own", Route: handler.Prefix + path, Method: method}
			ok, err := e.Allowed(r)
			require.NoError(t, err)
			require.Equal(t, want, ok, "%s %s", role, operation)
			r.Owner = "another"
			ok, err = e.Allowed(r)
			require.NoError(t, err)
			require.False(t, ok, "%s %s in another account", role, operation)
		}
	}
}

// teamLink sends the invitations that wait and returns the end of the newest link to the mobile.
func (a *testApp) teamLink(t *testing.T, mobile string) string {
	t.Helper()
	box := &inbox{}
	sender := team.NewSender(a.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: message.Site{Host: "localhost", URL: "http://localhost:8080"}, Clock: a.clock,
		Logger: testkit.NewLogger(t),
	}), a.clock, a.config.Keys)
	var ids []string
	require.NoError(t, a.db.Owner.Select(&ids, `SELECT i.id FROM team_invitations i JOIN team_members m ON m.id = i.member_id WHERE m.mobile = $1 AND i.sent_at IS NULL`, mobile))
	for _, one := range ids {
		require.NoError(t, sender.Send(t.Context(), one))
	}
	require.NotEmpty(t, box.messages)
	text := box.messages[len(box.messages)-1].Text
	return text[strings.LastIndex(text, "/")+1:]
}

// joinTeam has the mobile sign up, accept an invitation of the owner's and switch to the account.
func (c *testClient) joinTeam(t *testing.T, owner *testClient, mobile, role string) (memberID string) {
	t.Helper()
	c.signUp(t, mobile)
	a := owner.post(t, "/team/members", map[string]any{"name": "Ravi Rao", "mobile": mobile, "role": role, "password": goodPassword})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	memberID, _ = a.Data(t, "id").(string)
	link := c.app.teamLink(t, mobile)
	require.Equal(t, 200, c.get(t, "/team/invitations/"+link).Status)
	a = c.post(t, "/team/invitations/"+link+"/accept", nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	a = c.post(t, "/accounts/switch", map[string]any{"account_id": a.Data(t, "id")})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Equal(t, role, a.user(t)["role"])
	return memberID
}

func TestTeam_EachRole_HasOnlyItsOperations(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner, accountant, manager, removed, stranger := app.client(t), app.client(t), app.client(t), app.client(t), app.client(t)
	owner.signUpForTrial(t, asha)
	owner.openStore(t, asha, "Asha Sweets")
	accountant.joinTeam(t, owner, ravi, "accountant")
	manager.joinTeam(t, owner, meera, "manager")
	gone := removed.joinTeam(t, owner, "9822222222", "manager")
	require.Equal(t, 200, owner.do(t, http.MethodDelete, "/team/members/"+gone, nil).Status)

	members := ofMembers()
	all := ofAccounts(t)
	slices.SortStableFunc(all, func(a, b string) int { // the sign-out last
		return strings.Compare(strings.TrimPrefix(a, "POST /logo"), strings.TrimPrefix(b, "POST /logo"))
	})
	for _, operation := range all {
		method, path, _ := strings.Cut(operation, " ")
		path = regexp.MustCompile(`:\w+`).ReplaceAllString(path, id.New())
		var body any
		if method != http.MethodGet && method != http.MethodDelete && path != "/logout" {
			body = map[string]any{}
		}
		for role, c := range map[authz.Role]*testClient{authz.RoleAccountant: accountant, authz.RoleManager: manager} {
			a := c.do(t, method, path, body)
			if slices.Contains(members[role], operation) {
				require.NotContains(t, []int{401, 403}, a.Status, "%s %s: %s", role, operation, a.Raw)
				continue
			}
			require.Equal(t, 403, a.Status, "%s %s: %s", role, operation, a.Raw)
			require.Equal(t, "role_forbidden", a.Body["code"], "%s %s", role, operation)
		}
		for name, c := range map[string]*testClient{"removed": removed, "stranger": stranger} {
			require.Equal(t, 401, c.do(t, method, path, body).Status, "%s %s", name, operation)
		}
	}
}

func TestTeam_MembersAction_IsRecordedWithTheName(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner, manager := app.client(t), app.client(t)
	owner.signUpForTrial(t, asha)
	owner.openStore(t, asha, "Asha Sweets")
	memberID := manager.joinTeam(t, owner, ravi, "manager")
	store := owner.get(t, "/profile/store/details")
	in := map[string]any{"store_username": store.Data(t, "store_username"), "store_name": "Asha Sweets Pune", "store_type": store.Data(t, "store_type")}
	a := manager.post(t, "/profile/store/update", in)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	in["store_password"] = "Guava#20271"
	a = manager.post(t, "/profile/store/update", in)
	require.Equal(t, 403, a.Status, "the store's password is the owner's: %s", a.Raw)
	require.Equal(t, "Asha Sweets Pune", owner.get(t, "/session").user(t)["store_name"])

	team := owner.get(t, "/team")
	activity, _ := team.Data(t, "activity").([]any)
	var outcomes []any
	for _, e := range activity {
		if row, _ := e.(map[string]any); row["kind"] == "act" {
			require.Equal(t, "Ravi Rao", row["name"])
			require.Equal(t, "POST /api/franchise/profile/store/update", row["operation"])
			outcomes = append(outcomes, row["outcome"])
		}
	}
	require.Equal(t, []any{"refused", "done"}, outcomes, "newest first")

	support := app.signedInStaff(t)
	ownerID, _ := owner.get(t, "/session").user(t)["franchiser_id"].(string)
	customer := support.call(t, http.MethodGet, "/customers/"+ownerID, nil)
	require.Equal(t, 200, customer.Status, "%s", customer.Raw)
	shown, _ := customer.Data(t, "team").([]any)
	require.Len(t, shown, 1)
	timeline := support.call(t, http.MethodGet, "/customers/"+ownerID+"/timeline", nil)
	require.Contains(t, string(timeline.Raw), "Ravi Rao (manager)")

	app.clock.Advance(10 * time.Minute)
	require.Equal(t, 200, manager.get(t, "/session").Status)
	require.Equal(t, 200, manager.do(t, http.MethodDelete, "/accounts/"+ownerID, nil).Status)
	require.Equal(t, 401, manager.get(t, "/session").Status)
	a = owner.do(t, http.MethodDelete, "/team/members/"+memberID, nil)
	require.Equal(t, 404, a.Status)
}

func TestOwner_Calls_RecordNoTeamEvents(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	owner.signUp(t, asha)
	require.Equal(t, 200, owner.post(t, "/profile/update/profile", map[string]any{"first_name": "Asha", "last_name": "Rao"}).Status)
	require.Zero(t, app.count(t, `SELECT count(*) FROM team_events`))
	user := owner.get(t, "/session").user(t)
	require.Equal(t, "owner", user["role"])
	require.Nil(t, user["account_name"])
	accounts := owner.get(t, "/accounts")
	require.Len(t, accounts.Body["data"], 1)
}

func TestTeam_MembersRole_CanBeChanged(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	owner.signUpForTrial(t, asha)
	require.Equal(t, 200, owner.post(t, "/team/members", map[string]any{"name": "Meera", "mobile": meera, "role": "manager", "password": goodPassword}).Status)
	var member string
	require.NoError(t, app.db.Owner.Get(&member, `SELECT id FROM team_members WHERE mobile = $1`, meera))
	a := owner.do(t, http.MethodPut, "/team/members/"+member, map[string]any{"role": "accountant", "password": goodPassword})
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	var role string
	require.NoError(t, app.db.Owner.Get(&role, `SELECT role FROM team_members WHERE id = $1`, member))
	require.Equal(t, "accountant", role)
	require.Equal(t, 422, owner.do(t, http.MethodPut, "/team/members/"+member, map[string]any{"role": "owner", "password": goodPassword}).Status)
}

func TestTeam_Invitation_IsResentWithANewLink(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	owner := app.client(t)
	owner.signUpForTrial(t, asha)
	require.Equal(t, 200, owner.post(t, "/team/members", map[string]any{"name": "Meera", "mobile": meera, "role": "manager", "password": goodPassword}).Status)
	first := app.teamLink(t, meera)
	var member string
	require.NoError(t, app.db.Owner.Get(&member, `SELECT id FROM team_members WHERE mobile = $1`, meera))
	again := "/team/members/" + member + "/resend"
	proof := map[string]any{"password": goodPassword}
	require.Equal(t, 429, owner.post(t, again, proof).Status)
	app.clock.Advance(time.Minute)
	a := owner.post(t, again, proof)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	second := app.teamLink(t, meera)
	require.NotEqual(t, first, second)
	guest := app.client(t)
	require.Equal(t, 404, guest.get(t, "/team/invitations/"+first).Status, "the earlier link is replaced")
	require.Equal(t, 200, guest.get(t, "/team/invitations/"+second).Status)
}
