// Package docs serves the API contract as a file and as a readable page.
//
// The page is rendered here rather than with one of the usual renderers. Under the product's content security policy
// (scripts and styles from our own origin only, nothing inline) Redoc, RapiDoc and OpenAPI Explorer do not start; Swagger
// UI does, but brings 1.5 MB of script, a package that reports its installation, and pages that are hard to use with
// assistive technology. This page needs no script at all.
package docs

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/compress"
)

// Paths of the page and of the contract that it shows; client generators read the latter.
const (
	PagePath     = "/docs"
	ContractPath = "/docs/openapi.yaml"
	stylePath    = "/docs/docs.css"
)

// policy lets the page load its own style sheet and icon, and nothing else.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed page.html.tmpl
var pageTemplate string

//go:embed docs.css
var style []byte

// Register adds the page, its style sheet and the contract, given as YAML, to a router. The page is rendered at its first
// request; a contract that cannot be rendered returns 500 there and leaves the other two unaffected.
func Register(r gin.IRouter, contract []byte) {
	drawn := sync.OnceValues(func() (file, error) {
		html, err := Render(contract)
		if err != nil {
			return file{}, err
		}
		return newFile("text/html; charset=utf-8", html)
	})
	add := func(path string, load func() (file, error)) {
		serve := func(c *gin.Context) {
			f, err := load()
			if err != nil {
				_ = c.AbortWithError(http.StatusInternalServerError, err)
				return
			}
			f.serve(c)
		}
		r.GET(path, serve)
		r.HEAD(path, serve)
	}
	add(PagePath, drawn)
	add(PagePath+"/", drawn)
	add(stylePath, sync.OnceValues(func() (file, error) { return newFile("text/css; charset=utf-8", style) }))
	add(ContractPath, sync.OnceValues(func() (file, error) { return newFile("application/yaml; charset=utf-8", contract) }))
}

// Render renders the page for a contract given as YAML; it fails if the contract cannot be parsed.
func Render(contract []byte) ([]byte, error) {
	doc, err := parse(contract)
	if err != nil {
		return nil, err
	}
	t, err := template.New("page").Funcs(template.FuncMap{"lower": strings.ToLower}).Parse(pageTemplate)
	if err != nil {
		return nil, fmt.Errorf("parse the page's template: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, newPage(doc)); err != nil {
		return nil, fmt.Errorf("draw the contract: %w", err)
	}
	return b.Bytes(), nil
}

// file is a response that never changes while the process runs, and its compressed form.
type file struct {
	contentType, etag string
	body, gzipped     []byte
}

func newFile(contentType string, body []byte) (file, error) {
	gzipped, err := compress.Gzip(body)
	if err != nil {
		return file{}, err
	}
	sum := sha256.Sum256(body)
	return file{contentType: contentType, etag: `"` + hex.EncodeToString(sum[:12]) + `"`, body: body, gzipped: gzipped}, nil
}

func (f file) serve(c *gin.Context) {
	c.Header("ETag", f.etag)
	c.Header("Cache-Control", "no-cache")
	c.Header("Vary", "Accept-Encoding")
	c.Header("Content-Security-Policy", policy)
	if strings.Contains(c.GetHeader("If-None-Match"), f.etag) {
		c.Status(http.StatusNotModified)
		return
	}
	if compress.Accepted(c.GetHeader("Accept-Encoding"), "gzip") {
		c.Header("Content-Encoding", "gzip")
		c.Data(http.StatusOK, f.contentType, f.gzipped)
		return
	}
	c.Data(http.StatusOK, f.contentType, f.body)
}
