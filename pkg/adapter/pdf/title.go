package pdf

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// NumberIn returns the number of a document that Render drew, signed or not, and false if the body is not one of ours.
func NumberIn(body []byte) (string, bool) {
	_, rest, found := bytes.Cut(body, []byte("/Title ("))
	if !found {
		return "", false
	}
	title := utf16Text(unescaped(rest))
	number := title[strings.LastIndex(title, " ")+1:]
	return number, number != title
}

// unescaped is a string of PDF's up to its closing bracket, without the escapes that fpdf writes.
func unescaped(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text) && text[i] != ')'; i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			if text[i] == 'r' {
				out = append(out, '\r')
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

func utf16Text(text []byte) string {
	text, marked := bytes.CutPrefix(text, []byte{0xFE, 0xFF})
	if !marked || len(text)%2 != 0 {
		return ""
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(text[2*i:])
	}
	return string(utf16.Decode(units))
}
