package invoice

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// emailLinkLife is how long the link in an e-mail leads to its document: as long as S3 signs any.
const emailLinkLife = 7 * 24 * time.Hour

// Shelf is what e-mails take documents from; the object store implements it.
type Shelf interface {
	Get(ctx context.Context, key string) ([]byte, error)
	Presign(ctx context.Context, key, filename string, life time.Duration) (string, error)
}

// announceTx has the document sent to its recipient, once it is stored.
func (p *Printer) announceTx(ctx context.Context, tx *sqlx.Tx, i Invoice, d Document) error {
	if p.messages == nil {
		return nil
	}
	return p.messages.OnceTx(ctx, tx, message.CustomerMessage{
		FranchiserID: i.FranchiserID, Template: message.TemplateDocumentEmail, About: i.ID, CreatedAt: d.RenderedAt,
	})
}

// mailedLater is the age up to which a document is sent to an address that was proved after it was issued.
const mailedLater = 30 * 24 * time.Hour

// MailMissed has the franchiser's documents of the last thirty days sent that had no address to go to, once each.
func (p *Printer) MailMissed(ctx context.Context, franchiserID string) error {
	if p.messages == nil {
		return nil
	}
	now := p.clock.Now()
	return postgres.InTx(ctx, p.db, func(tx *sqlx.Tx) error {
		ids, err := p.store.renderedSince(ctx, tx, franchiserID, now.Add(-mailedLater))
		if err != nil {
			return err
		}
		for _, invoiceID := range ids {
			m := message.CustomerMessage{FranchiserID: franchiserID, Template: message.TemplateDocumentEmail, About: invoiceID, CreatedAt: now}
			if err := p.messages.LaterTx(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
	})
}

const renderedSinceSQL = `
	SELECT i.id FROM invoices i JOIN invoice_documents d ON d.invoice_id = i.id
	WHERE i.franchiser_id = $1 AND i.issued_at >= $2 ORDER BY i.issued_at, i.id`

// renderedSince returns the ids of the franchiser's documents issued since a moment that have a PDF.
func (store) renderedSince(ctx context.Context, tx *sqlx.Tx, franchiserID string, since time.Time) ([]string, error) {
	var ids []string
	if err := tx.SelectContext(ctx, &ids, renderedSinceSQL, franchiserID, since); err != nil {
		return nil, fmt.Errorf("list documents to send: %w", err)
	}
	return ids, nil
}

// Notes returns the dashboard's texts about documents.
func Notes() map[string]message.Notes {
	return map[string]message.Notes{message.TemplateDocumentEmail: documentNotes}
}

const documentNotesSQL = `SELECT id, kind, number, total_paise FROM document_overview WHERE franchiser_id = $1 AND id = ANY($2)`

func documentNotes(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
	var rows []struct {
		ID     string      `db:"id"`
		Kind   Kind        `db:"kind"`
		Number string      `db:"number"`
		Total  money.Paise `db:"total_paise"`
	}
	if err := tx.SelectContext(ctx, &rows, documentNotesSQL, franchiserID, pq.StringArray(about)); err != nil {
		return nil, fmt.Errorf("read documents of notifications: %w", err)
	}
	notes := map[string]message.Note{}
	for _, r := range rows {
		notes[r.ID] = message.Note{
			Title: l.Say("Your {1} {2}", r.Kind.In(l), r.Number), Text: l.Say("Total: {1}. The PDF is under Renewals & Billing.", r.Total.Display()),
			Link: "/subscription_list?tab=payments",
		}
	}
	return notes, nil
}

// In is the kind's name within a sentence.
func (k Kind) In(l i18n.Language) string {
	switch k {
	case KindCreditNote:
		return l.Say("credit note")
	case KindReceiptVoucher:
		return l.Say("receipt voucher")
	case KindRefundVoucher:
		return l.Say("refund voucher")
	default:
		return l.Say("invoice")
	}
}

// Letters returns the contents of the messages about documents.
func Letters(db *sqlx.DB, clk clock.Clock, shelf Shelf) map[string]message.Letter {
	return map[string]message.Letter{message.TemplateInvoiceCorrectedEmail: correctedLetter(), message.TemplateDocumentEmail: {
		Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
			i, err := store{}.byID(ctx, tx, m.About)
			if err != nil {
				return nil, err
			}
			return &message.Message{Values: []string{
				i.Kind.In(m.Language), i.Number, m.Language.Day(i.IssuedAt), i.Totals.Total.Display(), m.Language.Moment(clk.Now().Add(emailLinkLife)),
			}}, nil
		},
		Attach: func(ctx context.Context, m message.CustomerMessage) (*message.Attachment, string, error) {
			var ref Ref
			err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
				var err error
				ref, err = store{}.ref(ctx, tx, m.FranchiserID, m.About)
				return err
			})
			if err != nil {
				return nil, "", err
			}
			body, err := shelf.Get(ctx, ref.ObjectKey)
			if err != nil {
				return nil, "", err
			}
			name := Invoice{Number: ref.Number}.Filename()
			link, err := shelf.Presign(ctx, ref.ObjectKey, name, emailLinkLife)
			return &message.Attachment{Name: name, ContentType: contentType, Body: body}, link, err
		},
	}}
}

// correctedLetter tells that an invoice was issued to another recipient; it is about the new one.
func correctedLetter() message.Letter {
	return message.Letter{Write: func(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
		i, err := store{}.byID(ctx, tx, m.About)
		if err != nil {
			return nil, err
		}
		return &message.Message{Values: []string{i.CorrectsNumber, i.Number, i.Recipient.Name, i.Totals.Total.Display()}}, nil
	}}
}
