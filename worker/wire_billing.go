package main

import (
	"context"
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
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/worker/job"
)

// addBillingWorkers adds what payments and subscriptions have done in the background. It says at once when money is under
// way at a gateway that is not configured any more.
func addBillingWorkers(ctx context.Context, workers *river.Workers, cfg config.Config, d *deps, texts account.SMS, docs documents,
	logger *slog.Logger,
) error {
	subs := subscription.NewService(d.DB, d.Jobs, d.Clock, plan.NewService(d.DB, logger),
		address.NewService(d.DB, nil, d.Clock, logger), texts, subscription.Config{
			SupplierState: invoice.StateCode(cfg.Supplier.StateCode), PGChargeBps: cfg.PGChargeBPS,
			PublicURL: strings.TrimRight(cfg.PublicURL.String(), "/"),
		}, logger)
	payments := payment.NewService(payment.Deps{
		DB: d.DB, Jobs: d.Jobs, Clock: d.Clock, Subscriptions: subs, Invoices: docs.invoices, Ledger: docs.books,
		Gateways:  newGateways(cfg.Gateways),
		PublicURL: strings.TrimRight(cfg.PublicURL.String(), "/"), Logger: logger,
		ApproveAbove: money.Paise(cfg.RefundApprovalAbove) * money.Rupee,
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
	river.AddWorker(workers, job.NewSendReminder(subs, queue.NewWaits(d.DB)))
	return payments.CheckGateways(ctx)
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
