package einvoice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// recheckAfter is when a registration is read again: it can be cancelled at the portal for 24 hours, and be read for two days.
const recheckAfter = 25 * time.Hour

// Registrar registers documents; it works with the worker's database role.
type Registrar struct {
	db     *sqlx.DB
	jobs   *queue.Inserter
	clock  clock.Clock
	portal Portal
	store  store
}

// NewRegistrar returns a registrar on the worker's pool.
func NewRegistrar(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, portal Portal) *Registrar {
	return wiring.Complete(&Registrar{db: db, jobs: jobs, clock: clk, portal: portal})
}

// Register registers the document and enqueues its rendering. Repeated, also after an answer that was lost, it finds the registration
// that exists and takes it if it is the document's. It returns a *RefusalError if the portal refuses, invoice.ErrNotFound for an unknown id.
func (r *Registrar) Register(ctx context.Context, invoiceID string) error {
	if !id.Valid(invoiceID) {
		return invoice.ErrNotFound
	}
	var i invoice.Invoice
	err := postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		var err error
		if i, err = invoice.DocumentTx(ctx, tx, invoiceID); err != nil || i.IRN != "" {
			return err
		}
		return r.store.ask(ctx, tx, i, r.clock.Now())
	})
	if err != nil {
		return err
	}
	if i.IRN != "" {
		return postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error { return invoice.RenderTx(ctx, tx, r.jobs, i) })
	}
	answer, err := r.ask(ctx, i)
	if unsigned, ok := errors.AsType[*unsignedError](err); ok {
		return errors.Join(err, r.unsigned(ctx, i, unsigned.known))
	}
	if err == nil {
		err = check(i, answer)
	}
	if err == nil && answer.Cancelled {
		err = &RefusalError{Code: "cancelled", Message: "The document was registered and then cancelled at the portal; its number cannot be registered again."}
	}
	if err != nil {
		return errors.Join(err, r.refused(ctx, i, err))
	}
	return r.registered(ctx, i, answer)
}

// unsignedError reports a registration that exists at the portal, which no longer shows its signed QR code. Code 2283: the portal shows a
// registration for two to three days.
type unsignedError struct{ known Registration }

func (*unsignedError) Error() string {
	return "einvoice: the document is registered, but the portal no longer shows its signed QR code"
}

// codeTooOld refuses a document whose 30 days have passed.
const codeTooOld = "2305"

// ask returns the registration, including an earlier one. It returns an *unsignedError for one that the portal no longer shows.
func (r *Registrar) ask(ctx context.Context, i invoice.Invoice) (Registration, error) {
	d, err := DocumentOf(i)
	if err != nil {
		return Registration{}, &RefusalError{Code: "address", Message: "The portal asks for PIN codes, and an address of the document has none."}
	}
	var known Registration
	err = postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		known, err = r.store.known(ctx, tx, i.ID)
		return err
	})
	if err != nil {
		return Registration{}, err
	}
	if known.IRN == "" { // an earlier answer may have been lost
		var answer Registration
		answer, err = r.portal.Register(ctx, d)
		refusal, ok := errors.AsType[*RefusalError](err)
		switch {
		case ok && refusal.IRN != "":
			known = Registration{IRN: refusal.IRN, AckNo: refusal.AckNo, AckAt: refusal.AckAt}
		case ok && refusal.Code == codeTooOld:
			return r.tooOld(ctx, i, refusal)
		default:
			return answer, err
		}
	}
	if !strings.EqualFold(known.IRN, IRNOf(i)) {
		return Registration{}, fmt.Errorf("%w: IRN", errAnswer)
	}
	answer, err := r.portal.ByIRN(ctx, known.IRN)
	if errors.Is(err, ErrUnknown) {
		return Registration{}, &unsignedError{known: known}
	}
	return answer, err
}

// tooOld returns the registration of a document that the portal finds too old, if it was registered in time and the answer was lost.
// Otherwise it returns the refusal, which tells staff to look the number up at the portal if an earlier answer may have been lost.
func (r *Registrar) tooOld(ctx context.Context, i invoice.Invoice, refusal *RefusalError) (Registration, error) {
	answer, err := r.portal.ByIRN(ctx, IRNOf(i))
	if err == nil || !errors.Is(err, ErrUnknown) {
		return answer, err
	}
	said := *refusal
	said.Message = strings.TrimRight(said.Message, ". ") + ". An earlier answer may have been lost: look the number up at the portal before you decide."
	return Registration{}, &said
}

// unsigned keeps the reference number and acknowledgement of a registration whose signed QR code the portal no longer shows.
func (r *Registrar) unsigned(ctx context.Context, i invoice.Invoice, known Registration) error {
	text := "The portal registered it"
	if known.AckNo != "" {
		text += " under acknowledgement " + known.AckNo
	}
	text += " and no longer shows its signed QR code. An admin asks again; if the portal still does not show it, write to the portal's help desk with the IRN."
	return postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		return r.store.unsigned(ctx, tx, i.ID, known, text, r.clock.Now())
	})
}

func (r *Registrar) registered(ctx context.Context, i invoice.Invoice, a Registration) error {
	return postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		if err := r.store.registered(ctx, tx, i.ID, a, r.clock.Now()); err != nil {
			return err
		}
		if err := invoice.RegisteredTx(ctx, tx, i.ID, IRNOf(i), a.AckNo, a.AckAt, a.SignedQR); err != nil {
			return err
		}
		_, err := r.jobs.InsertTx(ctx, tx, RecheckArgs{InvoiceID: i.ID}, queue.Options{
			Queue: queue.QueueDocuments, Delay: recheckAfter, MaxAttempts: recheckTries,
			Subject: queue.Subject{FranchiserID: i.FranchiserID, PaymentID: i.PaymentID, InvoiceID: i.ID},
		})
		if err != nil {
			return err
		}
		return invoice.RenderTx(ctx, tx, r.jobs, i)
	})
}

// refused records a refusal of the portal, or an answer about another document. Other errors are retried.
func (r *Registrar) refused(ctx context.Context, i invoice.Invoice, cause error) error {
	code, text := "", ""
	if refusal, ok := errors.AsType[*RefusalError](cause); ok {
		code, text = refusal.Code, refusal.Message
	} else if errors.Is(cause, errAnswer) {
		code, text = "other_document", "The portal has another document under this number."
	}
	if code == "" {
		return nil
	}
	return postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		return r.store.refused(ctx, tx, i.ID, code, cut(text, maxProduct), r.clock.Now())
	})
}

// Final reports whether the same document would be refused again.
func Final(err error) bool {
	if refusal, ok := errors.AsType[*RefusalError](err); ok {
		return !refusal.Later
	}
	if _, ok := errors.AsType[*unsignedError](err); ok {
		return true
	}
	return errors.Is(err, errAnswer)
}

// Recheck reads a registration again and records a cancellation at the portal. A registration that is too old to be read stays.
func (r *Registrar) Recheck(ctx context.Context, invoiceID string) error {
	var i invoice.Invoice
	err := postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error {
		var err error
		i, err = invoice.DocumentTx(ctx, tx, invoiceID)
		return err
	})
	if err != nil {
		return err
	}
	answer, err := r.portal.ByIRN(ctx, i.IRN)
	if errors.Is(err, ErrUnknown) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read registration: %w", err)
	}
	if !answer.Cancelled {
		return nil
	}
	return postgres.InTx(ctx, r.db, func(tx *sqlx.Tx) error { return r.store.cancelled(ctx, tx, invoiceID, r.clock.Now()) })
}
