package tenantsite

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/tenant"
)

const someID = "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"

// posting returns a request with a form to a store's host.
func (s *Site) posting(t *testing.T, path string, form url.Values, header ...string) (*request, *httptest.ResponseRecorder) {
	t.Helper()
	w := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(w)
	c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://pune.stores.example"+path, strings.NewReader(form.Encode()))
	c.Request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		c.Request.Header.Set(header[i], header[i+1])
	}
	return &request{Site: s, c: c, ctx: t.Context(), store: tenant.Tenant{StoreName: "Chai Point"}}, w
}

// A sign-in leads only to a page of its own part of this host, however an address is written.
func TestResume_AfterSignIn_OnlyOwnPages(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/dashboard/outlets":                     "/dashboard/outlets",
		"/dashboard/outlets?q=pune&after=x":      "/dashboard/outlets?q=pune&after=x",
		"/dashboard/outlets#top":                 "/dashboard/outlets",
		"/dashboard/outlets/" + someID + "/edit": "/dashboard/outlets/" + someID + "/edit",
		"":                                       "",
		"/":                                      "",
		"/dashboard":                             "", // where a sign-in leads anyway
		"/dashboard/":                            "",
		"/dashboard/login":                       "",
		"/dashboardx/outlets":                    "",
		"/partner/outlets/1":                     "",
		"dashboard/outlets":                      "",
		"/dashboard/../partner":                  "",
		"/dashboard/%2e%2e/partner":              "",
		"/dashboard/outlets/..":                  "",
		"/dashboard//evil.example":               "",
		"/dashboard/%2f%2fevil.example":          "",
		"//evil.example/dashboard/x":             "",
		"https://evil.example/dashboard/x":       "",
		"https:/dashboard/x":                     "",
		"javascript:/dashboard/alert(1)":         "",
		`\\evil.example/dashboard/x`:             "",
		"/dashboard/x\r\nSet-Cookie: a=b":        "",
		"/dashboard/%zz":                         "",
		"https://u@/dashboard/outlets":           "",
		"/dashboard/login?next=/dashboard/x":     "",
		"/DASHBOARD/outlets":                     "",
		"/dashboard/outlets/\u202ex":             "/dashboard/outlets/%E2%80%AEx",
		"/dashboard/outlets/%0d%0aLocation:x":    "/dashboard/outlets/%0D%0ALocation:x",
	} {
		require.Equal(t, want, ownersDoor().pageOf(address), "%q", address)
	}
	for address, want := range map[string]string{
		"/partner/outlets/1": "/partner/outlets/1", "/partner": "", "/partner/login": "", "/partners/x": "", "/dashboard/outlets": "", "//evil.example/partner/x": "",
	} {
		require.Equal(t, want, partnersDoor().pageOf(address), address)
	}
}

func TestOutletPath_NamesOneOutletAndAction(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][2]string{
		"/dashboard/outlets/" + someID: {someID, ""}, "/dashboard/outlets/" + someID + "/edit": {someID, "edit"}, "/dashboard/outlets/" + someID + "/status": {someID, "status"},
		"/dashboard/outlets/" + someID + "/remove": {}, "/dashboard/outlets/" + someID + "/edit/x": {}, "/dashboard/outlets/1": {}, "/dashboard/outlets/new": {},
		"/dashboard/outlets": {}, "/dashboard/outletsx/" + someID: {}, "/partner/outlets/" + someID: {},
	} {
		outletID, action, ok := outletPath(path)
		require.Equal(t, want[0] != "", ok, path)
		if ok {
			require.Equal(t, want, [2]string{outletID, action}, path)
		}
	}
	for path, want := range map[string]string{
		"/dashboard/partners/" + someID + "/resend": "resend", "/dashboard/partners/" + someID + "/remove": "remove", "/dashboard/partners/" + someID: "",
		"/dashboard/partners/" + someID + "/": "", "/dashboard/partners/" + someID + "/edit": "", "/dashboard/partners/1/remove": "", "/dashboard/partners/new": "",
	} {
		_, action, ok := partnerPath(path)
		require.Equal(t, want != "", ok, path)
		if ok {
			require.Equal(t, want, action)
		}
	}
	for path, want := range map[string]string{"/i/Ab3-x": "Ab3-x", "/i/": "", "/i": "", "/i/a/b": "", "/i/" + someID: "", "/join/Ab3": "", "/I/Ab3": ""} {
		code, ok := invitationCode(path)
		require.Equal(t, want != "", ok, path)
		if ok {
			require.Equal(t, want, code)
		}
	}
	for path, want := range map[string]string{
		"/dashboard/outlets": "/dashboard/outlets/new", "/dashboard/partners": "/dashboard/partners/new", "/dashboard/outlets/" + someID + "/edit": "/dashboard/outlets/" + someID + "/edit",
		"/partner/outlets/" + someID: "/partner/outlets/" + someID, "/dashboard/outlets/" + someID + "/status": "", "/dashboard/outlets/" + someID: "", "/dashboard/login": "",
	} {
		page, ok := formPage(path)
		require.Equal(t, want != "", ok, path)
		require.Equal(t, want, page, path)
	}
	for path, want := range map[string]string{
		"/dashboard/outlets/" + someID + "/status": "/dashboard/outlets/" + someID, "/dashboard/partners/" + someID + "/remove": "/dashboard/partners",
		"/dashboard/partners/" + someID + "/resend": "/dashboard/partners", "/partner/code": "/partner/login", "/dashboard/outlets/" + someID + "/edit": "", "/dashboard/outlets": "", "/": "",
	} {
		page, ok := buttonPage(path)
		require.Equal(t, want != "", ok, path)
		if ok {
			require.Equal(t, want, page, path)
		}
	}
}

// Typed values outlive a session, but passwords and codes do not. A button leads back to its page, and a program gets the sign-in's status.
func TestAskSignIn_KeepsTheFormExceptSecrets(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for path, want := range map[string]string{
		"/dashboard/outlets":              "/dashboard/login?next=%2Fdashboard%2Foutlets",
		"/dashboard/outlets/":             "/dashboard/login?next=%2Fdashboard%2Foutlets",
		"/dashboard/outlets?q=a%26b":      "/dashboard/login?next=%2Fdashboard%2Foutlets%3Fq%3Da%2526b",
		"/dashboard":                      "/dashboard/login",
		"/dashboard/outlets/%2e%2e/login": "/dashboard/login",
	} {
		r, w := s.at(t, http.MethodGet, path)
		r.askSignIn(ownersDoor())
		require.Equal(t, http.StatusSeeOther, w.Code)
		require.Equal(t, want, w.Header().Get("Location"), path)
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	}
	typed := url.Values{
		"name": {"Asha Sweets", "second"}, "city": {`"><script>`}, "password": {"Mangoes#2027"}, "otp": {"123456"}, "username": {"9876543210"}, "next": {"https://evil.example"}, "kept.code": {"x"}, "status": {""},
	}
	r, w := s.posting(t, "/dashboard/outlets", typed)
	require.NoError(t, r.c.Request.ParseForm())
	r.askSignIn(ownersDoor())
	require.Equal(t, http.StatusUnauthorized, w.Code)
	page := w.Body.String()
	for _, kept := range []string{`name="next" value="/dashboard/outlets/new"`, `name="kept.name" value="Asha Sweets"`, `name="kept.city" value="&#34;&gt;&lt;script&gt;"`, `name="kept.status" value=""`} {
		require.Contains(t, page, kept)
	}
	for _, lost := range []string{"Mangoes#2027", "123456", "second", "evil.example", "kept.code", "kept.kept", "kept.username"} {
		require.NotContains(t, page, lost)
	}
	for path, want := range map[string]string{
		"/dashboard/outlets/" + someID + "/status": "/dashboard/login?next=" + url.QueryEscape("/dashboard/outlets/"+someID), "/dashboard/partners/" + someID + "/remove": "/dashboard/login?next=%2Fdashboard%2Fpartners",
		"/dashboard/nothing": "/dashboard/login",
	} {
		r, w := s.posting(t, path, typed)
		require.NoError(t, r.c.Request.ParseForm())
		r.askSignIn(ownersDoor())
		require.Equal(t, want, w.Header().Get("Location"), path)
	}
	r, w = s.posting(t, "/dashboard/outlets", typed, "Accept", "application/json")
	require.NoError(t, r.c.Request.ParseForm())
	r.askSignIn(ownersDoor())
	require.Equal(t, "/dashboard/login", w.Header().Get("Location"), "a program has its form still")

	r, w = s.posting(t, pathLogin, url.Values{"next": {pathNewPartner}, "kept.name": {"Ravi"}, "kept.mobile": {"9123456789"}, "kept.role": {"viewer"}})
	require.NoError(t, r.c.Request.ParseForm())
	require.True(t, r.resume(r.next(ownersDoor())))
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), "Nothing was saved yet")
	for _, value := range []string{`value="Ravi"`, `value="9123456789"`} {
		require.Contains(t, w.Body.String(), value)
	}
	for next, kept := range map[string]string{pathNewPartner: "", "/dashboard/outlets": "Ravi", "https://evil.example": "Ravi"} {
		form := url.Values{"next": {next}}
		if kept != "" {
			form.Set("kept.name", kept)
		}
		r, w := s.posting(t, pathLogin, form)
		require.NoError(t, r.c.Request.ParseForm())
		require.False(t, r.resume(r.next(ownersDoor())), next)
		require.Zero(t, w.Body.Len(), "the answer is still to come")
	}
}

// A form is taken from this host's own pages, up to 8 KB of text that can be kept.
func TestForm_OnlyFromTheStoresPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for name, c := range map[string]struct {
		form   url.Values
		header []string
		want   int
	}{
		"our page":         {url.Values{"a": {"b"}}, []string{"Sec-Fetch-Site", "same-origin"}, 404},
		"an old browser":   {url.Values{"a": {"b"}}, []string{"Origin", "https://pune.stores.example"}, 404},
		"a program":        {url.Values{"a": {"b"}}, nil, 404},
		"another store":    {url.Values{"a": {"b"}}, []string{"Sec-Fetch-Site", "same-site"}, 403},
		"another site":     {url.Values{"a": {"b"}}, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"another's origin": {url.Values{"a": {"b"}}, []string{"Origin", "https://delhi.stores.example"}, 403},
		"a hidden origin":  {url.Values{"a": {"b"}}, []string{"Origin", "null"}, 403},
		"8 KB":             {url.Values{"a": {strings.Repeat("x", 8<<10-2)}}, nil, 404},
		"a byte more":      {url.Values{"a": {strings.Repeat("x", 8<<10-1)}}, nil, 400},
		"a card":           {url.Values{"name": {"4111 1111 1111 1111"}}, nil, 400},
		"NUL":              {url.Values{"name": {"a\x00"}}, nil, 400},
	} {
		r, w := s.posting(t, "/dashboard/nothing", c.form, c.header...)
		r.post("/dashboard/nothing")
		require.Equal(t, c.want, w.Code, name)
		require.Equal(t, contentPolicy, w.Header().Get("Content-Security-Policy"), name)
	}
	for path := range map[string]bool{"/dashboard/outlets/" + someID: true, "/dashboard/partners/" + someID: true, "/healthz": true} {
		r, w := s.posting(t, path, nil)
		r.post(path)
		require.Equal(t, http.StatusNotFound, w.Code, "%s takes no form", path)
	}
}

// The wait in a failure is rounded up, and its cause is only logged.
func TestPageFailure_HasRetryAfter(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for wait, want := range map[time.Duration]string{time.Second: "1", 1500 * time.Millisecond: "2", time.Millisecond: "1", time.Minute: "60"} {
		r, w := s.at(t, http.MethodGet, "/dashboard")
		busy := errs.New(errs.KindBusy, "busy", "Too many at once.")
		busy.RetryAfter = wait
		r.failed(busy)
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, want, w.Header().Get("Retry-After"), wait)
	}
	for err, want := range map[error]int{errs.Unavailable(errors.New("dial tcp 10.0.0.7")): 503, errors.New("dial tcp 10.0.0.7"): 500, errs.NotFound(): 500} {
		r, w := s.at(t, http.MethodGet, "/dashboard")
		r.failed(err)
		require.Equal(t, want, w.Code)
		require.NotContains(t, w.Body.String(), "10.0.0.7")
		require.Empty(t, w.Header().Get("Retry-After"))
	}
	for err, want := range map[error]int{errs.Invalid("x"): 422, errs.New(errs.KindLimit, "limit", "x"): 402, errs.New(errs.KindConflict, "c", "x"): 409, errs.NotFound(): 0, errs.Forbidden(): 0, errors.New("EOF"): 0} {
		status, ok := refusalStatus(err)
		require.Equal(t, []any{want, want != 0}, []any{status, ok}, "%v", err)
	}
	for text, want := range map[string]int{"7": 7, "-1": -1, "": 0, "x": 0, "7.5": 0, "99999999999999999999": 9223372036854775807} {
		require.Equal(t, want, number(text), text)
	}
	require.Empty(t, kind(nil))
	require.Equal(t, errs.KindInternal, kind(errors.New("EOF")))
}

// The first steps follow only from the outlets, and end once the shop is open; a partner is optional.
func TestSteps_FollowFromTheOutlets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		by       map[outlet.State]int
		partners int
		want     []bool
		open     string
	}{
		"nothing yet":             {nil, 0, []bool{false, false, false}, ""},
		"a partner first":         {nil, 1, []bool{false, true, false}, ""},
		"a planned outlet":        {map[outlet.State]int{outlet.StatePlanned: 2}, 0, []bool{true, false, false}, pathOutlets},
		"planned, with a partner": {map[outlet.State]int{outlet.StatePlanned: 2}, 1, []bool{true, true, false}, pathOutlets},
		"open":                    {map[outlet.State]int{outlet.StateOpen: 1}, 0, nil, ""},
		"paused":                  {map[outlet.State]int{outlet.StatePaused: 1}, 0, nil, ""},
		"closed again":            {map[outlet.State]int{outlet.StateClosed: 1}, 0, nil, ""},
	} {
		v := view{Overview: outlet.Overview{ByState: c.by, Partners: c.partners}}
		var done []bool
		for _, s := range v.Steps() {
			done = append(done, s.Done)
		}
		require.Equal(t, c.want, done, name)
		if len(done) > 0 {
			require.Equal(t, c.open, v.Steps()[2].URL, "%s: no outlet can be opened that is not there", name)
		}
		tiles := v.Tiles()
		require.Len(t, tiles, len(outlet.States()), name)
		for _, tile := range tiles {
			require.Equal(t, c.by[tile.State], tile.N, name)
		}
	}
	v := view{Form: outletForm{Fields: []field{{Name: "a"}, {Name: "b", Error: "x"}, {Name: "c", Error: "y"}}}}
	require.Len(t, v.Errors(), 2)
	require.Equal(t, "b", v.Errors()[0].Name, "in the order of the form")
}

// The links of a list keep its filter; the file starts at the first row.
func TestOutletList_Links_KeepTheFilter(t *testing.T) {
	t.Parallel()
	p := outletPage{Page: outlet.Page{Next: "a/b&c"}, Query: outlet.Query{Search: "chai & co", State: outlet.StateOpen, City: "Pune", Sort: outlet.SortName, After: "before"}}
	const selected = "city=Pune&q=chai+%26+co&sort=name&status=open"
	require.Equal(t, "/dashboard/outlets?after=a%2Fb%26c&"+selected, p.NextURL())
	require.Equal(t, "/dashboard/outlets?"+selected, p.FirstURL())
	require.Equal(t, "/dashboard/outlets.csv?"+selected, p.ExportURL())
	p.base = pathPartner
	require.Equal(t, "/partner?after=a%2Fb%26c", p.NextURL(), "a partner's list has no filters")
	require.Equal(t, "/dashboard/outlets?", outletPage{}.FirstURL())
	require.Len(t, p.Sorts(), 3)
	require.Equal(t, outlet.States(), p.States())
}
