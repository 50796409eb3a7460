// Package site serves the built web client: immutable assets from memory in precompressed form, pages that are always
// revalidated, and a strict content security policy for both.
package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/compress"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Build files with a meaning for the server.
const (
	// homeFile is the home page, and the shell if the build has no separate one.
	homeFile = "index.html"
	// shellFile is the page for every client-rendered route; each language has its own, in the folder that its addresses
	// begin with.
	shellFile = "app.html"
	// missingFile is the page for unknown paths, also per language; without it the build's shell is used.
	missingFile = "404.html"
	// routesFile lists the client's routes, so that an unknown path returns 404: a JSON array of patterns in which :name
	// matches one segment and a trailing * the rest.
	routesFile = "routes.json"
	// originMark is the placeholder for the public URL in pages, sitemap and robots file, because the build does not know
	// it.
	originMark = "%PUBLIC_URL%"
	// compressedEnding is the suffix of a file's brotli form, which the build makes.
	compressedEnding = ".br"
	// minCompress is the size in bytes below which compression does not pay.
	minCompress = 512
)

// policyFormat allows only our own origin; forms may also post to the payment pages.
const policyFormat = "default-src 'self'; script-src 'self'%s; style-src 'self'%s; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; media-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' %s"

type file struct {
	body, brotli      []byte
	etag, contentType string
	immutable         bool
	policy            string
	// gzip and zstd compress the body for the first client that needs it, so that an api does not compress hundreds of pages at its start.
	// They are nil if compression is not worthwhile, and return nil if it failed.
	gzip, zstd func() []byte
}

// Site is the web client held in memory.
type Site struct {
	files  map[string]*file
	routes []*regexp.Regexp
	// languages are the folders with their own shell, such as "hi"; the default language has no folder.
	languages map[string]bool
	secure    bool
}

// Options configures what pages may load and post to.
type Options struct {
	// PublicURL is the origin of the site, without a trailing slash; it is inserted into the pages.
	PublicURL string
	// Operator is who runs the site; it is inserted into the pages too.
	Operator Operator
	// PaymentOrigins are the origins besides our own to which forms may post, such as https://secure.payu.in.
	PaymentOrigins []string
	// Secure adds Strict-Transport-Security; for sites served over https.
	Secure bool
}

// Load reads the built client; it fails if there is no shell page.
func Load(dir fs.FS, o Options) (*Site, error) {
	s := &Site{files: map[string]*file{}, languages: map[string]bool{}, secure: o.Secure}
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".map") {
			return err
		}
		body, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, compressedEnding) {
			return nil // read with its uncompressed file
		}
		compressed, err := fs.ReadFile(dir, name+compressedEnding)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.files[name] = newFile(name, body, compressed, o)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read web client: %w", err)
	}
	if s.files[homeFile] == nil {
		return nil, errors.New("read web client: it has no " + homeFile)
	}
	if s.files[shellFile] == nil {
		s.files[shellFile] = s.files[homeFile]
	}
	if s.files[missingFile] == nil {
		s.files[missingFile] = s.files[shellFile]
	}
	for name := range s.files {
		folder, file := path.Split(name)
		if language := strings.Trim(folder, "/"); file == shellFile && language != "" && !strings.Contains(language, "/") {
			s.languages[language] = true
			if missing := path.Join(language, missingFile); s.files[missing] == nil {
				s.files[missing] = s.files[name]
			}
		}
	}
	if err := s.loadRoutes(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Site) loadRoutes() error {
	f := s.files[routesFile]
	if f == nil {
		return nil
	}
	var patterns []string
	if err := json.Unmarshal(f.body, &patterns); err != nil {
		return fmt.Errorf("read %s: %w", routesFile, err)
	}
	for _, p := range patterns {
		segments := strings.Split(strings.Trim(p, "/"), "/")
		for i, seg := range segments {
			switch {
			case seg == "*" && i == len(segments)-1:
				segments[i] = ".+"
			case strings.HasPrefix(seg, ":"):
				segments[i] = "[^/]+"
			default:
				segments[i] = regexp.QuoteMeta(strings.ToLower(seg))
			}
		}
		s.routes = append(s.routes, regexp.MustCompile("^"+strings.Join(segments, "/")+"$"))
	}
	delete(s.files, routesFile)
	return nil
}

// named inserts the origin and the operator into the files that mention them.
func named(name string, body []byte, o Options) []byte {
	switch path.Ext(name) {
	case ".html", ".xml", ".txt":
		o.Operator.Sample = languageOf(name).Say(o.Operator.Sample)
		return fill(body, o)
	default:
		return body
	}
}

// languageOf returns the language of a page by the first part of its path: hi/pricing.html is in Hindi.
func languageOf(name string) i18n.Language {
	first, _, _ := strings.Cut(strings.TrimSuffix(name, ".html"), "/")
	if l := i18n.Language(first); l.Known() {
		return l
	}
	return i18n.Language("")
}

// newFile prepares a file; compressed is its brotli form, if the build made one.
func newFile(name string, body, compressed []byte, o Options) *file {
	built := body
	body = named(name, body, o)
	if !bytes.Equal(built, body) {
		compressed = nil // it was compressed without the origin
	}
	sum := sha256.Sum256(body)
	f := &file{
		body: body, etag: `"` + hex.EncodeToString(sum[:12]) + `"`,
		contentType: contentType(name), immutable: strings.HasPrefix(name, "assets/"),
	}
	if strings.HasSuffix(name, ".html") {
		f.policy = fmt.Sprintf(policyFormat, hashes(body, scriptTag), hashes(body, styleTag), strings.Join(o.PaymentOrigins, " "))
	}
	if len(body) < minCompress || !compressible(f.contentType) {
		return f
	}
	f.brotli, f.gzip, f.zstd = compressed, once(compress.Gzip, body), once(compress.Zstd, body)
	return f
}

// once compresses the body at the first call.
func once(with func([]byte) ([]byte, error), body []byte) func() []byte {
	return sync.OnceValue(func() []byte {
		compressed, err := with(body)
		if err != nil {
			return nil
		}
		return compressed
	})
}

// encoded returns the body in the best accepted encoding, and the encoding's name; "" is no encoding.
func (f *file) encoded(accepted string) (body []byte, encoding string) {
	if f.gzip == nil {
		return f.body, ""
	}
	if len(f.brotli) > 0 && compress.Accepted(accepted, "br") {
		return f.brotli, "br"
	}
	if compress.Accepted(accepted, "zstd") {
		if body := f.zstd(); len(body) > 0 {
			return body, "zstd"
		}
	}
	if compress.Accepted(accepted, "gzip") {
		if body := f.gzip(); len(body) > 0 {
			return body, "gzip"
		}
	}
	return f.body, ""
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".webmanifest":
		return "application/manifest+json"
	case ".woff2":
		return "font/woff2"
	case ".vtt":
		return "text/vtt; charset=utf-8"
	case ".avif":
		return "image/avif"
	case ".webm":
		return "video/webm"
	case ".mp4":
		return "video/mp4"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

func compressible(t string) bool {
	return strings.HasPrefix(t, "text/") || strings.Contains(t, "javascript") || strings.Contains(t, "json") ||
		strings.Contains(t, "xml") || strings.Contains(t, "svg")
}

// Handler serves every GET and HEAD that matches no other route.
func (s *Site) Handler(c *gin.Context) {
	name := strings.Trim(path.Clean(c.Request.URL.Path), "/")
	read := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
	if !read || name == "api" || strings.HasPrefix(name, "api/") {
		// For a program: the router responds with the failure envelope.
		c.Status(http.StatusNotFound)
		_ = c.Error(errs.NotFound())
		return
	}
	if f := s.files[name]; f != nil && !isPage(name) {
		s.serve(c, f, http.StatusOK)
		return
	}
	page := strings.ToLower(name)
	if f := s.files[path.Join(page, homeFile)]; f != nil {
		s.serve(c, f, http.StatusOK)
		return
	}
	language, rest := s.split(page)
	if s.known(rest) {
		s.serve(c, s.files[path.Join(language, shellFile)], http.StatusOK)
		return
	}
	s.serve(c, s.files[path.Join(language, missingFile)], http.StatusNotFound)
}

// isPage reports whether a file of the build is reached by another address than its own name.
func isPage(name string) bool {
	switch path.Base(name) {
	case homeFile, shellFile, missingFile:
		return true
	}
	return false
}

// split takes the language off a page: "hi" and "dashboard" of "hi/dashboard". The default language has no folder.
func (s *Site) split(page string) (language, rest string) {
	first, rest, _ := strings.Cut(page, "/")
	if s.languages[first] {
		return first, rest
	}
	return "", page
}

func (s *Site) known(page string) bool {
	if len(s.routes) == 0 {
		return path.Ext(page) == ""
	}
	for _, r := range s.routes {
		if r.MatchString(page) {
			return true
		}
	}
	return false
}

func (s *Site) serve(c *gin.Context, f *file, status int) {
	h := c.Writer.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("ETag", f.etag)
	h.Set("Vary", "Accept-Encoding")
	if f.immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	if s.secure {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	if status == http.StatusOK && strings.Contains(c.GetHeader("If-None-Match"), f.etag) {
		c.Status(http.StatusNotModified)
		return
	}
	if status == http.StatusOK && c.GetHeader("Range") != "" && f.gzip == nil {
		http.ServeContent(c.Writer, c.Request, "", zeroTime, bytes.NewReader(f.body))
		return
	}
	body, encoding := f.encoded(c.GetHeader("Accept-Encoding"))
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	c.Data(status, f.contentType, body)
}
