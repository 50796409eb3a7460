package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/revenue"
)

// RecogniseRevenue books what each day that is over earned and deferred.
type RecogniseRevenue struct {
	river.WorkerDefaults[revenue.RecogniseArgs]
	revenue *revenue.Service
}

// NewRecogniseRevenue returns the worker over the service.
func NewRecogniseRevenue(s *revenue.Service) *RecogniseRevenue { return &RecogniseRevenue{revenue: s} }

// Timeout is long: the first run books every day since the first invoice. What it does not reach the next one does.
func (*RecogniseRevenue) Timeout(*river.Job[revenue.RecogniseArgs]) time.Duration {
	return 4 * time.Minute
}

// Work books the days.
func (w *RecogniseRevenue) Work(ctx context.Context, _ *river.Job[revenue.RecogniseArgs]) error {
	_, err := w.revenue.Recognise(ctx)
	return err
}
