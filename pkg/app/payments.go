package app

import (
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/payment/banktransfer"
	"github.com/franchise360/franchise360/pkg/payment/capture"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/payment/notice"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Payments are the services that request, receive and return customers' money.
type Payments struct {
	Gateways  payment.Gateways
	Checkout  *checkout.Service
	Notices   *notice.Service
	Captures  *capture.Service
	Transfers *banktransfer.Service
	Refunds   *refund.Service
	Disputes  *dispute.Service
	Reversals *reversal.Service
	Acts      *act.Service
	History   *history.Service
	Trails    *desk.Service
}

// newPayments builds the services of payments over the rest of billing.
func newPayments(p BillingParts, b Billing) Payments {
	gateways := make(payment.Gateways, 0, len(p.Gateways))
	for _, g := range p.Gateways {
		gateways = append(gateways, g)
	}
	withheld := transfer.Deductions{}
	messages := message.NewEnqueuer(message.EnqueuerOptions{Jobs: p.Jobs, Email: p.Email, WhatsApp: p.WhatsApp})
	documents := receipt.New(receipt.Options{Subscriptions: b.Subscriptions, Invoices: b.Invoices, Ledger: b.Ledger, Messages: messages})
	refunds := refund.New(refund.Options{
		DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Gateways: gateways, Subscriptions: b.Subscriptions, Invoices: b.Invoices, Ledger: b.Ledger,
		Withheld: withheld, Messages: messages, Logger: p.Logger,
	})
	disputes := dispute.New(dispute.Options{
		DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Gateways: gateways, Subscriptions: b.Subscriptions, Ledger: b.Ledger, Refunds: refunds, Logger: p.Logger,
	})
	return Payments{
		Gateways: gateways, Refunds: refunds, Disputes: disputes,
		Checkout: checkout.New(checkout.Options{
			DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Gateways: gateways, Providers: p.Providers, Subscriptions: b.Subscriptions, PublicURL: p.PublicURL,
			Logger: p.Logger,
		}),
		Notices: notice.New(notice.Options{DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Gateways: gateways, Logger: p.Logger}),
		Captures: capture.New(capture.Options{
			DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Gateways: gateways, Subscriptions: b.Subscriptions, Ledger: b.Ledger, Settlements: settlement.Lines{},
			Documents: documents, Refunds: refunds, Disputes: disputes, Counts: p.Counts, Logger: p.Logger,
		}),
		Transfers: banktransfer.New(banktransfer.Options{
			Subscriptions: b.Subscriptions, Invoices: b.Invoices, Ledger: b.Ledger, Documents: documents, Counts: p.Counts,
		}),
		Reversals: reversal.New(reversal.Options{
			DB: p.DB, Clock: p.Clock, Gateways: gateways, Ledger: b.Ledger, Refunds: refunds, Disputes: disputes, ApproveAbove: p.ApproveAbove,
			OtherUnapproved: support.AloneTx,
		}),
		Acts: act.New(act.Options{
			Clock: p.Clock, Gateways: gateways, Subscriptions: b.Subscriptions, Invoices: b.Invoices, Ledger: b.Ledger, Documents: documents,
			Refunds: refunds, Messages: messages,
		}),
		History: history.New(history.Options{DB: p.DB, Clock: p.Clock, Providers: p.Providers}),
		Trails: desk.New(desk.Options{
			DB: p.DB, Clock: p.Clock, Gateways: gateways, Subscriptions: b.Subscriptions, Withheld: withheld, Logger: p.Logger,
		}),
	}
}
