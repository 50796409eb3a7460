package settlement

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Gateway is a payment provider's settlement side; each adapter under pkg/adapter/gateway implements it.
type Gateway interface {
	// Name returns the gateway's identifier in settlements.
	Name() string
	// Settlements lists what was settled on a day in India, written as 2006-01-02.
	Settlements(ctx context.Context, day string) ([]Line, error)
}

// Payments returns our records of the ids on lines; payment.Lookup implements it.
type Payments interface {
	SettledTx(ctx context.Context, tx *sqlx.Tx, gateway string, names payment.SettledNames) ([]payment.Settled, []payment.SettledRefund, error)
	CapturedTx(ctx context.Context, tx *sqlx.Tx, gateway string, from, until time.Time, transactions []string) ([]payment.Payable, error)
	LostTx(ctx context.Context, tx *sqlx.Tx, gateway string, from, until time.Time, transactions []string) ([]payment.Payable, error)
}

// Ledger keeps the books; pkg/ledger implements it.
type Ledger interface {
	PostTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) error
	// JournalIDTx returns the id of a posted entry's journal, empty if it was not posted.
	JournalIDTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) (string, error)
}

// Service compares settlements with the books, with the worker's role, and reports on them.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	gateways []Gateway
	payments Payments
	ask      func(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) error
	ledger   Ledger
	logger   *slog.Logger
	store    store
}

// Options are the parts of a Service. NewService panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Clock clock.Clock
	// Gateways are the gateways whose settlements are compared.
	Gateways []Gateway
	Payments Payments
	// Ask enqueues a query at the gateway about a payment.
	Ask    func(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) error
	Ledger Ledger
	Logger *slog.Logger
}

// NewService returns a service.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, clock: o.Clock, gateways: o.Gateways, payments: o.Payments, ask: o.Ask, ledger: o.Ledger, logger: o.Logger,
	})
}
