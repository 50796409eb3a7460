package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/transfer"
)

// ReceiveTransfer books one bank credit and matches it.
type ReceiveTransfer struct {
	river.WorkerDefaults[transfer.ReceiveArgs]
	booker *transfer.Booker
}

// NewReceiveTransfer returns the worker over the booker.
func NewReceiveTransfer(b *transfer.Booker) *ReceiveTransfer { return &ReceiveTransfer{booker: b} }

// Work does it.
func (w *ReceiveTransfer) Work(ctx context.Context, j *river.Job[transfer.ReceiveArgs]) error {
	return w.booker.Receive(ctx, j.Args.CreditID)
}

// UseTransfer performs the use of a credit that staff requested.
type UseTransfer struct {
	river.WorkerDefaults[transfer.UseArgs]
	booker *transfer.Booker
}

// NewUseTransfer returns the worker over the booker.
func NewUseTransfer(b *transfer.Booker) *UseTransfer { return &UseTransfer{booker: b} }

// Work does it.
func (w *UseTransfer) Work(ctx context.Context, j *river.Job[transfer.UseArgs]) error {
	return w.booker.Use(ctx, j.Args.UseID)
}

// CollectTransfers queries the collector about one account.
type CollectTransfers struct {
	river.WorkerDefaults[transfer.CollectArgs]
	booker *transfer.Booker
}

// NewCollectTransfers returns the worker over the booker.
func NewCollectTransfers(b *transfer.Booker) *CollectTransfers { return &CollectTransfers{booker: b} }

// Work does it.
func (w *CollectTransfers) Work(ctx context.Context, j *river.Job[transfer.CollectArgs]) error {
	return w.booker.Collect(ctx, j.Args.AccountID)
}

// CloseAccountNumber closes an account number at the collector.
type CloseAccountNumber struct {
	river.WorkerDefaults[transfer.CloseArgs]
	booker *transfer.Booker
}

// NewCloseAccountNumber returns the worker over the booker.
func NewCloseAccountNumber(b *transfer.Booker) *CloseAccountNumber {
	return &CloseAccountNumber{booker: b}
}

// Work does it.
func (w *CloseAccountNumber) Work(ctx context.Context, j *river.Job[transfer.CloseArgs]) error {
	return w.booker.Close(ctx, j.Args.AccountID)
}

// SweepTransfers finds credits that were not heard of and ends proformas.
type SweepTransfers struct {
	river.WorkerDefaults[transfer.SweepArgs]
	booker *transfer.Booker
}

// NewSweepTransfers returns the worker over the booker.
func NewSweepTransfers(b *transfer.Booker) *SweepTransfers { return &SweepTransfers{booker: b} }

// Timeout allows for many accounts, each queried separately, and ends before another worker rescues the job.
func (*SweepTransfers) Timeout(*river.Job[transfer.SweepArgs]) time.Duration { return 4 * time.Minute }

// Work does it.
func (w *SweepTransfers) Work(ctx context.Context, _ *river.Job[transfer.SweepArgs]) error {
	return w.booker.Sweep(ctx)
}

// PrintProforma renders and sends a proforma.
type PrintProforma struct {
	river.WorkerDefaults[transfer.PrintArgs]
	printer *transfer.Printer
}

// NewPrintProforma returns the worker over the printer.
func NewPrintProforma(p *transfer.Printer) *PrintProforma { return &PrintProforma{printer: p} }

// Work does it.
func (w *PrintProforma) Work(ctx context.Context, j *river.Job[transfer.PrintArgs]) error {
	return w.printer.Print(ctx, j.Args.ProformaID)
}
