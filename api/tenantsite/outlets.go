package tenantsite

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// The parts of the dashboard, as the navigation names them.
const (
	sectionHome    = "home"
	sectionOutlets = "outlets"
)

// What can be done to one outlet, as the last part of its address.
const (
	actionEdit   = "edit"
	actionStatus = "status"
)

// outletPath reads /dashboard/outlets/{id} and /dashboard/outlets/{id}/{action}.
func outletPath(path string) (outletID, action string, ok bool) {
	rest, ok := strings.CutPrefix(path, pathOutlets+"/")
	if !ok {
		return "", "", false
	}
	outletID, action, _ = strings.Cut(rest, "/")
	return outletID, action, id.Valid(outletID) && (action == "" || action == actionEdit || action == actionStatus)
}

// outletPage is a page of the list with its filter.
type outletPage struct {
	outlet.Page
	Query outlet.Query
	// From is whether the page is a later one of its list.
	Later bool
	// base is the address of the list, the owner's unless it is set.
	base string
}

// States are those to filter by.
func (outletPage) States() []outlet.State { return outlet.States() }

// Sorts are the orders to choose from.
func (outletPage) Sorts() []sortChoice {
	return []sortChoice{{outlet.SortNewest, i18n.Mark("Newest first")}, {outlet.SortName, i18n.Mark("Name")}, {outlet.SortCity, i18n.Mark("City, then name")}}
}

type sortChoice struct {
	Value outlet.Sort
	Label string
}

// query returns the URL's query: the filter, and the cursor of the next page.
func (p outletPage) query(after string) string {
	q := url.Values{}
	for name, value := range map[string]string{
		"q": p.Query.Search, "status": string(p.Query.State), "city": p.Query.City, "sort": string(p.Query.Sort), "after": after,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// NextURL is the address of the next page.
func (p outletPage) NextURL() string {
	if p.base != "" {
		return p.base + "?after=" + url.QueryEscape(p.Next)
	}
	return pathOutlets + "?" + p.query(p.Next)
}

// FirstURL is the address of the first page.
func (p outletPage) FirstURL() string { return pathOutlets + "?" + p.query("") }

// ExportURL is the address of the file with all that is selected.
func (p outletPage) ExportURL() string { return pathExport + "?" + p.query("") }

func (r *request) outletQuery() outlet.Query {
	return outlet.Query{
		Search: r.c.Query("q"), State: outlet.State(r.c.Query("status")), City: r.c.Query("city"),
		Sort: outlet.Sort(r.c.Query("sort")), After: r.c.Query("after"),
	}.Normalise()
}

func (r *request) outletsPage() {
	if !r.enter() {
		return
	}
	q := r.outletQuery()
	page, err := r.outlets.List(r.ctx, r.ref, q)
	if err != nil {
		r.failed(err)
		return
	}
	o, err := r.outlets.Overview(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	latest, err := r.imports.Latest(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	r.render(http.StatusOK, "outlets", view{
		Title: r.titled(r.say("Outlets")), SignedIn: true, Section: sectionOutlets, Overview: o,
		Page: outletPage{Page: page, Query: q, Later: q.After != ""}, Import: importView{Key: latest},
	})
}

// exportBatch is the number of rows per query of an export.
const exportBatch = 500

// exportOutlets writes all that the query selects as CSV. The first batch is read before the answer begins.
func (r *request) exportOutlets() {
	if !r.enter() {
		return
	}
	q := r.outletQuery()
	q.After, q.Limit = "", exportBatch
	page, err := r.outlets.List(r.ctx, r.ref, q)
	if err != nil {
		r.failed(err)
		return
	}
	r.headers()
	r.c.Header("Content-Type", "text/csv; charset=utf-8")
	r.c.Header("Content-Disposition", `attachment; filename="outlets.csv"`)
	w := text.NewSheet(r.c.Writer)
	_ = w.Write([]string{
		r.say("Name"), r.say("Code"), r.say("Status"), r.say("Address"), r.say("City"), r.say("State"), "PIN", r.say("Phone"), r.say("Opening hours"),
		r.say("Partner"), r.say("Added on"),
	})
	for {
		for _, o := range page.Outlets {
			row := []string{
				o.Name, o.Code, r.say(o.State.Label()), o.Address, o.City, r.say(o.StateName), o.PIN, o.Phone, o.Hours, o.PartnerName,
				r.in.Day(o.CreatedAt),
			}
			for i := range row {
				row[i] = text.Cell(row[i])
			}
			_ = w.Write(row) // w keeps its first error: a client that is gone
		}
		w.Flush()
		if page.Next == "" || w.Error() != nil {
			return
		}
		q.After = page.Next
		if page, err = r.outlets.List(r.ctx, r.ref, q); err != nil {
			r.logger.ErrorContext(r.ctx, "export of outlets cut off", slog.String("tenant_id", r.ref.TenantID), log.Error(err))
			panic(http.ErrAbortHandler) // the response has begun: it is aborted, so that the client does not accept it as complete
		}
	}
}

// field is one field of a form.
type field struct {
	Name, Label, Hint, Value, Error string
	// Type, Mode and Auto are the attributes type, inputmode and autocomplete.
	Type, Mode, Auto string
	// List is the id of the list with suggestions.
	List     string
	Max      int
	Required bool
	// Choices make it a list to choose from.
	Choices []choice
}

type choice struct{ Value, Label string }

// outletForm is the form of a new outlet, or of a change of one.
type outletForm struct {
	Action, Back, Button string
	// Key makes repeated submissions of the form one request; Revision is the displayed revision.
	Key      string
	Revision int
	Fields   []field
}

func inputOf(c func(string) string) outlet.Input {
	return outlet.Input{
		Name: c("name"), Code: c("code"), Address: c("address"), City: c("city"), StateID: c("state_id"), PIN: c("pin"),
		Phone: c("phone"), Hours: c("hours"), PartnerID: c("partner_id"),
	}
}

func (r *request) outletFields(in outlet.Input) ([]field, error) {
	states, err := r.outlets.States(r.ctx)
	if err != nil {
		return nil, err
	}
	choices := []choice{{"", r.say("Not chosen")}}
	for _, s := range states {
		choices = append(choices, choice{s.ID, r.say(s.Name)})
	}
	partners, err := r.partners.List(r.ctx, r.ref)
	if err != nil {
		return nil, err
	}
	people := []choice{{"", r.say("None")}}
	for _, p := range partners {
		people = append(people, choice{p.ID, p.Name})
	}
	return []field{
		{Name: "name", Label: r.say("Outlet name"), Value: in.Name, Max: 50, Required: true},
		{Name: "city", Label: r.say("City"), Value: in.City, Max: 25, Required: true},
		{Name: "partner_id", Label: r.say("Partner (optional)"), Hint: r.say("They see this outlet once they accept your invitation"), Value: in.PartnerID, Choices: people},
		{Name: "code", Label: r.say("Your own code (optional)"), Hint: r.say("For example PN-01; each outlet needs its own"), Value: in.Code, Max: 20},
		{Name: "phone", Label: r.say("Phone (optional)"), Hint: r.say("A mobile, or a landline with its STD code"), Value: in.Phone, Type: "tel", Mode: "tel", Max: 20},
		{Name: "address", Label: r.say("Address (optional)"), Value: in.Address, Max: 120},
		{Name: "state_id", Label: r.say("State (optional)"), Value: in.StateID, Choices: choices},
		{Name: "pin", Label: r.say("Pincode (optional)"), Value: in.PIN, Mode: "numeric", Max: 7},
		{Name: "hours", Label: r.say("Opening hours (optional)"), Hint: r.say("For example Mon–Sat 9:00–21:00"), Value: in.Hours, Max: 100},
	}, nil
}

func (r *request) newOutletPage() {
	if !r.enter() {
		return
	}
	r.newOutlet(http.StatusOK, outlet.Input{}, outlet.StatePlanned, id.New(), nil)
}

// newOutlet shows the form of a new outlet with the typed values and the errors.
func (r *request) newOutlet(status int, in outlet.Input, state outlet.State, key string, wrong *errs.Error) {
	fields, err := r.outletFields(in)
	if err != nil {
		r.failed(err)
		return
	}
	o, err := r.outlets.Overview(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	fields = append(fields, field{Name: "status", Label: r.say("Status"), Value: string(state), Choices: []choice{
		{string(outlet.StatePlanned), r.say(outlet.StatePlanned.Label())}, {string(outlet.StateOpen), r.say(outlet.StateOpen.Label())},
	}})
	v := view{
		Title: r.titled(r.say("Add an outlet")), SignedIn: true, Section: sectionOutlets, Heading: r.say("Add an outlet"), Overview: o,
		Form: outletForm{Action: pathOutlets, Back: pathOutlets, Button: r.say("Add outlet"), Key: key, Fields: fields},
	}
	r.mark(&v, wrong)
	r.render(status, "outlet-form", v)
}

// mark shows the errors at their fields.
func (r *request) mark(v *view, wrong *errs.Error) {
	if wrong == nil {
		return
	}
	v.Problem = r.again(wrong.Message)
	for i, f := range v.Form.Fields {
		v.Form.Fields[i].Error = r.again(first(wrong.Fields[f.Name]))
	}
}

func (r *request) addOutlet() {
	if !r.mayWrite() {
		return
	}
	in, state, key := inputOf(r.c.PostForm), outlet.State(r.c.PostForm("status")), r.c.PostForm("key")
	if state == "" {
		state = outlet.StatePlanned
	}
	o, err := r.outlets.Add(r.ctx, r.ref, in, state, key)
	switch {
	case err == nil && r.wantsJSON():
		r.headers()
		r.c.JSON(http.StatusOK, map[string]any{
			"status": true, "message": "Outlet added.", "data": map[string]any{"id": o.ID, "name": o.Name, "city": o.City, "status": o.State},
		})
	case err == nil:
		r.see(pathOutlets + "/" + o.ID + "?done=added")
	case r.wantsJSON():
		r.refuse(err, "message", view{Heading: r.say("The outlet was not added")})
	default:
		if status, ok := refusalStatus(err); ok {
			r.newOutlet(status, in, state, key, errs.As(err))
			return
		}
		r.failed(err)
	}
}

// refusalStatus returns the status of a refusal that a form can show; false for a fault.
func refusalStatus(err error) (int, bool) {
	switch errs.KindOf(err) {
	case errs.KindInvalid:
		return http.StatusUnprocessableEntity, true
	case errs.KindLimit:
		return http.StatusPaymentRequired, true
	case errs.KindConflict:
		return http.StatusConflict, true
	default:
		return 0, false
	}
}

type eventRow struct{ Title, By, At string }

func (r *request) outletPage(outletID, action string) {
	if !r.enter() {
		return
	}
	o, history, err := r.outlets.Find(r.ctx, r.ref, outletID)
	switch {
	case errs.KindOf(err) == errs.KindNotFound && err != nil:
		r.message(http.StatusNotFound, r.say("This outlet is not there"), r.say("The address may be misspelt."))
	case err != nil:
		r.failed(err)
	case action == actionEdit:
		r.editOutlet(http.StatusOK, o.ID, o.Revision, outlet.InputOf(o), nil)
	default:
		r.showOutlet(http.StatusOK, o, history, r.done(), nil)
	}
}

// done returns the confirmation of the change that redirected here.
func (r *request) done() string {
	switch r.c.Query("done") {
	case "added":
		return r.say("The outlet was added.")
	case "changed":
		return r.say("The outlet was changed.")
	case "moved":
		return r.say("The status was changed.")
	}
	return ""
}

func (r *request) showOutlet(status int, o outlet.Outlet, history []outlet.Event, done string, wrong *errs.Error) {
	v := view{
		Title: o.Name + " – " + r.store.StoreName, SignedIn: true, Section: sectionOutlets, Outlet: o, Done: done,
	}
	who := map[string]string{"owner": r.say("The owner"), "member": r.say("A manager of the team"), "partner": r.say("The partner")}
	for _, e := range history {
		v.History = append(v.History, eventRow{Title: r.again(e.Title()), By: who[e.Actor], At: r.in.Moment(e.At)})
	}
	r.mark(&v, wrong)
	r.render(status, "outlet", v)
}

func (r *request) editOutlet(status int, outletID string, revision int, in outlet.Input, wrong *errs.Error) {
	fields, err := r.outletFields(in)
	if err != nil {
		r.failed(err)
		return
	}
	address := pathOutlets + "/" + outletID
	v := view{
		Title: r.titled(r.say("Change an outlet")), SignedIn: true, Section: sectionOutlets, Heading: r.say("Change this outlet"),
		Form: outletForm{Action: address + "/" + actionEdit, Back: address, Button: r.say("Save"), Revision: revision, Fields: fields},
	}
	r.mark(&v, wrong)
	r.render(status, "outlet-form", v)
}

func (r *request) changeOutlet(outletID, action string) {
	if !r.mayWrite() {
		return
	}
	revision := number(r.c.PostForm("revision"))
	done, in := "changed", inputOf(r.c.PostForm)
	var err error
	if action == actionStatus {
		done = "moved"
		_, err = r.outlets.Move(r.ctx, r.ref, outletID, revision, outlet.State(r.c.PostForm("status")))
	} else {
		_, err = r.outlets.Update(r.ctx, r.ref, outletID, revision, in)
	}
	status, refused := refusalStatus(err)
	switch {
	case err == nil:
		r.see(pathOutlets + "/" + outletID + "?done=" + done)
	case errs.KindOf(err) == errs.KindNotFound:
		r.message(http.StatusNotFound, r.say("This outlet is not there"), r.say("The address may be misspelt."))
	case !refused:
		r.failed(err)
	case action == actionStatus || errs.KindOf(err) == errs.KindConflict:
		r.refuseChange(status, outletID, errs.As(err))
	default:
		r.editOutlet(status, outletID, revision, in, errs.As(err))
	}
}

// refuseChange shows the outlet as it is now, with why it was not changed.
func (r *request) refuseChange(status int, outletID string, wrong *errs.Error) {
	o, history, err := r.outlets.Find(r.ctx, r.ref, outletID)
	if err != nil {
		r.failed(err)
		return
	}
	r.showOutlet(status, o, history, "", wrong)
}
