package pdf

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
	"unicode/utf16"
)

// The parts of a document, as written by fpdf, to which an incremental update (ISO 32000-1, 7.5.6) refers.
var (
	startPattern = regexp.MustCompile(`startxref\n(\d+)\n%%EOF\s*$`)
	sizePattern  = regexp.MustCompile(`/Size (\d+)\n`)
	rootPattern  = regexp.MustCompile(`/Root (\d+) 0 R`)
	infoPattern  = regexp.MustCompile(`/Info (\d+) 0 R`)
	pagePattern  = regexp.MustCompile(`(?s)\n(\d+) 0 obj\n<<(/Type /Page\n.*?)>>\nendobj`)
)

var errUnknownShape = errors.New("pdf: the document is not as it is written here")

// spare is the space reserved beyond the size of a signature with the same key.
const spare = 64

// embed appends the signature to a document as an incremental update: a field on the first page whose value is a detached PKCS#7
// signature over all other bytes (ISO 32000-1, 12.8). The same document gives the same bytes.
func (s *Signer) embed(body []byte, at time.Time, reason string) ([]byte, error) {
	trial, err := s.sign(nil)
	if err != nil {
		return nil, err
	}
	room := 2 * (len(trial) + spare)
	out, hole, err := s.update(body, at, reason, room)
	if err != nil {
		return nil, err
	}
	signature, err := s.sign(append(append([]byte{}, out[:hole]...), out[hole+room+2:]...))
	if err != nil {
		return nil, err
	}
	if 2*len(signature) > room {
		return nil, fmt.Errorf("a signature of %d bytes has no room", len(signature))
	}
	hex.Encode(out[hole+1:], signature)
	return out, nil
}

// update returns the document with a zero-filled signature placeholder: a string in angle brackets at hole with room digits.
func (s *Signer) update(body []byte, at time.Time, reason string, room int) (out []byte, hole int, err error) {
	trailer := body[max(0, bytes.LastIndex(body, []byte("trailer\n"))):]
	start, size := startPattern.FindSubmatch(trailer), sizePattern.FindSubmatch(trailer)
	root, info, page := rootPattern.FindSubmatch(trailer), infoPattern.FindSubmatch(trailer), pagePattern.FindSubmatch(body)
	if start == nil || size == nil || root == nil || info == nil || page == nil {
		return nil, 0, errUnknownShape
	}
	catalog := regexp.MustCompile(`(?s)\n` + string(root[1]) + ` 0 obj\n<<\n(/Type /Catalog\n.*?)>>\nendobj`).FindSubmatch(body)
	next, err := strconv.Atoi(string(size[1]))
	if catalog == nil || err != nil {
		return nil, 0, errUnknownShape
	}
	var b bytes.Buffer
	b.Write(body)
	if !bytes.HasSuffix(body, []byte("\n")) {
		b.WriteByte('\n')
	}
	offsets := map[string]int{}
	begin := func(number string) {
		offsets[number] = b.Len()
		b.WriteString(number + " 0 obj\n")
	}
	signature, field := strconv.Itoa(next), strconv.Itoa(next+1)
	begin(string(page[1]))
	fmt.Fprintf(&b, "<<%s\n/Annots [%s 0 R]>>\nendobj\n", page[2], field)
	begin(string(root[1]))
	fmt.Fprintf(&b, "<<\n%s/AcroForm << /Fields [%s 0 R] /SigFlags 3 >>\n>>\nendobj\n", catalog[1], field)
	begin(field)
	fmt.Fprintf(&b, "<</Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /F 132 /Rect [0 0 0 0] /P %s 0 R /V %s 0 R>>\nendobj\n", page[1], signature)
	begin(signature)
	fmt.Fprintf(&b, "<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Name %s /Reason %s /M (D:%sZ)\n/ByteRange ",
		textString(s.name()), textString(reason), at.UTC().Format("20060102150405"))
	ranged := b.Len()
	const rangeWidth = 40
	b.Write(bytes.Repeat([]byte(" "), rangeWidth))
	b.WriteString("\n/Contents ")
	hole = b.Len()
	b.WriteByte('<')
	b.Write(bytes.Repeat([]byte("0"), room))
	b.WriteString(">>>\nendobj\n")
	xref := b.Len()
	b.WriteString("xref\n")
	for _, number := range []string{string(page[1]), string(root[1]), signature, field} {
		fmt.Fprintf(&b, "%s 1\n%010d 00000 n \n", number, offsets[number])
	}
	fmt.Fprintf(&b, "trailer\n<<\n/Size %d\n/Root %s 0 R\n/Info %s 0 R\n/Prev %s\n>>\nstartxref\n%d\n%%%%EOF\n", next+2, root[1], info[1], start[1], xref)
	out = b.Bytes()
	after := hole + room + 2
	covered := fmt.Sprintf("[0 %d %d %d]", hole, after, len(out)-after)
	if len(covered) > rangeWidth {
		return nil, 0, errUnknownShape
	}
	copy(out[ranged:], covered)
	return out, hole, nil
}

// textString encodes a text as a PDF string in UTF-16.
func textString(text string) string {
	out := []byte{0xFE, 0xFF}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit>>8), byte(unit)) //nolint:gosec // the two bytes of the unit
	}
	return "<" + hex.EncodeToString(out) + ">"
}
