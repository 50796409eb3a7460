package job

import (
	"context"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/support"
)

// ChangeMobile goes on with a change of a lost mobile, once its wait is over or it was stopped.
type ChangeMobile struct {
	river.WorkerDefaults[recovery.MobileChangeArgs]
	acts *support.Acts
}

// NewChangeMobile returns the worker over the acts.
func NewChangeMobile(acts *support.Acts) *ChangeMobile { return &ChangeMobile{acts: acts} }

// Work applies the change, or notes why it is not.
func (w *ChangeMobile) Work(ctx context.Context, j *river.Job[recovery.MobileChangeArgs]) error {
	return w.acts.Continue(ctx, j.Args.ChangeID)
}
