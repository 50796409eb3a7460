package bookexport

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Statement is a customer's statement of account as it is printed. First and Last are days in India, both included.
type Statement struct {
	ledger.Statement

	Supplier    invoice.Supplier
	Recipient   invoice.Recipient
	First, Last subscription.Day
	At          time.Time
}

// Renderer renders a statement as a PDF, the same bytes for the same one; pkg/adapter/pdf implements it.
type Renderer interface {
	RenderStatement(s Statement) ([]byte, error)
}

// Taker hands out statements and records who took them; ledger.Reports implements it.
type Taker interface {
	TakeStatement(ctx context.Context, p staff.Principal, franchiserID string, first, last subscription.Day) (ledger.Statement, error)
}

// Printer prints statements of account for staff. It runs with the API's role.
type Printer struct {
	db       *sqlx.DB
	clock    clock.Clock
	books    Taker
	renderer Renderer
	supplier invoice.Supplier
}

// NewPrinter returns the printer of the supplier's statements.
func NewPrinter(db *sqlx.DB, clk clock.Clock, books Taker, renderer Renderer, supplier invoice.Supplier) *Printer {
	return wiring.Complete(&Printer{db: db, clock: clk, books: books, renderer: renderer, supplier: supplier})
}

// Print returns the customer's statement from the first to the last day as a PDF, and records who took it.
func (p *Printer) Print(ctx context.Context, who staff.Principal, franchiserID string, first, last subscription.Day) ([]byte, error) {
	s, err := p.books.TakeStatement(ctx, who, franchiserID, first, last)
	if err != nil {
		return nil, err
	}
	var named map[string]invoice.Named
	err = postgres.InTx(ctx, p.db, func(tx *sqlx.Tx) error {
		named, err = invoice.NamedTx(ctx, tx, []string{franchiserID})
		return err
	})
	if err != nil {
		return nil, err
	}
	n := named[franchiserID]
	if n.Name == "" { // nothing was ever invoiced
		n.Name = "Customer"
	}
	raw, err := p.renderer.RenderStatement(Statement{
		Statement: s, Supplier: p.supplier, First: first, Last: last, At: p.clock.Now(),
		Recipient: invoice.Recipient{Name: n.Name, GSTIN: n.GSTIN, StateCode: n.StateCode, Also: n.Also},
	})
	if err != nil {
		return nil, errs.Internal(err)
	}
	return raw, nil
}
