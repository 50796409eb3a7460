package account

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const (
	maxName  = 39
	maxEmail = 254
	// maxLocalPart is the longest part before the @.
	maxLocalPart = 64
)

// CheckMobile puts the specification's message on the field unless it is an Indian mobile of ten digits.
func CheckMobile(v *errs.Validation, field, mobile string) {
	CheckNamedMobile(v, field, "Mobile number", mobile)
}

// CheckNamedMobile is CheckMobile for a field that its form labels differently.
func CheckNamedMobile(v *errs.Validation, field, label, mobile string) {
	switch {
	case mobile == "":
		v.Add(field, label+" can not be empty.")
	case utf8.RuneCountInString(mobile) != 10:
		v.Add(field, "Please enter valid number")
	case !isMobile(mobile):
		v.Add(field, "Invalid: mobile numbers start with 6, 7, 8 or 9")
	}
}

func isMobile(s string) bool {
	if len(s) != 10 || s[0] < '6' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// CleanEmail returns the address as it is stored: without spaces around it, in lower case.
func CleanEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// CheckEmail adds a message to the field unless the value is a plain ASCII e-mail address.
func CheckEmail(v *errs.Validation, field, email string) {
	if v.Check(email != "", field, "Email can not be empty.") {
		v.Check(isEmail(email), field, "Please enter your valid email id")
	}
}

// emailForm is a dot-atom of at most 64 characters (RFC 5321, 4.5.3.1.1) at a host name with a top-level domain. The contract and
// the web client have the same rule.
var emailForm = regexp.MustCompile(
	"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*" +
		`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{1,59})$`)

func isEmail(s string) bool {
	return len(s) <= maxEmail && strings.IndexByte(s, '@') <= maxLocalPart && emailForm.MatchString(s)
}

// CheckName checks a whole name: letters of any script with spaces, full stops, apostrophes and hyphens, as in
// "S. K. D'Souza-Rao".
func CheckName(v *errs.Validation, field, name string) {
	if utf8.RuneCountInString(name) == 1 {
		v.Add(field, msgShortName)
		return
	}
	checkNamePart(v, field, name)
}

// CheckFullName checks first and last name. The specification requires two characters in each. That would refuse people with one name (many
// identity cards in India have a single one) and those whose second name is an initial, as in the South. So the last name may be empty,
// each part may be one letter, and the name as a whole has at least two characters.
func CheckFullName(v *errs.Validation, first, last string) {
	checkNamePart(v, "first_name", first)
	if last != "" {
		checkNamePart(v, "last_name", last)
	} else if utf8.RuneCountInString(first) == 1 {
		v.Add("first_name", msgShortName)
	}
}

const msgShortName = "Please use at least 2 characters"

func checkNamePart(v *errs.Validation, field, name string) {
	switch {
	case name == "":
		v.Add(field, "Name can not be empty.")
	case utf8.RuneCountInString(name) > maxName:
		v.Add(field, "Name should be under 40 characters")
	case !isName(name):
		v.Add(field, "Please use letters, spaces and . ' - only")
	case !text.Printable(name):
		v.Add(field, text.NotPrintable)
	}
}

func isName(s string) bool {
	for i, r := range s {
		sign := unicode.IsMark(r) || unicode.Is(unicode.Join_Control, r) || strings.ContainsRune(" .'-"+text.FullStops, r)
		if !unicode.IsLetter(r) && (i == 0 || !sign) {
			return false
		}
	}
	return s != "" && text.Clean(s)
}

// CheckCodeFormat checks that the code is six digits.
func CheckCodeFormat(v *errs.Validation, field, code string) {
	if v.Check(code != "", field, "Code can not be empty.") {
		v.Check(IsSixDigits(code), field, "Please enter a valid code")
	}
}

// IsSixDigits reports whether s has the form of a code.
func IsSixDigits(s string) bool {
	if len(s) != 6 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
