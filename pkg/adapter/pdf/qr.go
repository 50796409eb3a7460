package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"codeberg.org/go-pdf/fpdf"
	"github.com/boombuler/barcode/qr"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// qrSize is the side of the portal's QR code, in points: some 40 mm, so that its thousand characters can be scanned from paper.
const qrSize = 114.0

// registration prints the Invoice Registration Portal's data of the document (rule 46(r), CGST Rules): reference number, acknowledgement,
// and the QR code as it was signed.
func (s *sheet) registration(x, width float64) {
	if s.doc.IRN == "" {
		return
	}
	code, ok := qrCode(s.doc.SignedQR)
	s.y += 9
	if ok {
		s.need(qrSize + 24)
	}
	top, text := s.y, x
	if ok {
		s.pdf.RegisterImageOptionsReader("qr", fpdf.ImageOptions{ImageType: "PNG"}, bytes.NewReader(code))
		s.pdf.ImageOptions("qr", x, top, qrSize, qrSize, false, fpdf.ImageOptions{ImageType: "PNG"}, 0, "")
		text += qrSize + 10
	}
	s.heading(text, s.y+7, i18n.Mark("E-invoice"))
	s.y += 13
	small := style{regular, 7.5, muted()}
	if s.doc.AckNo != "" {
		at := ""
		if !s.doc.AckAt.IsZero() {
			at = day(s.doc.AckAt)
		}
		s.paragraph(text, width-(text-x), "Acknowledgement", small, 10)
		s.paragraph(text, width-(text-x), joined(", ", s.doc.AckNo, at), small, 10)
	}
	if ok {
		s.y = max(s.y, top+qrSize+4)
	}
	s.paragraph(x, width, "IRN", small, 10)
	if wide := s.width(s.doc.IRN, small); wide > width {
		small.size *= width / wide * 0.999 // on one line, so that it can be copied
	}
	s.paragraph(x, width, s.doc.IRN, small, 10)
}

// qrCode returns the text as a QR code, a PNG of one pixel for each of its squares and four of white around; false for an empty text, or
// one too long for a QR code.
func qrCode(text string) ([]byte, bool) {
	if text == "" {
		return nil, false
	}
	code, err := qr.Encode(text, qr.L, qr.Unicode)
	if err != nil {
		return nil, false
	}
	const quiet = 4
	side := code.Bounds().Dx()
	picture := image.NewPaletted(image.Rect(0, 0, side+2*quiet, side+2*quiet), color.Palette{color.White, color.Black})
	for y := range side {
		for x := range side {
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				picture.SetColorIndex(x+quiet, y+quiet, 1)
			}
		}
	}
	var body bytes.Buffer
	if err := png.Encode(&body, picture); err != nil {
		return nil, false
	}
	return body.Bytes(), true
}
