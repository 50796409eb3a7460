package main

import (
	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/worker/job"
)

// documents are the services of tax documents and books, for the jobs that issue and post.
type documents struct {
	invoices *invoice.Service
	books    *ledger.Service
}

// addDocumentWorkers adds the rendering of tax documents and the check of the books.
func addDocumentWorkers(workers *river.Workers, cfg config.Config, d *deps) (documents, error) {
	store, err := objectstore.New(objectstore.Options(cfg.S3))
	if err != nil {
		return documents{}, err
	}
	renderer, err := pdf.New()
	if err != nil {
		return documents{}, err
	}
	books := ledger.NewService(d.DB, d.Clock)
	river.AddWorker(workers, job.NewRenderInvoice(invoice.NewPrinter(d.DB, d.Clock, renderer, store)))
	river.AddWorker(workers, job.NewVerifyBooks(books))
	return documents{
		invoices: invoice.NewService(d.DB, d.Jobs, d.Clock, store, invoice.SupplierFrom(cfg.Supplier)).WithReturns(cfg.Supplier.AnnualReturns),
		books:    books,
	}, nil
}
