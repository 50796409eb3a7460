// Package card finds card numbers in text, so that none is kept: whoever stores one falls under PCI DSS as a whole.
package card

import (
	"regexp"
	"slices"
)

// numbers are the lengths and first digits of the networks, in one run or in the groups that are printed on cards. Runs of 17
// and 18 digits are left alone: gateways name their payments so.
var numbers = regexp.MustCompile(`\b(?:3[0689]\d{12}|3[47]\d{13}|[2-6]\d{15}|[4-6]\d{18}` +
	`|[2-6]\d{3}(?:[ -]\d{4}){3}|3\d{3}[ -]\d{6}[ -]\d{4,5})\b`)

// In says whether a full card number stands in the text; a masked one, such as 411111XXXXXX1111, is none.
func In(text string) bool {
	return slices.ContainsFunc(numbers.FindAllString(text, -1), Checked)
}

// Checked says whether the check digit of a number is right (Luhn, ISO/IEC 7812-1), spaces and hyphens aside.
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
