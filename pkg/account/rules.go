package account

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const (
	minName  = 2
	maxName  = 39
	maxEmail = 254
	maxTerms = 32
)

// CheckMobile puts the specification's message on the field unless it is an Indian mobile of ten digits.
func CheckMobile(v *errs.Validation, field, mobile string) {
	switch {
	case mobile == "":
		v.Add(field, "Mobile can not be empty.")
	case utf8.RuneCountInString(mobile) != 10:
		v.Add(field, "Please enter valid number")
	case !isMobile(mobile):
		v.Add(field, "Invalid")
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

// CheckEmail puts a message on the field unless it is an e-mail address in ASCII and nothing more.
func CheckEmail(v *errs.Validation, field, email string) {
	if v.Check(email != "", field, "Email can not be empty.") {
		v.Check(isEmail(email), field, "Please enter your valid email id")
	}
}

func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || len(s) > maxEmail || strings.ContainsAny(s, `"[]`) {
		return false
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	_, host, _ := strings.Cut(s, "@")
	return strings.Contains(host, ".")
}

// checkName takes letters of any script with single spaces between the words.
func checkName(v *errs.Validation, field, name string) {
	n := utf8.RuneCountInString(name)
	switch {
	case name == "":
		v.Add(field, "Name can not be empty.")
	case n < minName:
		v.Add(field, "2 characters required atleast")
	case n > maxName:
		v.Add(field, "Name should be under 40 characters")
	case !isName(name):
		v.Add(field, "Please input alphabet characters only")
	}
}

func isName(s string) bool {
	letters := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters = true
		case r != ' ' && !unicode.IsMark(r):
			return false
		}
	}
	return letters
}

func cleanName(s string) string { return strings.Join(strings.Fields(s), " ") }

func checkCodeFormat(v *errs.Validation, field, code string) {
	if v.Check(code != "", field, "OTP can not be empty.") {
		v.Check(isSixDigits(code), field, "Please enter valid code")
	}
}

func isSixDigits(s string) bool {
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
