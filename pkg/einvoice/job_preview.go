package einvoice

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of the jobs that register documents.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args invoice.RegisterArgs, _ time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "The portal registers a number once: a second run finds the registration and takes it."}
		i, err := invoice.DocumentTx(ctx, tx, args.InvoiceID)
		switch {
		case errors.Is(err, invoice.ErrNotFound):
			e.Nothing, e.Summary = true, "Would look for the document: there is none of this number → the job is cancelled."
			return e, nil
		case err != nil:
			return e, err
		case i.IRN != "":
			e.Nothing, e.Summary = true, "Would register "+i.Number+": the portal did so already → only its PDF is asked for again."
			return e, nil
		}
		e.Summary = "Would register " + i.Number + " over " + i.Totals.Total.Display() + " at the Invoice Registration Portal and then render it."
		return e, nil
	})
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, RecheckArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would ask the portal whether the registration was cancelled there within its 24 hours, and note that.",
			Again:   "It only looks.",
		}, nil
	})
	return l
}
