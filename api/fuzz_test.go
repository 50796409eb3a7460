package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit/contract"
)

// findings collects the fuzzer's distinct findings and fails the test with them. Every client's transport reports breaches
// of the contract to it.
type findings struct {
	testing.TB
	asked string
	seen  map[string]bool
}

var changing = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+|"[^"]*"`)

// Errorf records a finding unless a similar one exists; it replaces the test's own Errorf.
func (f *findings) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	first, _, _ := strings.Cut(text, "\n")
	if key := changing.ReplaceAllString(first, "…"); !f.seen[key] {
		f.seen[key] = true
		f.TB.Errorf("%.900s\n  asked: %.700s", text, f.asked)
	}
}

// caller is one of the roles in which the fuzzer sends requests.
type caller struct {
	*testClient
	role   string
	signIn func()
}

// fuzzer calls operations with input that the contract allows, and with input that it does not.
type fuzzer struct {
	*findings
	app      *testApp
	maker    *contract.Maker
	document *contract.Document
	callers  map[string]*caller
	members  map[string][]any
	// marks are texts that only customer A and staff may read.
	marks []string
	// told are the marks that a caller wrote into the list of a team.
	told     []string
	statuses map[int]int
	reached  map[string]bool
	// refused counts the error codes of each operation, to help extend coverage.
	refused map[string]map[string]int
}

func TestFuzz_RandomCalls_FollowTheContract(t *testing.T) {
	t.Parallel()
	seed, err := strconv.ParseUint(os.Getenv("FUZZ_SEED"), 10, 64)
	duration, _ := time.ParseDuration(os.Getenv("FUZZ_DURATION"))
	switch {
	case err == nil:
	case duration > 0:
		seed = rand.Uint64()
	default:
		seed = 360 // the ordinary run sends the same requests every time
	}
	t.Logf("FUZZ_SEED=%d", seed)
	f := newFuzzer(t, seed)
	ops := f.operations(t)
	for began := time.Now(); ; { //nolint:forbidigo // elapsed time, not business time
		f.maker.Random.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
		for _, op := range ops {
			f.call(t, op)
		}
		if time.Since(began) >= duration {
			break
		}
	}
	require.Equal(t, 200, f.app.client(t).get(t, "/country").Status, "the process goes on")
	require.Greater(t, len(f.reached), len(ops)/3, "operations that succeeded at least once")
	for _, op := range ops {
		if !f.reached[op.OperationID] {
			t.Logf("%s never succeeded: %v", op.OperationID, f.refused[op.OperationID])
		}
	}
	t.Logf("statuses %v", f.statuses)
}

// operations returns the operations that need no running worker.
func (f *fuzzer) operations(t *testing.T) []named {
	t.Helper()
	_, all := operations(t)
	return slices.DeleteFunc(all, func(op named) bool { return op.OperationID == "advanceDevClock" })
}

// call sends one round of requests to an operation: every kind of invalid input as a permitted caller, and valid input as
// everyone else.
func (f *fuzzer) call(t *testing.T, op named) {
	t.Helper()
	of := "A"
	switch {
	case op.public():
		of = "anonymous"
	case strings.HasPrefix(op.path, "/api/support"):
		of = "admin"
	}
	for _, role := range []string{"anonymous", "A", "B", "support", "admin"} {
		c := f.callers[role]
		f.send(t, c, op, "", nil, f.body(op))
		if role != of || op.RequestBody == nil {
			continue
		}
		s, valid := f.schemaAndBody(op)
		if valid == nil {
			continue
		}
		for _, limit := range f.maker.Limits(s, valid) {
			a := f.send(t, c, op, limit.Fault, nil, limit.Body)
			if said := a.messages(limit.Field); said != "" && !judgedElsewhere[limit.Field] {
				f.Errorf("%s refuses the %s %s that the contract allows: %s", op.OperationID, limit.Fault, limit.Field, said)
			}
		}
		for _, broken := range f.maker.Broken(s, valid) {
			f.send(t, c, op, broken.Fault+" "+broken.Field, nil, broken.Body)
		}
	}
	for _, p := range op.Parameters {
		if p.Value.In == "query" {
			for _, edge := range f.edges(p.Value.Schema.Value) {
				a := f.send(t, f.callers[of], op, "edge of "+p.Value.Name, url.Values{p.Value.Name: {edge}}, f.body(op))
				if said := a.messages(p.Value.Name); said != "" && !judgedElsewhere[p.Value.Name] && strings.HasSuffix(f.asked, "[allowed]") {
					f.Errorf("%s refuses an edge of %s that the contract allows: %s", op.OperationID, p.Value.Name, said)
				}
			}
			for _, value := range []string{"", " ", "-1", "x", "2026-13-45", "%00", "9999999999", strings.Repeat("x", 600), "é☃", "null"} {
				f.send(t, f.callers[of], op, "query "+p.Value.Name, url.Values{p.Value.Name: {value}}, f.body(op))
			}
		}
	}
}

// edges returns the longest, smallest and largest values of a parameter.
func (f *fuzzer) edges(s *openapi3.Schema) []string {
	var made []string
	if s.MaxLength != nil {
		if text, ok := f.maker.OfLength(s, int(*s.MaxLength)); ok {
			made = append(made, text)
		}
	}
	for _, edge := range []*float64{s.Min, s.Max} {
		if edge != nil {
			made = append(made, strconv.FormatFloat(*edge, 'f', -1, 64))
		}
	}
	return made
}

// judgedElsewhere lists fields with rules beyond the schema, such as which codes are correct or which values a list
// contains.
//
//nolint:gochecknoglobals // a constant
var judgedElsewhere = map[string]bool{
	"password": true, "password_confirmation": true, "store_password": true, // the right one, or one with all character classes
	"country_id": true, "state_id": true, "city_id": true, "store_type": true, // one of a list
	"days": true, "snooze_seconds": true, "bank_reference": true, "dispute_id": true, "amount": true, "printed_reason": true, // only valid for some states and kinds
	"after": true, "before": true, "kind": true, // a cursor, or a word from a list
	"owner_id": true, "link": true, "from": true, // a colleague, a page of this site, a change that there is
	"current_password": true, "current_code": true, "tds_rate_bps": true, // the right one, a rate where tax was deducted
}

// messages returns the failure's messages for one field.
func (a answer) messages(field string) string {
	fields, _ := a.Body["messages"].(map[string]any)
	if fields[field] == nil {
		return ""
	}
	return fmt.Sprint(fields[field])
}

// schemaAndBody picks one of the shapes of a JSON body and fills it; nil if the operation takes no body.
func (f *fuzzer) schemaAndBody(op named) (*openapi3.Schema, map[string]any) {
	media := op.RequestBody.Value.Content.Get("application/json")
	if media == nil {
		return nil, nil
	}
	s := media.Schema.Value
	if len(s.OneOf) > 0 {
		s = s.OneOf[f.maker.Random.IntN(len(s.OneOf))].Value
	}
	body, _ := f.maker.Valid(s).(map[string]any)
	return s, body
}

// body returns a body that the contract allows, nil if the operation takes no body, or a form if it takes only forms.
func (f *fuzzer) body(op named) any {
	if op.RequestBody == nil {
		return nil
	}
	content := op.RequestBody.Value.Content
	if media := content.Get("application/x-www-form-urlencoded"); media != nil && f.maker.Random.IntN(2) == 0 {
		form := url.Values{}
		fields, _ := f.maker.Valid(media.Schema.Value).(map[string]any)
		for name, value := range fields {
			form.Set(name, fmt.Sprint(value))
		}
		return form
	}
	if media := content.Get("application/json"); media != nil {
		return f.maker.Valid(media.Schema.Value)
	}
	if content.Get("application/octet-stream") != nil {
		return []byte("Date,Narration,UTR,Deposit\n2026-11-05,NEFT,HDFCR52026110500000001,500.00\n")
	}
	return url.Values{}
}

// send sends one request and checks more than the transport: server errors, valid bodies that the server cannot parse, and other customers'
// data.
func (f *fuzzer) send(t *testing.T, c *caller, op named, fault string, query url.Values, body any) answer {
	t.Helper()
	r := f.request(t, c, op, query, body)
	raw, _ := json.Marshal(body)
	f.asked = fmt.Sprintf("%s: %s %s (%s) %s", c.role, r.Method, r.URL.RequestURI(), fault, raw)
	if broken := f.document.CheckRequest(r); broken == nil {
		f.asked += " [allowed]"
	} else {
		first, _, _ := strings.Cut(broken.Error(), "\n")
		f.asked += fmt.Sprintf(" [refused: %.300s]", first)
	}
	a := c.send(t, r)
	f.statuses[a.Status]++
	if c.role == "anonymous" {
		c.http.Jar, _ = cookiejar.New(nil) // otherwise it would be signed in after the next sign-in
	}
	if a.Status < 400 {
		f.reached[op.OperationID] = true
	} else if c.role != "anonymous" || op.public() {
		if f.refused[op.OperationID] == nil {
			f.refused[op.OperationID] = map[string]int{}
		}
		f.refused[op.OperationID][fmt.Sprint(a.Status, " ", a.Body["code"])]++
	}
	if a.Status >= 500 && !slices.Contains(mayBeDown, op.OperationID) {
		f.Errorf("%s answers %d: %s", op.OperationID, a.Status, a.Raw)
	}
	unread := a.Body["code"] == "bad_request" || a.Body["code"] == "unknown_field"
	unseen := strings.HasPrefix(fault, contract.Unseen) // patterns cannot detect these
	if unseen && a.Status < 400 && op.RequestBody != nil {
		f.Errorf("%s takes text that nobody sees", op.OperationID)
	}
	if unread && !unseen && strings.HasSuffix(f.asked, "[allowed]") && r.Header.Get("Content-Type") == "application/json" {
		f.Errorf("%s cannot read what the contract allows: %s", op.OperationID, a.Raw)
	}
	if op.OperationID == "inviteMember" && a.Status < 400 { // a team's list shows what was written into it; A may have signed in as B by now
		for _, mark := range f.marks {
			if strings.Contains(string(raw), mark) {
				f.told = append(f.told, mark)
			}
		}
	}
	if c.role == "B" || c.role == "anonymous" {
		for _, mark := range f.marks {
			if strings.Contains(string(a.Raw), mark) && !slices.Contains(f.told, mark) && !strings.Contains(r.URL.RequestURI()+string(raw), mark) {
				f.Errorf("%s gives %s to %s", op.OperationID, mark, c.role)
			}
		}
	}
	if a.Status == 401 || op.OperationID == "logout" || op.OperationID == "signOutStaff" {
		c.signIn()
	}
	return a
}

// mayBeDown lists the operations that depend on services not running in this test.
//
//nolint:gochecknoglobals // a constant
var mayBeDown = []string{"listDevSms", "setDevSmsMode", "getInvoice", "getReadiness"}

func (f *fuzzer) request(t *testing.T, c *caller, op named, query url.Values, body any) *http.Request {
	t.Helper()
	path := regexp.MustCompile(`\{\w+\}`).ReplaceAllStringFunc(op.path, func(member string) string {
		return url.PathEscape(fmt.Sprint(f.member(t, op, strings.Trim(member, "{}"))))
	})
	if !slices.ContainsFunc(beside, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
		path = handler.Prefix + path
	}
	reader, contentType := encode(t, body)
	r, err := http.NewRequestWithContext(t.Context(), op.method, f.app.server.URL+path, reader)
	require.NoError(t, err)
	if query == nil {
		query = f.query(op)
	}
	r.URL.RawQuery = query.Encode()
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if op.Parameters.GetByInAndName("header", "Idempotency-Key") != nil {
		r.Header.Set("Idempotency-Key", id.New())
	}
	xsrf := "XSRF-TOKEN"
	if strings.HasPrefix(path, "/api/support") {
		xsrf = "STAFF-XSRF-TOKEN"
	}
	for _, cookie := range c.http.Jar.Cookies(r.URL) {
		if cookie.Name == xsrf {
			r.Header.Set("X-XSRF-TOKEN", cookie.Value)
		}
	}
	return r
}

// beside lists the paths outside the prefix of the product's calls.
//
//nolint:gochecknoglobals // a constant
var beside = []string{"/api/", "/dev/", "/healthz", "/readyz", "/tls/"}

func (f *fuzzer) member(t *testing.T, op named, name string) any {
	t.Helper()
	known := f.members[op.OperationID]
	if query := made[op.OperationID]; query != "" && name == "id" {
		known = f.all(t, query)
	}
	if len(known) == 0 {
		known = f.members[name]
	}
	if len(known) > 0 && f.maker.Random.IntN(5) > 0 {
		return known[f.maker.Random.IntN(len(known))]
	}
	if p := op.Parameters.GetByInAndName("path", name); p != nil {
		if value := fmt.Sprint(f.maker.Valid(p.Schema.Value)); value != "" {
			return value
		}
	}
	return "x"
}

func (f *fuzzer) query(op named) url.Values {
	query := url.Values{}
	for _, p := range op.Parameters {
		if p.Value.In == "query" && (p.Value.Required || f.maker.Random.IntN(3) == 0) {
			query.Set(p.Value.Name, fmt.Sprint(f.maker.Valid(p.Value.Schema.Value)))
		}
	}
	return query
}

// newFuzzer creates customer A with a paid plan and a store, customer B with a trial and a store, and two members of staff.
func newFuzzer(t *testing.T, seed uint64) *fuzzer {
	t.Helper()
	app, gateway := newTestApp(t), newPayuServer(t)
	f := &fuzzer{
		findings: &findings{TB: t, seen: map[string]bool{}}, app: app, document: contract.Shared(t),
		callers: map[string]*caller{}, members: map[string][]any{}, statuses: map[int]int{}, reached: map[string]bool{},
		refused: map[string]map[string]int{},
	}
	owner := app.buyer(t, "9876500009")
	gateway.sell(t, app, owner)
	owner.openStore(t, "9876500009", "Kesar Mahal")
	require.Equal(t, 200, owner.post(t, "/team/members", map[string]any{"name": "Meera", "mobile": meera, "role": "manager", "password": goodPassword}).Status)
	other := app.client(t)
	other.signUpForTrial(t, ravi)
	other.openStore(t, ravi, "Ravi Stores")

	var franchiser string
	require.NoError(t, app.db.Owner.Get(&franchiser, `SELECT id FROM franchisers WHERE mobile = '9876500009'`))
	for op, belonging := range app.belongings(t, franchiser) {
		f.members[op] = []any{belonging}
		f.marks = append(f.marks, belonging)
	}
	f.marks = append(f.marks, "9876500009", "Kesar Mahal")
	f.know(t, franchiser)
	f.maker = &contract.Maker{Random: rand.New(rand.NewPCG(seed, seed)), Known: f.members, ID: id.New}
	f.admit(t, "A", owner, "9876500009")
	f.admit(t, "B", other, ravi)
	f.callers["anonymous"] = &caller{f.client(t, app.client(t)), "anonymous", func() {}}
	for role, email := range map[string]string{"support": "sunita@example.in", "admin": "arun@example.in"} {
		app.hire(t, email, staff.Role(role))
		c := &caller{f.client(t, app.client(t)), role, nil}
		c.signIn = func() {
			app.clock.Advance(31 * time.Second)
			in := map[string]any{"email": email, "password": staffPassword, "code": app.staffCode()}
			staffClient{c.testClient}.call(t, http.MethodPost, "/login", in)
		}
		c.signIn()
		f.callers[role] = c
	}
	return f
}

// made lists path parameters that earlier requests may have created, by the operations that take them.
//
//nolint:gochecknoglobals // a constant
var made = map[string]string{
	"moveContactRequest": `SELECT id FROM contact_requests`, "getContactRequest": `SELECT id FROM contact_requests`, "assignContactRequest": `SELECT id FROM contact_requests`, "addContactEntry": `SELECT id FROM contact_requests`, "changeContactMacro": `SELECT id FROM contact_macros`, "approveReversal": `SELECT id FROM reversals`,
	"approveAct": `SELECT id FROM staff_acts`, "declineAct": `SELECT id FROM staff_acts`, "withdrawAct": `SELECT id FROM staff_acts`, "stopAct": `SELECT id FROM staff_acts`,
	"withdrawReversal": `SELECT id FROM reversals`, "openDocument": `SELECT id FROM invoices`,
	"declineReversal": `SELECT id FROM reversals`, "beginView": `SELECT id FROM support_views`, "endView": `SELECT id FROM support_views`,
	"endStaffAccess": `SELECT id FROM support_views`, "getJobOperation": `SELECT id FROM job_operations`,
	"resendInvoice": `SELECT id FROM invoices`, "askGateway": `SELECT id FROM payments`, "getPlanDetails": `SELECT id FROM plans`,
	"listPlanAddOns": `SELECT id FROM plan_services`, "getJob": `SELECT id::text FROM river_job`,
}

// all reads a text column.
func (f *fuzzer) all(t *testing.T, query string) []any {
	t.Helper()
	var found []string
	require.NoError(t, f.app.db.Owner.Select(&found, query), query)
	known := make([]any, len(found))
	for i, one := range found {
		known[i] = one
	}
	return known
}

// know records meaningful values by the names of fields and parameters.
func (f *fuzzer) know(t *testing.T, franchiser string) {
	t.Helper()
	transactions := f.all(t, `SELECT transaction_id FROM payments`)
	maps.Copy(f.members, map[string][]any{
		"id": {franchiser}, "customer_id": {franchiser}, "transaction_id": transactions, "payment": transactions,
		"transaction": transactions, "payment_id": f.all(t, `SELECT id FROM payments`), "subscription_id": f.all(t, `SELECT id FROM subscriptions`),
		"gateway": {"payu"}, "day": {"2026-11-21"}, "name": {"default", "Asha"}, "password": {goodPassword}, "store_username": {"9876500009"},
		"plan_services_id": f.all(t, `SELECT id FROM plan_services`), "store_type": f.all(t, `SELECT id::text FROM business_types`), "reason": {"because a test asks"},
		"country_id": {"IN"}, "state_id": {"29"}, "city_id": {"Bengaluru"}, "mobile": {"9876500009", ravi}, "provider": {"msg91", "twilio"},
		"email": {"asha@example.in"}, "username": {ravi}, "add_ons_service_id": {[]any{}}, "mode": {"ok"},
	})
	queues := []any{"default"}
	f.members["pauseQueue"], f.members["resumeQueue"], f.members["domain"] = queues, queues, []any{"localhost"}
}

// client reports breaches of the contract to the findings instead of the test.
func (f *fuzzer) client(t *testing.T, c *testClient) *testClient {
	t.Helper()
	c.http.Transport = contract.Transport(f, nil, "/docs")
	return c
}

func (f *fuzzer) admit(t *testing.T, role string, c *testClient, mobile string) {
	t.Helper()
	f.callers[role] = &caller{f.client(t, c), role, func() { c.login(t, mobile, goodPassword) }}
}
