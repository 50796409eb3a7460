package tenantsite

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/tenant"
)

//go:embed page
var files embed.FS

type pages struct {
	// byName has each page in each language.
	byName map[i18n.Language]map[string]*template.Template
	style  []byte
	// fonts has the fonts by path, one for the letters of each script; a browser loads only those that a page needs. It caches them for
	// ever: another font needs another name.
	fonts map[string][]byte
	// version changes with the style, so that browsers may cache it for ever.
	version string
}

func loadPages() (*pages, error) {
	p := &pages{byName: map[i18n.Language]map[string]*template.Template{}, fonts: map[string][]byte{}}
	var err error
	for _, l := range i18n.Languages() {
		if p.byName[l], err = pagesIn(l); err != nil {
			return nil, err
		}
	}
	if p.style, err = files.ReadFile("page/store.css"); err != nil {
		return nil, fmt.Errorf("read style: %w", err)
	}
	fonts, err := fs.Glob(files, "page/*.woff2")
	for _, name := range fonts {
		if err == nil {
			p.fonts["/"+path.Base(name)], err = files.ReadFile(name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read fonts: %w", err)
	}
	sum := sha256.Sum256(p.style)
	p.version = hex.EncodeToString(sum[:6])
	return p, nil
}

// pagesIn reads the pages in a language.
func pagesIn(l i18n.Language) (map[string]*template.Template, error) {
	words := template.FuncMap{
		"phone": phoneText, "again": func(sentence string) string { return again(l, sentence) },
		"addOn":    func(name string) string { return l.Resay(name, nil) },
		"language": l.Tag, "direction": l.Direction, "otherLanguages": func() []otherLanguage { return otherLanguages(l) },
		"say": func(english string, values ...any) string {
			texts := make([]string, len(values))
			for i, v := range values {
				texts[i] = fmt.Sprint(v)
			}
			return l.Say(english, texts...)
		},
	}
	byName := map[string]*template.Template{}
	for _, name := range []string{
		"home", "login", "dashboard", "outlets", "outlet", "outlet-form", "partners", "join", "partner-login", "partner-code",
		"partner", "partner-outlet", "message", "import", "import-columns", "import-rows", "import-done",
	} {
		t, err := template.New(name+".html").Funcs(words).ParseFS(files, "page/layout.html", "page/parts.html", "page/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("read page %s: %w", name, err)
		}
		byName[name] = t
	}
	return byName, nil
}

// view is the data for the pages; each uses part of it.
type view struct {
	Title, StoreName, ProductURL, Host, Style string
	SignedIn                                  bool
	// Section is the part of the dashboard that the navigation marks.
	Section       string
	Problem, Done string
	Fields        map[string][]string
	Heading, Text string
	Username      string
	// Kept passes the target page and the typed values through a sign-in as hidden fields.
	Kept     []hidden
	Overview outlet.Overview
	Page     outletPage
	Outlet   outlet.Outlet
	History  []eventRow
	Form     outletForm
	Import   importView
	Partners []partnerRow
	// ProveFor is the partner whose other invitation waits for the store's password.
	ProveFor string
	// Partner is who is signed in or invited; PartnerIn says the former.
	Partner   outlet.Partner
	PartnerIn bool
}

// Plan returns the entitlement of the store's plan.
func (v view) Plan() tenant.Entitlement { return v.Overview.Plan }

// Used is how many places of the plan are taken.
func (v view) Used() int { return v.Overview.Used }

// Blocked says why no outlet can be added; empty while one can.
func (v view) Blocked() string {
	if refusal := v.Overview.Refusal(); refusal != nil {
		return refusal.Message
	}
	return ""
}

// phoneText returns a number of ten digits as people write it: a mobile in two groups of five, a landline after its 0.
func phoneText(number string) string {
	switch {
	case len(number) != 10:
		return number
	case number[0] >= '6':
		return number[:5] + " " + number[5:]
	default:
		return "0" + number
	}
}

// Mark returns the first letter of the store's name, in any script; empty without a letter.
func (v view) Mark() string {
	_, size := utf8.DecodeRuneInString(v.StoreName)
	return v.StoreName[:size]
}

// step is one of the first steps of a new store.
type step struct {
	Title, Text, Button, URL string
	Done                     bool
}

// Steps returns the first steps, none once all are done. The outlets show which are done; nothing is stored.
func (v view) Steps() []step {
	open := v.Overview.ByState[outlet.StateOpen] + v.Overview.ByState[outlet.StatePaused] + v.Overview.ByState[outlet.StateClosed]
	steps := []step{
		{
			Title: i18n.Mark("Add your first outlet"), Done: v.Overview.All() > 0, Button: i18n.Mark("Add outlet"), URL: pathNewOutlet,
			Text: i18n.Mark("Its name and city are enough to start with."),
		},
		{
			Title: i18n.Mark("Invite your first partner"), Done: v.Overview.Partners > 0, Button: i18n.Mark("Invite a partner"), URL: pathNewPartner,
			Text: i18n.Mark("Invite them by mobile number. Skip this if you run every outlet yourself."),
		},
		{
			Title: i18n.Mark("Open the shop"), Done: open > 0, Button: i18n.Mark("Choose an outlet"), URL: pathOutlets,
			Text: i18n.Mark("Set an outlet’s status to Open on the day it starts selling."),
		},
	}
	if v.Overview.All() == 0 {
		steps[len(steps)-1].URL = ""
	}
	if steps[0].Done && steps[len(steps)-1].Done {
		return nil // the shop is open; a partner is no must
	}
	return steps
}

// tile counts the outlets in a state.
type tile struct {
	State outlet.State
	N     int
}

// Tiles counts the outlets by state.
func (v view) Tiles() []tile {
	tiles := make([]tile, 0, len(outlet.States()))
	for _, s := range outlet.States() {
		tiles = append(tiles, tile{State: s, N: v.Overview.ByState[s]})
	}
	return tiles
}

// Errors returns the errors of the form's fields, in their order.
func (v view) Errors() []field {
	var wrong []field
	for _, f := range v.Form.Fields {
		if f.Error != "" {
			wrong = append(wrong, f)
		}
	}
	return wrong
}

// MeterMax returns the meter's maximum, never 0, because a meter needs a range.
func (v view) MeterMax() int { return max(v.Plan().FranchiseLimit, 1) }

// MeterUsed returns the usage, capped at the meter's maximum when it exceeds the plan.
func (v view) MeterUsed() int { return min(v.Used(), v.MeterMax()) }

// MeterHigh returns the warning level of the meter: 90%.
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
	v.Host = r.c.Request.Host
	if r.signedInAgain {
		v.Done = r.say("You are signed in again. Nothing was saved yet: check what you typed, then send it.")
	}
	v.ProductURL = strings.TrimSuffix(r.options.Public.String(), "/") + r.in.Base()
	var body bytes.Buffer
	if err := r.pages.byName[r.in.Or()][page].Execute(&body, v); err != nil {
		r.failed(err)
		return
	}
	r.headers()
	r.c.Data(status, "text/html; charset=utf-8", body.Bytes())
}

func (r *request) message(status int, heading, text string) {
	r.render(status, "message", view{Title: heading, Heading: heading, Text: text})
}

// asset answers with the style or the font, which never change under their address.
func (r *request) asset(contentType string, body []byte) {
	r.headers()
	r.c.Header("Cache-Control", "public, max-age=31536000, immutable")
	r.c.Data(http.StatusOK, contentType, body)
}

func (r *request) dashboardPage() {
	if !r.enter() {
		return
	}
	o, err := r.outlets.Overview(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	r.render(http.StatusOK, "dashboard", view{
		Title: r.titled(r.say("Dashboard")), SignedIn: true, Section: sectionHome, Overview: o,
	})
}

// mayWrite is enter for changes, which are rate limited per store.
func (r *request) mayWrite() bool {
	if !r.enter() {
		return false
	}
	if err := r.limiter.Hit(r.ctx, r.writesOfStore(), r.ref.TenantID); err != nil {
		r.refuse(err, "message", view{
			Title: r.say("Too many changes"), Heading: r.say("Too many changes"), Text: r.say("Please wait a few minutes and try again."),
		})
		return false
	}
	return true
}

// wantsJSON reports whether the client is a program, which gets the product's failure envelope instead of a page.
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
