package text

import "unicode"

// Printable reports whether the documents can print every character of the text: whether one of the fonts that pkg/adapter/pdf
// embeds has it. Names and addresses with other characters are refused where they are entered.
func Printable(s string) bool {
	for _, r := range s {
		if !PrintableRune(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// NotPrintable is the message for a field whose text the documents cannot print.
const NotPrintable = "Our invoices cannot print one of these characters. Please write this in another script"

// PrintableRune is Printable for one character. The joiners of Indian scripts select a letter's form.
func PrintableRune(r rune) bool {
	return r == zeroWidthJoiner || r == zeroWidthNonJoiner || unicode.Is(inFonts, r)
}
