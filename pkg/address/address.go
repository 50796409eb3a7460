// Package address keeps the business address of a franchiser, which decides the tax of its invoices, the lists of
// States and cities, and the search for places.
package address

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Country is the one country served, by its ISO 3166-1 code.
const Country = "IN"

// Lengths of the fields, in characters.
const (
	minText      = 2 // of every text but the first line, which may be as short as "7"
	maxLine      = 50
	maxCity      = 25
	maxLocation  = 200
	maxLegalName = 100
)

// Messages of the fields.
const (
	msgEmpty     = "This field can not be empty."
	msgShort     = "Please use at least 2 characters"
	msgChars     = "Please use letters, digits, spaces and / , . - ' : ; only"
	msgPinEmpty  = "Pincode can not be empty."
	msgPin       = "Please enter valid pincode"
	msgPinZero   = "Invalid: a pincode does not start with 0"
	msgPinState  = "This pincode is in a different State from the one you chose"
	msgLine      = "Please use at most 50 characters"
	msgCity      = "Please use at most 25 characters"
	msgOurGSTIN  = "This is our own GSTIN. Please enter yours"
	msgLocation  = "Please use at most 200 characters"
	msgLegalName = "Please use at most 100 characters"
	msgNameChars = "Please use letters, digits, spaces and / , . - ' : ; & ( ) @ + # only"
	msgEmailName = "Enter a name for the invoice, not an e-mail address"
	msgChoose    = "Kindly choose one"
	msgLatitude  = "Please enter a latitude from -90 to 90"
	msgLongitude = "Please enter a longitude from -180 to 180"
)

// written are the characters of a written line. The signs are those of the specification and their like in Indian scripts.
const written = `\p{L}\p{M}\p{Nd}\x{200C}\x{200D} /,.\-':;` + text.FullStops + text.Commas + text.Semicolons

var (
	// The specification has neither & nor ( ) nor #: "Sector 5 (West)" is written "Sector 5, West".
	lineChars   = regexp.MustCompile(`^[` + written + `]+$`)
	listedCity  = regexp.MustCompile(`^[0-9]{2}-[a-z0-9-]+$`)    // an id of the list
	keyChars    = regexp.MustCompile(`^[` + written + `_&()]*$`) // of an id or a name to look up
	listID      = regexp.MustCompile(`^[A-Z0-9]{2}$`)            // of a country or a State
	pinForm     = regexp.MustCompile(`^[1-9][0-9]{5}$`)
	legalChars  = regexp.MustCompile(`^[` + written + `&()@+#]+$`)
	unwanted    = regexp.MustCompile(`[^` + written + `]+`)
	manySpaces  = regexp.MustCompile(`\s+`)
	looseCommas = regexp.MustCompile(`(\s*,)+`)
)

// Item is one row of a list to choose from.
type Item struct{ ID, Name string }

// Address is a franchiser's business address. The JSON names are the columns' names, which BillingSQL returns.
type Address struct {
	ID           string `json:"id"`
	FranchiserID string `json:"franchiser_id"`
	Address      string `json:"address"`
	Street       string `json:"street"`
	Landmark     string `json:"landmark"`
	CountryID    string `json:"country_id"`
	Country      string `json:"country"`
	// StateID is the GST code of the State: the place of supply.
	StateID string `json:"state_id"`
	State   string `json:"state"`
	// CityID is empty if the city was typed by hand and is not in the list.
	CityID  string `json:"city_id"`
	City    string `json:"city"`
	Zipcode string `json:"zipcode"`
	// Latitude and Longitude are degrees, nil for an address typed by hand.
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
	Location  string   `json:"location"`
	// LegalName is to whom invoices are addressed, empty unless given.
	LegalName string `json:"legal_name"`
	// GSTIN is the recipient's tax number, empty for an unregistered one.
	GSTIN string `json:"gstin"`
}

// SaveInput is a business address as it was typed. CountryID, StateID and CityID are ids of the lists or names.
type SaveInput struct {
	Address, Street, Landmark  string
	CountryID, StateID, CityID string
	Zipcode, Location          string
	Latitude, Longitude        *float64
	LegalName, GSTIN           string
}

// normalise brings each text into the one form that is stored.
func (in SaveInput) normalise() SaveInput {
	for _, p := range []*string{
		&in.Address, &in.Street, &in.Landmark, &in.CountryID, &in.StateID, &in.CityID, &in.Location, &in.LegalName,
	} {
		*p = text.Line(*p)
	}
	in.Zipcode, in.GSTIN = text.Pincode(in.Zipcode), gstin.Normalise(in.GSTIN)
	return in
}

// pinFault returns the fault of an invalid PIN.
func pinFault(pin string) string {
	if len(pin) == 6 && pin[0] == '0' && strings.Trim(pin, "0123456789") == "" {
		return i18n.Mark(msgPinZero)
	}
	return i18n.Mark(msgPin)
}

// check collects the errors of the fields that need no look-up.
func (in SaveInput) check(v *errs.Validation) {
	checkText(v, "address", in.Address, 1, maxLine, msgLine)
	for field, line := range map[string]string{"street": in.Street, "landmark": in.Landmark} {
		if line != "" {
			checkText(v, field, line, minText, maxLine, msgLine)
		}
	}
	checkText(v, "location", in.Location, minText, maxLocation, msgLocation)
	if v.Check(in.Zipcode != "", "zipcode", msgPinEmpty) {
		v.Check(pinForm.MatchString(in.Zipcode), "zipcode", pinFault(in.Zipcode))
	}
	v.Check(in.CountryID != "", "country_id", msgEmpty)
	v.Check(in.StateID != "", "state_id", msgEmpty)
	v.Check(in.CityID != "", "city_id", msgEmpty)
	for field, key := range map[string]string{"country_id": in.CountryID, "state_id": in.StateID, "city_id": in.CityID} {
		if v.Check(keyChars.MatchString(key) && text.Clean(key), field, msgChars) {
			v.Check(text.Printable(key), field, text.NotPrintable)
		}
	}
	v.Check(within(in.Latitude, 90), "latitude", msgLatitude)
	v.Check(within(in.Longitude, 180), "longitude", msgLongitude)
	if in.LegalName != "" {
		n := utf8.RuneCountInString(in.LegalName)
		if v.Check(n >= minText, "legal_name", msgShort) && v.Check(n <= maxLegalName, "legal_name", msgLegalName) {
			v.Check(legalChars.MatchString(in.LegalName) && text.Clean(in.LegalName), "legal_name", msgNameChars)
			v.Check(text.Printable(in.LegalName), "legal_name", text.NotPrintable)
			v.Check(invoice.ValidName(in.LegalName), "legal_name", msgEmailName)
		}
	}
}

func checkText(v *errs.Validation, field, given string, shortest, longest int, msgLong string) {
	n := utf8.RuneCountInString(given)
	switch {
	case n == 0:
		v.Add(field, msgEmpty)
	case n < shortest:
		v.Add(field, msgShort)
	case n > longest:
		v.Add(field, msgLong)
	case !lineChars.MatchString(given) || !text.Clean(given):
		v.Add(field, msgChars)
	case !text.Printable(given):
		v.Add(field, text.NotPrintable)
	}
}

// checkTypedCity checks a city that is not in the list, by the rules of typed text.
func checkTypedCity(v *errs.Validation, name string) {
	n := utf8.RuneCountInString(name)
	switch {
	case n < minText:
		v.Add("city_id", msgShort)
	case n > maxCity:
		v.Add("city_id", msgCity)
	case listedCity.MatchString(name):
		v.Add("city_id", msgChoose)
	case !lineChars.MatchString(name) || !text.Clean(name):
		v.Add("city_id", msgChars)
	case !text.Printable(name):
		v.Add("city_id", text.NotPrintable)
	}
}

// checkGSTIN returns the tax number in its plain form; it must be whole and of the address's State.
func checkGSTIN(v *errs.Validation, given, stateID string) string {
	if given == "" {
		return ""
	}
	number, err := invoice.ParseGSTINFor(given, invoice.StateCode(stateID))
	if err != nil {
		v.Add("gstin", errs.As(err).Message)
	}
	return number
}

func within(degrees *float64, limit float64) bool {
	return degrees == nil || *degrees >= -limit && *degrees <= limit // NaN compares false, so it is refused
}

// Tidy turns a provider's text into an allowed location: other characters become spaces, and at most 200 characters stay.
func Tidy(given string) string {
	given = strings.ReplaceAll(text.Line(given), "&", " and ")
	given = strings.Map(func(r rune) rune {
		if !text.PrintableRune(r) {
			return ' '
		}
		return r
	}, unwanted.ReplaceAllString(given, " "))
	if !text.Clean(given) {
		given = text.Visible(given) // a joiner with nothing to join
	}
	given = looseCommas.ReplaceAllString(manySpaces.ReplaceAllString(given, " "), ",")
	return strings.Trim(text.First(given, maxLocation), " ,;:")
}

// BillingAddress is the part of an address that an invoice needs (Rule 46 CGST): the recipient, its State and tax number.
type BillingAddress struct {
	// LegalName is empty unless given; the invoice then names the person.
	LegalName string
	// GSTIN is empty for an unregistered recipient.
	GSTIN string
	// Lines are the address in print order, the last one being city, State and PIN.
	Lines []string
	// PlaceOfSupply is the recipient's State.
	PlaceOfSupply invoice.StateCode
}

// locality is the part of town that the place begins with, such as Camp in "Camp, Pune, Maharashtra"; empty where it
// begins with a PIN or the city itself.
func (a Address) locality() string {
	first, _, more := strings.Cut(a.Location, ",")
	first = strings.TrimSpace(first)
	if !more || strings.EqualFold(first, a.City) || strings.Contains(first, a.Zipcode) || utf8.RuneCountInString(first) > maxLine {
		return ""
	}
	return first
}

// Billing returns the address as printed on invoices, without empty lines; the part of town replaces a missing street.
func (a Address) Billing() BillingAddress {
	first := a.Address
	if near := cmp.Or(a.Street, a.locality()); near != "" {
		first += ", " + near
	}
	lines := []string{first, a.Landmark, a.City + ", " + a.State + " " + a.Zipcode}
	return BillingAddress{
		LegalName:     a.LegalName,
		GSTIN:         a.GSTIN,
		Lines:         slices.DeleteFunc(lines, func(line string) bool { return line == "" }),
		PlaceOfSupply: invoice.StateCode(a.StateID),
	}
}
