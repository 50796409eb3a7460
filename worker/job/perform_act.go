package job

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/support"
)

// PerformAct performs an act that staff requested, once it needs no more approval.
type PerformAct struct {
	river.WorkerDefaults[support.PerformArgs]
	acts *support.Acts
}

// NewPerformAct returns the worker over the acts.
func NewPerformAct(acts *support.Acts) *PerformAct { return &PerformAct{acts: acts} }

// Work does the act once.
func (w *PerformAct) Work(ctx context.Context, j *river.Job[support.PerformArgs]) error {
	return w.acts.Perform(ctx, j.Args.ActID)
}
