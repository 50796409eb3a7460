// Package card detects card numbers in text so that none is stored: storing a single one brings the whole system under PCI
// DSS.
package card

import (
	"regexp"
	"slices"
)

// numbers matches the lengths and leading digits of the card networks, unbroken or grouped as printed on cards. Runs of 17
// and 18 digits are left alone because gateways use them as payment ids.
var numbers = regexp.MustCompile(`\b(?:3[0689]\d{12}|3[47]\d{13}|[2-6]\d{15}|[4-6]\d{18}` +
	`|[2-6]\d{3}(?:[ -]\d{4}){3}|3\d{3}[ -]\d{6}[ -]\d{4,5})\b`)

// In reports whether the text contains a full card number; a masked one, such as 411111XXXXXX1111, does not count.
func In(text string) bool {
	return slices.ContainsFunc(numbers.FindAllString(text, -1), Checked)
}

// Checked reports whether the number's check digit is valid (Luhn, ISO/IEC 7812-1), ignoring spaces and hyphens.
func Checked(number string) bool {
	sum, n := 0, 0
	for i := len(number) - 1; i >= 0; i-- {
		if number[i] == ' ' || number[i] == '-' {
			continue
		}
		d := int(number[i] - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		n++
	}
	return sum%10 == 0
}
