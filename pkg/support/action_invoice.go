package support

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/staff"
)

// invoiceMessageLife is how long a message about an invoice is worth sending.
const invoiceMessageLife = 24 * time.Hour

// ResendInvoice sends the customer an SMS with the number of the document and the page to download it from. It fails
// with KindNotFound for a document of another customer, and with KindRateLimited within a minute of the last such
// message.
func (h *CustomerActions) ResendInvoice(ctx context.Context, p staff.Principal, in Request, invoiceID string) (Done, error) {
	a := staff.Action{Action: "resend_invoice", Target: "invoice:" + invoiceID}
	return h.once(ctx, p, in, a, func(tx *sqlx.Tx) (Done, error) {
		number, err := invoice.NumberTx(ctx, tx, in.FranchiserID, invoiceID)
		if err != nil {
			return Done{}, err
		}
		now := h.clock.Now()
		jobID, err := message.EnqueueTx(ctx, tx, h.jobs, message.StaffMessage{
			FranchiserID: in.FranchiserID, Template: message.TemplateInvoiceLink, InvoiceID: &invoiceID,
			CreatedAt: now, ExpiresAt: now.Add(invoiceMessageLife),
		})
		return Done{Message: number + " is on its way to the customer by SMS.", JobID: &jobID}, err
	})
}

// InvoiceContent returns the content of messages about invoices.
func InvoiceContent() message.Content {
	return message.Content{
		Addressee: InvoiceAddressee,
		Values: func(ctx context.Context, tx *sqlx.Tx, m message.StaffMessage) ([]string, error) {
			number, err := invoice.NumberTx(ctx, tx, m.FranchiserID, *m.InvoiceID)
			return []string{number}, err
		},
		Language: customersLanguage,
	}
}

func customersLanguage(ctx context.Context, tx *sqlx.Tx, m message.StaffMessage) (i18n.Language, error) {
	return account.LanguageTx(ctx, tx, m.FranchiserID)
}

// InvoiceAddressee returns the customer's mobile.
func InvoiceAddressee(ctx context.Context, tx *sqlx.Tx, m message.StaffMessage) (string, error) {
	return account.MobileTx(ctx, tx, m.FranchiserID)
}
