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
		Gateways:  newGateways(cfg.Gateways),
		PublicURL: strings.TrimRight(cfg.PublicURL.String(), "/"), Logger: logger,
	})
	return []handler.Area{
		handler.NewPlans(plan.NewService(d.DB, logger), subs),
		handler.NewCheckout(payments, stores),
		handler.NewCallbacks(payments),
		handler.NewSubscriptions(subs, payments, handler.NewDashboards(subs, stores)),
	}
}

// newGateways builds the gateways that GATEWAY names, in its order; the configuration has checked them. The api and the
// worker have this twice, because nothing below them may know two adapters.
func newGateways(c config.Gateways) []payment.Gateway {
	list := make([]payment.Gateway, 0, len(c.Names))
	for _, name := range c.Names {
		switch name {
		case payu.Name:
			list = append(list, payu.New(payu.Config{
				Key: c.PayU.Key, Salt: c.PayU.Salt, BaseURL: c.PayU.URL, APIURL: c.PayU.APIURL,
				DisputesSigned: c.PayU.DisputesSigned,
			}))
		case razorpay.Name:
			list = append(list, razorpay.New(razorpay.Config{
				KeyID: c.Razorpay.KeyID, KeySecret: c.Razorpay.KeySecret, WebhookSecret: c.Razorpay.WebhookSecret,
				BaseURL: c.Razorpay.URL,
			}))
		}
	}
	return list
}
