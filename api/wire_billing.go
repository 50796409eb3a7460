package main

import (
	"log/slog"
	"strings"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// billingAreas builds the payment service and the calls of plans, checkout, subscription and gateway.
func billingAreas(cfg config.Config, d *deps, subs *subscription.Service, invoices *invoice.Service, stores *tenant.Service,
	logger *slog.Logger,
) []handler.Area {
	payments := payment.NewService(payment.Deps{
		DB: d.DB, Jobs: d.Jobs, Clock: d.Clock, Subscriptions: subs, Invoices: invoices, Ledger: ledger.NewService(d.DB, d.Clock),
		Gateways:  []payment.Gateway{newGateway(cfg.Gateway)},
		PublicURL: strings.TrimRight(cfg.PublicURL.String(), "/"), Logger: logger,
	})
	return []handler.Area{
		handler.NewPlans(plan.NewService(d.DB, logger), subs),
		handler.NewCheckout(payments, stores),
		handler.NewCallbacks(payments),
		handler.NewSubscriptions(subs, payments, handler.NewDashboards(subs, stores)),
	}
}

// newGateway builds the gateway that GATEWAY names, which the configuration has checked.
func newGateway(c config.Gateway) payment.Gateway {
	if c.Name == razorpay.Name {
		return razorpay.New(razorpay.Config{
			KeyID: c.Key, KeySecret: c.Salt, WebhookSecret: c.WebhookSecret, BaseURL: c.APIURL,
		})
	}
	return payu.New(payu.Config{Key: c.Key, Salt: c.Salt, BaseURL: c.URL, APIURL: c.APIURL})
}
