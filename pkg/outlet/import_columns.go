package outlet

import (
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/sheet"
)

// ImportField is a value of an imported outlet.
type ImportField string

// The values of an imported outlet.
const (
	FieldName          ImportField = "name"
	FieldCity          ImportField = "city"
	FieldState         ImportField = "state"
	FieldAddress       ImportField = "address"
	FieldPIN           ImportField = "pin"
	FieldPhone         ImportField = "phone"
	FieldCode          ImportField = "code"
	FieldHours         ImportField = "hours"
	FieldStatus        ImportField = "status"
	FieldPartnerName   ImportField = "partner_name"
	FieldPartnerMobile ImportField = "partner_mobile"
)

// ImportFields returns the values of an imported outlet in the order of the form.
func ImportFields() []ImportField {
	return []ImportField{
		FieldName, FieldCity, FieldState, FieldAddress, FieldPIN, FieldPhone, FieldCode, FieldHours, FieldStatus, FieldPartnerName, FieldPartnerMobile,
	}
}

// The words of headings, in English and Hindi.
const (
	numbers = `(?:mobile|mob|phone|ph|contact|cell|whatsapp|tel|telephone|landline|mo|मोबाइल|मोबाईल|फोन|फ़ोन|संपर्क|सम्पर्क|दूरभाष|मो)(?: ?(?:no|nos|number|numbers|नंबर|नम्बर|न))?`
	shops   = `(?:outlet|store|shop|branch|franchise|centre|center|unit|restaurant|studio|salon|kiosk|showroom|site|clinic|gym|school)`
	dukans  = `(?:दुकान|आउटलेट|शाखा|स्टोर|केंद्र|केन्द्र|सेंटर)`
)

// firms matches headings of firms that run an outlet, not of their people.
var firms = regexp.MustCompile(`(?i)franchisee|licen[sc]ee|dealer|फ्रेंचाइजी|फ्रैंचाइजी|फ्रेंचाइज़ी|फ्रैंचाइज़ी`)

// importColumns are the columns of a list of outlets. Narrow headings, such as the partner's mobile, precede wide ones.
func importColumns() []sheet.Field {
	one := func(f ImportField, heading, otherwise string) sheet.Field {
		column := sheet.Field{
			Name: string(f), Heading: sheet.Headings(heading), Many: f == FieldAddress || f == FieldPhone || f == FieldHours,
			Digits: f == FieldPhone || f == FieldPIN,
		}
		if otherwise != "" {
			column.Else = sheet.Headings(otherwise)
		}
		return column
	}
	fields := []sheet.Field{
		{Name: sheet.Ignored, Many: true, Heading: sheet.Headings(`e ?mail|mail|ई ?मेल|ईमेल|date|dated|dob|दिनांक|तारीख|^gst$|gstin|gst ?(?:no|number)|pan|fssai|aadhaar|` +
			`rent|royalty|fee|sales|revenue|amount|sq ?ft|sft|built ?up|carpet|latitude|longitude|lat|long|country|देश|region|zone|` + remarkHeadings)},
		{Name: sheet.Ignored, Many: true, Heading: sheet.Headings(`^(?:s|sr|sl|srl|serial)(?: (?:no|number|n))?$|^(?:sno|srno|slno|no|क्र|क्रम|क्रमांक|क्र सं|क्रम संख्या|क्र स)$`)},
	}
	fields = append(fields, peopleColumns()...)
	return append(
		fields,
		one(FieldPIN, `pin|pincode|pin ?code|zip|zip ?code|postal ?code|post ?code|पिन|पिनकोड|पिन कोड`, ""),
		one(FieldState, `state|^st$|राज्य|प्रदेश|province`, ""),
		one(FieldCity, `city|town|शहर|नगर`, `district|dist|place|village|जिला|ज़िला|गाँव|गांव|स्थान`),
		one(FieldStatus, `status|stage|स्थिति|^(?:operational|live|upcoming|active)(?: (?:live|upcoming|operational|active|inactive|closed|planned|open|or|y|n|yes|no))*$`, ""),
		one(FieldHours, `hours|(?:working|opening|business|shop|store) ?(?:hrs|time|times)|timing|timings|open from|opens(?: at)?|closes(?: at)?|closing ?time|समय`, `hrs`),
		one(FieldPhone, numbers+`|front desk|reception`, ""),
		one(FieldAddress, `address|address ?[1-3]|addr|addr ?[1-3]|add|street|area|locality|landmark|building|road|पता|इलाका|मोहल्ला|क्षेत्र|गली`, ""),
		one(FieldCode, shops+` (?:code|cd|id|no|number)|code|id|कोड`, ""),
		one(FieldName, shops+`(?: s)?(?: name)?|name of `+shops+`|`+dukans+`(?: का नाम)?|^name$|^नाम$|particulars`, `name|नाम|location`),
		sheet.Field{Name: string(FieldAddress), Many: true, Else: sheet.Headings(`location|place`)},
	)
}

// The words of headings that name several places, such as "City - PIN".
const (
	addressWords = `address|addr|street|पता`
	cityWords    = `city|town|place|location|शहर|नगर|स्थान`
	stateWords   = `state|राज्य|प्रदेश`
)

// readTogether finds columns with several places in one cell. The mender takes the cells apart.
func (s *ImportSheet) readTogether() {
	for i, heading := range s.Headings {
		if !s.holdsWords(i) {
			continue
		}
		city := !s.Has(string(FieldCity)) && sheet.Named(cityWords, heading)
		switch column := s.Columns[i]; {
		case column == string(FieldState) && city:
			s.Columns[i] = string(FieldCity)
		case column != string(FieldPIN):
		case sheet.Named(addressWords, heading):
			s.Columns[i] = string(FieldAddress)
		case !city && !s.Has(string(FieldState)) && sheet.Named(stateWords, heading):
			s.Columns[i] = string(FieldState)
		case !s.Has(string(FieldCity)):
			s.Columns[i] = string(FieldCity)
		}
	}
}

// count returns how many columns have the field.
func (s *ImportSheet) count(f ImportField) (n int) {
	for _, column := range s.Columns {
		if column == string(f) {
			n++
		}
	}
	return n
}

// district returns the cell of a column of districts that is not read as the city.
func (s *ImportSheet) district(row sheet.Line) string {
	for i, heading := range s.Headings {
		if i < len(row.Cells) && s.Columns[i] == "" && sheet.Named(`district|dist|जिला|ज़िला`, heading) {
			return strings.Join(strings.Fields(row.Cells[i]), " ")
		}
	}
	return ""
}
