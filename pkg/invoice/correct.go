package invoice

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Errors from correcting the recipient of an invoice, safe to show.
var (
	// ErrNotCorrectable refuses a document that is no invoice.
	ErrNotCorrectable = errs.New(errs.KindConflict, "not_an_invoice", "Only an invoice can be issued to another recipient.")
	// ErrReplaced refuses an invoice in whose place there is another already.
	ErrReplaced = errs.New(errs.KindConflict, "invoice_replaced", "This invoice was replaced by another one. Correct that one.")
	// ErrCredited refuses an invoice of which something was credited.
	ErrCredited = errs.New(errs.KindConflict, "invoice_credited",
		"A credit note already took back this invoice or a part of it, so it cannot be issued again.")
	// ErrTooLate refuses an invoice whose tax no credit note reduces any more (section 34(2) CGST Act).
	ErrTooLate = errs.New(errs.KindConflict, "correction_too_late",
		"A credit note changes the tax of an invoice until 30 November after its financial year, or until the annual return. That is over.")
	// ErrSameRecipient refuses a correction that corrects nothing.
	ErrSameRecipient = errs.New(errs.KindConflict, "same_recipient", "The invoice has this recipient already.")
)

// Correction is an invoice and what another one in its place would say.
type Correction struct {
	Original  Invoice
	Recipient Recipient
	Regime    Regime
	Lines     []Line
	Totals    Totals
}

// Rounding returns by how much the new invoice is above the old one, because its tax rounds otherwise; negative if it is below.
func (c Correction) Rounding() money.Paise { return c.Totals.Total - c.Original.Totals.Total }

const (
	maxRecipientName    = 100
	maxRecipientLines   = 6
	maxRecipientAddress = 120 // a line
)

// printed matches what names and addresses consist of, as where customers enter them.
var printed = regexp.MustCompile(`^[\p{L}\p{M}\p{Nd}\x{200C}\x{200D} /,.\-':;&()@+#_` + text.FullStops + text.Commas + text.Semicolons + `]+$`)

func printable(s string) bool { return printed.MatchString(s) && text.Printable(s) }

var pinForm = regexp.MustCompile(`\b([1-9][0-9]{2}) ?([0-9]{3})\b`)

// PINIn returns the position of the PIN code in a line of an address: the ends of the whole and of its two halves, as regexp's
// FindStringSubmatchIndex does, or nil.
func PINIn(line string) []int { return pinForm.FindStringSubmatchIndex(line) }

// HasPIN reports whether the lines of an address name a PIN code.
func HasPIN(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return PINIn(line) != nil })
}

// CheckedRecipient returns the recipient as it is printed, or a validation error that names the fields name, address, state_code and
// gstin. The operator's own number is refused, and so is a recipient with a GSTIN whose address has no PIN code: the Invoice Registration
// Portal takes no document to it (schema 1.1, notification 60/2020).
func (s *Service) CheckedRecipient(r Recipient) (Recipient, error) {
	var v errs.Validation
	r.Name = text.Line(r.Name)
	n := utf8.RuneCountInString(r.Name)
	v.Check(n >= 2 && n <= maxRecipientName && ValidName(r.Name) && printable(r.Name), "name",
		"Write the name that the invoice is for, of 2 to 100 characters; an e-mail address is none.")
	var address []string
	for _, line := range r.Address {
		oneLine := !strings.ContainsAny(strings.TrimSpace(line), "\r\n")
		if line = text.Line(line); line != "" {
			address = append(address, line)
			v.Check(oneLine && utf8.RuneCountInString(line) <= maxRecipientAddress && printable(line), "address",
				"Write lines of at most 120 letters, digits, spaces and / , . - ' : ; & ( ) @ + # _ only.")
		}
	}
	r.Address = address
	v.Check(len(address) >= 1 && len(address) <= maxRecipientLines, "address", "Write an address of one to six lines.")
	v.Check(strings.TrimSpace(r.GSTIN) == "" || HasPIN(address), "address", "Write the PIN code, too: with a GSTIN the address has one.")
	v.Check(r.StateCode.Valid(), "state_code", "Choose a State.")
	if r.GSTIN = gstin.Normalise(r.GSTIN); r.GSTIN != "" && r.StateCode.Valid() {
		_, err := ParseGSTINFor(r.GSTIN, r.StateCode)
		switch {
		case errors.Is(err, ErrGSTINState):
			v.Check(false, "gstin", "This GSTIN belongs to "+StateCode(r.GSTIN[:2]).Label()+", not to "+r.StateCode.Label()+".")
		case err != nil:
			v.Check(false, "gstin", "This is no GSTIN. Check it character by character.")
		default:
			v.Check(r.GSTIN != s.supplier.GSTIN, "gstin", "This is our own GSTIN.")
		}
	}
	return r, v.Err()
}

// CorrectionTx computes the invoice as if it were issued at that time to another recipient: the same lines at the same rates, with the tax
// of the recipient's State. It returns ErrNotFound, ErrNotCorrectable, ErrReplaced, ErrCredited, ErrTooLate, ErrSameRecipient, or a
// validation error of CheckedRecipient.
func (s *Service) CorrectionTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to Recipient, at time.Time) (Correction, error) {
	to, err := s.CheckedRecipient(to)
	if err != nil {
		return Correction{}, err
	}
	original, err := s.correctableTx(ctx, tx, franchiserID, invoiceID, at)
	if err != nil {
		return Correction{}, err
	}
	to.SEZ, to.Also = original.Recipient.SEZ, original.Recipient.Also
	if same(original.Recipient, to) {
		return Correction{}, ErrSameRecipient
	}
	regime := RegimeOf(original.Supplier.StateCode, to.StateCode, to.SEZ)
	inputs := make([]LineInput, 0, len(original.Lines))
	for _, l := range original.Lines {
		inputs = append(inputs, LineInput{
			Description: l.Description, Detail: l.Detail, SAC: l.SAC, RateBps: l.RateBps, Quantity: l.Quantity, Amount: l.Amount, Discount: l.Discount,
		})
	}
	lines, totals, err := Compute(regime, inputs)
	return Correction{Original: original, Recipient: to, Regime: regime, Lines: lines, Totals: totals}, err
}

func (s *Service) correctableTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, at time.Time) (Invoice, error) {
	if !id.Valid(invoiceID) {
		return Invoice{}, ErrNotFound
	}
	original, err := s.store.get(ctx, tx, `i.franchiser_id = $1 AND i.id = $2`, franchiserID, invoiceID)
	if err != nil {
		return Invoice{}, err
	}
	notes, err := s.store.notesOf(ctx, tx, franchiserID, original.ID)
	switch {
	case err != nil:
		return Invoice{}, err
	case original.Kind != KindInvoice:
		return Invoice{}, ErrNotCorrectable
	case original.Replaced:
		return Invoice{}, ErrReplaced
	case len(notes) > 0:
		return Invoice{}, ErrCredited
	case !s.taxAdjustable(original, at):
		return Invoice{}, ErrTooLate
	}
	return original, nil
}

func same(a, b Recipient) bool {
	return a.Name == b.Name && a.StateCode == b.StateCode && a.GSTIN == b.GSTIN && strings.Join(a.Address, "\n") == strings.Join(b.Address, "\n")
}

// ReasonCorrected is printed on the credit note of an invoice to the wrong recipient.
const ReasonCorrected = "Issued to the wrong recipient; another invoice takes its place"

const replacedSQL = `UPDATE invoices SET replaced = true WHERE id = $1 AND NOT replaced`

// CorrectTx takes an invoice back whole by a credit note and issues another one in its place, by the rules of IssueTx. Both are of one day
// in India. It fails as CorrectionTx does and needs the worker's role.
func (s *Service) CorrectTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to Recipient, at time.Time) (note, issued Invoice, err error) {
	c, err := s.CorrectionTx(ctx, tx, franchiserID, invoiceID, to, at)
	if err != nil {
		return note, issued, err
	}
	o := c.Original
	if _, err := tx.ExecContext(ctx, replacedSQL, o.ID); err != nil {
		return note, issued, fmt.Errorf("mark %s as replaced: %w", o.Number, err)
	}
	note, err = s.putAfter(ctx, tx, Invoice{
		FranchiserID: o.FranchiserID, Kind: KindCreditNote, PaymentID: o.PaymentID, IssuedAt: at, OriginalID: o.ID, OriginalNumber: o.Number,
		OriginalDate: o.IssuedAt, CorrectsID: o.ID, CorrectsNumber: o.Number, Reason: ReasonCorrected, Supplier: s.signed(o.Supplier),
		Recipient: o.Recipient, PlaceOfSupply: o.PlaceOfSupply, Regime: o.Regime,
	}, func(n *Invoice) error { return n.credit(left(o, nil), CreditNoteInput{}) })
	if err != nil {
		return note, issued, err
	}
	issued, err = s.put(ctx, tx, Invoice{
		FranchiserID: o.FranchiserID, Kind: KindInvoice, PaymentID: o.PaymentID, IssuedAt: at, CorrectsID: o.ID, CorrectsNumber: o.Number,
		Recipient: c.Recipient, Receipt: o.Receipt, PlaceOfSupply: c.Recipient.StateCode, Supplier: s.supplier, Regime: c.Regime,
		Lines: c.Lines, Totals: c.Totals,
	})
	if err == nil && dayInIndia(note.IssuedAt) != dayInIndia(issued.IssuedAt) {
		err = fmt.Errorf("%s and %s are of two days: tried again", note.Number, issued.Number)
	}
	return note, issued, err
}

func dayInIndia(at time.Time) string { return at.In(clock.IST).Format(time.DateOnly) }
