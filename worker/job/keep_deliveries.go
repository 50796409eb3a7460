package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/delivery"
)

// KeepDeliveries keeps the rows of what was sold true.
type KeepDeliveries struct {
	river.WorkerDefaults[delivery.KeepArgs]
	keeper *delivery.Keeper
}

// NewKeepDeliveries returns the worker over the keeper.
func NewKeepDeliveries(keeper *delivery.Keeper) *KeepDeliveries {
	return &KeepDeliveries{keeper: keeper}
}

// Timeout is long: the first run after an upgrade creates the rows of every customer.
func (*KeepDeliveries) Timeout(*river.Job[delivery.KeepArgs]) time.Duration { return 4 * time.Minute }

// Work creates missing rows, marks proved and late deliveries, reminds customers, and sends the digests.
func (w *KeepDeliveries) Work(ctx context.Context, _ *river.Job[delivery.KeepArgs]) error {
	if _, err := w.keeper.Settle(ctx); err != nil {
		return err
	}
	if _, err := w.keeper.Prove(ctx); err != nil {
		return err
	}
	if _, err := w.keeper.MarkLate(ctx); err != nil {
		return err
	}
	if _, err := w.keeper.Remind(ctx); err != nil {
		return err
	}
	_, err := w.keeper.Tell(ctx)
	return err
}
