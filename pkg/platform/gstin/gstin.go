// Package gstin validates the format and check character of a GST identification number.
package gstin

import "strings"

// Length is the length of every GSTIN.
const Length = 15

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
