// Package pdf renders tax documents to A4 PDFs with go-pdf/fpdf: small, selectable, and byte for byte the same each time.
package pdf

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// Renderer holds the parsed fonts; it may be used by many goroutines at once.
type Renderer struct {
	library *library
	signer  *Signer // nil to sign nothing
}

// New parses the embedded fonts, which takes some milliseconds, once.
func New() (*Renderer, error) {
	l, err := newLibrary()
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return &Renderer{library: l}, nil
}

// WithSigner has credit notes, vouchers and, where the signer says so, invoices signed, and returns the renderer.
func (r *Renderer) WithSigner(s *Signer) *Renderer {
	r.signer = s
	return r
}

// Render draws a tax invoice or credit note and signs it where there is a certificate. Every text is printed literally and wrapped,
// whatever it holds.
func (r *Renderer) Render(document invoice.Invoice) ([]byte, error) {
	signer := r.signerOf(document)
	if signer != nil && document.IssuedAt.After(signer.cert.NotAfter) {
		return nil, fmt.Errorf("pdf: sign %s: %w", document.Number, errExpired)
	}
	all := texts(document)
	if signer != nil {
		all = append(all, signer.name())
	}
	s := newSheet(newSetter(r.library, all), document)
	if signer != nil {
		s.signedBy = signer.name()
	}
	s.draw()
	body, err := s.bytes()
	if err == nil && signer != nil {
		body, err = signer.embed(body, document.IssuedAt, s.title()+" "+document.Number)
	}
	if err != nil {
		return nil, fmt.Errorf("pdf: render %s: %w", document.Number, err)
	}
	return body, nil
}

// signerOf is who signs the document, nil where nobody does.
func (r *Renderer) signerOf(document invoice.Invoice) *Signer {
	if r.signer == nil || !r.signer.covers(document.IssuedAt) || document.Kind == invoice.KindInvoice && !r.signer.invoices {
		return nil
	}
	return r.signer
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
