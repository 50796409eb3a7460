package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/invoice"
)

// MailDocuments has a customer's recent documents sent to the address that was just proved.
type MailDocuments struct {
	river.WorkerDefaults[profile.MailDocumentsArgs]
	printer *invoice.Printer
}

// NewMailDocuments returns the worker over the printer.
func NewMailDocuments(printer *invoice.Printer) *MailDocuments {
	return &MailDocuments{printer: printer}
}

// Timeout leaves room for many documents; each is only noted here.
func (*MailDocuments) Timeout(*river.Job[profile.MailDocumentsArgs]) time.Duration {
	return 20 * time.Second
}

// Work notes the documents that are to be sent.
func (w *MailDocuments) Work(ctx context.Context, j *river.Job[profile.MailDocumentsArgs]) error {
	return w.printer.MailMissed(ctx, j.Args.FranchiserID)
}
