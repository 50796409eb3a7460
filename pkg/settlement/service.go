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

// Gateway is a payment provider as far as it pays out; each adapter under pkg/adapter/gateway fills it.
type Gateway interface {
	// Name is the word by which settlements name it.
	Name() string
	// Settlements lists what was settled on a day in India, written 2006-01-02.
	Settlements(ctx context.Context, day string) ([]Line, error)
}

// Payments tells what is known of what lines name; payment.Service fills it.
type Payments interface {
	SettledTx(ctx context.Context, tx *sqlx.Tx, gateway string, names payment.SettledNames) ([]payment.Settled, []payment.SettledRefund, error)
	CapturedTx(ctx context.Context, tx *sqlx.Tx, gateway string, from, until time.Time, transactions []string) ([]payment.Payable, error)
	LostTx(ctx context.Context, tx *sqlx.Tx, gateway string, from, until time.Time, transactions []string) ([]payment.Payable, error)
	AskAgainTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) error
}

// Ledger keeps the books; pkg/ledger fills it.
type Ledger interface {
	PostTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) error
	// JournalIDTx is the id of the journal of an entry that was posted, empty for none.
	JournalIDTx(ctx context.Context, tx *sqlx.Tx, entry ledger.Entry) (string, error)
}

// Service compares settlements with the books, as the worker, and tells of them.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	gateways []Gateway
	payments Payments
	ledger   Ledger
	logger   *slog.Logger
	store    store
}

// NewService returns a service over all gateways whose settlements are compared.
func NewService(db *sqlx.DB, clk clock.Clock, gateways []Gateway, payments Payments, books Ledger, logger *slog.Logger) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, gateways: gateways, payments: payments, ledger: books, logger: logger})
}
