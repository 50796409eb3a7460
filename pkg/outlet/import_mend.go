package outlet

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Sentence is an English text with its values, to be said in the reader's language.
type Sentence struct {
	English string   `json:"english"`
	Values  []string `json:"values,omitempty"`
}

func sentence(english string, values ...string) Sentence { return Sentence{english, values} }

// Mend says how a value of a row was changed.
type Mend struct {
	Field ImportField `json:"field"`
	From  string      `json:"from"`
	To    string      `json:"to"`
	How   Sentence    `json:"how"`
}

// mender mends the values of one row. It never guesses a value that a spreadsheet destroyed.
type mender struct {
	places address.Directory
	values map[ImportField]string
	errors map[ImportField]Sentence
	mended []Mend
	notes  []Sentence
}

// mend brings the values of a draft into the form that the checks accept, as far as their meaning is certain.
func mend(places address.Directory, d Draft) ImportRow {
	m := mender{places: places, values: map[ImportField]string{}, errors: map[ImportField]Sentence{}}
	for _, earlier := range d.Mended {
		if d.Values[earlier.Field] == earlier.To {
			m.mended = append(m.mended, earlier)
		}
	}
	for _, f := range ImportFields() {
		m.values[f] = text.Line(d.Values[f])
		if f != FieldName && nothing.MatchString(m.values[f]) {
			m.values[f] = ""
		}
		if card.In(m.values[f]) {
			m.values[f] = ""
			m.wrong(f, i18n.Mark("This looks like a card number. Leave it out."))
		}
	}
	for _, f := range ImportFields() {
		damage := sheet.Damage(text.Digits(m.values[f]))
		if (f == FieldPhone || f == FieldPartnerMobile) && damage == "" {
			damage = cmp.Or(sheet.Negative(text.Digits(m.values[f])), m.rounded(f))
		}
		if damage != "" && f != FieldStatus {
			m.wrong(f, damage)
		}
	}
	m.splitAddress()
	m.mendState()
	m.mendPIN()
	m.mendCity()
	m.checkPINEnd()
	m.compareStateAndPIN()
	m.takeMobileFromName()
	m.mendNumber(FieldPhone, phoneForm)
	m.mendNumber(FieldPartnerMobile, mobileForm)
	m.mendCode()
	m.tidy(FieldName, nameChars, `&'.,/()-`)
	m.tidy(FieldAddress, lineChars, `/,.-':;&()#–`)
	m.tidy(FieldHours, lineChars, `/,.-':;&()#–`)
	m.tidy(FieldPartnerName, personChars, `&'./-`)
	row := ImportRow{Draft: Draft{Line: d.Line, Leave: d.Leave, Problem: d.Problem, Values: m.values, Mended: m.mended}, Errors: m.errors, Notes: m.notes}
	row.state = m.mendStatus(&row)
	row.check(places)
	return row
}

func (m *mender) wrong(f ImportField, english string) {
	if _, known := m.errors[f]; !known {
		m.errors[f] = sentence(english)
	}
}

// rounded says that a number may have been shortened, unless an earlier check wrote it without its spaces.
func (m *mender) rounded(f ImportField) string {
	for _, earlier := range m.mended {
		if earlier.Field == f && sheet.Rounded(text.Digits(earlier.From)) == "" {
			return ""
		}
	}
	return sheet.Rounded(text.Digits(m.values[f]))
}

// change sets a value that was mended.
func (m *mender) change(f ImportField, to string, how Sentence) {
	m.mended = append(m.mended, Mend{Field: f, From: m.values[f], To: to, How: how})
	m.values[f] = to
}

// whole reports whether a value is there and was not destroyed.
func (m *mender) whole(f ImportField) bool {
	_, destroyed := m.errors[f]
	return m.values[f] != "" && !destroyed
}

var (
	pinWithin  = regexp.MustCompile(`(?i)(?:pin ?code|pincode|pin|zip|पिन कोड|पिन)?[ :.-]*\b([1-9][0-9]{2} ?[0-9]{3})\b`)
	inBrackets = regexp.MustCompile(`\s*\([^()]*\)\s*`)
	betweenTwo = regexp.MustCompile(`\s*(?:[/,;|&]|\bor\b|\band\b|\s(?:और|या)\s|\s{2,})\s*`)
	mobileIn   = regexp.MustCompile(`(?:\+?91[ -]?|0)?[6-9][0-9]{4}[ -]?[0-9]{5}`)
	codeBreaks = regexp.MustCompile(`[ /_.\\]+`)
	country    = regexp.MustCompile(`(?i)^(?:india|bharat|भारत)$`)
	cityParts  = regexp.MustCompile(betweenTwo.String() + `| - | -|- `)
	loosePIN   = regexp.MustCompile(`[ :.,(-]+([0-9][0-9 ,]{2,8}[0-9])\)?$`)
	phoneAfter = regexp.MustCompile(`(?i)[ ,.;(]*\b(?:ph|phone|tel|mob|mobile|contact|cell)\b[ .:no-]*[+0-9][0-9 /+-]{7,}\)?`)
	district   = regexp.MustCompile(`(?i)^(?:dist|distt|district|जिला|ज़िला)[ .:-]+|[ .,-]+(?:dist|distt|district|जिला|ज़िला)\.?$`)
	taluk      = regexp.MustCompile(`(?i)^(?:tal|taluka|taluk|tehsil|mandal|तहसील|तालुका)[ .:-]+`)
)

// nothing matches what sheets write into a cell that has no value.
var nothing = regexp.MustCompile(`(?i)^(?:[-–—.*_]+|n\.? ?/? ?a\.?|nil|none|not (?:available|applicable)|अनुपलब्ध|लागू नहीं)$`)

const edges = " ,.;:-–/"

// splitAddress takes the PIN, the State and the city out of an address that has them, if the sheet has no city for the row.
func (m *mender) splitAddress() {
	if !m.whole(FieldAddress) {
		return
	}
	if m.values[FieldCity] != "" {
		m.takePINAtEnd()
		return
	}
	given := text.Digits(m.values[FieldAddress])
	calls := strings.Trim(phoneAfter.FindString(given), edges)
	given = phoneAfter.ReplaceAllString(given, " ")
	if all := pinWithin.FindAllStringSubmatchIndex(given, -1); all != nil && m.values[FieldPIN] == "" {
		at := all[len(all)-1]
		m.change(FieldPIN, strings.ReplaceAll(given[at[2]:at[3]], " ", ""), sentence(i18n.Mark("Taken from the address")))
		given = given[:at[0]] + " ," + given[at[1]:]
	}
	var parts []string
	for part := range strings.SplitSeq(given, ",") {
		if part = strings.Trim(part, edges); part != "" && !country.MatchString(part) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return
	}
	last, stated := len(parts)-1, ""
	if state, ok := m.places.State(parts[last]); ok && m.values[FieldState] == "" {
		m.change(FieldState, state.Name, sentence(i18n.Mark("Taken from the address")))
		stated, parts = parts[last], parts[:last]
		last--
	}
	state, _ := m.places.State(m.values[FieldState])
	city, rest := "", parts
	how := sentence(i18n.Mark("Taken from the address"))
	if last >= 0 {
		city, rest = m.cityAtEnd(state.ID, parts, stated != "")
	}
	if town, before, found := m.townBefore(city, rest, state.ID); found {
		how = sentence(i18n.Mark("Taken from the address. {1} is the district"), city)
		city, rest = town, before
	}
	if name, ok := m.places.City("", stated); ok && (city == "" || state.ID == delhi && !strings.HasPrefix(city, "New ")) {
		city, rest = name, parts // a State that is a city, such as Delhi
	}
	if city == "" {
		return
	}
	m.change(FieldCity, city, how)
	if calls != "" {
		rest = append(slices.Clone(rest), calls)
	}
	if len(rest) > 0 {
		m.values[FieldAddress] = strings.Join(rest, ", ")
	}
}

// takePINAtEnd takes the PIN with which an address ends.
func (m *mender) takePINAtEnd() {
	given := text.Digits(m.values[FieldAddress])
	if at := pinWithin.FindStringSubmatchIndex(given); at != nil && m.values[FieldPIN] == "" && strings.Trim(given[at[1]:], edges+"()") == "" {
		m.change(FieldPIN, strings.ReplaceAll(given[at[2]:at[3]], " ", ""), sentence(i18n.Mark("Taken from the address")))
		m.values[FieldAddress] = strings.Trim(given[:at[0]], edges+"(")
	}
}

// cityAtEnd returns the city with which the parts of an address end, and the parts without it. A State behind it makes an unlisted name a
// city.
func (m *mender) cityAtEnd(stateID string, parts []string, beforeState bool) (city string, rest []string) {
	last := strings.Trim(district.ReplaceAllString(parts[len(parts)-1], ""), edges)
	if name, ok := m.places.City(stateID, last); ok {
		return name, parts[:len(parts)-1]
	}
	words := strings.FieldsFunc(last, func(r rune) bool { return r == ' ' || r == '-' })
	for n := min(2, len(words)-1); n > 0; n-- {
		if name, ok := m.places.City(stateID, strings.Join(words[len(words)-n:], " ")); ok {
			return name, parts
		}
	}
	if beforeState && len(parts) > 1 && cityChars.MatchString(last) && utf8.RuneCountInString(last) <= maxCity {
		return last, parts[:len(parts)-1]
	}
	return "", parts
}

// townBefore returns the town that an address names before its district, which is in the same State.
func (m *mender) townBefore(of string, parts []string, stateID string) (town string, rest []string, ok bool) {
	if len(parts) > 0 && taluk.MatchString(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if of == "" || len(parts) == 0 {
		return "", nil, false
	}
	last := len(parts) - 1
	town, ok = m.places.City(stateID, parts[last])
	together := slices.ContainsFunc(m.places.StatesOf(town), func(state address.Item) bool {
		_, there := m.places.City(state.ID, of)
		return there && state.ID != delhi // whose districts are parts of the city
	})
	return town, parts[:last], ok && town != of && together
}

// delhi is the id of the State of Delhi.
const delhi = "07"

func (m *mender) mendState() {
	if !m.whole(FieldState) {
		return
	}
	given := m.values[FieldState]
	if found := pinWithin.FindStringSubmatchIndex(text.Digits(given)); found != nil && m.values[FieldPIN] == "" {
		given = text.Digits(given)
		m.change(FieldPIN, strings.ReplaceAll(given[found[2]:found[3]], " ", ""), sentence(i18n.Mark("Taken from the State")))
		given = strings.Trim(given[:found[0]]+" "+given[found[1]:], edges+"()")
	}
	state, ok := m.places.State(given)
	switch {
	case !ok:
		m.wrong(FieldState, i18n.Mark("This is no State of India. Choose one from the list."))
	case address.Key(given) != address.Key(state.Name):
		m.change(FieldState, state.Name, sentence(i18n.Mark("Read as this State")))
	default:
		m.values[FieldState] = state.Name
	}
}

func (m *mender) mendCity() {
	if !m.whole(FieldCity) {
		return
	}
	given := m.takePINFromCity(text.Digits(m.values[FieldCity]))
	given = strings.Trim(inBrackets.ReplaceAllString(given, " "), edges)
	city := m.cityOf(given)
	state, _ := m.places.State(m.values[FieldState])
	how := i18n.Mark("Only the city")
	if name, ok := m.places.City(state.ID, city); ok {
		city, how = name, i18n.Mark("Written as in the list of cities")
	}
	if before := m.values[FieldCity]; address.Key(before) != address.Key(city) {
		m.change(FieldCity, city, sentence(how))
		return
	}
	m.values[FieldCity] = city
}

// takePINFromCity moves a PIN out of the city's cell. It moves a number of another length too, so that the check of PINs names it.
func (m *mender) takePINFromCity(given string) (rest string) {
	found := pinWithin.FindStringSubmatchIndex(given)
	if found == nil {
		if found = loosePIN.FindStringSubmatchIndex(given); found == nil || m.values[FieldPIN] != "" {
			return given
		}
	}
	pin := strings.NewReplacer(" ", "", ",", "").Replace(given[found[2]:found[3]])
	if own := text.Pincode(m.values[FieldPIN]); own == "" {
		m.change(FieldPIN, pin, sentence(i18n.Mark("Taken from the city")))
	} else if own != pin {
		m.wrong(FieldPIN, i18n.Mark("The city names another pincode."))
	}
	return given[:found[0]] + " " + given[found[1]:]
}

// cityOf returns the city of a cell that may have its State and a part of town too.
func (m *mender) cityOf(given string) string {
	state, stated := m.places.State(m.values[FieldState])
	if _, ok := m.places.City(state.ID, given); ok {
		return given
	}
	var parts []string
	for _, part := range cityParts.Split(given, -1) {
		if part = strings.Trim(part, edges); part != "" && !country.MatchString(part) {
			parts = append(parts, part)
		}
	}
	if len(parts) > 1 {
		last := len(parts) - 1
		named, ok := m.places.State(parts[last])
		_, here := m.places.City(named.ID, parts[last-1])
		if ok && (!stated || named == state) && (here || !m.places.HasCity(parts[last-1])) {
			if !stated {
				m.change(FieldState, named.Name, sentence(i18n.Mark("Taken from the city")))
			}
			state, parts = named, parts[:last]
		}
	}
	switch len(parts) {
	case 1:
		return parts[0]
	case 2:
		first, ok1 := m.places.City(state.ID, parts[0])
		second, ok2 := m.places.City(state.ID, parts[1])
		switch {
		case ok1 && ok2 && first == second:
			return first
		case ok1 && !ok2 && !m.places.HasCity(parts[1]):
			m.addToAddress(parts[1])
			return first
		case ok2 && !ok1 && !m.places.HasCity(parts[0]):
			m.addToAddress(parts[0])
			return second
		}
	}
	return given
}

// addToAddress adds the part of town that stood beside the city.
func (m *mender) addToAddress(part string) {
	before := m.values[FieldAddress]
	if strings.Contains(address.Key(before), address.Key(part)) {
		return
	}
	m.change(FieldAddress, strings.Trim(before+", "+part, edges), sentence(i18n.Mark("Taken from the city")))
}

func (m *mender) mendPIN() {
	if !m.whole(FieldPIN) {
		return
	}
	given := m.values[FieldPIN]
	if pin := text.Pincode(sheet.Whole(text.Digits(given))); pin != given && pinForm.MatchString(pin) {
		m.change(FieldPIN, pin, sentence(i18n.Mark("Written as six digits")))
	}
}

// checkPINEnd names a PIN that a spreadsheet shortened.
func (m *mender) checkPINEnd() {
	if pinForm.MatchString(m.values[FieldPIN]) && strings.HasSuffix(m.values[FieldPIN], "000") {
		m.wrong(FieldPIN, i18n.Mark("No pincode ends in 000. The spreadsheet may have shortened it."))
	}
}

// compareStateAndPIN takes the State from the pincode and the city, and names those that contradict each other. The list of cities has
// large towns only, so a person may choose another State than that of the listed city.
func (m *mender) compareStateAndPIN() {
	city, cityStates := m.values[FieldCity], m.places.StatesOf(m.values[FieldCity])
	if state, ok := m.places.State(m.values[FieldState]); m.values[FieldState] != "" {
		if ok && len(cityStates) > 0 && !slices.Contains(cityStates, state) {
			m.notes = append(m.notes, sentence(i18n.Mark("{1} is known in {2}, not in {3}. Compare the city and the State."), city, namesOf(cityStates), state.Name))
		}
		return
	}
	if m.values[FieldPIN] == "" && len(cityStates) == 1 {
		m.change(FieldState, cityStates[0].Name, sentence(i18n.Mark("Taken from the city")))
		return
	}
	if !m.whole(FieldPIN) || !pinForm.MatchString(m.values[FieldPIN]) {
		return
	}
	var states, both []address.Item
	for _, stateID := range address.StatesOfPIN(m.values[FieldPIN]) {
		state, _ := m.places.State(stateID)
		states = append(states, state)
		if slices.Contains(cityStates, state) {
			both = append(both, state)
		}
	}
	switch {
	case len(states) == 0: // such as a PIN of the army
	case len(both) == 1:
		m.change(FieldState, both[0].Name, sentence(i18n.Mark("Taken from the pincode")))
	case len(cityStates) == 0 && len(states) == 1:
		m.change(FieldState, states[0].Name, sentence(i18n.Mark("Taken from the pincode")))
	case len(cityStates) > 0 && len(both) == 0:
		m.errors[FieldPIN] = sentence(i18n.Mark("This pincode lies in {1}, but {2} lies in {3}. Correct one of them, or choose the State."),
			namesOf(states), city, namesOf(cityStates))
	}
	if len(both) != 1 {
		return
	}
	if name, ok := m.places.City(both[0].ID, city); ok && name != city {
		m.change(FieldCity, name, sentence(i18n.Mark("Written as in the list of cities")))
	}
}

// namesOf returns the names of States, with commas.
func namesOf(states []address.Item) string {
	var names []string
	for _, state := range states {
		names = append(names, state.Name)
	}
	return strings.Join(names, ", ")
}

// mobileAmong returns the first mobile of a cell with several numbers, as it was written; empty without one.
func mobileAmong(cell string) string {
	cell = sheet.Whole(text.Digits(cell))
	for _, part := range append([]string{cell}, betweenTwo.Split(cell, -1)...) {
		if mobileForm.MatchString(text.Mobile(part)) {
			return part
		}
	}
	return mobileIn.FindString(cell)
}

// takeMobileFromName moves a mobile number from the cell of the partner's name to the mobile's cell.
func (m *mender) takeMobileFromName() {
	given := text.Digits(m.values[FieldPartnerName])
	found := mobileIn.FindString(given)
	if found == "" || m.values[FieldPartnerMobile] != "" {
		return
	}
	m.change(FieldPartnerMobile, text.Mobile(found), sentence(i18n.Mark("Taken from the partner's name")))
	m.values[FieldPartnerName] = strings.Trim(strings.Replace(given, found, "", 1), edges+"()")
}

// mendNumber reduces a mobile or landline to its digits. Of two numbers in the cell it takes the first.
func (m *mender) mendNumber(f ImportField, form *regexp.Regexp) {
	if !m.whole(f) {
		return
	}
	given := m.values[f]
	whole := sheet.Whole(text.Digits(given))
	if n := text.Mobile(whole); form.MatchString(n) {
		if n != given {
			m.change(f, n, sentence(i18n.Mark("Written as ten digits")))
		}
		return
	}
	first, others := "", []string{}
	for _, part := range betweenTwo.Split(whole, -1) {
		if n := text.Mobile(part); first == "" && form.MatchString(n) {
			first = n
		} else if part != "" {
			others = append(others, part)
		}
	}
	if left := strings.Join(others, ", "); first != "" && left != "" && !strings.ContainsFunc(left, unicode.IsLetter) {
		m.change(f, first, sentence(i18n.Mark("The first of two numbers; {1} was left out"), left))
	}
}

func (m *mender) mendCode() {
	if !m.whole(FieldCode) {
		return
	}
	given := m.values[FieldCode]
	code := strings.Trim(codeBreaks.ReplaceAllString(strings.ToUpper(sheet.Whole(text.Digits(given))), "-"), "-#")
	if code != strings.ToUpper(given) && codeChars.MatchString(code) {
		m.change(FieldCode, code, sentence(i18n.Mark("Written with letters, digits and hyphens")))
	}
}

// tidy replaces characters that the field does not allow by spaces, if the rest is allowed.
func (m *mender) tidy(f ImportField, allowed *regexp.Regexp, punctuation string) {
	given := m.values[f]
	if !m.whole(f) || allowed.MatchString(given) {
		return
	}
	kept := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.M, unicode.Nd) || r == '\u200c' || r == '\u200d' ||
			strings.ContainsRune(punctuation+text.FullStops+text.Commas, r) {
			return r
		}
		return ' '
	}, norm.NFC.String(given))
	kept = strings.Trim(text.Line(kept), edges+"&'")
	if strings.Count(kept, "(") != strings.Count(kept, ")") {
		kept = strings.Trim(strings.NewReplacer("(", " ", ")", " ").Replace(kept), edges)
	}
	if kept = text.Line(kept); kept != "" && allowed.MatchString(kept) {
		m.change(f, kept, sentence(i18n.Mark("Signs that are not allowed were left out")))
	}
}

// check applies the rules of the outlet's and the partner's own forms to the row.
func (row *ImportRow) check(places address.Directory) {
	v := row.Values
	state, _ := places.State(v[FieldState])
	row.input = Input{
		Name: v[FieldName], Code: v[FieldCode], Address: v[FieldAddress], City: v[FieldCity], StateID: state.ID, PIN: v[FieldPIN],
		Phone: v[FieldPhone], Hours: v[FieldHours],
	}.normalise()
	fields := map[string]ImportField{"state_id": FieldState}
	for _, f := range ImportFields() {
		fields[string(f)] = f
	}
	row.refuse(row.input.check(), fields)
	if v[FieldPartnerMobile] == "" {
		return
	}
	row.partner = PartnerInput{Name: v[FieldPartnerName], Mobile: v[FieldPartnerMobile], Role: RoleManager}.normalise()
	row.refuse(row.partner.check(), map[string]ImportField{"name": FieldPartnerName, "mobile": FieldPartnerMobile})
}

// refuse adds the messages of a form's check to the row's fields.
func (row *ImportRow) refuse(err error, fields map[string]ImportField) {
	if err == nil {
		return
	}
	for name, messages := range errs.As(err).Fields {
		if f, known := fields[name]; known && len(messages) > 0 {
			if _, said := row.Errors[f]; !said {
				row.Errors[f] = sentence(messages[0])
			}
		}
	}
}
