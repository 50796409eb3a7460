package tenantsite

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/tenant"
)

//go:embed page
var files embed.FS

type pages struct {
	byName map[string]*template.Template
	style  []byte
	// version changes with the style, so that browsers may keep it for good.
	version string
}

func loadPages() (*pages, error) {
	p := &pages{byName: map[string]*template.Template{}}
	for _, name := range []string{"home", "login", "dashboard", "message"} {
		t, err := template.New(name+".html").ParseFS(files, "page/layout.html", "page/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("read page %s: %w", name, err)
		}
		p.byName[name] = t
	}
	var err error
	if p.style, err = files.ReadFile("page/store.css"); err != nil {
		return nil, fmt.Errorf("read style: %w", err)
	}
	sum := sha256.Sum256(p.style)
	p.version = hex.EncodeToString(sum[:6])
	return p, nil
}

// view is what the pages show; each uses a part of it.
type view struct {
	Title, StoreName, ProductURL, Style string
	SignedIn                            bool
	Problem, Done                       string
	Fields                              map[string][]string
	Heading, Text                       string
	Username                            string
	Plan                                tenant.Entitlement
	Franchises                          []franchiseRow
	Used                                int
	Blocked                             string
	Name, City                          string
}

type franchiseRow struct{ ID, Name, City, Since string }

// Mark is the first letter of the store's name, in whatever script; empty where there is none.
func (v view) Mark() string {
	_, size := utf8.DecodeRuneInString(v.StoreName)
	return v.StoreName[:size]
}

// NameError is the message on the name, empty for none.
func (v view) NameError() string { return first(v.Fields["name"]) }

// CityError is the message on the city, empty for none.
func (v view) CityError() string { return first(v.Fields["city"]) }

// MeterMax is never 0, because a meter needs a range.
func (v view) MeterMax() int { return max(v.Plan.FranchiseLimit, 1) }

// MeterUsed stays within the meter when more is used than the plan allows.
func (v view) MeterUsed() int { return min(v.Used, v.MeterMax()) }

// MeterHigh is where the meter warns: nine of ten.
func (v view) MeterHigh() int { return v.MeterMax() * 9 / 10 }

func first(messages []string) string {
	if len(messages) == 0 {
		return ""
	}
	return messages[0]
}

func (r *request) headers() {
	r.c.Header("Content-Security-Policy", contentPolicy)
	r.c.Header("Cache-Control", "no-store")
	r.c.Header("Cross-Origin-Resource-Policy", "same-origin")
	if r.secure() {
		r.c.Header("Strict-Transport-Security", "max-age=31536000")
	}
}

func (r *request) render(status int, page string, v view) {
	v.StoreName, v.Style = r.store.StoreName, r.pages.version
	v.ProductURL = strings.TrimSuffix(r.options.Public.String(), "/")
	var body bytes.Buffer
	if err := r.pages.byName[page].Execute(&body, v); err != nil {
		r.failed(err)
		return
	}
	r.headers()
	r.c.Data(status, "text/html; charset=utf-8", body.Bytes())
}

func (r *request) message(status int, heading, text string) {
	r.render(status, "message", view{Title: heading, Heading: heading, Text: text})
}

func (r *request) style() {
	r.headers()
	r.c.Header("Cache-Control", "public, max-age=31536000, immutable")
	r.c.Data(http.StatusOK, "text/css; charset=utf-8", r.pages.style)
}

func (r *request) dashboardPage() {
	if !r.enter() {
		return
	}
	var v view
	switch r.c.Query("done") {
	case "added":
		v.Done = "The franchise was added."
	case "removed":
		v.Done = "The franchise was removed."
	}
	r.dashboard(http.StatusOK, v)
}

// dashboard renders the dashboard with what the view already holds, such as a problem and what was typed.
func (r *request) dashboard(status int, v view) {
	o, err := r.stores.Overview(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	v.Title, v.SignedIn = "Dashboard – "+o.Tenant.StoreName, true
	v.Plan, v.Used, v.Blocked = o.Entitlement, len(o.Franchises), o.Blocked
	for _, f := range o.Franchises {
		v.Franchises = append(v.Franchises, franchiseRow{
			ID: f.ID, Name: f.Name, City: f.City, Since: f.CreatedAt.In(clock.IST).Format("2 Jan 2006"),
		})
	}
	r.render(status, "dashboard", v)
}

// mayWrite is enter for changes, of which a store makes only so many in a while.
func (r *request) mayWrite() bool {
	if !r.enter() {
		return false
	}
	if err := r.limiter.Hit(r.ctx, r.writesOfStore(), r.ref.TenantID); err != nil {
		r.refuse(err, "message", view{
			Title: "Too many changes", Heading: "Too many changes", Text: "Please wait a few minutes and try again.",
		})
		return false
	}
	return true
}

func (r *request) addFranchise() {
	if !r.mayWrite() {
		return
	}
	name, city := r.c.PostForm("name"), r.c.PostForm("city")
	f, err := r.stores.AddFranchise(r.ctx, r.ref, name, city)
	if err != nil {
		r.refuseFranchise(err, view{Name: name, City: city})
		return
	}
	if r.wantsJSON() {
		r.headers()
		r.c.JSON(http.StatusOK, map[string]any{
			"status": true, "message": "Franchise added.", "data": map[string]string{"id": f.ID, "name": f.Name, "city": f.City},
		})
		return
	}
	r.see(pathDashboard + "?done=added")
}

func (r *request) removeFranchise() {
	if !r.mayWrite() {
		return
	}
	if err := r.stores.RemoveFranchise(r.ctx, r.ref, r.c.PostForm("id")); err != nil {
		r.refuseFranchise(err, view{})
		return
	}
	r.see(pathDashboard + "?done=removed")
}

func (r *request) refuseFranchise(err error, v view) {
	e := errs.As(err)
	if r.wantsJSON() {
		r.refuse(err, "dashboard", v)
		return
	}
	status := http.StatusUnprocessableEntity
	switch e.Kind {
	case errs.KindLimit:
		status = http.StatusPaymentRequired
	case errs.KindNotFound:
		status = http.StatusNotFound
		e = errs.New(errs.KindNotFound, e.Code, "This franchise is no longer in the list.")
	case errs.KindInvalid:
	default:
		r.failed(err)
		return
	}
	v.Problem, v.Fields = e.Message, e.Fields
	r.dashboard(status, v)
}

// wantsJSON says whether a program asks, which gets the failure envelope of the product instead of a page.
func (r *request) wantsJSON() bool {
	return strings.HasPrefix(r.c.GetHeader("Accept"), "application/json")
}

func (r *request) json(status int, e *errs.Error) {
	body := map[string]any{}
	maps.Copy(body, e.Data)
	body["status"], body["message"], body["code"] = false, e.Message, e.Code
	body["request_id"] = r.c.Writer.Header().Get("X-Request-ID")
	if len(e.Fields) > 0 {
		body["messages"] = e.Fields
	}
	raw, err := json.Marshal(body)
	if err != nil {
		r.failed(err)
		return
	}
	r.headers()
	r.c.Data(status, "application/json; charset=utf-8", raw)
}
