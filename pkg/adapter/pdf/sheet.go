package pdf

import (
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// The page margins, in points.
const (
	left       = 40.0
	right      = pageWidth - left
	bodyTop    = 76.0
	bodyBottom = 778.0
	footerTop  = 794.0
)

// The colours of the product's light theme.
func ink() rgb      { return rgb{0x14, 0x21, 0x2B} }
func muted() rgb    { return rgb{0x4A, 0x5B, 0x66} }
func primary() rgb  { return rgb{0x01, 0x5C, 0x8B} }
func gold() rgb     { return rgb{0xB0, 0x75, 0x15} }
func surface() rgb  { return rgb{0xF4, 0xF7, 0xF9} }
func hairline() rgb { return rgb{0xD5, 0xDE, 0xE4} }
func success() rgb  { return rgb{0x14, 0x6C, 0x43} }
func white() rgb    { return rgb{0xFF, 0xFF, 0xFF} }

// sheet is a document being drawn: its content and how far down the page is filled.
type sheet struct {
	*canvas
	doc  invoice.Invoice
	y    float64
	page int
	// signedBy is the name of the certificate's signer, empty if the document is not signed.
	signedBy string
	// proforma is the content of a proforma beyond the parts shared with tax documents; nil for those.
	proforma *transfer.Proforma
	// also is the second language, beside English, or empty.
	also i18n.Language
}

func newSheet(set *setter, doc invoice.Invoice) *sheet {
	s := &sheet{canvas: newCanvas(set, doc.IssuedAt), doc: doc, also: alsoOf(doc.Recipient.Also)}
	s.pdf.SetTitle(s.title()+" "+doc.Number, true)
	s.pdf.SetAuthor(clean(doc.Supplier.Name), true)
	s.pdf.SetSubject(s.title(), true)
	s.pdf.SetCreator("Franchise 360", true)
	s.pdf.SetProducer("Franchise 360", true)
	s.pdf.SetLang("en-IN")
	return s
}

func (s *sheet) isNote() bool { return s.doc.Kind == invoice.KindCreditNote }

func (s *sheet) title() string {
	switch s.doc.Kind {
	case kindProforma:
		return i18n.Mark("Proforma invoice")
	case kindStatement:
		return i18n.Mark("Statement of account")
	case invoice.KindCreditNote:
		if s.doc.Commercial {
			return i18n.Mark("Commercial credit note")
		}
		return i18n.Mark("Credit note")
	case invoice.KindReceiptVoucher:
		return i18n.Mark("Receipt voucher")
	case invoice.KindRefundVoucher:
		return i18n.Mark("Refund voucher")
	default:
		return i18n.Mark("Tax invoice")
	}
}

// unsigned reports whether the document needs no signature: an invoice, by Notification 74/2018, which covers neither credit
// notes (rule 53) nor vouchers (rules 50 and 51).
func (s *sheet) unsigned() bool {
	return s.proforma != nil || s.doc.Kind == invoice.KindInvoice && s.signedBy == ""
}

func (s *sheet) draw() {
	s.newPage()
	s.facts()
	s.parties()
	s.table()
	s.closing()
}

// newPage begins a page with its header and footer; the first has the large header.
func (s *sheet) newPage() {
	s.addPage()
	s.page++
	s.box(0, 0, pageWidth, 5, 0, primary())
	if s.page == 1 {
		s.mark(left, 27, 28)
		wordmark := style{bold, 16, ink()}
		s.text(left+36, 46, "Franchise", wordmark, alignLeft)
		s.text(left+36+s.width("Franchise", wordmark)+s.space(wordmark), 46, "360", style{bold, 16, primary()}, alignLeft)
		s.text(right, 44, s.title(), style{bold, 20, ink()}, alignRight)
		s.text(right, 58+s.room(3), s.other(s.title()), style{bold, 11, ink()}, alignRight)
		s.text(right, 58+s.room(15), s.both(s.copyOf()), style{regular, 8, muted()}, alignRight)
	} else {
		s.mark(left, 25, 20)
		s.text(left+28, 39, s.title()+" "+s.doc.Number, style{bold, 10, ink()}, alignLeft)
		s.text(right, 39, "Continued", style{regular, 8.5, muted()}, alignRight)
	}
	s.y = bodyTop + s.room(13)
	if s.page > 1 {
		s.y = 58
	}
	s.foot()
}

// copyOf is the text below the title: the intended holder of the paper, or that it is no tax invoice.
func (s *sheet) copyOf() string {
	switch s.doc.Kind {
	case kindProforma:
		return i18n.Mark("This is not a tax invoice")
	case kindStatement:
		return i18n.Mark("What was charged and paid")
	default:
		return i18n.Mark("Original for recipient")
	}
}

func (s *sheet) foot() {
	s.rule(left, right, footerTop, 0.5, hairline())
	small := style{regular, 7, muted()}
	number := "Page " + strconv.Itoa(s.page) + " of "
	width := s.width(number+"9", small)
	s.use(small)
	s.pdf.Text(right-width, footerTop+12, number+pagesAlias)
	room := right - left - width - 24
	supplier := s.doc.Supplier
	contact := joined(" · ", clean(supplier.Name), prefixed("GSTIN ", supplier.GSTIN), supplier.Email, supplier.Phone)
	lines := s.wrap(contact, small, room)
	if len(lines) > 0 {
		s.line(lines[0].words, left, footerTop+12, small)
	}
	if s.proforma != nil {
		s.footnote(i18n.Mark("Not a tax invoice: no input tax credit can be taken on it. The tax invoice is issued when the money has arrived."), small)
		return
	}
	if s.unsigned() {
		s.footnote(i18n.Mark("This is a computer-generated document and needs no signature (rule 46, CGST Rules; Notification 74/2018–Central Tax)."), small)
	}
}

func (s *sheet) footnote(english string, st style) {
	s.text(left, footerTop+22, english, st, alignLeft)
	s.text(left, footerTop+32, s.other(english), st, alignLeft)
}

// need begins a new page unless this one has that much height left.
func (s *sheet) need(height float64) bool {
	if s.y+height <= bodyBottom {
		return false
	}
	s.newPage()
	return true
}

// paragraph sets text downwards from the current position, with the given leading, and advances the position.
func (s *sheet) paragraph(x, width float64, text string, st style, leading float64) {
	for _, l := range s.wrap(text, st, width) {
		s.need(leading)
		s.line(l.words, x, s.y+st.size, st)
		s.y += leading
	}
}

func day(at time.Time) string { return at.In(clock.IST).Format("2 Jan 2006") }

// percent formats a rate in basis points, divided into equal parts: 1800 in two is 9%, 25 in two is 0.125%.
func percent(bps, parts int64) string {
	const perPercent = 1000
	thousandths := bps * (perPercent / 100) / parts
	text := strconv.FormatInt(thousandths/perPercent, 10)
	if rest := thousandths % perPercent; rest != 0 {
		text += "." + strings.TrimRight(strconv.FormatInt(perPercent+rest, 10)[1:], "0")
	}
	return text + "%"
}

func rupees(p money.Paise) string {
	if p < 0 {
		return "−₹" + p.Abs().Grouped()
	}
	return "₹" + p.Grouped()
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func joined(separator string, parts ...string) string {
	out := ""
	for _, part := range parts {
		if part == "" {
			continue
		}
		if out != "" {
			out += separator
		}
		out += part
	}
	return out
}
