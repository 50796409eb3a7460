package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/jobadmin"
)

// ChangeJobs continues a change of many jobs that a member of staff requested.
type ChangeJobs struct {
	river.WorkerDefaults[jobadmin.ChangeJobsArgs]
	service *jobadmin.Service
}

// NewChangeJobs returns the worker over the service.
func NewChangeJobs(w *jobadmin.Service) *ChangeJobs { return &ChangeJobs{service: w} }

// changeSlice is how long one run continues; then the job yields to others and is run again later.
const changeSlice = 20 * time.Second

// Timeout is well above the slice, which ends between two jobs.
func (*ChangeJobs) Timeout(*river.Job[jobadmin.ChangeJobsArgs]) time.Duration { return time.Minute }

// Work changes the remaining jobs; a run that was killed is resumed where it stopped.
func (w *ChangeJobs) Work(ctx context.Context, j *river.Job[jobadmin.ChangeJobsArgs]) error {
	slice, cancel := context.WithTimeout(ctx, changeSlice)
	defer cancel()
	finished, err := w.service.Continue(ctx, j.Args.OperationID, func() bool { return slice.Err() != nil })
	if err == nil && !finished {
		return river.JobSnooze(time.Millisecond)
	}
	return err
}
