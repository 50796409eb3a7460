// Package app builds every adapter and service of the product, each once, from the configuration. The processes pick
// the endpoints and jobs that they serve; programs and tests use the same constructors.
package app

import (
	"log/slog"
	"strings"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/gatewaykit"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// App is what every process has. It has the rights of the connections it is built on.
type App struct {
	Billing
	// ApproveAbove is how much of one payment a single member of staff may refund.
	ApproveAbove money.Paise
	Documents    *objectstore.Store
	Cache        *redis.Client
	Passwords    *password.Hasher
	Stores       *tenant.Service
	Outlets      *outlet.Service
	Deliveries   *delivery.Service
	// Records are all domains' data about a franchiser, for export and erasure.
	Records []account.PersonalData
	// Collector gives customers their virtual account numbers, nil if no gateway does.
	Collector transfer.Collector `wiring:"optional"`
}

// New builds what every process has. It makes no connections: Redis and the object store may come up later.
func New(cfg config.Config, c *process.Connections, logger *slog.Logger) (*App, error) {
	return newApp(Gateways(), cfg, c, logger)
}

// newApp builds it with the gateways that the product knows.
func newApp(known gatewaykit.List, cfg config.Config, c *process.Connections, logger *slog.Logger) (*App, error) {
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
	gateways := newGateways(known, cfg.Gateways, c.Clock, siteURL(cfg))
	measured(meter, gateways...)
	for _, g := range gateways {
		meter.Gateway(g.Name())
	}
	a.Collector = newCollector(gateways)
	meter.Messages(message.Names()...)
	a.Billing = NewBilling(BillingParts{
		DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Gateways: gateways, Providers: known.Providers(), Documents: documents,
		Supplier: invoice.SupplierFrom(cfg.Supplier), AnnualReturns: cfg.Supplier.AnnualReturns, PGChargeBPS: cfg.PGChargeBPS,
		AutomaticRenewal: cfg.AutomaticRenewal, Renewals: mandate.SettingsFrom(cfg.Renewals), RegisterFrom: cfg.EInvoice.From,
		PublicURL: siteURL(cfg), ApproveAbove: a.ApproveAbove, Counts: meter, Email: cfg.Email.On(), WhatsApp: cfg.WhatsApp.On(), Logger: logger,
	})
	a.Stores = tenant.NewService(tenant.Options{
		DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Hasher: a.Passwords, Plans: entitled{a.Subscriptions}, Config: tenant.Config{
			BaseDomain: cfg.TenantBaseDomain, Public: cfg.PublicURL, IPs: cfg.TenantIPs, Brands: tenant.Brands(known.Brands()),
		},
		Logger: logger,
	})
	a.Outlets = outlet.NewService(c.DB, c.Clock, entitled{a.Subscriptions})
	a.Deliveries = delivery.NewService(c.DB, c.Clock)
	a.Records = []account.PersonalData{
		tenant.NewPersonalData(a.Stores), outlet.NewPersonalData(c.Clock), delivery.NewPersonalData(c.Clock),
		address.PersonalData{},
		a.Invoices,
		payment.PersonalData{},
		transfer.NewPersonalData(c.Jobs, c.Clock),
		mandate.NewPersonalData(c.Clock),
		contact.PersonalData{},
		connect.PersonalData{},
		support.PersonalData{},
		message.NewPersonalData(c.Clock),
	}
	return wiring.Complete(a), nil
}

// siteURL returns the site's URL without a trailing slash.
func siteURL(cfg config.Config) string { return strings.TrimRight(cfg.PublicURL.String(), "/") }
