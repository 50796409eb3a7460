package job

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/plan"
)

// ApplyCatalogue applies approved changes of the catalogue once they are due.
type ApplyCatalogue struct {
	river.WorkerDefaults[plan.ApplyArgs]
	applier *plan.Applier
}

// NewApplyCatalogue returns the worker over the applier.
func NewApplyCatalogue(applier *plan.Applier) *ApplyCatalogue {
	return &ApplyCatalogue{applier: applier}
}

// Work applies the due changes.
func (w *ApplyCatalogue) Work(ctx context.Context, _ *river.Job[plan.ApplyArgs]) error {
	_, err := w.applier.Apply(ctx)
	return err
}
