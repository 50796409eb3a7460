package contract_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit/contract"
)

const (
	anID  = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"
	anURL = "http://shop.localhost:8099/api/franchise"
)

type bundle struct {
	document *contract.Document
	source   string
}

// setup gives each test its own document, so that tests do not count each other's exercised operations.
func setup(t *testing.T) bundle {
	t.Helper()
	path, err := contract.Find()
	require.NoError(t, err)
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	return bundle{document: contract.Shared(t).Unseen(), source: string(source)}
}

// exchange checks a request that is never sent with a made-up response; header lines are "Name: value".
func exchange(t *testing.T, d *contract.Document, method, target, reqBody string, status int, body string, header ...string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(reqBody))
	require.NoError(t, err)
	if reqBody != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Request: req}
	if body != "" {
		resp.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		resp.Header.Set(name, value)
	}
	return d.Check(req, resp, []byte(body))
}

// user returns a franchiser user with some fields changed; a nil value removes the field.
func user(t *testing.T, changes map[string]any) string {
	t.Helper()
	fields := map[string]any{
		"id": anID, "mobile": "9876543210", "email": "asha@example.in", "first_name": "Asha", "last_name": "", "role": "owner", "account_name": "Asha",
		"is_active": true, "has_store_details": false, "store_name": "", "franchiser_id": anID, "payment_status": 1,
		"redirect_to": "subscription_store", "has_address": true, "totp_enabled": false, "erase_on": nil, "other_accounts": false,
	}
	for name, value := range changes {
		if value == nil {
			delete(fields, name)
			continue
		}
		fields[name] = value
	}
	encoded, err := json.Marshal(fields)
	require.NoError(t, err)
	return string(encoded)
}

func signedIn(t *testing.T, changes map[string]any) string {
	t.Helper()
	return `{"status":true,"message":"Welcome back.","data":{"redirect_to":"subscription_store","franchiser-user":` + user(t, changes) + `}}`
}

func failure(code string) string {
	return `{"status":false,"message":"Please check.","code":"` + code + `","request_id":"r1"}`
}

const loginBody = `{"username":"9876543210","password":"Mango#2026"}`

func TestDocument_ValidAnswers_Pass(t *testing.T) {
	t.Parallel()
	orders := func(next, row string) string {
		return `{"status":true,"message":"Orders.","data":[` + row + `],"current_page":1,"last_page":1,"next_page_url":` + next +
			`,"per_page":10,"total":0}`
	}
	tests := map[string]struct {
		method, path, reqBody string
		status                int
		body                  string
		header                []string
	}{
		"a login":                           {"POST", "/login", loginBody, 200, signedIn(t, nil), nil},
		"a login that asks for a code":      {"POST", "/login", loginBody, 200, `{"status":true,"message":"Code.","data":{"totp_required":true,"totp_token":"p9Wq3ZtB6yLr1XnC","expires_in":300}}`, nil},
		"a refused login":                   {"POST", "/login", loginBody, 400, failure("invalid_credentials"), nil},
		"a request that breaks a rule":      {"POST", "/login", `{"username":12}`, 422, failure("validation_failed"), nil},
		"an empty list without a next page": {"GET", "/subscription/list?page=1&search=gro", "", 200, orders("null", ""), nil},
		"a list with a next page":           {"GET", "/subscription/list", "", 200, orders(`"/api/franchise/subscription/list?page=2"`, ""), nil},
		"instants in UTC":                   {"GET", "/profile/sessions", "", 200, `{"status":true,"message":"Sessions.","data":[{"id":"` + anID + `","current":true,"device":"Chrome","ip_address":"::1","created_at":"2026-11-21T06:00:00Z","last_seen_at":"2026-11-21T06:00:00Z","expires_at":"2026-11-21T06:00:00.123456Z"}]}`, nil},
		"an answer that is null":            {"GET", "/subscription/renewals", "", 200, `{"status":true,"message":"Nothing.","data":null}`, nil},
		"a limit with its header":           {"POST", "/login", loginBody, 429, failure("too_many_requests"), []string{"Retry-After: 59"}},
		"an unchanged list of plans":        {"GET", "/subscription-plan/list", "", 304, "", nil},
		"an unknown path":                   {"GET", "/no-such-call", "", 404, failure("not_found"), nil},
		"an unknown method":                 {"PATCH", "/login", "", 405, failure("not_found"), nil},
		"a CSV":                             {"GET", "/subscription/list/export", "", 200, "id,plan\n", []string{"Content-Type: text/csv; charset=utf-8", `Content-Disposition: attachment; filename="orders-2026-11-21.csv"`}},
	}
	b := setup(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, exchange(t, b.document, tt.method, anURL+tt.path, tt.reqBody, tt.status, tt.body, tt.header...))
		})
	}
}

func TestDocument_PathOutsideThePrefix_IsNotChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := `{"status":true,"message":"Alive.","data":{"version":"v1.2.0"}}`

	require.NoError(t, exchange(t, b.document, "GET", "http://127.0.0.1:9/healthz", "", 200, body))
	require.ErrorContains(t, exchange(t, b.document, "GET", anURL+"/healthz", "", 200, body), "not in the contract")
}

func TestDocument_PlantedViolations_AreFound(t *testing.T) {
	t.Parallel()
	page := `{"status":true,"message":"Orders.","data":[],"current_page":1,"last_page":1,"next_page_url":null,"per_page":10,"total":0`
	preview := func(value string) string {
		return `{"status":true,"message":"Price.","data":{"subscribe_plan":{"label":"Start up","value":"₹1,50,000"},"add_ons_service":[],` +
			`"payment_details":[{"label":"Total","type":"total","value":"` + value + `"}],"total":"₹1,59,300","expected_total":15930000,` +
			`"kind":"new","effective_on":"2026-11-21","plan_renew_on":"-","gateway_details":null}}`
	}
	sessions := func(created string) string {
		return `{"status":true,"message":"Sessions.","data":[{"id":"` + anID + `","current":true,"device":"Chrome","ip_address":"::1",` +
			`"created_at":"` + created + `","last_seen_at":"2026-11-21T06:00:00Z","expires_at":"2026-11-21T06:00:00.123456Z"}]}`
	}
	quote := `{"plan_type":"yearly","plan_services_id":"` + anID + `","add_ons_service_id":[]}`
	tests := map[string]struct {
		method, path, reqBody string
		status                int
		body                  string
		want                  string
		header                []string
	}{
		"wrong type":                  {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"is_active": "yes"}), "is_active", nil},
		"extra property":              {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"password": "x"}), "password", nil},
		"missing property":            {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"franchiser_id": nil}), "franchiser_id", nil},
		"value outside the list":      {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"redirect_to": "/evil"}), "redirect_to", nil},
		"number outside the list":     {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"payment_status": 6}), "payment_status", nil},
		"id that is not a UUID":       {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"id": "17"}), "id", nil},
		"invalid e-mail":              {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"email": "asha"}), "email", nil},
		"mobile with its country":     {"POST", "/login", loginBody, 200, signedIn(t, map[string]any{"mobile": "+919876543210"}), "mobile", nil},
		"instant in another zone":     {"GET", "/profile/sessions", "", 200, sessions("2026-11-21T11:00:00+05:30"), "created_at", nil},
		"day that does not exist":     {"GET", "/profile/sessions", "", 200, sessions("2026-02-30T11:00:00Z"), "created_at", nil},
		"undocumented status":         {"POST", "/login", loginBody, 418, failure("teapot"), "not documented", nil},
		"fault of the server":         {"POST", "/login", loginBody, 500, failure("internal"), "not documented", nil},
		"success in a failure":        {"POST", "/login", loginBody, 400, strings.Replace(failure("x"), "false", "true", 1), "status", nil},
		"null where there is content": {"POST", "/login", loginBody, 200, `{"status":true,"message":"Hm.","data":null}`, "data", nil},
		"content where there is null": {"POST", "/logout", "", 200, `{"status":true,"message":"Bye.","data":{}}`, "data", nil},
		"missing content":             {"POST", "/logout", "", 200, `{"status":true,"message":"Bye."}`, "data", nil},
		"wrong content type":          {"POST", "/login", loginBody, 200, signedIn(t, nil), "text/html", []string{"Content-Type: text/html"}},
		"broken JSON":                 {"POST", "/login", loginBody, 200, `{"status":true`, "decode", nil},
		"extra property of the page":  {"GET", "/subscription/list", "", 200, page + `,"pages":3}`, "pages", nil},
		"a page below the first":      {"GET", "/subscription/list", "", 200, strings.Replace(page, `"current_page":1`, `"current_page":0`, 1) + "}", "current_page", nil},
		"amount in foreign grouping":  {"POST", "/subscription-plan/quote", quote, 200, preview("159300"), "value", nil},
		"retry without its header":    {"POST", "/login", loginBody, 429, failure("too_many_requests"), "Retry-After", nil},
		"body of a 304":               {"GET", "/subscription-plan/list", "", 304, `{}`, "none is documented", nil},
		"redirect not documented":     {"GET", "/subscription/list", "", 301, "", "not documented", nil},
		"download without its name":   {"GET", "/subscription/list/export", "", 200, "id\n", "Content-Disposition", []string{"Content-Type: text/csv"}},
		"unknown path that succeeds":  {"GET", "/no-such-call", "", 200, `{}`, "not in the contract", nil},
		"unknown path, bare text":     {"GET", "/no-such-call", "", 404, "404 page not found", "failure envelope", []string{"Content-Type: text/plain"}},
		"unknown path, other shape":   {"GET", "/no-such-call", "", 404, `{"error":"x"}`, "failure envelope", nil},
		"unknown field that succeeds": {"POST", "/login", `{"username":"9876543210","password":"x","role":"admin"}`, 200, signedIn(t, nil), "role", nil},
		"page that succeeds":          {"GET", "/subscription/list?page=0", "", 200, page + "}", "page", nil},
	}
	b := setup(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := exchange(t, b.document, tt.method, anURL+tt.path, tt.reqBody, tt.status, tt.body, tt.header...)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestDocument_KeywordsNextToARef_AreChecked(t *testing.T) {
	t.Parallel()
	document, err := contract.Parse([]byte(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /x:
    get:
      operationId: x
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S', maxLength: 3}}}}
components: {schemas: {S: {type: [string, 'null'], minLength: 2}}}
`))
	require.NoError(t, err)
	for body, fits := range map[string]bool{`"ab"`: true, `null`: true, `"a"`: false, `"abcd"`: false, `1`: false} {
		err := exchange(t, document, "GET", "/x", "", 200, body)
		if fits {
			require.NoError(t, err, body)
			continue
		}
		require.Error(t, err, body)
	}
}

func TestParse_BrokenDocument_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, change := range map[string][2]string{
		"a missing component":          {"#/components/schemas/LoginRequest", "#/components/schemas/NoSuchThing"},
		"an example that breaks rules": {"otp_verification_id: Yx2v7cB0kq3m9TzR4hPw8dLs", "otp_verification_id: 12"},
		"an operation named twice":     {"operationId: logout", "operationId: login"},
		"a parameter that is not in":   {"/profile/sessions/{id}:", "/profile/sessions/{key}:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, b.source, change[0])
			_, err := contract.Parse([]byte(strings.ReplaceAll(b.source, change[0], change[1])))
			require.Error(t, err)
		})
	}
}

func TestMissing_OnlySuccessfulCallsExerciseAnOperation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Contains(t, b.document.Missing(), "login")
	require.Empty(t, b.document.Exercised("login"))

	require.NoError(t, exchange(t, b.document, "POST", anURL+"/login", loginBody, 400, failure("invalid_credentials")))
	require.Contains(t, b.document.Missing(), "login", "a refusal alone does not exercise it")
	require.NotContains(t, b.document.Missing("login"), "login")

	require.NoError(t, exchange(t, b.document, "POST", anURL+"/login", loginBody, 200, signedIn(t, nil)))
	require.NotContains(t, b.document.Missing(), "login")
	require.Equal(t, []int{200, 400}, b.document.Exercised("login"))
	require.Contains(t, b.document.Missing(), "logout")
}

// recorder is a testing.TB whose failures can be examined.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) { r.errors = append(r.errors, format) }

func TestTransport_ChecksEveryExchange(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body := `{"status":true,"message":"Bye.","data":null}`
		if r.URL.Query().Has("wrong") {
			body = `{"status":true}`
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	rec := &recorder{TB: t}
	client := &http.Client{Transport: contract.Transport(rec, nil, "/docs")}
	post := func(path string) string {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, nil)
		require.NoError(t, err)
		resp, err := client.Do(req)
		require.NoError(t, err)
		defer func() { require.NoError(t, resp.Body.Close()) }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return string(body)
	}

	require.JSONEq(t, `{"status":true,"message":"Bye.","data":null}`, post("/api/franchise/logout"), "the answer is given back whole")
	post("/docs/anything?wrong")
	require.Empty(t, rec.errors)
	post("/api/franchise/logout?wrong")
	require.Len(t, rec.errors, 1)
}
