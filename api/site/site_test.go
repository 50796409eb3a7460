package site

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

func setup(t *testing.T) *gin.Engine {
	t.Helper()
	s, err := Load(fstest.MapFS{
		"index.html":            {Data: []byte("<html><script>var a</script>" + strings.Repeat("home ", 200))},
		"app.html":              {Data: []byte("<html>shell")},
		"pricing/index.html":    {Data: []byte("<html>pricing</html>")},
		"about/index.html":      {Data: []byte(`<link rel="canonical" href="%PUBLIC_URL%/about"><script type="application/ld+json">{"url":"%PUBLIC_URL%"}</script>`)},
		"404.html":              {Data: []byte("<html>nothing here")},
		"sitemap.xml":           {Data: []byte("<loc>%PUBLIC_URL%/about</loc>")},
		"assets/clip-1.webm":    {Data: []byte("0123456789%PUBLIC_URL%")},
		"assets/app-1.js":       {Data: []byte(strings.Repeat("let a;", 200))},
		"assets/app-2.js":       {Data: []byte(strings.Repeat("let b;", 200))},
		"assets/app-2.js.br":    {Data: []byte("compressed by the build")},
		"assets/app-1.js.map":   {Data: []byte("{}")},
		"hi/index.html":         {Data: []byte("<html lang=hi>home in Hindi")},
		"hi/app.html":           {Data: []byte("<html lang=hi>shell in Hindi")},
		"hi/404.html":           {Data: []byte("<html lang=hi>nothing here in Hindi")},
		"hi/pricing/index.html": {Data: []byte("<html lang=hi>pricing in Hindi")},
		"routes.json":           {Data: []byte(`["/dashboard", "/plan/:a/:b/:c", "/support/*"]`)},
	}, Options{PublicURL: "https://franchise.example", PaymentOrigins: []string{"https://pay.example", "https://second.example"}, Secure: true})
	require.NoError(t, err)
	e := gin.New()
	e.Use(func(c *gin.Context) {
		c.Next()
		if last := c.Errors.Last(); last != nil {
			c.String(http.StatusNotFound, "failure: %s", last.Error())
		}
	})
	e.NoRoute(s.Handler)
	return e
}

func get(t *testing.T, e *gin.Engine, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

// Given a page with the operator's marks, then it names the operator, and nothing in the facts becomes markup.
func TestSite_Pages_NameTheOperator(t *testing.T) {
	t.Parallel()
	page := `<p>%OPERATOR_NAME%</p><p>%OPERATOR_SAMPLE%</p><a href="tel:%OPERATOR_PHONE_DIGITS%">%OPERATOR_PHONE%</a>` +
		`<script type="application/json" id="operator">%OPERATOR%</script>`
	o := Operator{Name: `Mango & "Lane" </script><b>`, Phone: "+91 20 4000-0360", Officer: "Meera Kulkarni, Grievance Officer"}
	got := string(fill([]byte(page), Options{Operator: o}))
	require.Contains(t, got, `<p>Mango &amp; &#34;Lane&#34; &lt;/script&gt;&lt;b&gt;</p><p></p>`)
	require.Contains(t, got, `<a href="tel:+912040000360">+91 20 4000-0360</a>`)
	require.Equal(t, 1, strings.Count(got, "</script>"))
	_, facts, _ := strings.Cut(got, `id="operator">`)
	var read Operator
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(facts, "</script>")), &read))
	require.Equal(t, o, read)
	require.NotContains(t, got, "%OPERATOR")
}

func TestNamed_HindiPage_TranslatesTheSampleNotice(t *testing.T) {
	t.Parallel()
	const english = "Sample details: this is a development system, and nobody is behind them."
	o := Options{Operator: Operator{Sample: english}}
	require.Equal(t, english, string(named("contact.html", []byte("%OPERATOR_SAMPLE%"), o)))
	for _, name := range []string{"hi.html", "hi/contact.html", "hi/index.html"} {
		require.Contains(t, string(named(name, []byte("%OPERATOR_SAMPLE%"), o)), "नमूना", name)
	}
}

func TestSite_PagesAndAssets_HaveTheirStatus(t *testing.T) {
	t.Parallel()
	e := setup(t)
	for path, want := range map[string]int{
		"/": 200, "/pricing": 200, "/Pricing/": 200, "/dashboard": 200, "/DASHBOARD/": 200,
		"/plan/growth/annual/1": 200, "/plan/growth": 404, "/nothing": 404, "/assets/app-1.js": 200,
		"/assets/app-1.js.map": 404, "/routes.json": 404, "/app.html": 404, "/api/nothing": 404, "/../../etc/passwd": 404,
	} {
		require.Equal(t, want, get(t, e, path).Code, path)
	}

	for path, want := range map[string]string{"/": "home", "/pricing": "pricing", "/dashboard": "shell", "/nothing": "nothing here"} {
		body, err := io.ReadAll(get(t, e, path).Body)
		require.NoError(t, err)
		require.Contains(t, string(body), want, path)
	}

	asset := get(t, e, "/assets/app-1.js", "Accept-Encoding", "gzip, zstd")
	require.Equal(t, "zstd", asset.Header().Get("Content-Encoding"))
	require.Contains(t, asset.Header().Get("Cache-Control"), "immutable")

	page := get(t, e, "/")
	require.Equal(t, "no-cache", page.Header().Get("Cache-Control"))
	policy := page.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "script-src 'self' 'sha256-")
	require.NotContains(t, policy, "unsafe-inline")
	require.Contains(t, policy, "form-action 'self' https://pay.example https://second.example")
	require.Contains(t, policy, "frame-ancestors 'none'")
	require.Contains(t, page.Header().Get("Strict-Transport-Security"), "max-age=31536000")
	require.Equal(t, http.StatusNotModified, get(t, e, "/", "If-None-Match", page.Header().Get("ETag")).Code)
}

// Given a language with its own folder, then its addresses get its pages, its shell and its 404 page, with the same statuses as in the
// default language.
func TestSite_Language_HasItsOwnPages(t *testing.T) {
	t.Parallel()
	e := setup(t)
	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/hi":                       {200, "home in Hindi"},
		"/hi/":                      {200, "home in Hindi"},
		"/HI/Pricing/":              {200, "pricing in Hindi"},
		"/hi/dashboard":             {200, "shell in Hindi"},
		"/hi/plan/growth/annual/1/": {200, "shell in Hindi"},
		"/hi/nothing":               {404, "nothing here in Hindi"},
		"/hi/plan/growth":           {404, "nothing here in Hindi"},
		"/hi/hi/dashboard":          {404, "nothing here in Hindi"},
		"/hi/app.html":              {404, "nothing here in Hindi"},
		"/hi/404.html":              {404, "nothing here in Hindi"},
		"/hi/index.html":            {404, "nothing here in Hindi"},
		"/hindi":                    {404, "nothing here"},
		"/ta/dashboard":             {404, "nothing here"},
		"/dashboard":                {200, "shell"},
	} {
		got := get(t, e, path)
		require.Equal(t, want.status, got.Code, path)
		text := body(t, got)
		require.Contains(t, text, want.text, path)
		require.Equal(t, strings.Contains(want.text, "Hindi"), strings.Contains(text, "Hindi"), path)
	}
}

// Given a language without a 404 page, then its shell is used.
func TestSite_LanguageWithoutA404Page_UsesItsShell(t *testing.T) {
	t.Parallel()
	e := serving(t, Options{}, map[string]string{"index.html": "home", "app.html": "shell", "hi/app.html": "shell in Hindi", "routes.json": `["/x"]`})
	got := get(t, e, "/hi/nothing")
	require.Equal(t, http.StatusNotFound, got.Code)
	require.Contains(t, body(t, got), "shell in Hindi")
}

func TestLoad_WithoutAShell_Fails(t *testing.T) {
	t.Parallel()
	_, err := Load(fstest.MapFS{"other.html": {Data: []byte("x")}}, Options{})
	require.Error(t, err)
}

func body(t *testing.T, r *httptest.ResponseRecorder) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return string(text)
}

func TestSite_UnknownPath_GetsThe404Page(t *testing.T) {
	t.Parallel()
	e := setup(t)
	require.Contains(t, body(t, get(t, e, "/no/such/page")), "nothing here")
	require.Contains(t, body(t, get(t, e, "/dashboard")), "shell")
	require.Equal(t, http.StatusNotFound, get(t, e, "/404.html").Code)
	require.Equal(t, http.StatusNotFound, get(t, e, "/app.html").Code)
	require.Equal(t, http.StatusOK, get(t, e, "/support/jobs/7").Code)
	require.Equal(t, http.StatusNotFound, get(t, e, "/support").Code)
}

func TestSite_Pages_NameTheOrigin(t *testing.T) {
	t.Parallel()
	e := setup(t)
	page := get(t, e, "/about")
	require.Contains(t, body(t, page), `href="https://franchise.example/about"`)
	// The hash must be of the text as sent, or the policy would block it.
	sum := sha256.Sum256([]byte(`{"url":"https://franchise.example"}`))
	require.Contains(t, page.Header().Get("Content-Security-Policy"), base64.StdEncoding.EncodeToString(sum[:]))
	require.Contains(t, body(t, get(t, e, "/sitemap.xml")), "<loc>https://franchise.example/about</loc>")

	clip := get(t, e, "/assets/clip-1.webm", "Range", "bytes=2-4")
	require.Equal(t, http.StatusPartialContent, clip.Code)
	require.Equal(t, "video/webm", clip.Header().Get("Content-Type"))
	require.Equal(t, "234", body(t, clip))
	require.Contains(t, body(t, get(t, e, "/assets/clip-1.webm")), "%PUBLIC_URL%", "other files stay as they are")
}

func TestSite_UnknownAPICall_IsLeftToTheRouter(t *testing.T) {
	t.Parallel()
	e := setup(t)
	require.Contains(t, body(t, get(t, e, "/api/franchise/nothing")), "failure: ")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/pricing", nil)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Contains(t, w.Body.String(), "failure: ")
}

func TestSite_PrecompressedFile_IsSent(t *testing.T) {
	t.Parallel()
	e := setup(t)
	require.Equal(t, "compressed by the build", body(t, get(t, e, "/assets/app-2.js", "Accept-Encoding", "br")))
	require.Contains(t, body(t, get(t, e, "/assets/app-2.js")), "let b;")
	require.Equal(t, http.StatusNotFound, get(t, e, "/assets/app-2.js.br").Code)
}
