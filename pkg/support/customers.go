package support

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Customers finds customers and describes their state.
type Customers struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	titles   map[string]string
}

// NewCustomers returns Customers over the pool; the recorder records whose page was opened, and titles are the display
// names of the gateways.
func NewCustomers(db *sqlx.DB, clk clock.Clock, recorder Recorder, titles map[string]string) *Customers {
	return wiring.Complete(&Customers{db: db, clock: clk, recorder: recorder, titles: titles})
}
