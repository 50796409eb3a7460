package tenantsite

import (
	"maps"
	"net/http"
	"net/url"
	pathpkg "path"
	"slices"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

// door is one of the two sign-ins: its address, the template of its page, and the part of the host that it opens.
type door struct{ login, page, opens string }

func ownersDoor() door { return door{login: pathLogin, page: "login", opens: pathDashboard} }

func partnersDoor() door {
	return door{login: pathPartnerLogin, page: "partner-login", opens: pathPartner}
}

const (
	// nextName is the field, and the query, with the page that a sign-in leads to.
	nextName = "next"
	// keptPrefix starts the names of the fields with the values typed before the session ended.
	keptPrefix = "kept."
)

// keptNames are the fields of the forms that the end of a sign-in may interrupt. None is a password or a code.
func keptNames() []string {
	return []string{
		"name", "code", "address", "city", "state_id", "pin", "phone", "hours", "partner_id", "status", "mobile", "role", "key", "revision",
	}
}

// hidden is a hidden field of a form.
type hidden struct{ Name, Value string }

// pageOf returns the page behind the sign-in that an address names, or "".
func (d door) pageOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path != pathpkg.Clean(u.Path) || !strings.HasPrefix(u.Path, d.opens+"/") || u.Path == d.login {
		return ""
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

// next returns the page behind the door that the sign-in leads to, empty for the first one.
func (r *request) next(d door) string {
	if r.c.Request.Method == http.MethodPost {
		return d.pageOf(r.c.PostForm(nextName))
	}
	return d.pageOf(r.c.Query(nextName))
}

// keep returns the fields that carry a page, and its typed values, through a sign-in. prefix is the prefix of the current form's names.
func (r *request) keep(page, prefix string) []hidden {
	if page == "" {
		return nil
	}
	names := keptNames()
	if page == pathImport {
		names = r.importNames(prefix)
	}
	fields := []hidden{{nextName, page}}
	for _, name := range names {
		if values := r.c.Request.PostForm[prefix+name]; len(values) > 0 {
			fields = append(fields, hidden{keptPrefix + name, values[0]})
		}
	}
	return fields
}

// importNames are the fields of an import: its sheet, its rows and what was chosen, without the password.
func (r *request) importNames(prefix string) []string {
	var names []string
	for field := range r.c.Request.PostForm {
		name, carried := strings.CutPrefix(field, prefix)
		if _, _, ofRow := strings.Cut(name, "."); carried && (ofRow || slices.Contains(importFields(), name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func importFields() []string {
	return []string{"sheet", "paste", "line", "step", "key", "count", "one_number", "invite"}
}

// formPage returns the page with the form that posts to the path; false without a form.
func formPage(path string) (string, bool) {
	_, action, ok := outletPath(path)
	switch {
	case path == pathOutlets:
		return pathNewOutlet, true
	case path == pathPartners:
		return pathNewPartner, true
	case path == pathImport || path == pathImportPreview:
		return pathImport, true
	case ok && action == actionEdit, strings.HasPrefix(path, pathPartnerOutlet):
		return path, true
	}
	return "", false
}

// buttonPage returns the page with the button that posts to the path; false without a button.
func buttonPage(path string) (string, bool) {
	if outletID, action, ok := outletPath(path); ok && action == actionStatus {
		return pathOutlets + "/" + outletID, true
	}
	if importID, undo, ok := importPath(path); ok && undo {
		return pathImports + importID, true
	}
	if path == pathImportPreview || path == pathImport {
		return pathImport, true
	}
	if _, _, ok := partnerPath(path); ok {
		return pathPartners, true
	}
	return pathPartnerLogin, path == pathPartnerCode
}

// askSignIn redirects an unauthenticated visitor to the sign-in, and from there back to the page with the typed values.
func (r *request) askSignIn(d door) {
	path := strings.TrimSuffix(r.c.Request.URL.Path, "/")
	page := d.pageOf((&url.URL{Path: path, RawQuery: r.c.Request.URL.RawQuery}).String())
	if r.c.Request.Method == http.MethodPost {
		form, typed := formPage(path)
		kept := r.keep(form, "")
		if unread := form == pathImport && len(kept) < 2; typed && !unread && !r.wantsJSON() {
			r.render(http.StatusUnauthorized, d.page, view{
				Title: r.titled(r.say("Sign in")), Text: r.say("Your sign-in has ended. Sign in again; what you typed is kept."), Kept: kept,
			})
			return
		}
		button, _ := buttonPage(path)
		page = d.pageOf(button)
	}
	if page != "" {
		page = "?" + url.Values{nextName: {page}}.Encode()
	}
	r.see(d.login + page)
}

// resume shows the owner's form that the end of a session interrupted, with the typed values; false without one.
func (r *request) resume(page string) bool {
	if len(r.keep(page, keptPrefix)) < 2 { // nothing but the page
		return false
	}
	typed := func(name string) string { return r.c.PostForm(keptPrefix + name) }
	r.signedInAgain = true
	outletID, action, ok := outletPath(page)
	switch {
	case page == pathNewOutlet:
		state, key := outlet.State(typed("status")), typed("key")
		if !slices.Contains(outlet.States(), state) {
			state = outlet.StatePlanned
		}
		if !id.Valid(key) {
			key = id.New()
		}
		r.newOutlet(http.StatusOK, inputOf(typed), state, key, nil)
	case page == pathNewPartner:
		r.newPartner(http.StatusOK, outlet.PartnerInput{Name: typed("name"), Mobile: typed("mobile"), Role: outlet.Role(typed("role"))}, nil)
	case page == pathImport:
		r.resumeImport()
	case ok && action == actionEdit:
		r.editOutlet(http.StatusOK, outletID, number(typed("revision")), inputOf(typed), nil)
	default:
		return false
	}
	return true
}

// resumeImport checks the rows of an import again, or reads its sheet again.
func (r *request) resumeImport() {
	form := r.c.Request.PostForm
	for field, values := range maps.Clone(form) {
		delete(form, field)
		if name, kept := strings.CutPrefix(field, keptPrefix); kept {
			form[name] = values
		}
	}
	if r.c.PostForm("count") == "" {
		r.previewSheet()
		return
	}
	r.previewRows(http.StatusOK, r.drafts(), r.c.PostForm("key"), nil)
}

// resumePartner is resume for a partner's form.
func (r *request) resumePartner(page, token string) bool {
	if len(r.keep(page, keptPrefix)) < 2 {
		return false
	}
	p, err := r.partners.SignedIn(r.ctx, r.ref, token)
	if err != nil || p == nil {
		return false
	}
	o, err := r.outlets.FindFor(r.ctx, r.ref, p.ID, strings.TrimPrefix(page, pathPartnerOutlet))
	if err != nil {
		return false
	}
	in := outlet.InputOf(o)
	in.Phone, in.Hours = r.c.PostForm(keptPrefix+"phone"), r.c.PostForm(keptPrefix+"hours")
	r.signedInAgain = true
	r.showPartnerOutlet(http.StatusOK, view{}, *p, o, in, nil)
	return true
}

// number reads the revision of a form; invalid text is no revision, and refused.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
