package app

import (
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Billing is everything that prices, charges, documents and books.
type Billing struct {
	Plans         *plan.Service
	Subscriptions *subscription.Service
	Invoices      *invoice.Service
	Ledger        *ledger.Service
	Payments      Payments
	Settlements   *settlement.Service
	// Mandates offer automatic renewal where a gateway debits by mandate.
	Mandates *mandate.Service
}

// Gateway is a payment provider that also reports its settlements.
type Gateway interface {
	payment.Gateway
	settlement.Gateway
}

// BillingParts are the dependencies of Billing. New payments go to the first gateway.
type BillingParts struct {
	DB       *sqlx.DB
	Jobs     *queue.Inserter
	Clock    clock.Clock
	Gateways []Gateway
	// Providers describe every gateway that payments may name.
	Providers payment.Providers
	Documents invoice.ObjectStore
	Supplier  invoice.Supplier
	// AnnualReturns are the days on which GST annual returns were filed, by financial year (26-27).
	AnnualReturns map[string]time.Time
	// RegisterFrom is the first day whose documents are registered at the Invoice Registration Portal, zero for never.
	RegisterFrom time.Time
	// AutomaticRenewal enables mandates and their debits at gateways that support them.
	AutomaticRenewal bool
	// Renewals are the limits of automatic renewal at our gateway accounts.
	Renewals mandate.Settings
	// PGChargeBPS is the payment gateway surcharge in basis points of the charge before tax.
	PGChargeBPS int64
	// PublicURL is the site's URL without a trailing slash.
	PublicURL    string
	ApproveAbove money.Paise
	// Counts receives business events; payment.Uncounted ignores them.
	Counts payment.Counts
	// Email means that the product sends e-mails.
	Email bool
	// WhatsApp means that it sends messages by WhatsApp.
	WhatsApp bool
	Logger   *slog.Logger
}

// NewBilling builds billing with the rights of the pool. The simulation and tests supply their own gateway and clock.
func NewBilling(p BillingParts) Billing {
	b := Billing{
		Plans: plan.NewService(p.DB, p.Logger),
		Invoices: invoice.NewService(invoice.Options{
			DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Objects: p.Documents, Payments: payment.Lookup{}, Supplier: p.Supplier,
			AnnualReturns: p.AnnualReturns, RegisterFrom: p.RegisterFrom,
		}),
		Ledger: ledger.NewService(p.DB, p.Clock),
	}
	b.Subscriptions = subscription.NewService(subscription.Options{
		DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Plans: b.Plans, Payments: payment.Lookup{},
		Config: subscription.Config{
			SupplierState: p.Supplier.StateCode, PGChargeBps: p.PGChargeBPS, Email: p.Email, WhatsApp: p.WhatsApp,
		},
		Logger: p.Logger,
	})
	b.Payments = newPayments(p, b)
	settling := make([]settlement.Gateway, 0, len(p.Gateways))
	for _, g := range p.Gateways {
		settling = append(settling, g)
	}
	var rails []mandate.Gateway
	for _, g := range p.Gateways {
		if r, ok := g.(mandate.Gateway); ok && p.AutomaticRenewal {
			rails = append(rails, r)
		}
	}
	b.Mandates = mandate.NewService(mandate.Options{
		DB: p.DB, Jobs: p.Jobs, Clock: p.Clock, Gateways: rails, Checkout: b.Payments.Checkout, Captures: b.Payments.Captures, Subscriptions: b.Subscriptions,
		Settings: p.Renewals, Email: p.Email, Logger: p.Logger,
	})
	b.Settlements = settlement.NewService(settlement.Options{
		DB: p.DB, Clock: p.Clock, Gateways: settling, Payments: transfer.Settled{}, Ask: b.Payments.Captures.AskAgainTx, Ledger: b.Ledger,
		Logger: p.Logger,
	})
	return b
}
