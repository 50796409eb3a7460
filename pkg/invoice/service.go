package invoice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// LinkLife is how long a signed link to a document works.
const LinkLife = 5 * time.Minute

// ObjectStore keeps rendered documents; pkg/adapter/objectstore fills it.
type ObjectStore interface {
	// Put stores the bytes under a key that is never overwritten with others.
	Put(ctx context.Context, key, contentType string, body []byte) error
	// Presign gives a link that any browser can open until life has passed, showing filename when saved.
	Presign(ctx context.Context, key, filename string, life time.Duration) (string, error)
}

// Renderer turns a document into a PDF, the same bytes for the same document; pkg/adapter/pdf fills it.
type Renderer interface {
	Render(document Invoice) ([]byte, error)
}

// Service issues documents inside the transactions of others and answers for them.
type Service struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	objects  ObjectStore
	supplier Supplier
	store    store
}

// NewService returns a service that issues in the name of supplier.
func NewService(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, objects ObjectStore, supplier Supplier) *Service {
	return &Service{db: db, jobs: jobs, clock: clk, objects: objects, supplier: supplier}
}

// RegimeFor tells which taxes a recipient bears, so that a preview computes what the invoice will say.
func (s *Service) RegimeFor(recipient Recipient) Regime {
	return RegimeOf(s.supplier.StateCode, recipient.StateCode, recipient.SEZ)
}

// IssueInput is what an invoice is made of. Recipient must be the one with whose State the charge was computed when
// the payment was requested, kept beside the order, so that an address changed meanwhile changes no tax.
type IssueInput struct {
	FranchiserID string
	PaymentID    string
	Recipient    Recipient
	Lines        []LineInput
	// Paid is what was captured; the lines with their tax must add up to exactly that.
	Paid    money.Paise
	Receipt Receipt
	// IssuedAt is the transaction's one now; the zero time takes the clock's.
	IssuedAt time.Time
}

func (in IssueInput) validate() error {
	if !id.Valid(in.FranchiserID) || !id.Valid(in.PaymentID) || in.Paid < 1 {
		return ErrBadInput
	}
	if strings.TrimSpace(in.Recipient.Name) == "" || !in.Recipient.StateCode.Valid() {
		return ErrBadInput
	}
	return nil
}

// IssueTx issues the invoice of a captured payment and enqueues its rendering, all in the caller's transaction.
// Called again for the same payment it returns the invoice that exists. It takes a number that every other issue
// waits for until tx ends: call it late, and roll back after any error (the number is then given back).
// It returns ErrTotalMismatch when the lines do not add up to Paid, ErrBadInput for incomplete input.
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
	if totals.Total != in.Paid {
		return Invoice{}, fmt.Errorf("%w: lines %s, paid %s", ErrTotalMismatch, totals.Total, in.Paid)
	}
	return s.put(ctx, tx, Invoice{
		FranchiserID: in.FranchiserID, Kind: KindInvoice, PaymentID: in.PaymentID, IssuedAt: in.IssuedAt,
		Recipient: in.Recipient, Receipt: in.Receipt, PlaceOfSupply: in.Recipient.StateCode,
		Supplier: s.supplier, Regime: regime, Lines: lines, Totals: totals,
	})
}

// CreditNoteInput is what a credit note is made of: which invoice it reduces, by how much, and for which refund.
type CreditNoteInput struct {
	FranchiserID string
	// InvoiceID is the invoice's id, or its payment's.
	InvoiceID string
	RefundID  string
	// Amount is what is given back, tax included; nought gives back all that is left.
	Amount   money.Paise
	Reason   string
	Receipt  Receipt
	IssuedAt time.Time
}

// IssueCreditNoteTx issues the credit note of a refund and enqueues its rendering, with IssueTx's rules: once per
// refund, late in tx, roll back after an error. Value and tax are cut from what earlier notes have left of each line.
// It returns ErrCreditTooLarge when less than Amount is left, ErrNotFound without such an invoice.
func (s *Service) IssueCreditNoteTx(ctx context.Context, tx *sqlx.Tx, in CreditNoteInput) (Invoice, error) {
	if !id.Valid(in.FranchiserID) || !id.Valid(in.InvoiceID) || !id.Valid(in.RefundID) || in.Amount < 0 {
		return Invoice{}, ErrBadInput
	}
	existing, err := s.store.byRefund(ctx, tx, in.FranchiserID, in.RefundID)
	if err == nil || !errors.Is(err, ErrNotFound) {
		return existing, err
	}
	original, err := s.store.byIDOrPayment(ctx, tx, in.FranchiserID, in.InvoiceID)
	if err != nil {
		return Invoice{}, err
	}
	if original.Kind != KindInvoice {
		return Invoice{}, ErrBadInput
	}
	return s.putAfter(ctx, tx, Invoice{
		FranchiserID: in.FranchiserID, Kind: KindCreditNote, PaymentID: original.PaymentID, IssuedAt: in.IssuedAt,
		OriginalID: original.ID, OriginalNumber: original.Number, OriginalDate: original.IssuedAt,
		RefundID: in.RefundID, Reason: in.Reason, Receipt: in.Receipt, Supplier: original.Supplier,
		Recipient: original.Recipient, PlaceOfSupply: original.PlaceOfSupply, Regime: original.Regime,
	}, func(note *Invoice) error {
		// Only now: the number's lock makes credit notes queue up, so that two cannot share one remainder.
		notes, err := s.store.notesOf(ctx, tx, in.FranchiserID, original.ID)
		if err != nil {
			return err
		}
		rest := left(original, notes)
		amount := in.Amount
		if amount == 0 {
			for _, line := range rest {
				amount += line.Total()
			}
		}
		note.Lines, note.Totals, err = share(rest, amount)
		return err
	})
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
	i.Series = i.Kind.Series()
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
	_, err = s.jobs.InsertTx(ctx, tx, RenderArgs{InvoiceID: i.ID}, queue.Options{
		Queue: queue.QueueDocuments, Unique: true,
		Subject: queue.Subject{FranchiserID: i.FranchiserID, PaymentID: i.PaymentID, InvoiceID: i.ID},
	})
	return i, err
}

// Find returns a document of the franchiser by its own id, or an invoice by its payment's; others give ErrNotFound.
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

// Link is a signed address of a document's PDF and when it stops working, in UTC; URL is empty while it is prepared.
type Link struct {
	URL       string
	Number    string
	Filename  string
	ExpiresAt time.Time
}

// Ready says whether the PDF exists; until then the caller should ask again.
func (l Link) Ready() bool { return l.URL != "" }

// Link signs a link of five minutes to the PDF of a document, named by its own id or its payment's; a document that
// is not rendered yet gives a link that is not Ready. It returns ErrUnavailable for a payment without an invoice,
// ErrNotFound for another franchiser's id or none.
func (s *Service) Link(ctx context.Context, franchiserID, documentOrPaymentID string) (Link, error) {
	if !id.Valid(documentOrPaymentID) {
		return Link{}, ErrNotFound
	}
	var ref Ref
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		ref, err = s.store.ref(ctx, tx, franchiserID, documentOrPaymentID)
		return err
	})
	if err != nil {
		return Link{}, err
	}
	link := Link{Number: ref.Number, Filename: Invoice{Number: ref.Number}.Filename()}
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
