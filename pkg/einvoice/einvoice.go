// Package einvoice registers tax documents at the Invoice Registration Portal, which gives each a reference number (IRN) and a signed
// QR code: without them a document that has to be registered is no invoice (rule 48(5), CGST Rules).
package einvoice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// RegistrationDays is how long the portal takes a document, from its date, of suppliers above 10 crore rupees of turnover (GSTN advisory of
// 5 November 2024).
const RegistrationDays = 30

// ErrNotRefused reports that only a refused registration can be retried.
var ErrNotRefused = errs.New(errs.KindConflict, "not_refused", "Only a registration that was refused can be asked for again.")

// ErrUnknown reports a document that the portal does not have, or is too old for it to show.
var ErrUnknown = errors.New("einvoice: the portal does not have the document")

// Portal is the Invoice Registration Portal, or a provider before it; pkg/adapter/irp implements it.
type Portal interface {
	// Register registers a document. A document that is registered already is a *RefusalError that carries its IRN.
	Register(ctx context.Context, d Document) (Registration, error)
	// ByIRN returns a registration of the last days, or ErrUnknown.
	ByIRN(ctx context.Context, irn string) (Registration, error)
}

// Registration is the portal's answer about a registered document.
type Registration struct {
	IRN, AckNo string
	AckAt      time.Time
	// SignedInvoice and SignedQR are JSON Web Tokens that the portal signed.
	SignedInvoice, SignedQR string
	Cancelled               bool
}

// RefusalError is the portal's refusal of a document.
type RefusalError struct {
	// Code is the portal's: 2150 is a document that is registered already.
	Code, Message string
	// IRN, AckNo and AckAt are of the registration that exists already, empty otherwise.
	IRN, AckNo string
	AckAt      time.Time
	// Later reports that the same document may be taken another time.
	Later bool
}

// Error returns code and message; the portal's texts may quote a field of the document.
func (r *RefusalError) Error() string { return "einvoice: refused with " + r.Code }

// IRN returns the Invoice Reference Number: the SHA-256 of the supplier's GSTIN, the financial year (2019-20), the type and the number of
// the document in capitals (e-invoice system, "IRN generation").
func IRN(gstin, year, typ, number string) string {
	sum := sha256.Sum256([]byte(gstin + year + typ + strings.ToUpper(number)))
	return hex.EncodeToString(sum[:])
}

// IRNOf returns the reference number that the portal will give the document.
func IRNOf(i invoice.Invoice) string {
	return IRN(i.Supplier.GSTIN, "20"+i.FinancialYear, typeOf(i), i.Number)
}

func typeOf(i invoice.Invoice) string {
	if i.Kind == invoice.KindCreditNote {
		return "CRN"
	}
	return "INV"
}
