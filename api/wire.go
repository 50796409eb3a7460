package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/docs"
	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/api/site"
	"github.com/franchise360/franchise360/api/tenantsite"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/textmessage"
)

// deps are the connections that every service is built on.
type deps = process.Connections

// wire builds adapters, services and handlers on the connections: the public port's, and what the private one answers about
// certificates. What they do in the background ends with ctx.
func wire(ctx context.Context, cfg config.Config, d *deps, logger *slog.Logger) (*gin.Engine, http.Handler, error) {
	cache, err := redis.Open(cfg.RedisURL)
	if err != nil {
		return nil, nil, err
	}
	subscriptions := newSubscriptions(cfg, d, logger)
	invoices, err := newInvoices(cfg, d)
	if err != nil {
		return nil, nil, err
	}
	stores := newTenants(cfg, d, subscriptions, logger)
	records := []account.Records{tenant.NewRecords(stores), address.Records{}, invoices, payment.Records{}, support.Records{}}
	gate, err := newGate(cfg, d, cache, subscriptions, records, logger)
	if err != nil {
		return nil, nil, err
	}
	go gate.accounts.KeepFailed(ctx)
	places, err := newPlaces(ctx, cfg, logger)
	if err != nil {
		return nil, nil, err
	}
	limiter := ratelimit.New(cache, d.DB, d.Clock, cfg.Keys)
	storeSite, err := tenantsite.New(stores, limiter, guard.New(limiter, d.DB, d.Clock, cfg.Keys), tenantsite.Options{
		Public: cfg.PublicURL, BaseDomain: cfg.TenantBaseDomain, Limits: limitsOf(cfg), Keys: cfg.Keys, Clock: d.Clock,
	}, logger)
	if err != nil {
		return nil, nil, err
	}
	engine, err := handler.NewRouter(handler.RouterOptions{
		Hosts:          storeSite.Handler,
		Public:         cfg.PublicURL,
		Logger:         logger,
		TrustedProxies: cfg.TrustedProxies,
		Before:         gate.before,
		Require:        gate.require,
		Areas: append(billingAreas(cfg, d, subscriptions, invoices, stores, logger),
			handler.NewAuth(gate.accounts, gate.cookies, d.Clock),
			handler.NewSecurity(gate.accounts, gate.cookies, d.Clock),
			handler.NewStaffAccess(newViews(cfg, d, newStaff(cfg, d, limiter, logger))),
			handler.NewInvoices(invoices),
			handler.NewPlaces(address.NewService(d.DB, places, d.Clock, logger).WithSupplier(cfg.Supplier.GSTIN), limiter,
				limitsOf(cfg).Searches),
			handler.NewStores(stores, gate.accounts),
			handler.NewSite(support.NewInbox(d.DB, d.Clock), limiter, limitsOf(cfg).Forms),
			handler.NewSMSReceipts(textmessage.NewReceipts(d.DB, sms.Readers(cfg.SMS, cfg.PublicURL), d.Clock)),
		),
	})
	if err != nil {
		return nil, nil, err
	}
	handler.RegisterHealth(engine, map[string]handler.Check{"postgres": d.DB.PingContext},
		map[string]handler.Check{"redis": cache.Ping})
	if err := addSupport(engine, cfg, d, limiter, gate, subscriptions, logger); err != nil {
		return nil, nil, err
	}
	if err := addSupportMoney(engine, cfg, d, limiter, gate, subscriptions, logger); err != nil {
		return nil, nil, err
	}
	docs.Register(engine, openAPI)
	if cfg.Development {
		if err := addDev(engine, cfg, d); err != nil {
			return nil, nil, err
		}
	}
	return engine, handler.TLSAsk(stores, logger), serveClient(engine, cfg)
}

// addDev adds the calls of development; the inbox's only where messages go there.
func addDev(engine *gin.Engine, cfg config.Config, d *deps) error {
	mover := devclock.NewMover(d.DB, d.Jobs, d.Shifted)
	if cfg.SMS.Provider != "inbox" {
		handler.RegisterDev(engine, mover, nil)
		return nil
	}
	inbox, err := sms.NewInbox(cfg.SMS.InboxURL)
	if err != nil {
		return err
	}
	handler.RegisterDev(engine, mover, inbox)
	return nil
}

// newSubscriptions builds billing; the API sends no reminders, so it has no SMS.
func newSubscriptions(cfg config.Config, d *deps, logger *slog.Logger) *subscription.Service {
	return subscription.NewService(d.DB, d.Jobs, d.Clock, plan.NewService(d.DB, logger),
		address.NewService(d.DB, nil, d.Clock, logger), nil, subscription.Config{
			SupplierState: invoice.StateCode(cfg.Supplier.StateCode), PGChargeBps: cfg.PGChargeBPS,
			PublicURL: cfg.PublicURL.String(),
		}, logger)
}

// serveClient adds the built web client; without WEB_DIR the process answers calls only.
func serveClient(engine *gin.Engine, cfg config.Config) error {
	if cfg.WebDir == "" {
		return nil
	}
	client, err := site.Load(os.DirFS(cfg.WebDir), site.Options{
		PublicURL:      strings.TrimRight(cfg.PublicURL.String(), "/"),
		PaymentOrigins: cfg.Gateways.PaymentOrigins(),
		Secure:         cfg.PublicURL.Scheme == "https",
	})
	if err != nil {
		return fmt.Errorf("web client in WEB_DIR: %w", err)
	}
	engine.NoRoute(client.Handler)
	return nil
}
