package invoice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// LinkLife is how long a signed link to a document is valid.
const LinkLife = 5 * time.Minute

// ObjectStore stores rendered documents; pkg/adapter/objectstore implements it.
type ObjectStore interface {
	// Put stores the bytes under a key that is never overwritten with different ones.
	Put(ctx context.Context, key, contentType string, body []byte) error
	// Presign returns a link that any browser can open until life has passed, with filename as its download name.
	Presign(ctx context.Context, key, filename string, life time.Duration) (string, error)
}

// Renderer renders a document as a PDF, the same bytes for the same document; pkg/adapter/pdf implements it.
type Renderer interface {
	Render(document Invoice) ([]byte, error)
}

// Payments reports whether the franchiser has a payment with that id; pkg/payment implements it.
type Payments interface {
	KnownTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) (bool, error)
}

// Service issues documents inside its callers' transactions and serves them.
type Service struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	objects  ObjectStore
	payments Payments
	supplier Supplier
	returns  map[string]time.Time // when each financial year's annual return was filed
	register time.Time            // the first day whose documents are registered, zero for never
	store    store
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB       *sqlx.DB
	Jobs     *queue.Inserter
	Clock    clock.Clock
	Objects  ObjectStore
	Payments Payments
	// Supplier issues the documents.
	Supplier Supplier
	// AnnualReturns are the moments at which GST annual returns were filed, by financial year (such as 26-27).
	AnnualReturns map[string]time.Time
	// RegisterFrom is the first day whose documents are registered at the Invoice Registration Portal, zero for never.
	RegisterFrom time.Time
}

// NewService returns a service.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, objects: o.Objects, payments: o.Payments, supplier: o.Supplier, returns: o.AnnualReturns,
		register: o.RegisterFrom,
	})
}

// RegimeFor returns the taxes that a recipient bears, so that a preview computes the same as the invoice.
func (s *Service) RegimeFor(recipient Recipient) Regime {
	return RegimeOf(s.supplier.StateCode, recipient.StateCode, recipient.SEZ)
}

// IssueInput is the content of an invoice. Recipient must be the one whose State was used to compute the charge when
// the payment was requested; it is stored with the order, so that a later change of address changes no tax.
type IssueInput struct {
	FranchiserID string
	PaymentID    string
	Recipient    Recipient
	Lines        []LineInput
	// Paid is the captured amount, Credited what credit notes of the same transaction pay; the lines with their tax must add up
	// to exactly their sum.
	Paid     money.Paise
	Credited money.Paise
	Receipt  Receipt
	// IssuedAt is the transaction's single timestamp; zero means the clock's.
	IssuedAt time.Time
}

func (in IssueInput) validate() error {
	if !id.Valid(in.FranchiserID) || !id.Valid(in.PaymentID) || in.Paid < 1 {
		return ErrBadInput
	}
	if !ValidName(in.Recipient.Name) || !in.Recipient.StateCode.Valid() {
		return ErrBadInput
	}
	return nil
}

// IssueTx issues the invoice of a captured payment and enqueues its rendering, all in the caller's transaction.
// For the same payment it returns the existing invoice. It takes a number under a lock that blocks every other issue
// until tx ends: call it late, and roll back after any error (which releases the number).
// It returns ErrTotalMismatch if the lines do not add up to Paid, ErrBadInput for incomplete input.
func (s *Service) IssueTx(ctx context.Context, tx *sqlx.Tx, in IssueInput) (Invoice, error) {
	if err := in.validate(); err != nil {
		return Invoice{}, err
	}
	existing, err := s.store.byPayment(ctx, tx, in.FranchiserID, in.PaymentID)
	if err == nil || !errors.Is(err, ErrNotFound) {
		return existing, err
	}
	regime := s.RegimeFor(in.Recipient)
	lines, totals, err := Compute(regime, in.Lines)
	if err != nil {
		return Invoice{}, err
	}
	if totals.Total != in.Paid+in.Credited {
		return Invoice{}, fmt.Errorf("%w: lines %s, paid %s, credited %s", ErrTotalMismatch, totals.Total, in.Paid, in.Credited)
	}
	return s.put(ctx, tx, Invoice{
		FranchiserID: in.FranchiserID, Kind: KindInvoice, PaymentID: in.PaymentID, IssuedAt: in.IssuedAt,
		Recipient: in.Recipient, Receipt: in.Receipt, PlaceOfSupply: in.Recipient.StateCode,
		Supplier: s.supplier, Regime: regime, Lines: lines, Totals: totals,
	})
}

// CreditNoteInput is the content of a credit note: which invoice it reduces, by how much, and for which refund.
type CreditNoteInput struct {
	FranchiserID string
	// InvoiceID is the invoice's id, or its payment's.
	InvoiceID string
	// RefundID is the refund that it documents; an upgrade's note names the payment that it reduces instead.
	RefundID         string
	AppliedPaymentID string
	// Parts are the credited parts of lines. Without them Amount, tax included, is taken from every line in proportion;
	// 0 credits the whole remainder.
	Parts    []CreditedPart
	Amount   money.Paise
	Reason   string
	Receipt  Receipt
	IssuedAt time.Time
}

// IssueCreditNoteTx issues the credit note of a refund or an upgrade and enqueues its rendering, by the rules of IssueTx: once for each,
// late in tx, roll back after an error. Value and tax are cut from the remainder of each line after earlier notes. After the time limit of
// section 34(2) CGST Act the note credits the same amount without GST. It returns ErrCreditTooLarge if the remainder is smaller, and
// ErrNotFound for an unknown invoice.
func (s *Service) IssueCreditNoteTx(ctx context.Context, tx *sqlx.Tx, in CreditNoteInput) (Invoice, error) {
	if !id.Valid(in.FranchiserID) || !id.Valid(in.InvoiceID) || in.Amount < 0 ||
		id.Valid(in.RefundID) == id.Valid(in.AppliedPaymentID) {
		return Invoice{}, ErrBadInput
	}
	original, err := s.store.byIDOrPayment(ctx, tx, in.FranchiserID, in.InvoiceID)
	if err != nil {
		return Invoice{}, err
	}
	existing, err := s.store.noteOf(ctx, tx, original, in)
	if err == nil || !errors.Is(err, ErrNotFound) {
		return existing, err
	}
	if original.Kind != KindInvoice {
		return Invoice{}, ErrBadInput
	}
	if in.IssuedAt.IsZero() {
		in.IssuedAt = s.clock.Now()
	}
	return s.putAfter(ctx, tx, Invoice{
		FranchiserID: in.FranchiserID, Kind: KindCreditNote, PaymentID: original.PaymentID, IssuedAt: in.IssuedAt,
		OriginalID: original.ID, OriginalNumber: original.Number, OriginalDate: original.IssuedAt,
		RefundID: in.RefundID, AppliedPaymentID: in.AppliedPaymentID, Reason: in.Reason, Receipt: in.Receipt,
		Supplier: s.signed(original.Supplier), Recipient: original.Recipient, PlaceOfSupply: original.PlaceOfSupply,
		Regime: original.Regime, Commercial: !s.taxAdjustable(original, in.IssuedAt),
	}, func(note *Invoice) error {
		// Only now: the number's lock serialises credit notes, so that two cannot share one remainder.
		notes, err := s.store.notesOf(ctx, tx, in.FranchiserID, original.ID)
		if err != nil {
			return err
		}
		return note.credit(left(original, notes), in)
	})
}

// credit fills in the lines of a note, cut from the remainder.
func (i *Invoice) credit(rest []Line, in CreditNoteInput) error {
	var err error
	if len(in.Parts) > 0 {
		i.Lines, i.Totals, err = cut(rest, in.Parts)
	} else {
		amount := in.Amount
		if amount == 0 {
			for _, line := range rest {
				amount += line.Total()
			}
		}
		i.Lines, i.Totals, err = share(rest, amount)
	}
	if err == nil && i.Commercial {
		i.Lines, i.Totals, err = withoutTax(i.Lines)
	}
	return err
}

// signed returns the supplier of an earlier document with today's signatory.
func (s *Service) signed(supplier Supplier) Supplier {
	supplier.Signatory = s.supplier.Signatory
	return supplier
}

// taxAdjustable reports whether a credit note issued at that time may still reduce the invoice's output tax: until 30 November
// after its financial year or the annual return of that year, whichever is earlier.
func (s *Service) taxAdjustable(original Invoice, at time.Time) bool {
	if filed, ok := s.returns[original.FinancialYear]; ok && !at.Before(filed) {
		return false
	}
	return at.Before(TaxAdjustableBefore(original.IssuedAt))
}

// DateTx returns when a document of the kind would be dated that is wanted for a moment: then, or as soon after it as the order of its
// series' numbers allows. Another document may be numbered before it.
func (s *Service) DateTx(ctx context.Context, tx *sqlx.Tx, kind Kind, wanted time.Time) (time.Time, error) {
	last, err := s.store.lastIssued(ctx, tx, Invoice{Kind: kind}.series(), FinancialYear(wanted))
	if last.After(wanted) {
		wanted = last
	}
	return wanted, err
}

func (s *Service) put(ctx context.Context, tx *sqlx.Tx, i Invoice) (Invoice, error) {
	return s.putAfter(ctx, tx, i, func(*Invoice) error { return nil })
}

// putAfter numbers the document, lets complete finish it under the number's lock, stores it and enqueues its rendering.
func (s *Service) putAfter(ctx context.Context, tx *sqlx.Tx, i Invoice, complete func(*Invoice) error) (Invoice, error) {
	if i.IssuedAt.IsZero() {
		i.IssuedAt = s.clock.Now()
	}
	i.IssuedAt = i.IssuedAt.UTC().Truncate(time.Microsecond)
	i.Receipt.PaidAt = i.Receipt.PaidAt.UTC().Truncate(time.Microsecond)
	i.ID = id.New()
	i.Series = i.series()
	i.FinancialYear = FinancialYear(i.IssuedAt)
	if err := s.store.takeNumber(ctx, tx, &i); err != nil {
		return Invoice{}, err
	}
	var err error
	if i.Number, err = FormatNumber(i.Series, i.FinancialYear, i.Sequence); err != nil {
		return Invoice{}, err
	}
	if err := complete(&i); err != nil {
		return Invoice{}, err
	}
	if err := s.store.insert(ctx, tx, i); err != nil {
		return Invoice{}, err
	}
	if i.MustRegister(s.register) {
		return i, RegisterTx(ctx, tx, s.jobs, i)
	}
	return i, RenderTx(ctx, tx, s.jobs, i)
}

// Find returns a franchiser's document by its own id, or an invoice by its payment's, or ErrNotFound.
func (s *Service) Find(ctx context.Context, franchiserID, documentOrPaymentID string) (Invoice, error) {
	if !id.Valid(documentOrPaymentID) {
		return Invoice{}, ErrNotFound
	}
	var found Invoice
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		found, err = s.store.byIDOrPayment(ctx, tx, franchiserID, documentOrPaymentID)
		return err
	})
	return found, err
}

// Link is the signed URL of a document's PDF and its expiry, in UTC; URL is empty while the PDF is being prepared.
type Link struct {
	ID        string // the document's
	URL       string
	Number    string
	Filename  string
	ExpiresAt time.Time
}

// Ready reports whether the PDF exists; if not, the caller should try again.
func (l Link) Ready() bool { return l.URL != "" }

// Link returns a signed link, valid for five minutes, to the PDF of a document, found by its own id or its payment's; for a
// document not rendered yet the link is not Ready. It returns ErrUnavailable for a payment without an invoice,
// ErrNotFound for an unknown id or another franchiser's.
func (s *Service) Link(ctx context.Context, franchiserID, documentOrPaymentID string) (Link, error) {
	if !id.Valid(documentOrPaymentID) {
		return Link{}, ErrNotFound
	}
	var ref Ref
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		ref, err = s.store.ref(ctx, tx, franchiserID, documentOrPaymentID)
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		known, unread := s.payments.KnownTx(ctx, tx, franchiserID, documentOrPaymentID)
		if unread != nil {
			return unread
		}
		if known {
			return ErrUnavailable
		}
		return err
	})
	if err != nil {
		return Link{}, err
	}
	link := Link{ID: ref.ID, Number: ref.Number, Filename: Invoice{Number: ref.Number}.Filename()}
	if !ref.Ready() {
		return link, nil
	}
	link.URL, err = s.objects.Presign(ctx, ref.ObjectKey, link.Filename, LinkLife)
	if err != nil {
		return Link{}, err
	}
	link.ExpiresAt = s.clock.Now().Add(LinkLife)
	return link, nil
}
