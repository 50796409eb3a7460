// Package gstin validates the format and check character of a GST identification number.
package gstin

import (
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Length is the length of every GSTIN.
const Length = 15

// inText finds a number among its label and other words, written with or without spaces and hyphens between its groups.
var inText = regexp.MustCompile(`(?:^|[^0-9A-Z])([0-9]{2}(?:[ -]*[0-9A-Z]){13})(?:$|[^0-9A-Z])`)

// Normalise returns a number as people type and paste it in capitals, without its label, spaces and hyphens:
// "GSTIN: 27-AAPFU0939F-1zv" becomes "27AAPFU0939F1ZV". Any other text comes back in capitals without spaces and hyphens.
func Normalise(given string) string {
	given = strings.ToUpper(text.Line(text.Visible(text.Digits(given))))
	if found := numbersIn(given); len(found) == 1 {
		given = found[0]
	}
	return strings.NewReplacer(" ", "", "-", "").Replace(given)
}

// numbersIn returns all numbers of the text, also those with a single sign between.
func numbersIn(given string) []string {
	var found []string
	for {
		at := inText.FindStringSubmatchIndex(given)
		if at == nil {
			return found
		}
		found, given = append(found, given[at[2]:at[3]]), given[at[3]:]
	}
}

// Forms of numbers that are no GSTIN of a buyer who claims input tax credit. They agree with the patterns that India Compliance
// (resilient-tech/india-compliance, gst_india/constants, commit 57fba91) takes from https://developer.gst.gov.in/apiportal/taxpayer/returns.
var (
	uin         = regexp.MustCompile(`^[0-9]{4}[A-Z]{3}[0-9]{5}[UO]N[0-9A-Z]$`)
	nonResident = regexp.MustCompile(`^(?:[0-9]{4}[A-Z]{3}[0-9]{5}NR|99[0-9]{2}[A-Z]{3}[0-9]{5}OS)[0-9A-Z]$`)
)

// IsUIN reports the form of a unique identity number, which embassies and bodies of the United Nations have.
func IsUIN(number string) bool { return uin.MatchString(number) }

// IsNonResident reports the form of the number of a non-resident taxable person or online supplier.
func IsNonResident(number string) bool { return nonResident.MatchString(number) }

// Valid reports whether the text, in capitals and without spaces, has the format of a GSTIN and the right check character.
// It does not check that the State code exists.
func Valid(text string) bool {
	return hasForm(text) && text[Length-1] == check(text[:Length-1])
}

// hasForm matches ^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][Z1-9ABD-J][0-9A-Z]$.
func hasForm(text string) bool {
	if len(text) != Length {
		return false
	}
	for i := range Length {
		char := text[i]
		digit, letter := char >= '0' && char <= '9', char >= 'A' && char <= 'Z'
		var ok bool
		switch {
		case i < 2, i >= 7 && i < 11:
			ok = digit
		case i < 7, i == 11:
			ok = letter
		case i == 12:
			ok = letter || (digit && char != '0')
		case i == 13:
			ok = char == 'Z' || (digit && char != '0') || (char >= 'A' && char <= 'J' && char != 'C')
		default:
			ok = digit || letter
		}
		if !ok {
			return false
		}
	}
	return true
}

// check computes the fifteenth character: base 36, alternating weights 1 and 2, summing the digits of each product.
func check(first14 string) byte {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range len(first14) {
		product := strings.IndexByte(alphabet, first14[i]) * (1 + i%2)
		sum += product/len(alphabet) + product%len(alphabet)
	}
	return alphabet[(len(alphabet)-sum%len(alphabet))%len(alphabet)]
}
