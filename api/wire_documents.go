package main

import (
	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// newInvoices builds the service of tax documents over the object store, which it only signs links to.
func newInvoices(cfg config.Config, d *deps) (*invoice.Service, error) {
	store, err := objectstore.New(objectstore.Options(cfg.S3))
	if err != nil {
		return nil, err
	}
	return invoice.NewService(d.DB, d.Jobs, d.Clock, store, invoice.SupplierFrom(cfg.Supplier)).WithReturns(cfg.Supplier.AnnualReturns), nil
}
