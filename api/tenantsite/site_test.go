package tenantsite

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/tenant"
)

func newSite(t *testing.T, public string) *Site {
	t.Helper()
	u, err := url.Parse(public)
	require.NoError(t, err)
	gin.SetMode(gin.ReleaseMode)
	s, err := New(nil, nil, nil, nil, nil, nil, Options{Public: u, BaseDomain: "stores.example"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return s
}

// at returns a request to a store's host, and the recorder for its response.
func (s *Site) at(t *testing.T, method, path string) (*request, *httptest.ResponseRecorder) {
	t.Helper()
	w := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(w)
	c.Request = httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	return &request{Site: s, c: c, ctx: t.Context(), store: tenant.Tenant{StoreName: "Chai Point"}}, w
}

func TestHostOf_EachSpelling(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Pune.Stores.Example:8443": "pune.stores.example", "pune.stores.example.": "pune.stores.example", "pune.stores.example.:80": "pune.stores.example",
		"PUNE.STORES.EXAMPLE": "pune.stores.example", "[::1]:8080": "::1", "": "", ".": "", ":80": "", "xn--11b4c3d.example": "xn--11b4c3d.example",
	} {
		require.Equal(t, want, hostOf(given), given)
	}
}

func TestProductHosts_OnlyItsOwnNames(t *testing.T) {
	t.Parallel()
	for public, hosts := range map[string]map[string]bool{
		"https://franchise360.example": {
			"franchise360.example": true, "www.franchise360.example": true, "stores.example": true, "127.0.0.1": true, "::1": true, "[::1]": true,
			"api": true, "localhost": true, "": true, "pune.stores.example": false, "evilfranchise360.example": false,
			"franchise360.example.evil.example": false, "www.www.franchise360.example": false, "www.stores.example": false, "shop.example.in": false,
			"1.2.3.4.example": false,
		},
		"https://www.franchise360.example": {"franchise360.example": true, "www.franchise360.example": true, "example": true},
	} {
		s := newSite(t, public)
		for host, want := range hosts {
			require.Equal(t, want, s.isProduct(host), "%s at %s", host, public)
		}
	}
	for path, want := range map[string]bool{"/healthz": true, "/readyz": true, "/healthz/": false, "/": false, "/metrics": false, "/HEALTHZ": false} {
		require.Equal(t, want, isOperational(path), path)
	}
}

func TestWaitText_RoundsUp(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "1 second", time.Millisecond: "1 second", time.Second: "1 second", time.Second + 1: "2 seconds", 90 * time.Second: "90 seconds",
		90*time.Second + 1: "2 minutes", 15 * time.Minute: "15 minutes", 90 * time.Minute: "90 minutes", 90*time.Minute + 1: "2 hours", 24 * time.Hour: "24 hours",
	} {
		require.Equal(t, want, waitText(i18n.English, d), d)
	}
}

func TestClean_CardNumberOrInvalidText_IsRefused(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"Chai Point": true, "\u200eChai\u200b Point\ufeff": true, "4111\u200b1111\u200b1111\u200b1111": false, "चाय": true, "": true, "a\x00b": false, "\xff": false, "4111 1111 1111 1111": false, "a\u202eb": false,
	} {
		require.Equal(t, want, clean(url.Values{"name": {"fine", value}}), "%q", value)
	}
	require.True(t, clean(nil))
	pasted := url.Values{"name": {"\u200eChai\u200b Point\ufeff"}}
	require.True(t, clean(pasted))
	require.Equal(t, "Chai Point", pasted.Get("name"))
}

// html renders the page for the view.
func (s *Site) html(t *testing.T, page string, v view) string {
	t.Helper()
	var body bytes.Buffer
	require.NoError(t, s.pages.byName[i18n.English][page].Execute(&body, v), page)
	return body.String()
}

func TestPages_StoreName_IsEscaped(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for _, name := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `{{.ProductURL}}`, `javascript:alert(1)`, "पुणे चाय", "🍵 Chai", "é", "",
		strings.Repeat("क", 10_000),
	} {
		for page := range s.pages.byName[i18n.English] {
			v := view{
				Title: name, StoreName: name, Heading: name, Text: name, Problem: name, Username: name, Done: name,
				Overview: outlet.Overview{
					Places:  outlet.Places{Plan: tenant.Entitlement{PlanName: name, Notice: name, Extension: name, AddOns: []tenant.AddOn{{Name: name, Count: 2}}}},
					ByState: map[outlet.State]int{outlet.StateOpen: 1}, Cities: []string{name},
				},
				Outlet:   outlet.Outlet{ID: name, Name: name, City: name, Code: name, Address: name, Phone: name, Hours: name, StateName: name},
				Partner:  outlet.Partner{Name: name, Mobile: "9123456789", Role: outlet.RoleManager},
				Partners: []partnerRow{{Partner: outlet.Partner{ID: name, Name: name, Mobile: name, State: outlet.PartnerInvited}, Since: name}},
				History:  []eventRow{{Title: name, By: name, At: name}},
				Page: outletPage{
					Page:  outlet.Page{Outlets: []outlet.Outlet{{ID: name, Name: name, City: name, State: outlet.StateOpen}}, Next: name},
					Query: outlet.Query{Search: name, City: name},
				},
				Form: outletForm{Action: name, Back: name, Button: name, Key: name, Fields: []field{
					{Name: "name", Label: name, Hint: name, Value: name, Error: name}, {Name: "x", Choices: []choice{{name, name}}},
				}},
				ProductURL: "https://franchise360.example",
			}
			shown := s.html(t, page, v)
			require.NotContains(t, shown, "<script", "%s: %s", page, name)
			require.NotContains(t, shown, "<img", "%s: %s", page, name)
			require.True(t, utf8.ValidString(shown), "%s: %s", page, name)
			require.NotContains(t, shown, "\ufffd", "%s: a letter was cut in two: %s", page, name)
		}
	}
	require.Contains(t, s.html(t, "home", view{StoreName: "पुणे चाय"}), `aria-hidden="true">प<`, "the mark is the first letter")
	require.Contains(t, s.html(t, "home", view{StoreName: "Chai"}), `aria-hidden="true">C<`)
}

func TestMeter_StaysWithinItsRange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ limit, used, most, shown, high int }{
		"no plan":             {0, 0, 1, 0, 0},
		"no places, but used": {0, 3, 1, 1, 0},
		"all used":            {10, 10, 10, 10, 9},
		"more than the plan":  {5, 9, 5, 5, 4},
		"some":                {100, 40, 100, 40, 90},
	} {
		v := view{Overview: outlet.Overview{Places: outlet.Places{Plan: tenant.Entitlement{FranchiseLimit: c.limit}, Used: c.used}}}
		require.Equal(t, [3]int{c.most, c.shown, c.high}, [3]int{v.MeterMax(), v.MeterUsed(), v.MeterHigh()}, name)
	}
}

func TestErrStatus_EachError_HasItsStatus(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	limited := errs.RateLimited(1500 * time.Millisecond)
	for name, c := range map[string]struct {
		err    error
		status int
	}{
		"a wrong password": {tenant.ErrWrongLogin, errStatus(tenant.ErrWrongLogin)},
		"no session":       {errs.Unauthenticated(), http.StatusUnauthorized},
		"the plan's limit": {errs.New(errs.KindLimit, "limit", "No more.").With("limit", 5), http.StatusPaymentRequired},
		"gone":             {errs.NotFound(), http.StatusNotFound},
		"too often":        {limited, http.StatusTooManyRequests},
		"not filled in":    {errs.Invalid("Look again.").Field("name", "Too short."), http.StatusUnprocessableEntity},
		"no database":      {errs.Unavailable(errors.New("dial tcp 10.0.0.7")), http.StatusServiceUnavailable},
		"a fault":          {errors.New("dial tcp 10.0.0.7"), http.StatusInternalServerError},
	} {
		for _, accept := range []string{"text/html", "application/json"} {
			r, w := s.at(t, http.MethodPost, pathLogin)
			r.c.Request.Header.Set("Accept", accept)
			r.refuse(c.err, "login", view{Username: "9876543210"})
			require.Equal(t, c.status, w.Code, "%s: %s", accept, name)
			require.Equal(t, contentPolicy, w.Header().Get("Content-Security-Policy"), name)
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"), name)
			require.NotEmpty(t, w.Header().Get("Strict-Transport-Security"), name)
			require.NotContains(t, w.Body.String(), "10.0.0.7", "a cause is only logged")
			fault := c.status >= 500
			if accept == "text/html" || fault {
				require.Contains(t, w.Header().Get("Content-Type"), "text/html", name)
				continue
			}
			var body map[string]any
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), name)
			require.Equal(t, false, body["status"], name)
			require.Equal(t, errs.As(c.err).Code, body["code"], name)
		}
	}
	r, w := s.at(t, http.MethodPost, pathLogin)
	r.refuse(limited, "login", view{})
	require.Equal(t, "2", w.Header().Get("Retry-After"), "rounded up, so that who waits comes late enough")
	require.Contains(t, w.Body.String(), "wait for 2 seconds")
}

func errStatus(err error) int {
	if errs.KindOf(err) == errs.KindUnauthenticated {
		return http.StatusUnauthorized
	}
	return http.StatusUnprocessableEntity
}

func TestStoreCookies_AreOfItsHostOnly(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]string{
		"https://franchise360.example": "__Host-store_session=token; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax",
		"http://localhost:8080":        "store_session=token; Path=/; Max-Age=60; HttpOnly; SameSite=Lax",
	} {
		r, w := newSite(t, public).at(t, http.MethodGet, "/")
		r.setToken("token", 60)
		require.Equal(t, want, w.Header().Get("Set-Cookie"))
		require.Empty(t, r.token())
		r.c.Request.Header.Set("Cookie", strings.SplitN(want, ";", 2)[0])
		require.Equal(t, "token", r.token())
		r.headers()
		require.Equal(t, strings.HasPrefix(public, "https"), w.Header().Get("Strict-Transport-Security") != "")
	}
	r, _ := newSite(t, "https://franchise360.example").at(t, http.MethodGet, "/")
	r.c.Request.Header.Set("Cookie", "store_session=planted")
	require.Empty(t, r.token(), "one that another host of the domain has set")
}

func TestStyle_IsCachedUntilItChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for path, contentType := range map[string]string{pathStyle: "text/css; charset=utf-8", "/figtree.woff2": "font/woff2", "/noto-sans-devanagari.woff2": "font/woff2"} {
		r, w := s.at(t, http.MethodGet, path)
		r.serve()
		require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
		require.Equal(t, contentType, w.Header().Get("Content-Type"))
		require.NotEmpty(t, w.Body.Bytes())
	}
	r, w := s.at(t, http.MethodGet, "/nowhere")
	r.message(http.StatusNotFound, "Page not found", "This store has no page at this address.")
	require.Contains(t, w.Body.String(), "/store.css?v="+s.pages.version)
	require.Len(t, s.pages.version, 12)
}

// Given a store's host, then its pages name the product's icon, which the product's own files answer.
func TestStorePages_HaveTheProductsIcon(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	require.Contains(t, s.html(t, "home", view{StoreName: "Chai"}), `<link rel="icon" href="/favicon.svg"`)
	r, _ := s.at(t, http.MethodGet, pathIcon)
	r.c.Request.Host = "pune.stores.example"
	s.Handler(r.c)
	require.False(t, r.c.IsAborted(), "handed on to the product")
	old, w := s.at(t, http.MethodGet, pathOldIcon)
	old.serve()
	require.Equal(t, http.StatusMovedPermanently, old.c.Writer.Status())
	require.Equal(t, pathIcon, w.Header().Get("Location"))
}

func TestOverview_NamesThePlansEndOrRenewal(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for want, plan := range map[string]tenant.Entitlement{
		"<dt>Ends on</dt><dd>22 Nov 2026</dd>":   {EndsOn: "22 Nov 2026"},
		"<dt>Ended on</dt><dd>22 Nov 2026</dd>":  {EndsOn: "22 Nov 2026", Ended: true},
		"<dt>Renews on</dt><dd>23 Nov 2026</dd>": {RenewsOn: "23 Nov 2026", Billed: "monthly"},
	} {
		shown := s.html(t, "dashboard", view{Overview: outlet.Overview{Places: outlet.Places{Plan: plan}}})
		require.Contains(t, shown, want)
		require.Equal(t, 1, strings.Count(shown, "<dd>2"), "one date: %s", want)
	}
}

func TestPhoneText_GroupsTheDigits(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"9876543210": "98765 43210", "2240000361": "02240000361", "": "", "18001234567": "18001234567",
	} {
		require.Equal(t, want, phoneText(given))
	}
}

// A page is in the language that the reader chose at this store, else in the store owner's language. Without a store it is in the browser's
// language.
func TestPage_IsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for _, c := range []struct {
		chosen, accepted string
		store            bool
		owner, want      i18n.Language
	}{
		{want: "en"},
		{owner: "hi", store: true, want: "hi"},
		{owner: "hi", store: true, chosen: "en", want: "en"},
		{owner: "en", store: true, chosen: "hi", want: "hi"},
		{owner: "", store: true, accepted: "hi", want: "en"},
		{owner: "hi", store: true, chosen: "xx", want: "hi"},
		{accepted: "fr, hi-IN;q=0.8, en;q=0.5", want: "hi"},
		{accepted: "ta-IN, en;q=0.5", want: "en"},
		{accepted: ";;;", want: "en"},
	} {
		r, _ := s.at(t, http.MethodGet, "/")
		r.store.Language = c.owner
		if c.store {
			r.ref.TenantID = "t"
		}
		r.c.Request.Header.Set("Accept-Language", c.accepted)
		r.c.Request.AddCookie(&http.Cookie{Name: "__Host-language", Value: c.chosen})
		require.Equal(t, c.want, r.reads(), "%+v", c)
	}
}

// The link to another language stores the choice and leads to the same page of this host.
func TestChooseLanguage_KeepsThePage(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	for address, page := range map[string]string{
		"/dashboard/outlets?language=hi&q=pune": "/dashboard/outlets?q=pune", "/?language=en": "/", "//evil.example/?language=hi": "/evil.example",
		`/\evil.example?language=hi`: "/%5Cevil.example",
	} {
		r, w := s.at(t, http.MethodGet, "/")
		var err error
		r.c.Request.URL, err = url.Parse("https://pune.stores.example" + address)
		require.NoError(t, err)
		require.True(t, r.choose(), address)
		require.Equal(t, page, w.Header().Get("Location"), address)
		require.Contains(t, w.Header().Get("Set-Cookie"), "__Host-language=")
	}
	r, w := s.at(t, http.MethodGet, "/?language=xx")
	require.False(t, r.choose())
	require.Empty(t, w.Header())
}

// Each page in Hindi contains no English sentence, and links to itself in English.
func TestHindiPages_ContainNoEnglish(t *testing.T) {
	t.Parallel()
	s := newSite(t, "https://franchise360.example")
	r, _ := s.at(t, http.MethodGet, "/")
	r.in = "hi"
	english := regexp.MustCompile(`(?:[A-Za-z’'-]{2,}[ ,]+){2,}[A-Za-z’'-]{2,}`)
	tags := regexp.MustCompile(`(?s)<title>.*?</title>|<[^>]*>`)
	refusal := outlet.Places{Plan: tenant.Entitlement{Usable: true, FranchiseLimit: 18, Extension: "10 more franchises for ₹1,08,000 a year, before GST"}, Used: 18}
	for page := range s.pages.byName["hi"] {
		for _, places := range []outlet.Places{refusal, {Plan: tenant.Entitlement{FranchiseLimit: 18, Notice: "Your plan ended on 2 Nov 2026. Renew by 9 Nov 2026 to keep it."}}} {
			v := view{
				StoreName: "पुणे", SignedIn: true, Heading: r.say("Invite a partner"), Problem: r.again(outlet.ErrChanged.Message), Done: r.say("The outlet was added."),
				Overview: outlet.Overview{Places: places, ByState: map[outlet.State]int{}},
				Outlet:   outlet.Outlet{State: outlet.StatePaused, StateName: "Dadra and Nagar Haveli and Daman and Diu"},
				Partner:  outlet.Partner{Name: "रवि", Mobile: "9123456789", Role: outlet.RoleManager},
				Partners: []partnerRow{{Partner: outlet.Partner{Role: outlet.RoleViewer, State: outlet.PartnerInvited}, Since: r.say("Invited on {1}", "1")}},
				History: []eventRow{
					{Title: r.again(outlet.Event{Kind: "added", Details: []byte(`{"state":"planned"}`)}.Title())},
					{Title: r.again(outlet.Event{Kind: "moved", Details: []byte(`{"from":"open","to":"paused"}`)}.Title())},
					{Title: r.again(outlet.Event{Kind: "changed", Details: []byte(`{"fields":["city","name","phone"]}`)}.Title())},
				},
				Form: outletForm{Key: "k", Button: r.say("Save")},
			}
			shown := ""
			var body bytes.Buffer
			require.NoError(t, s.pages.byName["hi"][page].Execute(&body, v), page)
			shown = tags.ReplaceAllString(body.String(), "\n")
			require.Empty(t, english.FindAllString(strings.ReplaceAll(shown, "Franchise 360", ""), -1), page)
			require.Contains(t, body.String(), `<html lang="hi" dir="ltr">`)
			require.Contains(t, body.String(), `<a href="?language=en" lang="en" hreflang="en">English</a>`)
		}
	}
	require.Contains(t, s.html(t, "home", view{}), `<html lang="en-IN" dir="ltr">`)
	require.Contains(t, s.html(t, "home", view{}), `<a href="?language=hi" lang="hi" hreflang="hi">हिन्दी</a>`)
	addOns := outlet.Overview{Places: outlet.Places{Plan: tenant.Entitlement{AddOns: []tenant.AddOn{{Name: "Users extension", Count: 2}, {Name: "Loyalty"}}}}}
	var dashboard bytes.Buffer
	require.NoError(t, s.pages.byName["hi"]["dashboard"].Execute(&dashboard, view{Overview: addOns}))
	require.Contains(t, dashboard.String(), "<li>यूज़र एक्सटेंशन × 2</li>")
	require.Contains(t, dashboard.String(), "<li>Loyalty</li>", "an add-on of the operator's own")
	require.Equal(t, "बदला गया: शहर, नाम, फ़ोन", r.again("Changed: city, name, phone"))
	require.Equal(t, "आपके प्लान की 18 फ्रैंचाइज़ की सीमा पूरी हो गई है। फ्रैंचाइज़ बढ़ाने का ऐड-ऑन लें: 10 और फ्रैंचाइज़, ₹1,08,000 प्रति वर्ष, GST के बिना।", r.again(refusal.Refusal().Message))
}
