// Package card detects card numbers in text so that they are not stored: storing a single one brings the whole system under PCI DSS.
package card

import (
	"regexp"
	"strings"
)

// numbers matches the lengths and leading digits of the card networks, unbroken or grouped as printed on cards. Runs of 17 and 18 digits do
// not match because gateways use them as payment ids.
var numbers = regexp.MustCompile(`\b(?:3[0689]\d{12}|3[47]\d{13}|[2-6]\d{15}|[4-6]\d{18}` +
	`|[2-6]\d{3}(?:[ -]\d{4}){3}|3\d{3}[ -]\d{6}[ -]\d{4,5})\b`)

// In reports whether the text contains a full card number; a masked one, such as 411111XXXXXX1111, does not count.
func In(text string) bool {
	_, _, found := first(text)
	return found
}

// Replace returns the text with each card number in it replaced by what with returns for it.
func Replace(text string, with func(number string) string) string {
	var out strings.Builder
	for {
		from, to, found := first(text)
		if !found {
			return out.String() + text
		}
		out.WriteString(text[:from] + with(text[from:to]))
		text = text[to:]
	}
}

// first returns where the first card number begins and ends. What looks like one and has the wrong check digit may hold the
// beginning of one, so the search goes on behind its first group of digits.
func first(text string) (from, to int, found bool) {
	for at := 0; ; {
		match := numbers.FindStringIndex(text[at:])
		if match == nil {
			return 0, 0, false
		}
		from, to = at+match[0], at+match[1]
		if Checked(text[from:to]) {
			return from, to, true
		}
		at = from + len(text[from:]) - len(strings.TrimLeft(text[from:], "0123456789"))
	}
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
