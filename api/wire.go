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
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

// wire connects the services to their routes: what the public port serves, and the private endpoint for certificates. It also returns the
// watch that raises alerts, to be run.
// Background work ends with ctx.
func wire(ctx context.Context, cfg config.Config, c *process.Connections, logger *slog.Logger) (http.Handler, http.Handler, func(context.Context), error) {
	a, err := app.NewAPI(ctx, cfg, c, logger)
	if err != nil {
		return nil, nil, nil, err
	}
	go a.Accounts.SignIns.KeepFailed(ctx)
	storeSite, err := tenantsite.New(a.Stores, a.Outlets, a.Partners, a.Imports, a.Limiter, a.Guard, tenantsite.Options{
		Public: cfg.PublicURL, BaseDomain: cfg.TenantBaseDomain, Limits: a.Limits, Keys: c.Keys, Clock: c.Clock,
	}, logger)
	if err != nil {
		return nil, nil, nil, err
	}
	g := newGate(cfg, a, c.Keys, c.Replica)
	engine, err := handler.NewRouter(handler.RouterOptions{
		Hosts:          storeSite.Handler,
		Public:         cfg.PublicURL,
		Logger:         logger,
		TrustedProxies: cfg.TrustedProxies,
		Measure:        c.Meter(),
		Traces:         c.Traces,
		Deadline:       cfg.RequestTimeout,
		Before:         g.before,
		Require:        g.require,
		Areas:          areas(a, c.Clock, g),
	})
	if err != nil {
		return nil, nil, nil, err
	}
	needed, reported := map[string]handler.Check{"running": going(ctx), "postgres": c.DB.PingContext}, map[string]handler.Check{"redis": a.Cache.Ping}
	if c.Replica != nil {
		needed["postgres"], reported["replica"] = c.Replica.Reachable, c.Replica.Ready
	}
	handler.RegisterHealth(engine, needed, reported)
	addSupport(engine, a, c.Clock, g)
	handler.RegisterConnect(engine, a.Connect, a.Deliveries, g.requireKey)
	handler.RegisterProvider(engine, a.SignIns, a.Limiter, g.wrongSecret)
	docs.Register(engine, openAPI)
	if cfg.Development {
		if err := addDev(engine, cfg, c); err != nil {
			return nil, nil, nil, err
		}
	}
	return handler.Server{Engine: engine}, handler.TLSAsk(a.Stores, logger), a.Watch.Run, serveClient(engine, cfg)
}

// going fails once shutdown has started, so that no new requests are routed to the process.
func going(ctx context.Context) handler.Check {
	return func(context.Context) error {
		if ctx.Err() != nil {
			return errors.New("the process is ending")
		}
		return nil
	}
}

// areas returns the calls for customers, visitors and gateways.
func areas(a *app.API, clk clock.Clock, g *gate) []handler.Area {
	return []handler.Area{
		handler.NewPlans(a.Plans, a.Subscriptions, clk),
		handler.NewCheckout(a.Payments.Checkout, a.Payments.History, a.Transfers),
		handler.NewAutomaticRenewal(a.Mandates),
		handler.NewCallbacks(a.Payments.Notices, a.Mandates, a.Transfers),
		handler.NewSubscriptions(a.Subscriptions, a.Payments.History, a.Mandates, handler.NewDashboards(a.Subscriptions, a.Stores, a.SignIns, a.Payments.History)),
		handler.NewAuth(a.Accounts.SignUps, a.Accounts.SignIns, a.Accounts.Sessions, g.cookies, clk),
		handler.NewSecurity(a.Accounts.Sessions, a.Accounts.Credentials, a.Accounts.Erasures, a.Stores, g.cookies, clk),
		handler.NewProfiles(a.Accounts.Profiles, g.cookies, clk),
		handler.NewTeams(a.Accounts.Teams, a.Accounts.Sessions, g.cookies, clk),
		handler.NewStaffAccess(a.Views),
		handler.NewInvoices(a.Invoices, a.EInvoices),
		handler.NewTransfers(a.Transfers),
		handler.NewPlaces(a.Addresses, a.Limiter, a.Limits.Searches),
		handler.NewStores(a.Stores, a.Accounts.Sessions, a.Accounts.Credentials),
		handler.NewSite(a.Contacts, a.Limiter, a.Limits.Forms),
		handler.NewRequests(a.Contacts, a.Inbox),
		handler.NewSMSReceipts(a.Receipts),
		handler.NewWhatsApp(a.WhatsApp),
		handler.NewPayLinks(a.PayLinks),
		handler.NewMobileChanges(a.MobileChanges),
		handler.NewNotifications(a.Notifications, a.Preferences),
		handler.NewConnectedSignIns(a.SignIns),
		handler.NewAnnouncements(a.Announcements),
		handler.NewDeliveries(a.Deliveries),
	}
}

// addDev adds the development calls; the inbox's only if messages are sent there.
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

// serveClient adds the built web client; without WEB_DIR the process serves only the API.
func serveClient(engine *gin.Engine, cfg config.Config) error {
	if cfg.WebDir == "" {
		return nil
	}
	client, err := site.Load(os.DirFS(cfg.WebDir), site.Options{
		PublicURL:      strings.TrimRight(cfg.PublicURL.String(), "/"),
		Operator:       operatorOf(cfg),
		PaymentOrigins: cfg.Gateways.PaymentOrigins(),
		Secure:         cfg.PublicURL.Scheme == "https",
	})
	if err != nil {
		return fmt.Errorf("web client in WEB_DIR: %w", err)
	}
	engine.NoRoute(client.Handler)
	return nil
}

// operatorOf returns who runs the site, as its pages name it.
func operatorOf(cfg config.Config) site.Operator {
	s := cfg.Supplier
	var numbers []string
	if s.CIN != "" {
		numbers = append(numbers, "CIN "+s.CIN)
	}
	if s.GSTIN != "" {
		numbers = append(numbers, "GSTIN "+s.GSTIN)
	}
	o := site.Operator{
		Name: s.Name, Address: strings.ReplaceAll(s.Address, "|", ", "), Registration: strings.Join(numbers, " · "),
		Email: s.Email, Phone: s.Phone, Officer: strings.ReplaceAll(s.Grievance.Officer, "|", ", "),
		OfficerEmail: s.Grievance.Email, OfficerPhone: s.Grievance.Phone, OfficerHours: s.Grievance.Hours,
	}
	if cfg.Development {
		o.Sample = i18n.Mark("Sample details: this is a development system, and nobody is behind them.")
	}
	return o
}
