package outlet

import (
	"regexp"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// roleTier says how likely a person of the role is the outlet's partner.
type roleTier int

const (
	tierFranchisee roleTier = iota + 1
	tierOwner
	tierManager
	// tierOutside is of people above the outlet, such as area managers. They are never its partner.
	tierOutside
)

// role is a kind of person that a sheet names, with the words of headings in English and Hindi.
type role struct {
	name  string
	tier  roleTier
	words string
}

// roles returns the roles. A heading with the words of several is of the first. Within a tier, the first precedes the others.
func roles() []role {
	return []role{
		{"outside", tierOutside, `(?:area|regional|zonal|cluster|city|territory|district|sales|account|relationship) (?:manager|head)|bdm|asm|rsm`},
		{"franchisee", tierFranchisee, `franchisee|franchise (?:partner|holder)|(?:फ्रेंचाइजी|फ्रैंचाइजी|फ्रेंचाइज़ी|फ्रैंचाइज़ी)(?: धारक)?`},
		{"partner", tierFranchisee, `partner|साझेदार|साझीदार|पार्टनर|भागीदार`},
		{"dealer", tierFranchisee, `dealer|डीलर`},
		{"owner", tierOwner, `owner|मालिक|स्वामी|ओनर`},
		{"proprietor", tierOwner, `prop|proprietor|proprietress|प्रोपराइटर|प्रोप्राइटर`},
		{"licensee", tierOwner, `licensee|licencee|licen[sc]e holder|लाइसेंसधारी|लाइसेंसी`},
		{"operator", tierOwner, `operator|promoter|investor|संचालक|निवेशक`},
		{"manager", tierManager, `manager|mgr|store head|मैनेजर|प्रबंधक|प्रबन्धक|व्यवस्थापक`},
		{"contact", tierManager, `contact (?:person|name)|name of contact|person|poc|spoc|(?:संपर्क|सम्पर्क) (?:व्यक्ति|सूत्र)`},
		{"in charge", tierManager, `in ?charge|supervisor|प्रभारी|इंचार्ज`},
	}
}

// The columns of a role until assignPeople has chosen the partner.
func (r role) nameColumn() string   { return "name of " + r.name }
func (r role) mobileColumn() string { return "mobile of " + r.name }

// The words around a person in a heading.
const (
	// aboutPeople are values of a person or firm that are not imported.
	aboutPeople = `address|type|model|salary|share|since|age|designation|code|id|city|state|pin|पता|वेतन`
	ofPerson    = `(?: s| का| की| के)?`
	justNumber  = `(?:no|nos|num|number|नंबर|नम्बर|न)`
	mobiles     = `(?:mobile|mob|phone|ph|cell|whatsapp|tel|मोबाइल|मोबाईल|फोन|फ़ोन)`
)

// peopleColumns returns the columns of people: values that are not imported, then for each role the mobile and the name.
func peopleColumns() []sheet.Field {
	var all []string
	for _, r := range roles() {
		all = append(all, r.words)
	}
	fields := []sheet.Field{{
		Name: sheet.Ignored, Many: true,
		Heading: sheet.Headings(`(?:` + strings.Join(all, "|") + `)` + ofPerson + ` (?:` + aboutPeople + `)`),
	}}
	for _, r := range roles() {
		person := `(?:` + r.words + `)` + ofPerson
		fields = append(
			fields,
			sheet.Field{Name: r.mobileColumn(), Digits: true, Heading: sheet.Headings(
				person + `(?: .*)? ` + numbers + `|` + person + ` ` + justNumber + `|` + numbers + ` of (?:the )?` + person +
					`|` + mobiles + `(?: ` + justNumber + `)? ` + person,
			)},
			sheet.Field{Name: r.nameColumn(), Heading: sheet.Headings(person)},
		)
	}
	return fields
}

// person is somebody whom a sheet names. A column is -1 if the sheet has none.
type person struct {
	role

	name, mobile int
}

// people are the people of a sheet, and its numbers without a role.
type people struct {
	list []person
	// shared are the columns of numbers without a role. owners has the role of the person whom each stands behind; somebody for one without
	// a known role, such as an accountant, and stranger for one whose number is never the outlet's.
	shared []int
	owners map[int]string
}

const (
	// outletsNumber has the words of numbers that are no person's. furtherNumber has those of second numbers.
	outletsNumber = shops + `|` + dukans + `|landline|office|std|reception|customer|helpline|लैंडलाइन`
	furtherNumber = `alt|alternate|alternative|another|other|second|secondary|2|वैकल्पिक|अन्य|दूसरा`
)

const (
	somebody = "somebody"
	stranger = "stranger"
)

// readPeople finds the people in the columns. A number without a role belongs to the person in the column before it.
func (s *ImportSheet) readPeople(columns []string) people {
	headings := s.Headings
	p := people{owners: map[int]string{}}
	for _, r := range roles() {
		one := person{r, slices.Index(columns, r.nameColumn()), slices.Index(columns, r.mobileColumn())}
		if one.name >= 0 || one.mobile >= 0 {
			p.list = append(p.list, one)
		}
	}
	for i, column := range columns {
		if column != string(FieldPhone) || sheet.Named(furtherNumber, headings[i]) && slices.Contains(columns[:i], column) {
			continue
		}
		p.shared = append(p.shared, i)
		before := i - 1
		for before >= 0 && columns[before] == sheet.Ignored {
			before--
		}
		if before < 0 || sheet.Named(outletsNumber, headings[i]) {
			continue
		}
		at := slices.IndexFunc(p.list, func(one person) bool { return one.name == before })
		switch {
		case at >= 0 && p.list[at].mobile < 0:
			p.owners[i] = p.list[at].role.name
		case at < 0 && columns[before] == "" && s.holdsWords(before):
			p.owners[i] = unlisted(headings[before])
		}
	}
	s.giveHandset(p)
	return p
}

// giveHandset gives the only person without a number the column of mobiles, if the sheet has one and another column of telephones.
func (s *ImportSheet) giveHandset(p people) {
	const handsets = `mobile|mob|cell|whatsapp|मोबाइल|मोबाईल`
	handset := slices.IndexFunc(p.shared, func(i int) bool {
		return sheet.Named(handsets, s.Headings[i]) && !sheet.Named(outletsNumber, s.Headings[i])
	})
	if len(p.shared) < 2 || handset < 0 || len(p.list) != 1 || p.list[0].mobile >= 0 || p.list[0].name < 0 {
		return
	}
	handset = p.shared[handset]
	if whose := p.owners[handset]; whose != "" {
		return
	}
	for i, whose := range p.owners {
		if whose == p.list[0].role.name && !sheet.Named(handsets, s.Headings[i]) {
			delete(p.owners, i)
		} else if whose == p.list[0].role.name {
			return
		}
	}
	p.owners[handset] = p.list[0].role.name
}

// unlisted says whether the number of a person without a column may be the outlet's. The number of a second owner is not.
func unlisted(heading string) string {
	for _, r := range roles() {
		if r.tier != tierManager && sheet.Named(r.words, heading) {
			return stranger
		}
	}
	return somebody
}

// mobile returns the column of a person's mobile, -1 if the sheet has none.
func (p people) mobile(of person) int {
	if of.mobile >= 0 {
		return of.mobile
	}
	for _, i := range p.shared {
		if p.owners[i] == of.role.name {
			return i
		}
	}
	return -1
}

// partner chooses the person who becomes the partner: the franchisee before the owner, and a manager only if the sheet names neither. The
// mobile may stand under another word for the same person.
func (p people) partner() (one person, ok bool) {
	owners := slices.DeleteFunc(slices.Clone(p.list), func(one person) bool { return one.tier > tierOwner })
	managers := slices.DeleteFunc(slices.Clone(p.list), func(one person) bool { return one.tier != tierManager })
	for _, group := range [][]person{owners, managers} {
		for _, fits := range []func(person) bool{
			func(one person) bool { return one.name >= 0 && p.mobile(one) >= 0 },
			func(one person) bool { return one.name >= 0 },
			func(one person) bool { return one.mobile >= 0 },
		} {
			at := slices.IndexFunc(group, fits)
			if at < 0 {
				continue
			}
			one = group[at]
			if one.mobile = p.mobile(one); one.mobile < 0 {
				nameless := slices.IndexFunc(group, func(other person) bool { return other.name < 0 && other.mobile >= 0 })
				if nameless >= 0 {
					one.mobile = group[nameless].mobile
				}
			}
			return one, true
		}
	}
	return person{}, false
}

// phone returns the column of the outlet's phone, -1 without one: a number of no person, else the manager's. A number of other people is no
// phone of the outlet.
func (p people) phone(partner person) int {
	for _, i := range p.shared {
		if p.owners[i] == "" {
			return i
		}
	}
	for _, one := range p.list {
		if i := p.mobile(one); one.tier == tierManager && i >= 0 && i != partner.mobile {
			return i
		}
	}
	for _, i := range p.shared {
		if p.owners[i] == somebody {
			return i
		}
	}
	return -1
}

// assignPeople chooses the columns of the partner and of the outlet's phone. The columns of other people are not imported.
func (s *ImportSheet) assignPeople() {
	s.findNumbers()
	s.moveNamesWithNumbers()
	p := s.readPeople(s.Columns)
	partner, some := p.partner()
	phone := p.phone(partner)
	if phone < 0 && some && len(p.shared) == 1 && partner.mobile == p.shared[0] {
		phone, partner.mobile = partner.mobile, -1 // the only number of the sheet
	}
	for i, column := range s.Columns {
		switch {
		case i == phone:
			s.Columns[i] = string(FieldPhone)
		case some && i == partner.name:
			s.Columns[i] = string(FieldPartnerName)
		case some && i == partner.mobile:
			s.Columns[i] = string(FieldPartnerMobile)
		case column == string(FieldPhone) && phone >= 0 && p.owners[i] == "" && sheet.Named(outletsNumber, s.Headings[i]): // where the first is empty
		case column == string(FieldPhone), strings.HasPrefix(column, "name of "), strings.HasPrefix(column, "mobile of "):
			s.Columns[i] = ""
		}
	}
}

var label = regexp.MustCompile(`(?i)(?:` + mobiles + `|pin|zip|code|पिन|कोड|no)`)

// moveNamesWithNumbers makes a column with a person's name and number, such as "Owner (mobile)", the column of the name.
func (s *ImportSheet) moveNamesWithNumbers() {
	for _, r := range roles() {
		i := slices.Index(s.Columns, r.mobileColumn())
		if i >= 0 && !s.Has(r.nameColumn()) && s.holdsWords(i) {
			s.Columns[i] = r.nameColumn()
		}
	}
}

// holdsWords reports whether most cells of a column have words other than labels of numbers.
func (s *ImportSheet) holdsWords(column int) bool {
	filled, worded := 0, 0
	for _, row := range s.Rows {
		if column < len(row.Cells) && row.Cells[column] != "" {
			filled++
			if someLetters.MatchString(label.ReplaceAllString(row.Cells[column], "")) {
				worded++
			}
		}
	}
	return worded*2 > filled
}

// findNumbers takes a column of telephone numbers as the phone, if the sheet has no other: below "Number" or "Outlet no.".
func (s *ImportSheet) findNumbers() {
	for i, column := range s.Columns {
		if s.Has(string(FieldPhone)) {
			return
		}
		outlets := column == string(FieldCode)
		numbered := slices.ContainsFunc(s.Columns, func(c string) bool { return strings.HasPrefix(c, "mobile of ") })
		if (outlets || column == "" && !numbered) && s.holdsNumbers(i) {
			s.Columns[i] = string(FieldPhone)
		}
	}
}

// holdsNumbers reports whether most cells of a column are telephone numbers.
func (s *ImportSheet) holdsNumbers(column int) bool {
	filled, numbers := 0, 0
	for _, row := range s.Rows {
		if column < len(row.Cells) && row.Cells[column] != "" {
			filled++
			if phoneForm.MatchString(text.Mobile(sheet.Whole(text.Digits(row.Cells[column])))) || mobileAmong(row.Cells[column]) != "" {
				numbers++
			}
		}
	}
	return numbers*2 > filled
}

var someLetters = regexp.MustCompile(`\p{L}\p{M}*\p{L}`)

// oneNumber reports whether the number of the outlet is the partner's too: the sheet has no other number, and names no other person to whom
// it may belong.
func (s *ImportSheet) oneNumber() bool {
	name, phone := slices.Index(s.Columns, string(FieldPartnerName)), slices.Index(s.Columns, string(FieldPhone))
	if name < 0 || phone < 0 || s.Has(string(FieldPartnerMobile)) {
		return false
	}
	if s.Line == 0 {
		return true
	}
	columns := sheet.Columns(importColumns(), s.Headings)
	p := s.readPeople(columns)
	named := 0
	for _, one := range p.list {
		if columns[phone] == one.mobileColumn() && columns[name] != one.nameColumn() {
			return false
		}
		if one.name >= 0 {
			named++
		}
	}
	if whose := p.owners[phone]; whose != "" {
		return columns[name] == "name of "+whose
	}
	return named <= 1
}
