package support

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// LostDocuments returns how many documents the object store has lost.
func (h *CustomerActions) LostDocuments(ctx context.Context) (lost invoice.Losses, err error) {
	err = postgres.InTx(ctx, h.db, func(tx *sqlx.Tx) error {
		lost, err = invoice.LossesTx(ctx, tx)
		return err
	})
	return lost, err
}

// RestoreDocuments enqueues the rendering of all lost documents; in.FranchiserID is empty. It returns KindConflict if no document is
// lost. A job that is already running handles this request too.
func (h *CustomerActions) RestoreDocuments(ctx context.Context, p staff.Principal, in Request) (Done, error) {
	a := staff.Action{Action: "restore_documents", Target: "documents:lost"}
	return h.once(ctx, p, in, a, func(tx *sqlx.Tx) (Done, error) {
		lost, err := invoice.LossesTx(ctx, tx)
		if err != nil {
			return Done{}, err
		}
		if lost.Count == 0 {
			return Done{}, errs.New(errs.KindConflict, "no_lost_documents", "No document is missing any more.")
		}
		jobID, err := h.jobs.InsertTx(ctx, tx, invoice.RestoreDocumentsArgs{}, queue.Options{
			Queue: queue.QueueDocuments, Unique: true, MaxAttempts: 25,
		})
		return Done{Message: counted(int(lost.Count), "document is rendered again.", "documents are rendered again."), JobID: &jobID}, err
	})
}
