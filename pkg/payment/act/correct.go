package act

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// CorrectionTx returns the invoice as it would be issued now to another recipient. It fails as invoice.CorrectionTx does. It returns
// ErrReversalOpen while a reversal request for the payment is open, and invoice.ErrCredited after a refund has begun.
func (s *Service) CorrectionTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to invoice.Recipient, now time.Time) (invoice.Correction, error) {
	c, err := s.invoices.CorrectionTx(ctx, tx, franchiserID, invoiceID, to, now)
	if err != nil {
		return c, err
	}
	p, err := store.Find(ctx, tx, c.Original.PaymentID)
	if err != nil {
		return c, err
	}
	if open, err := reversal.OpenTx(ctx, tx, p.ID); err != nil || open {
		if err == nil {
			err = reversal.ErrReversalOpen
		}
		return c, err
	}
	rest, err := refund.RestTx(ctx, tx, p)
	if err == nil && (rest.Under > 0 || rest.Noted > 0 || p.State != payment.StatePaid) {
		err = invoice.ErrCredited
	}
	return c, err
}

// CorrectTx takes an invoice back by a credit note and issues another one to the right recipient. No money moves: the payment settles the
// new invoice, and paise by which its tax rounds otherwise are ours. It fails as CorrectionTx does, and runs with the worker's role.
func (s *Service) CorrectTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to invoice.Recipient, now time.Time) (invoice.Invoice, error) {
	if err := subscription.LockTx(ctx, tx, franchiserID); err != nil {
		return invoice.Invoice{}, err
	}
	if _, err := s.CorrectionTx(ctx, tx, franchiserID, invoiceID, to, now); err != nil {
		return invoice.Invoice{}, err
	}
	note, issued, err := s.invoices.CorrectTx(ctx, tx, franchiserID, invoiceID, to, now)
	if err != nil {
		return issued, err
	}
	m := ledger.Movement{FranchiserID: franchiserID, PaymentID: note.PaymentID, Reference: note.ID, Amount: note.Totals.Total, At: now}
	entries := []ledger.Entry{ledger.CreditNote(note), ledger.Sale(issued), ledger.CreditApplied(m)}
	if m.Amount = issued.Totals.Total - note.Totals.Total; m.Amount != 0 {
		m.Reference = issued.ID
		entries = append(entries, ledger.Rounding(m))
	}
	for _, e := range entries {
		if err := s.ledger.PostTx(ctx, tx, e); err != nil {
			return issued, err
		}
	}
	return issued, s.messages.OnceTx(ctx, tx, message.CustomerMessage{
		FranchiserID: franchiserID, Template: message.TemplateInvoiceCorrectedEmail, About: issued.ID, CreatedAt: now,
	})
}
