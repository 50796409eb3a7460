// Package outlet keeps the outlets of a store: where each is, whether it is open, and how many the plan allows. Its rules
// (outlet.go, state.go) do no I/O.
package outlet

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Lengths in characters.
const (
	minText    = 2
	maxName    = 50
	maxCity    = 25
	maxCode    = 20
	maxAddress = 120
	maxHours   = 100
)

// Failures of outlets, safe to show.
var (
	// ErrNameTaken says that another outlet has the name.
	ErrNameTaken = errs.Invalid(i18n.Mark("You already have an outlet with this name.")).Field("name", i18n.Mark("You already have an outlet with this name."))
	// ErrCodeTaken says that another outlet has the code.
	ErrCodeTaken = errs.Invalid(i18n.Mark("You already have an outlet with this code.")).Field("code", i18n.Mark("You already have an outlet with this code."))
	// ErrChanged reports that another person changed the outlet after the form was opened.
	ErrChanged = errs.New(errs.KindConflict, "outlet_changed",
		i18n.Mark("Somebody changed this outlet meanwhile. Look at it again, then repeat your change."))
	// ErrState says that the outlet is no longer in a state from which this one follows.
	ErrState = errs.New(errs.KindConflict, "outlet_state", i18n.Mark("The outlet's status changed meanwhile. Look at it again."))
)

// Outlet is one outlet of a store.
type Outlet struct {
	ID   string `db:"id"`
	Name string `db:"name"`
	// Code is the owner's short name for the outlet, or empty.
	Code    string `db:"code"`
	Address string `db:"address"`
	City    string `db:"city"`
	// StateID is the GST code of the State, StateName its name; both are empty while unknown.
	StateID   string `db:"state_id"`
	StateName string `db:"state_name"`
	PIN       string `db:"pin"`
	// Phone has ten digits: a mobile, or a landline with its STD code.
	Phone string `db:"phone"`
	Hours string `db:"hours"`
	State State  `db:"state"`
	// PartnerID is who runs the outlet, PartnerName their name; both are empty for the owner alone.
	PartnerID   string `db:"partner_id"`
	PartnerName string `db:"partner_name"`
	// Revision goes up with every change; a change names the one it was made from.
	Revision  int       `db:"revision"`
	CreatedAt time.Time `db:"created_at"`
}

// Input is an outlet as it was typed.
type Input struct{ Name, Code, Address, City, StateID, PIN, Phone, Hours, PartnerID string }

// InputOf returns the initial values of the form that changes the outlet.
func InputOf(o Outlet) Input {
	return Input{
		Name: o.Name, Code: o.Code, Address: o.Address, City: o.City, StateID: o.StateID, PIN: o.PIN, Phone: o.Phone, Hours: o.Hours,
		PartnerID: o.PartnerID,
	}
}

// word are letters and digits of any script.
const word = `[\p{L}\p{M}\p{Nd}\x{200C}\x{200D}]+`

var (
	nameChars   = regexp.MustCompile(`^` + word + `([ &'.,/()` + text.FullStops + text.Commas + `-]{1,3}` + word + `)*\)?$`)
	personChars = regexp.MustCompile(`^` + word + `([ &'./` + text.FullStops + `-]{1,3}` + word + `)*$`)
	cityChars   = regexp.MustCompile(`^[\p{L}\p{M}\x{200C}\x{200D} .'` + text.FullStops + `-]+$`)
	codeChars   = regexp.MustCompile(`^[A-Z0-9][A-Z0-9-]*$`)
	lineChars   = regexp.MustCompile(`^(` + word + `|[ /,.\-':;&()#–` + text.FullStops + text.Commas + text.Semicolons + `])+$`)
	phoneForm   = regexp.MustCompile(`^[1-9][0-9]{9}$`)
	pinForm     = regexp.MustCompile(`^[1-9][0-9]{5}$`)
	stateForm   = regexp.MustCompile(`^[0-3][0-9]$`)
)

// normalise returns the input as it is stored.
func (in Input) normalise() Input {
	in.Name, in.City, in.Address, in.Hours = text.Line(in.Name), text.Line(in.City), text.Line(in.Address), hoursLine(in.Hours)
	in.Code, in.StateID = strings.ToUpper(text.Line(in.Code)), strings.TrimSpace(in.StateID)
	in.PIN, in.Phone = text.Pincode(in.PIN), text.Mobile(in.Phone)
	return in
}

func (in Input) check() error {
	var v errs.Validation
	checkText(&v, "name", in.Name, minText, maxName, nameChars, i18n.Mark("Please use letters, digits, spaces and & ' . , / ( ) - only"))
	checkText(&v, "city", in.City, minText, maxCity, cityChars, i18n.Mark("Please enter letters only"))
	checkOptional(&v, "code", in.Code, maxCode, codeChars, i18n.Mark("Please use letters, digits and hyphens only"))
	checkOptional(&v, "address", in.Address, maxAddress, lineChars, i18n.Mark("Please use letters, digits, spaces and / , . - ' : ; & ( ) # only"))
	v.Check(in.StateID == "" || stateForm.MatchString(in.StateID), "state_id", i18n.Mark("Kindly choose one"))
	if in.PIN != "" && v.Check(pinForm.MatchString(in.PIN), "pin", i18n.Mark("Please enter valid pincode")) && stateForm.MatchString(in.StateID) {
		v.Check(address.PINFits(in.PIN, in.StateID), "pin", i18n.Mark("This pincode is in a different State from the one you chose"))
	}
	v.Check(in.PartnerID == "" || id.Valid(in.PartnerID), "partner_id", i18n.Mark("Kindly choose one"))
	checkContact(&v, in.Phone, in.Hours)
	return v.Err()
}

// hoursLine returns hours on one line. The dash between two times stays as typed: no other record spells it.
func hoursLine(hours string) string {
	return strings.Join(strings.Fields(norm.NFC.String(text.WithoutMarks(hours))), " ")
}

// checkContact checks the fields that partners may change too.
func checkContact(v *errs.Validation, phone, hours string) {
	v.Check(phone == "" || phoneForm.MatchString(phone), "phone", i18n.Mark("Please enter 10 digits: a mobile, or a landline with its STD code"))
	checkOptional(v, "hours", hours, maxHours, lineChars, i18n.Mark("Please use letters, digits, spaces and / , . - ' : ; & ( ) # only"))
}

func checkText(v *errs.Validation, field, text string, least, most int, allowed *regexp.Regexp, hint string) {
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		v.Add(field, i18n.Mark("This field can not be empty."))
	case n < least:
		v.Add(field, i18n.Mark("Please use at least 2 characters"))
	case n > most:
		v.Add(field, fmt.Sprintf("Please use at most %d characters", most))
	case !allowed.MatchString(text):
		v.Add(field, hint)
	}
}

func checkOptional(v *errs.Validation, field, text string, most int, allowed *regexp.Regexp, hint string) {
	if text != "" {
		checkText(v, field, text, 1, most, allowed, hint)
	}
}

// Places is how many of the plan's places are taken.
type Places struct {
	Plan tenant.Entitlement
	// Used are the outlets that are not closed.
	Used int
}

// Left is how many outlets can be added; never below 0.
func (p Places) Left() int {
	if !p.Plan.Usable {
		return 0
	}
	return max(p.Plan.FranchiseLimit-p.Used, 0)
}

// extension says how to get more places.
func (p Places) extension() string {
	if p.Plan.Extension != "" {
		return "Buy a franchise extension: " + p.Plan.Extension + "."
	}
	return i18n.Mark("Choose a plan with more franchises.")
}

// Refusal says why no outlet can be added and what helps, with the numbers; nil while there is room.
func (p Places) Refusal() *errs.Error {
	if p.Left() > 0 {
		return nil
	}
	helps := p.extension()
	message := fmt.Sprintf("You have reached your plan's limit of %d franchises. %s", p.Plan.FranchiseLimit, helps)
	switch {
	case !p.Plan.Usable:
		message = i18n.Mark("Your plan is not active at the moment. Renew it to add outlets.")
	case p.Used > p.Plan.FranchiseLimit:
		message = fmt.Sprintf("You have %d franchises and your plan allows %d. None is removed, but no more can be added. %s",
			p.Used, p.Plan.FranchiseLimit, helps)
	}
	return errs.New(errs.KindLimit, "limit_reached", message).With("current", p.Used).With("limit", p.Plan.FranchiseLimit)
}

// Texts are the texts from which what outlets say is made, as the catalogues have them.
func Texts() []string {
	return []string{
		i18n.Mark("Your plan has room for {1} more outlets, and {2} rows are chosen. Leave out rows, or extend. {3}"),
		i18n.Mark("Your plan has room for {1} more outlets, so {2} rows are left out. {3}"), i18n.Mark("Removed with its import"),
		i18n.Mark("You have reached your plan's limit of {1} franchises. {2}"),
		i18n.Mark("You have {1} franchises and your plan allows {2}. None is removed, but no more can be added. {3}"),
		i18n.Mark("Buy a franchise extension: {1}."), i18n.Mark("{1} more franchises for {2} a year, before GST"),
		i18n.Mark("{1} more franchises for {2} a month, before GST"), i18n.Mark("Please use at most {1} characters"),
		i18n.Mark("Added as planned"), i18n.Mark("Added as open"), i18n.Mark("{1} → {2}"), i18n.Mark("Changed: {1}"), i18n.Mark("{1}, {2}"),
		i18n.Mark("name"), i18n.Mark("code"), i18n.Mark("address"), i18n.Mark("city"), i18n.Mark("state"), i18n.Mark("pin"), i18n.Mark("phone"),
		i18n.Mark("hours"), i18n.Mark("partner"),
	}
}
