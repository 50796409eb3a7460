package support

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Recorder notes what staff do, in the transaction in which they do it; staff.Service is the one that does.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Customers finds customers and tells how they stand.
type Customers struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	titles   map[string]string
}

// NewCustomers returns them over the pool; the recorder notes whose page was opened, and titles are what people call
// the gateways, by their names.
func NewCustomers(db *sqlx.DB, clk clock.Clock, recorder Recorder, titles map[string]string) *Customers {
	return wiring.Complete(&Customers{db: db, clock: clk, recorder: recorder, titles: titles})
}
