package payment

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Invoices issues the tax documents; pkg/invoice fills it.
type Invoices interface {
	IssueTx(ctx context.Context, tx *sqlx.Tx, in invoice.IssueInput) (invoice.Invoice, error)
	IssueCreditNoteTx(ctx context.Context, tx *sqlx.Tx, in invoice.CreditNoteInput) (invoice.Invoice, error)
	IssueReceiptVoucherTx(ctx context.Context, tx *sqlx.Tx, in invoice.VoucherInput) (invoice.Invoice, error)
	IssueRefundVoucherTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID, refundID string, receipt invoice.Receipt, at time.Time) (invoice.Invoice, error)
}

// Ledger keeps the books; pkg/ledger fills it.
type Ledger interface {
	PostTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) error
}

// Settlements tells which captures of a transaction settlements name and the books do not have; settlement.Lines fills it.
type Settlements interface {
	UnbookedCapturesTx(ctx context.Context, tx *sqlx.Tx, gateway, transactionID string) ([]SettledCapture, error)
}

// SettledCapture is a capture of which a settlement tells, under the gateway's name for it, and since when.
type SettledCapture struct {
	GatewayPaymentID string    `db:"gateway_payment_id"`
	At               time.Time `db:"seen_at"`
}

// Deps are what a Service works with. Gateways are all that notices may come from; new payments go to the first.
type Deps struct {
	DB            *sqlx.DB
	Jobs          *queue.Inserter
	Clock         clock.Clock
	Gateways      []Gateway
	Subscriptions *subscription.Service
	Invoices      Invoices
	Ledger        Ledger
	Settlements   Settlements
	// PublicURL is the site's address without a slash at its end.
	PublicURL string
	// ApproveAbove is what goes back without a second person at most; see NewReversals.
	ApproveAbove money.Paise
	Logger       *slog.Logger
}

// Service is what can be done with payments.
type Service struct {
	db            *sqlx.DB
	jobs          *queue.Inserter
	clock         clock.Clock
	gateways      []Gateway
	subscriptions *subscription.Service
	invoices      Invoices
	ledger        Ledger
	settlements   Settlements
	publicURL     string
	approveAbove  money.Paise
	logger        *slog.Logger
	counts        Counts
	store         store
}

// Counts counts what is sold; metrics.Metrics is the one that does. It is told after the transaction.
type Counts interface {
	// Decided says that a payment was decided: paid, given_back, held, failed or expired.
	Decided(gateway, outcome string)
	// Activated says that what was bought took effect.
	Activated(what string)
}

type uncounted struct{}

func (uncounted) Decided(string, string) {}
func (uncounted) Activated(string)       {}

// Counted has the service count what it sells, and returns it.
func (s *Service) Counted(c Counts) *Service {
	s.counts = c
	return s
}

// NewService returns a service; it wants one gateway at least.
func NewService(d Deps) *Service {
	if len(d.Gateways) == 0 {
		panic("payment.Service has no gateway")
	}
	return wiring.Complete(&Service{
		db: d.DB, jobs: d.Jobs, clock: d.Clock, gateways: d.Gateways, subscriptions: d.Subscriptions, invoices: d.Invoices,
		ledger: d.Ledger, settlements: d.Settlements, publicURL: d.PublicURL, approveAbove: d.ApproveAbove, logger: d.Logger, counts: uncounted{},
	})
}

// gateway finds an adapter by its word.
func (s *Service) gateway(name string) (Gateway, error) {
	for _, g := range s.gateways {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, errs.Internal(fmt.Errorf("%w: %s", ErrGatewayMissing, name))
}

// Recorder notes what staff do, in the transaction in which they do it; staff.Service is the one that does.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}
