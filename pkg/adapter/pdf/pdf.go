// Package pdf renders tax documents as A4 PDFs with go-pdf/fpdf: small, selectable, and byte for byte reproducible.
package pdf

import (
	"fmt"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// Renderer holds the parsed fonts; it is safe for concurrent use.
type Renderer struct {
	library *library
	signer  *Signer // nil: sign nothing
}

// Options are the parts of a Renderer.
type Options struct {
	// Signer signs credit notes, vouchers and, if it is set to, invoices; without it nothing is signed.
	Signer *Signer
}

// New parses the embedded fonts once, which takes a few milliseconds.
func New(o Options) (*Renderer, error) {
	l, err := newLibrary()
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return &Renderer{library: l, signer: o.Signer}, nil
}

// Render renders a tax invoice or credit note and signs it if there is a certificate. Every text is printed literally and wrapped,
// whatever it contains.
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

// signerOf returns the document's signer, nil if it is not signed.
func (r *Renderer) signerOf(document invoice.Invoice) *Signer {
	if r.signer == nil || !r.signer.covers(document.IssuedAt) || document.Kind == invoice.KindInvoice && !r.signer.invoices {
		return nil
	}
	return r.signer
}

// texts lists the printed texts that come from outside this package.
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
	if d.Recipient.Also != "" {
		all = append(all, lettersOf(d.Recipient.Also))
	}
	return all
}
