package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/support"
)

// PruneOutcomes deletes what is kept of jobs once it is too old.
type PruneOutcomes struct {
	river.WorkerDefaults[support.PruneOutcomesArgs]
	workshop *support.JobAdmin
}

// NewPruneOutcomes returns the worker over the workshop.
func NewPruneOutcomes(w *support.JobAdmin) *PruneOutcomes { return &PruneOutcomes{workshop: w} }

// Timeout leaves room for a table that was not pruned for a while.
func (*PruneOutcomes) Timeout(*river.Job[support.PruneOutcomesArgs]) time.Duration {
	return time.Minute
}

// Work prunes; run twice it changes nothing.
func (w *PruneOutcomes) Work(ctx context.Context, _ *river.Job[support.PruneOutcomesArgs]) error {
	_, err := w.workshop.PruneOutcomes(ctx)
	return err
}
