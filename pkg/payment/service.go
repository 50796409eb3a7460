package payment

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Invoices issues the tax documents; pkg/invoice implements it.
type Invoices interface {
	CorrectionTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to invoice.Recipient, at time.Time) (invoice.Correction, error)
	CorrectTx(ctx context.Context, tx *sqlx.Tx, franchiserID, invoiceID string, to invoice.Recipient, at time.Time) (note, issued invoice.Invoice, err error)
	IssueTx(ctx context.Context, tx *sqlx.Tx, in invoice.IssueInput) (invoice.Invoice, error)
	IssueCreditNoteTx(ctx context.Context, tx *sqlx.Tx, in invoice.CreditNoteInput) (invoice.Invoice, error)
	DateTx(ctx context.Context, tx *sqlx.Tx, kind invoice.Kind, wanted time.Time) (time.Time, error)
	IssueReceiptVoucherTx(ctx context.Context, tx *sqlx.Tx, in invoice.VoucherInput) (invoice.Invoice, error)
	IssueRefundVoucherTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID, refundID string, receipt invoice.Receipt, at time.Time) (invoice.Invoice, error)
}

// Ledger keeps the books; pkg/ledger implements it.
type Ledger interface {
	PostTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) error
}

// Settlements returns the captures of a transaction that settlements name but the books do not have; settlement.Lines implements it.
type Settlements interface {
	UnbookedCapturesTx(ctx context.Context, tx *sqlx.Tx, gateway, transactionID string) ([]SettledCapture, error)
}

// SettledCapture is a capture named by a settlement, under the gateway's id for it, and when it was first seen.
type SettledCapture struct {
	GatewayPaymentID string    `db:"gateway_payment_id"`
	At               time.Time `db:"seen_at"`
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Jobs  *queue.Inserter
	Clock clock.Clock
	// Gateways answer for their own payments; new payments use the first. At least one is needed.
	Gateways []Gateway
	// Providers describe every gateway that payments may name, configured or not.
	Providers     Providers
	Subscriptions *subscription.Service
	Invoices      Invoices
	Ledger        Ledger
	Settlements   Settlements
	// Withheld knows the tax that customers deducted.
	Withheld Withheld
	// OtherUnapproved counts further amounts towards the daily limit of one member of staff.
	OtherUnapproved UnapprovedTotal
	// ApproveAbove is the limit above which money is returned only with a second person; see ReversalOptions.
	ApproveAbove money.Paise
	// Counts receives business events; Uncounted ignores them.
	Counts Counts
	// PublicURL is the site's address without a trailing slash.
	PublicURL string
	// Email means that the product sends e-mails.
	Email bool
	// WhatsApp means that the product sends messages by WhatsApp.
	WhatsApp bool
	Logger   *slog.Logger
}

// Service creates, verifies and refunds payments.
type Service struct {
	db              *sqlx.DB
	jobs            *queue.Inserter
	clock           clock.Clock
	gateways        gateways
	subscriptions   *subscription.Service
	invoices        Invoices
	ledger          Ledger
	settlements     Settlements
	messages        *message.Enqueuer
	publicURL       string
	approveAbove    money.Paise
	otherUnapproved UnapprovedTotal
	logger          *slog.Logger
	counts          Counts
	withheld        Withheld
	store           store
}

// Counts counts business events; metrics.Metrics implements it. It is called after the transaction.
type Counts interface {
	// Decided counts a decided payment: paid, given_back, held, failed or expired.
	Decided(gateway, outcome string)
	// Activated counts a purchase that took effect.
	Activated(what string)
}

// Uncounted ignores business events, for programs without metrics.
type Uncounted struct{}

// Decided does nothing.
func (Uncounted) Decided(string, string) {}

// Activated does nothing.
func (Uncounted) Activated(string) {}

// NewService returns a service. It panics if a part is missing or there is no gateway.
func NewService(o Options) *Service {
	if len(o.Gateways) == 0 {
		panic("payment.Service has no gateway")
	}
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, gateways: o.Gateways, subscriptions: o.Subscriptions, invoices: o.Invoices, ledger: o.Ledger,
		settlements: o.Settlements, publicURL: o.PublicURL, approveAbove: o.ApproveAbove, otherUnapproved: o.OtherUnapproved, logger: o.Logger,
		counts: o.Counts, withheld: o.Withheld, store: store{providers: o.Providers}, messages: message.NewEnqueuer(message.EnqueuerOptions{
			Jobs: o.Jobs, Email: o.Email, WhatsApp: o.WhatsApp,
		}),
	})
}

// gateway returns the adapter with the given name.
func (s *Service) gateway(name string) (Gateway, error) {
	if name == GatewayBank {
		return bank{}, nil
	}
	for _, g := range s.gateways {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, errs.Internal(fmt.Errorf("%w: %s", ErrGatewayMissing, name))
}

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}
