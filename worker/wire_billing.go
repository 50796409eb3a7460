package main

import (
	"log/slog"
	"strings"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/worker/job"
)

// addBillingWorkers adds what payments and subscriptions have done in the background.
func addBillingWorkers(workers *river.Workers, cfg config.Config, d *deps, texts account.SMS, docs documents, logger *slog.Logger) {
	subs := subscription.NewService(d.DB, d.Jobs, d.Clock, plan.NewService(d.DB, logger),
		address.NewService(d.DB, nil, d.Clock, logger), texts, subscription.Config{
			SupplierState: invoice.StateCode(cfg.Supplier.StateCode), PGChargeBps: cfg.PGChargeBPS,
			PublicURL: strings.TrimRight(cfg.PublicURL.String(), "/"),
		}, logger)
	payments := payment.NewService(payment.Deps{
		DB: d.DB, Jobs: d.Jobs, Clock: d.Clock, Subscriptions: subs, Invoices: docs.invoices, Ledger: docs.books,
		Gateways:  []payment.Gateway{newGateway(cfg.Gateway)},
		PublicURL: strings.TrimRight(cfg.PublicURL.String(), "/"), Logger: logger,
	})
	river.AddWorker(workers, job.NewVerifyPayment(payments))
	river.AddWorker(workers, job.NewSweepPayments(payments))
	river.AddWorker(workers, job.NewRefundPayment(payments))
	river.AddWorker(workers, job.NewReversePayment(payments))
	river.AddWorker(workers, job.NewCheckDispute(payments))
	river.AddWorker(workers, job.NewCompareSettlements(payments))
	river.AddWorker(workers, job.NewExpireSubscriptions(subs))
	river.AddWorker(workers, job.NewApplyAddOnChanges(subs))
	river.AddWorker(workers, job.NewRemindRenewals(subs))
	river.AddWorker(workers, job.NewSendReminder(subs))
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
