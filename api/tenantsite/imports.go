package tenantsite

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const (
	pathImport        = "/dashboard/outlets/import"
	pathImportPreview = "/dashboard/outlets/import/preview"
	pathImportSample  = "/dashboard/outlets/import/sample.csv"
	pathImports       = "/dashboard/imports/"

	// maxImportForm holds a sheet and the form with all its rows.
	maxImportForm = 4 * outlet.MaxImportBytes
	// sampleValues is how many values show what a column holds.
	sampleValues = 3
)

// importPath reads /dashboard/imports/{id} and /dashboard/imports/{id}/undo.
func importPath(path string) (importID string, undo, ok bool) {
	rest, ok := strings.CutPrefix(path, pathImports)
	if !ok {
		return "", false, false
	}
	importID, action, undo := strings.Cut(rest, "/")
	return importID, undo, id.Valid(importID) && (!undo || action == "undo")
}

// importView is the data for the pages of an import.
type importView struct {
	// Sheet and Line carry the sheet, and the line of its headings, from page to page.
	Sheet string
	Line  int
	// Key makes repeated submissions one import.
	Key     string
	Columns []importColumn
	Groups  []importGroup
	States  []string
	Unknown []string
	// OneNumber means that the partners' mobiles come from the outlets' only number.
	OneNumber bool
	LeftOut   []string
	Chosen    int
	Wrong     int
	Invited   int
	Result    outlet.ImportResult
	Until     string
	LastDay   string
	Staying   []stayingOutlet
	Count     int
	Asked     bool // whether the tick for the invitations is set
	Proof     field
}

// importColumn is a column of the sheet with its first values.
type importColumn struct {
	field

	Samples string
}

// importGroup is the rows of one kind.
type importGroup struct {
	Title, Hint string
	Open        bool
	// Takes shows a button that chooses all rows.
	Takes bool
	Rows  []importRow
}

// importRow is a row to review. Fields are those with errors, Others the rest.
type importRow struct {
	Index, Line       int
	Title, State, Was string
	Use               bool
	Problem           string
	Mended, Notes     []string
	// Before carries the mends to the next check, as JSON.
	Before         string
	Fields, Others []field
	Kind           string
	Doubt          string
}

type stayingOutlet struct{ ID, Name, Why string }

func (r *request) importPage(status int, problem error) {
	v := view{
		Title: r.titled(r.say("Import outlets")), SignedIn: true, Section: sectionOutlets, Heading: r.say("Import outlets"),
		Form: outletForm{Action: pathImportPreview, Back: pathOutlets},
	}
	o, err := r.outlets.Overview(r.ctx, r.ref)
	if err != nil {
		r.failed(err)
		return
	}
	v.Overview = o
	if problem != nil {
		v.Problem = r.again(errs.As(problem).Message)
	}
	r.render(status, "import", v)
}

// importSample answers with a sheet to fill in.
func (r *request) importSample() {
	if !r.enter() {
		return
	}
	r.headers()
	r.c.Header("Content-Type", "text/csv; charset=utf-8")
	r.c.Header("Content-Disposition", `attachment; filename="outlets-sample.csv"`)
	w := text.NewSheet(r.c.Writer)
	_ = w.WriteAll(outlet.ImportSample(r.in)) // w keeps its first error: a client that is gone
}

// postImport answers the forms of imports, which are larger than others. It reads a body only of a visitor who is signed in, or was until a
// pause.
func (r *request) postImport(path string) {
	paused, err := r.paused()
	if err != nil {
		r.failed(err)
		return
	}
	if !paused && !r.mayWrite() {
		return
	}
	r.c.Request.Body = http.MaxBytesReader(r.c.Writer, r.c.Request.Body, maxImportForm)
	err = r.c.Request.ParseMultipartForm(maxImportForm)
	if errors.Is(err, http.ErrNotMultipart) {
		err = nil
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		r.importPage(http.StatusRequestEntityTooLarge, errs.Invalid(i18n.Mark("The file is larger than 2 MB. Split it.")))
		return
	}
	if err != nil || !storable(r.c.Request.PostForm) {
		r.message(http.StatusBadRequest, r.say("That could not be read"), r.say("Please go back and try once more."))
		return
	}
	importID, undo, isImport := importPath(path)
	switch {
	case paused:
		r.askSignIn(ownersDoor())
	case (path == pathImportPreview || path == pathImport) && r.c.PostForm("count") == "":
		r.previewSheet()
	case path == pathImportPreview:
		r.previewRows(http.StatusOK, r.drafts(), r.c.PostForm("key"), nil)
	case path == pathImport:
		r.importRows()
	case isImport && undo:
		r.undoImport(importID)
	default:
		r.message(http.StatusNotFound, r.say("Page not found"), r.say("This store has no page at this address."))
	}
}

func storable(form url.Values) bool {
	for _, values := range form {
		if slices.ContainsFunc(values, func(v string) bool { return !text.Storable(v) }) {
			return false
		}
	}
	return true
}

// sent returns the sheet of the form: what was read before, pasted or chosen as a file.
func (r *request) sent() ([]byte, error) {
	for _, name := range []string{"sheet", "paste"} {
		if given := r.c.PostForm(name); strings.TrimSpace(given) != "" {
			return []byte(given), nil
		}
	}
	file, _, err := r.c.Request.FormFile("file")
	if err != nil {
		return nil, nil // no file: the reader says what to do
	}
	defer func() { _ = file.Close() }()
	body, err := io.ReadAll(io.LimitReader(file, outlet.MaxImportBytes+1))
	if err != nil {
		return nil, errs.Internal(err)
	}
	return body, nil
}

// previewSheet reads the sheet, and shows its columns or its rows.
func (r *request) previewSheet() {
	body, err := r.sent()
	if err != nil {
		r.failed(err)
		return
	}
	var chosen []string
	for i := range sheet.MostColumns {
		column, given := r.c.GetPostForm("column." + strconv.Itoa(i))
		if !given {
			break
		}
		chosen = append(chosen, column)
	}
	s, err := outlet.ReadImport(body, chosen, number(r.c.PostForm("line")))
	switch {
	case errs.IsFault(err):
		r.failed(err)
	case err != nil:
		r.importPage(http.StatusUnprocessableEntity, err)
	case s.Asks || r.c.PostForm("step") == "columns":
		r.askColumns(s, chosen != nil)
	default:
		r.previewRows(http.StatusOK, s.Drafts, id.New(), &s)
	}
}

// askColumns shows the columns with their first values, for a person to match.
func (r *request) askColumns(s outlet.ImportSheet, again bool) {
	choices := []choice{{"", r.say("Not imported")}}
	for _, f := range outlet.ImportFields() {
		choices = append(choices, choice{string(f), r.importLabel(f)})
	}
	v := view{
		Title: r.titled(r.say("Match the columns")), SignedIn: true, Section: sectionOutlets, Heading: r.say("Match the columns"),
		Form: outletForm{Action: pathImportPreview, Back: pathImport},
	}
	v.Import.Sheet, v.Import.Line = s.Text, s.Line
	for i, column := range s.Columns {
		c := importColumn{field: field{Name: "column." + strconv.Itoa(i), Value: column, Choices: choices}}
		if s.Line > 0 {
			c.Label = s.Headings[i]
		}
		if c.Label == "" {
			c.Label = r.say("Column {1}", strconv.Itoa(i+1))
		}
		var samples []string
		for _, row := range s.Rows {
			if i < len(row.Cells) && row.Cells[i] != "" && len(samples) < sampleValues {
				samples = append(samples, text.First(row.Cells[i], 40))
			}
		}
		if len(samples) > 0 {
			c.Hint = r.say("For example {1}", strings.Join(samples, " · "))
		}
		v.Import.Columns = append(v.Import.Columns, c)
	}
	status := http.StatusOK
	if s.Asks && again {
		status, v.Problem = http.StatusUnprocessableEntity, r.say("Choose a column for the outlet name, and one for the city or the address.")
	}
	r.render(status, "import-columns", v)
}

func (r *request) importLabel(f outlet.ImportField) string {
	switch f {
	case outlet.FieldName:
		return r.say("Outlet name")
	case outlet.FieldCity:
		return r.say("City")
	case outlet.FieldState:
		return r.say("State")
	case outlet.FieldAddress:
		return r.say("Address")
	case outlet.FieldPIN:
		return r.say("Pincode")
	case outlet.FieldPhone:
		return r.say("Phone")
	case outlet.FieldCode:
		return r.say("Code")
	case outlet.FieldHours:
		return r.say("Opening hours")
	case outlet.FieldStatus:
		return r.say("Status")
	case outlet.FieldPartnerName:
		return r.say("Partner name")
	case outlet.FieldPartnerMobile:
		return r.say("Partner mobile")
	}
	return string(f)
}

// drafts reads the rows of the form.
func (r *request) drafts() []outlet.Draft {
	count := min(max(number(r.c.PostForm("count")), 0), outlet.MaxImportRows)
	drop, take := r.c.PostForm("drop") == "wrong", r.c.PostForm("take") != ""
	list := make([]outlet.Draft, 0, count)
	for i := range count {
		prefix := strconv.Itoa(i) + "."
		d := outlet.Draft{Line: number(r.c.PostForm(prefix + "line")), Leave: r.c.PostForm(prefix+"use") == "", Values: map[outlet.ImportField]string{}}
		for _, f := range outlet.ImportFields() {
			d.Values[f] = text.WithoutMarks(r.c.PostForm(prefix + string(f)))
		}
		_ = json.Unmarshal([]byte(r.c.PostForm(prefix+"mended")), &d.Mended) // only shown, to who sent it
		if was := r.c.PostForm(prefix + "was"); was != "" && was == valuesOf(d) {
			d.Problem = i18n.Mark("This line was not read with certainty. Compare its values with your sheet, and correct them or leave it out.")
		}
		d.Leave = d.Leave && !take || drop && r.c.PostForm(prefix+"wrong") != ""
		list = append(list, d)
	}
	return list
}

// valuesOf joins the values of a row, to see whether a person changed one.
func valuesOf(d outlet.Draft) string {
	var values []string
	for _, f := range outlet.ImportFields() {
		values = append(values, text.Line(d.Values[f]))
	}
	return strings.Join(values, "|")
}

// previewRows shows the rows, wrong ones first. The sheet is nil if the rows come from the form.
func (r *request) previewRows(status int, drafts []outlet.Draft, key string, s *outlet.ImportSheet) {
	p, err := r.imports.Check(r.ctx, r.ref, drafts, s != nil)
	if err != nil {
		r.failed(err)
		return
	}
	r.showRows(status, p, key, s, nil)
}

func (r *request) showRows(status int, p outlet.ImportPreview, key string, s *outlet.ImportSheet, problem error) {
	states, err := r.outlets.States(r.ctx)
	if err != nil {
		r.failed(err)
		return
	}
	if !id.Valid(key) {
		key = id.New()
	}
	v := view{
		Title: r.titled(r.say("Review the rows")), SignedIn: true, Section: sectionOutlets, Heading: r.say("Review the rows"),
		Overview: outlet.Overview{Places: p.Places}, Form: outletForm{Action: pathImport, Back: pathImport},
	}
	v.Text = r.again(p.Notice())
	if problem != nil {
		v.Problem = r.again(errs.As(problem).Message)
	}
	in := importView{Key: key, Invited: p.Invited, Count: len(p.Rows), Sheet: r.c.PostForm("sheet"), Line: number(r.c.PostForm("line")), Asked: r.c.PostForm("invite") != "", Proof: r.passwordField()}
	in.Proof.Required = false
	in.OneNumber = r.c.PostForm("one_number") != "" || s != nil && s.OneNumber
	if problem != nil {
		in.Proof.Error = r.again(first(errs.As(problem).Fields[passwordName]))
	}
	in.Chosen, in.Wrong, _ = p.Count()
	for _, one := range states {
		in.States = append(in.States, one.Name)
	}
	if s != nil {
		in.Sheet, in.Line = s.Text, s.Line
		for i, heading := range s.Headings {
			if s.Line > 0 && s.Columns[i] == "" && heading != "" {
				in.Unknown = append(in.Unknown, heading)
			}
		}
		for _, line := range s.Left {
			in.LeftOut = append(in.LeftOut, r.say("Line {1}: {2}", strconv.Itoa(line.Number), text.First(strings.Join(strings.Fields(strings.Join(line.Cells, " ")), " "), 80)))
		}
	}
	in.Groups = r.groups(p)
	v.Import = in
	r.render(status, "import-rows", v)
}

// groups sorts the rows by what a person has to do.
func (r *request) groups(p outlet.ImportPreview) []importGroup {
	wrong := importGroup{Title: r.say("To correct"), Hint: r.say("Correct the value, or leave the row out."), Open: true}
	mended := importGroup{Title: r.say("Adjusted"), Hint: r.say("Each row says what was changed.")}
	right := importGroup{Title: r.say("Right")}
	left := importGroup{Title: r.say("Left out"), Hint: r.say("Tick a row to import it after all."), Takes: true}
	for i, row := range p.Rows {
		shown := r.importRowOf(i, row)
		switch {
		case row.Leave:
			left.Rows = append(left.Rows, shown)
		case row.Wrong():
			wrong.Rows = append(wrong.Rows, shown)
		case len(row.Mended) > 0 || len(row.Notes) > 0:
			mended.Rows = append(mended.Rows, shown)
		default:
			right.Rows = append(right.Rows, shown)
		}
	}
	return slices.DeleteFunc([]importGroup{wrong, mended, right, left}, func(g importGroup) bool { return len(g.Rows) == 0 })
}

func (r *request) importRowOf(i int, row outlet.ImportRow) importRow {
	shown := importRow{Index: i, Line: row.Line, Use: !row.Leave, Kind: "open", State: r.say("Right")}
	switch {
	case row.Leave:
		shown.Kind, shown.State = "closed", r.say("Left out")
	case row.Wrong():
		shown.Kind, shown.State = "wrong", r.say("Wrong")
	case len(row.Mended) > 0:
		shown.Kind, shown.State = "paused", r.say("Adjusted")
	}
	shown.Title = strings.Trim(row.Values[outlet.FieldName]+", "+row.Values[outlet.FieldCity], ", ")
	if shown.Title == "" {
		shown.Title = r.say("No name")
	}
	if row.Problem != "" {
		shown.Problem, shown.Was = r.again(row.Problem), valuesOf(row.Draft)
	}
	if row.Doubt.English != "" {
		shown.Doubt = r.sentence(row.Doubt)
	}
	if len(row.Mended) > 0 {
		carried, _ := json.Marshal(row.Mended) // texts only
		shown.Before = string(carried)
	}
	for _, m := range row.Mended {
		before := m.From
		if before == "" {
			before = "–"
		}
		shown.Mended = append(shown.Mended, r.say("{1}: {2} → {3}. {4}.", r.importLabel(m.Field), before, m.To, r.sentence(m.How)))
	}
	for _, n := range row.Notes {
		shown.Notes = append(shown.Notes, r.sentence(n))
	}
	for _, f := range outlet.ImportFields() {
		one := r.importField(i, row, f)
		if one.Error != "" || row.Problem != "" {
			shown.Fields = append(shown.Fields, one)
		} else {
			shown.Others = append(shown.Others, one)
		}
	}
	return shown
}

func (r *request) importField(i int, row outlet.ImportRow, f outlet.ImportField) field {
	one := field{Name: strconv.Itoa(i) + "." + string(f), Label: r.importLabel(f), Value: row.Values[f], Max: 400}
	if wrong, ok := row.Errors[f]; ok {
		one.Error = r.sentence(wrong)
	}
	switch f {
	case outlet.FieldStatus:
		one.Choices = []choice{
			{string(outlet.StateOpen), r.say(outlet.StateOpen.Label())},
			{string(outlet.StatePlanned), r.say(outlet.StatePlanned.Label())},
			{string(outlet.StatePaused), r.say(outlet.StatePaused.Label())},
		}
		if one.Error != "" {
			one.Choices = append([]choice{{row.Values[f], row.Values[f]}}, one.Choices...)
		}
	case outlet.FieldPIN:
		one.Mode = "numeric"
	case outlet.FieldPhone, outlet.FieldPartnerMobile:
		one.Mode = "tel"
	case outlet.FieldState:
		one.List = "states"
	case outlet.FieldName, outlet.FieldCity, outlet.FieldAddress, outlet.FieldCode, outlet.FieldHours, outlet.FieldPartnerName: // plain text
	}
	return one
}

// sentence says a text of the import in the reader's language.
func (r *request) sentence(s outlet.Sentence) string {
	if len(s.Values) > 0 {
		return r.in.Say(s.English, s.Values...)
	}
	return r.again(s.English)
}

// importRows imports the chosen rows, or shows them again with the reason why not.
func (r *request) importRows() {
	drafts, key := r.drafts(), r.c.PostForm("key")
	invite := r.c.PostForm("invite") != ""
	if invite {
		if err := r.prove(); err != nil {
			r.refuseInvitations(drafts, key, err)
			return
		}
	}
	p, err := r.imports.Import(r.ctx, r.ref, drafts, key, invite)
	status, refused := refusalStatus(err)
	switch {
	case err == nil:
		r.see(pathImports + key + "?done=imported")
	case errors.Is(err, outlet.ErrImportDone):
		r.message(http.StatusConflict, r.say("This import has run already"), r.again(errs.As(err).Message))
	case !refused:
		r.failed(err)
	case len(p.Rows) == 0:
		r.importPage(status, err)
	default:
		r.showRows(status, p, key, nil, err)
	}
}

// refuseInvitations shows the rows again, because the store's password is wrong or too many were tried.
func (r *request) refuseInvitations(drafts []outlet.Draft, key string, problem error) {
	status, refused := refusalStatus(problem)
	limited, many := tooManyGuesses(problem)
	switch {
	case many:
		status = http.StatusTooManyRequests
		problem = limited
	case !refused:
		r.failed(problem)
		return
	}
	p, err := r.imports.Check(r.ctx, r.ref, drafts, false)
	if err != nil {
		r.failed(err)
		return
	}
	r.showRows(status, p, key, nil, problem)
}

func (r *request) importDonePage(status int, importID string, problem error) {
	found, err := r.imports.Find(r.ctx, r.ref, importID)
	switch {
	case err != nil && errs.KindOf(err) == errs.KindNotFound:
		r.message(http.StatusNotFound, r.say("This import is not there"), r.say("The address may be misspelt."))
		return
	case err != nil:
		r.failed(err)
		return
	}
	v := view{Title: r.titled(r.say("Import")), SignedIn: true, Section: sectionOutlets, Heading: r.say("Import of {1}", r.in.Moment(found.At))}
	v.Import = importView{Result: found, Until: r.in.Moment(found.UndoUntil), LastDay: r.in.Day(found.LastAt)}
	switch {
	case problem != nil:
		v.Problem = r.again(errs.As(problem).Message)
	case r.c.Query("done") == "imported":
		v.Done = r.say("The outlets were added.")
	case r.c.Query("done") == "undone":
		v.Done = r.say("The import was undone.")
	}
	for _, o := range found.Outlets {
		if why := o.Stays(); why != "" {
			v.Import.Staying = append(v.Import.Staying, stayingOutlet{o.ID, o.Name, r.again(why)})
		}
	}
	r.render(status, "import-done", v)
}

func (r *request) undoImport(importID string) {
	err := r.imports.Undo(r.ctx, r.ref, importID)
	switch status, refused := refusalStatus(err); {
	case err == nil:
		r.see(pathImports + importID + "?done=undone")
	case refused || errs.KindOf(err) == errs.KindNotFound:
		r.importDonePage(max(status, http.StatusConflict), importID, err)
	default:
		r.failed(err)
	}
}
