package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/mandate"
)

// RenewByMandate takes the due steps of automatic renewal.
type RenewByMandate struct {
	river.WorkerDefaults[mandate.RunArgs]
	mandates *mandate.Service
}

// NewRenewByMandate returns the worker over the service.
func NewRenewByMandate(mandates *mandate.Service) *RenewByMandate {
	return &RenewByMandate{mandates: mandates}
}

// Timeout is shorter than a step's lease, so that the next run takes the remaining steps.
func (*RenewByMandate) Timeout(*river.Job[mandate.RunArgs]) time.Duration { return 4 * time.Minute }

// Work takes each step once, whatever runs concurrently.
func (w *RenewByMandate) Work(ctx context.Context, _ *river.Job[mandate.RunArgs]) error {
	_, err := w.mandates.Run(ctx)
	return err
}
