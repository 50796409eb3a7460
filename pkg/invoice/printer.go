package invoice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

const contentType = "application/pdf"

// Printer renders issued documents and stores them in the object store; it works with the worker's database role.
type Printer struct {
	db       *sqlx.DB
	clock    clock.Clock
	renderer Renderer
	objects  ObjectStore
	store    store
	messages *message.Enqueuer `wiring:"optional"`
	register time.Time         // the first day whose documents are registered, zero for never
}

// PrinterOptions are the parts and settings of a Printer. NewPrinter panics if a part is nil that is not optional.
type PrinterOptions struct {
	DB       *sqlx.DB
	Clock    clock.Clock
	Renderer Renderer
	Objects  ObjectStore
	// Messages send each document by e-mail when it is first rendered; optional.
	Messages *message.Enqueuer `wiring:"optional"`
	// RegisterFrom is from when on no document is rendered before it is registered, zero if all are.
	RegisterFrom time.Time
}

// NewPrinter returns a printer on the worker's pool.
func NewPrinter(o PrinterOptions) *Printer {
	return wiring.Complete(&Printer{
		db: o.DB, clock: o.Clock, renderer: o.Renderer, objects: o.Objects, messages: o.Messages, register: o.RegisterFrom,
	})
}

// Print renders the document, stores it under a key that contains its hash, and records where it is stored.
// Printing again changes nothing except to restore bytes lost by the object store: the record stays, and a crash
// between the steps is repaired by the next run. It returns ErrNotFound for an unknown id, ErrUnregistered for a document that is
// no invoice before the portal registered it.
func (p *Printer) Print(ctx context.Context, invoiceID string) (Document, error) {
	if !id.Valid(invoiceID) {
		return Document{}, ErrNotFound
	}
	invoice, recorded, printed, err := p.load(ctx, invoiceID)
	if err != nil {
		return Document{}, err
	}
	if !printed && invoice.IRN == "" && invoice.MustRegister(p.register) {
		return Document{}, ErrUnregistered
	}
	body, err := p.renderer.Render(invoice)
	if err != nil {
		return Document{}, fmt.Errorf("render %s: %w", invoice.Number, err)
	}
	doc := p.document(invoice, body)
	if printed && doc.SHA256 != recorded.SHA256 {
		return recorded, nil // rendered by an earlier release; the issued file counts
	}
	if err := p.objects.Put(ctx, doc.ObjectKey, contentType, body); err != nil {
		return Document{}, fmt.Errorf("store %s: %w", invoice.Number, err)
	}
	if printed {
		return recorded, nil
	}
	return p.record(ctx, invoice, doc)
}

func (p *Printer) load(ctx context.Context, invoiceID string) (invoice Invoice, doc Document, printed bool, err error) {
	err = postgres.InTx(ctx, p.db, func(tx *sqlx.Tx) error {
		var err error
		if doc, printed, err = p.store.document(ctx, tx, invoiceID); err != nil {
			return err
		}
		invoice, err = p.store.byID(ctx, tx, invoiceID)
		return err
	})
	return invoice, doc, printed, err
}

// record records where the document is stored; of two concurrent workers the first one's record stays.
func (p *Printer) record(ctx context.Context, invoice Invoice, doc Document) (Document, error) {
	err := postgres.InTx(ctx, p.db, func(tx *sqlx.Tx) error {
		if err := p.store.insertDocument(ctx, tx, invoice.FranchiserID, doc); err != nil {
			return err
		}
		var err error
		if doc, _, err = p.store.document(ctx, tx, invoice.ID); err != nil {
			return err
		}
		return p.announceTx(ctx, tx, invoice, doc)
	})
	return doc, err
}

func (p *Printer) document(invoice Invoice, body []byte) Document {
	hash := sha256.Sum256(body)
	sum := hex.EncodeToString(hash[:])
	return Document{
		InvoiceID: invoice.ID, ObjectKey: fmt.Sprintf("invoices/%s/%s/%s.pdf", invoice.FinancialYear, invoice.ID, sum),
		SHA256: sum, SizeBytes: int64(len(body)), RenderedAt: p.clock.Now(),
	}
}
