// Package pdf renders tax documents to A4 PDFs with go-pdf/fpdf: small, selectable, and byte for byte the same each time.
package pdf

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// Renderer holds the parsed fonts; it may be used by many goroutines at once.
type Renderer struct{ library *library }

// New parses the embedded fonts, which takes some milliseconds, once.
func New() (*Renderer, error) {
	l, err := newLibrary()
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return &Renderer{library: l}, nil
}

// Render draws a tax invoice or credit note. Every text is printed literally and wrapped, whatever it holds.
func (r *Renderer) Render(document invoice.Invoice) ([]byte, error) {
	s := newSheet(newSetter(r.library, texts(document)), document)
	s.draw()
	body, err := s.bytes()
	if err != nil {
		return nil, fmt.Errorf("pdf: render %s: %w", document.Number, err)
	}
	return body, nil
}

// texts lists what others wrote and the document prints.
func texts(d invoice.Invoice) []string {
	all := []string{
		d.Supplier.Name, d.Supplier.Email, d.Supplier.Phone, d.Recipient.Name, d.Reason, d.IRN, d.AckNo,
		d.Receipt.TransactionID, d.Receipt.GatewayID, d.Receipt.Method, d.Supplier.GSTIN, d.Recipient.GSTIN,
	}
	for _, lines := range [][]string{d.Supplier.Address, d.Supplier.Bank, d.Supplier.Terms, d.Recipient.Address} {
		all = append(all, lines...)
	}
	for _, line := range d.Lines {
		all = append(all, line.Description, line.Detail)
	}
	return all
}
