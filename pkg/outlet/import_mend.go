package outlet

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

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
		if f != FieldName && (nothing.MatchString(m.values[f]) || f != FieldStatus && later.MatchString(m.values[f])) {
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
		switch {
		case damage == "" || f == FieldStatus:
		case f == FieldHours: // no outlet needs them
			m.change(f, "", sentence(i18n.Mark("The spreadsheet made a date of the hours, so they were left out")))
		default:
			m.wrong(f, damage)
		}
	}
	m.splitAddress()
	m.mendState()
	m.mendPIN()
	m.mendCity()
	m.takeGroup(d.Group)
	m.checkPIN()
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

// nothing matches what sheets write into a cell that has no value, and later what they write for a value that is not known yet.
var (
	nothing = regexp.MustCompile(`(?i)^(?:[-–—.*_]+|n\.? ?/? ?a\.?|nil|none|not (?:available|applicable)|अनुपलब्ध|लागू नहीं)$`)
	later   = regexp.MustCompile(`(?i)^(?:tb[dac]|to be (?:decided|confirmed|updated|given)|yet to (?:give|come|share|get)|awaited|pending|vacant|not (?:known|given|yet))$`)
)

const edges = " ,.;:-–/"

// landline matches a number with its STD code, which may look like a mobile without it.
var landline = regexp.MustCompile(`^\(?0[1-8][0-9]{1,3}\)?[ -]{1,3}[0-9]{6,8}$`)

// mobileAmong returns the first mobile of a cell with several numbers, as it was written; empty without one.
func mobileAmong(cell string) string {
	cell = sheet.Whole(text.Digits(cell))
	if landline.MatchString(cell) {
		return ""
	}
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
	left := strings.Join(others, ", ")
	switch {
	case first != "" && left != "" && !strings.ContainsFunc(left, unicode.IsLetter):
		m.change(f, first, sentence(i18n.Mark("The first of two numbers; {1} was left out"), left))
	case first == "":
		if within := mobileIn.FindAllStringIndex(whole, -1); len(within) == 1 && !digitAt(whole, within[0][0]-1) && !digitAt(whole, within[0][1]) {
			number := whole[within[0][0]:within[0][1]]
			m.change(f, text.Mobile(number), sentence(i18n.Mark("Only the number; {1} was left out"), strings.Trim(strings.Replace(whole, number, "", 1), edges+"()")))
		}
	}
}

func digitAt(text string, i int) bool {
	return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9'
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
