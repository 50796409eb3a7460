package main

import (
	"context"
	"errors"
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
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

// wire puts the services behind their routes: the public port's, and what the private one answers about certificates. What
// they do in the background ends with ctx.
func wire(ctx context.Context, cfg config.Config, c *process.Connections, logger *slog.Logger) (*gin.Engine, http.Handler, error) {
	a, err := app.NewAPI(ctx, cfg, c, logger)
	if err != nil {
		return nil, nil, err
	}
	go a.Accounts.KeepFailed(ctx)
	storeSite, err := tenantsite.New(a.Stores, a.Limiter, a.Guard, tenantsite.Options{
		Public: cfg.PublicURL, BaseDomain: cfg.TenantBaseDomain, Limits: a.Limits, Keys: c.Keys, Clock: c.Clock,
	}, logger)
	if err != nil {
		return nil, nil, err
	}
	g := newGate(cfg, a, c.Keys)
	engine, err := handler.NewRouter(handler.RouterOptions{
		Hosts:          storeSite.Handler,
		Public:         cfg.PublicURL,
		Logger:         logger,
		TrustedProxies: cfg.TrustedProxies,
		Measure:        c.Meter(),
		Deadline:       cfg.RequestTimeout,
		Before:         g.before,
		Require:        g.require,
		Areas:          areas(a, c.Clock, g),
	})
	if err != nil {
		return nil, nil, err
	}
	handler.RegisterHealth(engine, map[string]handler.Check{"running": going(ctx), "postgres": c.DB.PingContext},
		map[string]handler.Check{"redis": a.Cache.Ping})
	addSupport(engine, a, c.Clock, g)
	docs.Register(engine, openAPI)
	if cfg.Development {
		if err := addDev(engine, cfg, c); err != nil {
			return nil, nil, err
		}
	}
	return engine, handler.TLSAsk(a.Stores, logger), serveClient(engine, cfg)
}

// going fails once the process has been told to end, so that nobody leads new requests to it.
func going(ctx context.Context) handler.Check {
	return func(context.Context) error {
		if ctx.Err() != nil {
			return errors.New("the process is ending")
		}
		return nil
	}
}

// areas are the calls of customers, visitors and gateways.
func areas(a *app.API, clk clock.Clock, g *gate) []handler.Area {
	return []handler.Area{
		handler.NewPlans(a.Plans, a.Subscriptions),
		handler.NewCheckout(a.Payments, a.Stores),
		handler.NewCallbacks(a.Payments),
		handler.NewSubscriptions(a.Subscriptions, a.Payments, handler.NewDashboards(a.Subscriptions, a.Stores)),
		handler.NewAuth(a.Accounts, g.cookies, clk),
		handler.NewSecurity(a.Accounts, g.cookies, clk),
		handler.NewStaffAccess(a.Views),
		handler.NewInvoices(a.Invoices),
		handler.NewPlaces(a.Addresses, a.Limiter, a.Limits.Searches),
		handler.NewStores(a.Stores, a.Accounts),
		handler.NewSite(a.Contacts, a.Limiter, a.Limits.Forms),
		handler.NewSMSReceipts(a.Receipts),
	}
}

// addDev adds the calls of development; the inbox's only where messages go there.
func addDev(engine *gin.Engine, cfg config.Config, c *process.Connections) error {
	mover := app.NewClockMover(c)
	if cfg.SMS.Provider != "inbox" {
		handler.RegisterDev(engine, mover, nil)
		return nil
	}
	inbox, err := app.NewSMSInbox(cfg)
	if err != nil {
		return err
	}
	handler.RegisterDev(engine, mover, inbox)
	return nil
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
