package job

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// RenderInvoice renders one tax document to PDF and stores it in the object store.
type RenderInvoice struct {
	river.WorkerDefaults[invoice.RenderArgs]
	printer *invoice.Printer
}

// NewRenderInvoice returns the worker over the printer.
func NewRenderInvoice(printer *invoice.Printer) *RenderInvoice {
	return &RenderInvoice{printer: printer}
}

// Timeout leaves room for a slow object store; rendering itself takes milliseconds.
func (*RenderInvoice) Timeout(*river.Job[invoice.RenderArgs]) time.Duration { return 45 * time.Second }

// NextRetry retries soon at first, so that after a short outage a customer waits seconds and not minutes, then at least
// every quarter of an hour for as long as the object store is down.
func (*RenderInvoice) NextRetry(j *river.Job[invoice.RenderArgs]) time.Time {
	return doubling(j.Attempt, 2*time.Second, 15*time.Minute)
}

// Work renders the document. An unknown document, or one that must be registered first, cancels the job; any other error is retried.
func (w *RenderInvoice) Work(ctx context.Context, j *river.Job[invoice.RenderArgs]) error {
	_, err := w.printer.Print(ctx, j.Args.InvoiceID)
	if errors.Is(err, invoice.ErrNotFound) || errors.Is(err, invoice.ErrUnregistered) {
		return river.JobCancel(err)
	}
	return err
}

// doubling returns when a job whose attempt failed runs again: after first, then each time twice as long, up to most.
func doubling(attempt int, first, most time.Duration) time.Time {
	wait := first << min(max(attempt, 1)-1, 10)
	return clock.Real().Add(min(wait, most))
}
