package main

import (
	"context"
	"log/slog"
	"time"

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
func addDocumentWorkers(workers *river.Workers, cfg config.Config, d *deps, logger *slog.Logger) (documents, error) {
	store, err := objectstore.New(objectstore.Options(cfg.S3))
	if err != nil {
		return documents{}, err
	}
	renderer, err := pdf.New()
	if err != nil {
		return documents{}, err
	}
	if err := sign(renderer, cfg.Supplier.Signing, d.Clock.Now(), logger); err != nil {
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

// signingEndsSoon is how long before the end of the signing certificate every start says so.
const signingEndsSoon = 30 * 24 * time.Hour

// sign has the renderer sign with the certificate of the settings, if there is one. A certificate that is not right keeps the worker from
// starting: documents that ask for a signature would go out without.
func sign(renderer *pdf.Renderer, s config.Signing, now time.Time, logger *slog.Logger) error {
	if s.CertFile == "" {
		return nil
	}
	signer, err := pdf.LoadSigner(pdf.SignerFiles{Cert: s.CertFile, Key: s.KeyFile, Password: s.Password, Invoices: s.Invoices}, now)
	if err != nil {
		return err
	}
	if left := signer.NotAfter().Sub(now); left < signingEndsSoon {
		logger.LogAttrs(context.Background(), slog.LevelWarn, "signing certificate ends soon", slog.Time("not_after", signer.NotAfter()))
	}
	renderer.WithSigner(signer)
	return nil
}
