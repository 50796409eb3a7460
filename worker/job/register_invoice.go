package job

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
)

// errNotRegistering reports a job of when documents were registered; it runs once they are again.
var errNotRegistering = errors.New("documents are not registered: EINVOICE_FROM is not set")

// RegisterInvoice registers one tax document at the Invoice Registration Portal.
type RegisterInvoice struct {
	river.WorkerDefaults[invoice.RegisterArgs]
	registrar *einvoice.Registrar
}

// NewRegisterInvoice returns the worker over the registrar, nil where no document is registered.
func NewRegisterInvoice(registrar *einvoice.Registrar) *RegisterInvoice {
	return &RegisterInvoice{registrar: registrar}
}

// Timeout leaves room for a sign-in, a registration and a look-up at a slow portal.
func (*RegisterInvoice) Timeout(*river.Job[invoice.RegisterArgs]) time.Duration {
	return 75 * time.Second
}

// NextRetry retries soon at first, then at least every half hour for as long as the portal is down.
func (*RegisterInvoice) NextRetry(j *river.Job[invoice.RegisterArgs]) time.Time {
	return doubling(j.Attempt, 5*time.Second, 30*time.Minute)
}

// Work registers the document. What the portal will refuse again cancels the job, and waits for staff.
func (w *RegisterInvoice) Work(ctx context.Context, j *river.Job[invoice.RegisterArgs]) error {
	if w.registrar == nil {
		return errNotRegistering
	}
	err := w.registrar.Register(ctx, j.Args.InvoiceID)
	if errors.Is(err, invoice.ErrNotFound) || einvoice.Final(err) {
		return river.JobCancel(err)
	}
	return err
}

// RecheckEInvoice looks whether a registration was cancelled at the portal.
type RecheckEInvoice struct {
	river.WorkerDefaults[einvoice.RecheckArgs]
	registrar *einvoice.Registrar
}

// NewRecheckEInvoice returns the worker over the registrar, nil where no document is registered.
func NewRecheckEInvoice(registrar *einvoice.Registrar) *RecheckEInvoice {
	return &RecheckEInvoice{registrar: registrar}
}

// Timeout leaves room for a sign-in and a look-up at a slow portal.
func (*RecheckEInvoice) Timeout(*river.Job[einvoice.RecheckArgs]) time.Duration {
	return 60 * time.Second
}

// Work looks once.
func (w *RecheckEInvoice) Work(ctx context.Context, j *river.Job[einvoice.RecheckArgs]) error {
	if w.registrar == nil {
		return errNotRegistering
	}
	err := w.registrar.Recheck(ctx, j.Args.InvoiceID)
	if errors.Is(err, invoice.ErrNotFound) {
		return river.JobCancel(err)
	}
	return err
}
