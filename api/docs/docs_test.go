package docs_test

import (
	"compress/gzip"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/docs"
)

// realContract returns the contract that the api serves.
func realContract(t *testing.T) []byte {
	t.Helper()
	contract, err := os.ReadFile("../openapi.yaml")
	require.NoError(t, err)
	return contract
}

// setup returns a function that sends requests to a router serving the contract; header lines are "Name: value".
func setup(t *testing.T, contract string) func(method, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	engine := gin.New()
	docs.Register(engine, []byte(contract))
	return func(method, path string, header ...string) *httptest.ResponseRecorder {
		req := httptest.NewRequestWithContext(t.Context(), method, path, nil)
		for _, line := range header {
			name, value, _ := strings.Cut(line, ": ")
			req.Header.Set(name, value)
		}
		rec := httptest.NewRecorder()
		engine.ServeHTTP(rec, req)
		return rec
	}
}

func TestDocs_Contract_IsServedUnchanged(t *testing.T) {
	t.Parallel()
	call := setup(t, "openapi: 3.1.0\n")

	rec := call(http.MethodGet, docs.ContractPath)
	require.Equal(t, http.StatusOK, rec.Code)
	require.Equal(t, "openapi: 3.1.0\n", rec.Body.String())
	require.Equal(t, "application/yaml; charset=utf-8", rec.Header().Get("Content-Type"))
	require.Equal(t, http.StatusOK, call(http.MethodHead, docs.ContractPath).Code)
	require.Equal(t, http.StatusNotFound, call(http.MethodPost, docs.ContractPath).Code)

	refused := call(http.MethodGet, docs.ContractPath, "Accept-Encoding: gzip;q=0, identity")
	require.Empty(t, refused.Header().Get("Content-Encoding"))
	require.Equal(t, "openapi: 3.1.0\n", refused.Body.String())
	zipped := call(http.MethodGet, docs.ContractPath, "Accept-Encoding: gzip, br")
	require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	reader, err := gzip.NewReader(zipped.Body)
	require.NoError(t, err)
	plain, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, "openapi: 3.1.0\n", string(plain))
}

func TestDocs_UnchangedFile_AnswersNotModified(t *testing.T) {
	t.Parallel()
	call := setup(t, string(realContract(t)))
	for _, path := range []string{docs.PagePath, docs.ContractPath, "/docs/docs.css"} {
		etag := call(http.MethodGet, path).Header().Get("ETag")
		require.NotEmpty(t, etag, path)
		again := call(http.MethodGet, path, "If-None-Match: "+etag)
		require.Equal(t, http.StatusNotModified, again.Code, path)
		require.Empty(t, again.Body.String(), path)
		require.Equal(t, http.StatusOK, call(http.MethodGet, path, `If-None-Match: "another"`).Code, path)
	}
}

func TestDocs_Page_HasNoScript(t *testing.T) {
	t.Parallel()
	rec := setup(t, string(realContract(t)))(http.MethodGet, docs.PagePath)
	require.Equal(t, http.StatusOK, rec.Code)
	require.Equal(t, "text/html; charset=utf-8", rec.Header().Get("Content-Type"))
	policy := rec.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	require.NotContains(t, policy, "script-src")
	require.NotContains(t, policy, "unsafe")
	require.NotRegexp(t, `(?i)<script|<style|\sstyle=|\son\w+=|https?://[^<]*\.(js|css)`, rec.Body.String())
}

func TestDocs_Page_ShowsTheWholeContract(t *testing.T) {
	t.Parallel()
	contract := string(realContract(t))
	page, err := docs.Render([]byte(contract))
	require.NoError(t, err)

	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(string(page), -1) {
		ids[m[1]]++
		require.Equal(t, 1, ids[m[1]], "id %s stands twice", m[1])
	}
	operations := regexp.MustCompile(`(?m)^\s+operationId: (\w+)$`).FindAllStringSubmatch(contract, -1)
	require.Greater(t, len(operations), 50)
	for _, m := range operations {
		require.Contains(t, ids, m[1], "operation without its place")
	}
	links := regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(links), 200)
	for _, m := range links {
		require.Contains(t, ids, m[1], "link that leads nowhere")
	}
}

func TestDocs_Page_DescribesSchemas(t *testing.T) {
	t.Parallel()
	page, err := docs.Render([]byte(`
openapi: 3.1.0
info: {title: Tea, version: '2', description: "Hot.\n\n- **Black** or ` + "`green`" + `\n- White"}
servers: [{url: /tea}]
security: [{session: []}]
tags: [{name: Pots, description: For brewing.}]
paths:
  /pots/{id}:
    get:
      operationId: getPot
      tags: [Pots]
      summary: A pot
      parameters: [{name: id, in: path, required: true, schema: {type: string, minLength: 2, maxLength: 9}}]
      responses:
        '200':
          description: Here it is.
          content:
            application/json:
              schema: {type: object, properties: {data: {oneOf: [{$ref: '#/components/schemas/Pot'}, {type: 'null'}]}}}
              example: {data: {size: 3, lid: null, note: '1 < 2', on: '2026-11-21', tags: []}}
        '404': {$ref: '#/components/responses/Gone'}
components:
  securitySchemes: {session: {type: apiKey, in: cookie, name: tea_session}}
  responses: {Gone: {description: No such pot.}}
  schemas:
    Pot:
      type: object
      required: [size]
      properties:
        size: {type: [integer, 'null'], minimum: 1, enum: [1, 3]}
        lid: {type: array, items: {type: object, properties: {colour: {const: red, description: 'Said <b>red</b>'}}}}
`))
	require.NoError(t, err)
	text := regexp.MustCompile(`\s+`).ReplaceAllString(string(page), " ")
	for _, want := range []string{
		"<title>Tea – Franchise 360</title>", "<li><strong>Black</strong> or <code>green</code></li><li>White</li>",
		"<code>/tea/pots/{id}</code>", "Needs the cookie tea_session", "path, string; 2 to 9 characters",
		`data: <a href="#shape-Pot">Pot</a> or null`, `<a href="#failure-Gone">404`, "integer or null; one of 1, 3; at least 1",
		"<code>lid[].colour</code>", "always &#34;red&#34;", "Said &lt;b&gt;red&lt;/b&gt;",
		`&#34;size&#34;: 3, &#34;lid&#34;: null, &#34;note&#34;: &#34;1 &lt; 2&#34;, &#34;on&#34;: &#34;2026-11-21&#34;, &#34;tags&#34;: []`,
	} {
		require.Contains(t, text, want)
	}
}

// Each call names its security: a cookie, a key, either, or nothing.
func TestDocs_Page_NamesTheSecurityScheme(t *testing.T) {
	t.Parallel()
	for security, want := range map[string]string{
		"[]": "Open to everybody", "[{}]": "Open to everybody", "[{session: []}]": "Needs the cookie tea_session", "[{key: []}]": "Needs a key as bearer token",
		"[{}, {session: []}]":            "Open to everybody, says more with the cookie tea_session",
		"[{session: []}, {staff: []}]":   "Needs the cookie tea_session or the cookie tea_staff",
		"[{session: []}, {key: []}]":     "Needs the cookie tea_session or a key as bearer token",
		"[{key: []}, {}, {session: []}]": "Open to everybody, says more with a key as bearer token or the cookie tea_session",
	} {
		page, err := docs.Render([]byte(`
openapi: 3.1.0
servers: [{url: /tea}]
security: [{staff: []}]
tags: [{name: Pots}]
paths:
  /pots: {get: {operationId: getPots, tags: [Pots], security: ` + security + `}}
components:
  securitySchemes:
    session: {type: apiKey, in: cookie, name: tea_session}
    staff: {type: apiKey, in: cookie, name: tea_staff}
    key: {type: http, scheme: bearer}
`))
		require.NoError(t, err)
		require.Contains(t, string(page), ">"+want+". <", security)
	}
	page, err := docs.Render(realContract(t))
	require.NoError(t, err)
	require.NotRegexp(t, `(the cookie|a key as) +(\.|or )`, string(page), "each is named")
}

// An example is JSON, whatever its spelling in YAML.
func TestDocs_Example_IsJSON(t *testing.T) {
	t.Parallel()
	page, err := docs.Render([]byte(`
servers: [{url: /}]
tags: [{name: Pots}]
paths:
  /pots:
    get:
      operationId: getPots
      tags: [Pots]
      responses:
        '200':
          content:
            application/json:
              example: {none: ~, nothing: , word: "null", yes: true, No: False, count: 3, tall: "3", pi: 3.14, on: 2026-11-21, empty: {}, "a\"b": ""}
`))
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "&#34;none&#34;")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "</")
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString("{&#34;none&#34;"+text)), &got), text)
	require.Equal(t, map[string]any{
		"none": nil, "nothing": nil, "word": "null", "yes": true, "No": false, "count": 3.0, "tall": "3", "pi": 3.14, "on": "2026-11-21",
		"empty": map[string]any{}, `a"b`: "",
	}, got)
}

func TestDocs_InvalidContract_Fails(t *testing.T) {
	t.Parallel()
	call := setup(t, "just words")
	require.Equal(t, http.StatusInternalServerError, call(http.MethodGet, docs.PagePath).Code)
	require.Equal(t, http.StatusOK, call(http.MethodGet, docs.ContractPath).Code)
	_, err := docs.Render([]byte("a: [1"))
	require.Error(t, err)
}
