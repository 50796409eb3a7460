// Package app builds every adapter and service of the product, each once, from the configuration. The processes choose from it
// what they answer and work; programs and tests build theirs by the same functions.
package app

import (
	"log/slog"
	"strings"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// App is what every process has. It runs with the rights of the connections that it is built on.
type App struct {
	Billing
	// ApproveAbove is how much of one payment may go back on the word of a single member of staff.
	ApproveAbove money.Paise
	Documents    *objectstore.Store
	Cache        *redis.Client
	Passwords    *password.Hasher
	Stores       *tenant.Service
	// Records are all domains' data about a franchiser, for its export and erasure.
	Records []account.PersonalData
}

// New builds what every process has. It talks to nobody: Redis and the object store may come up later.
func New(cfg config.Config, c *process.Connections, logger *slog.Logger) (*App, error) {
	cache, err := redis.Open(cfg.RedisURL)
	if err != nil {
		return nil, err
	}
	meter := c.Meter()
	meter.Watch("redis", cache.Down)
	documents, err := objectstore.NewMeasured(objectstore.Options(cfg.S3), meter)
	if err != nil {
		return nil, err
	}
	a := &App{
		ApproveAbove: money.Paise(cfg.RefundApprovalAbove) * money.Rupee,
		Documents:    documents, Cache: cache, Passwords: c.Passwords,
	}
	gateways := newGateways(cfg.Gateways)
	measured(meter, gateways...)
	a.Billing = NewBilling(BillingParts{
		DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Gateways: gateways, Documents: documents,
		Supplier: invoice.SupplierFrom(cfg.Supplier), AnnualReturns: cfg.Supplier.AnnualReturns, PGChargeBPS: cfg.PGChargeBPS,
		PublicURL: siteURL(cfg), ApproveAbove: a.ApproveAbove, Logger: logger,
	})
	a.Payments.Counted(meter)
	a.Stores = tenant.NewService(c.DB, c.Jobs, c.Clock, a.Passwords, entitled{a.Subscriptions}, tenant.Config{
		BaseDomain: cfg.TenantBaseDomain, Public: cfg.PublicURL, IPs: cfg.TenantIPs,
	}, logger)
	a.Records = []account.PersonalData{
		tenant.NewPersonalData(a.Stores), address.PersonalData{}, a.Invoices, payment.PersonalData{}, contact.PersonalData{},
	}
	return wiring.Complete(a), nil
}

// siteURL is the site's address without a slash at its end.
func siteURL(cfg config.Config) string { return strings.TrimRight(cfg.PublicURL.String(), "/") }
