package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/jobadmin"
)

// PruneOutcomes deletes old outcomes of jobs.
type PruneOutcomes struct {
	river.WorkerDefaults[jobadmin.PruneOutcomesArgs]
	service *jobadmin.Service
}

// NewPruneOutcomes returns the worker over the service.
func NewPruneOutcomes(w *jobadmin.Service) *PruneOutcomes { return &PruneOutcomes{service: w} }

// Timeout leaves room for a table that has not been pruned for a while.
func (*PruneOutcomes) Timeout(*river.Job[jobadmin.PruneOutcomesArgs]) time.Duration {
	return time.Minute
}

// Work prunes the outcomes and is idempotent.
func (w *PruneOutcomes) Work(ctx context.Context, _ *river.Job[jobadmin.PruneOutcomesArgs]) error {
	_, err := w.service.PruneOutcomes(ctx)
	return err
}
