package invoice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args RenderArgs, _ time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "The document follows from its row alone and lies under its own hash: a second run makes the same bytes."}
		var s store
		i, err := s.byID(ctx, tx, args.InvoiceID)
		if errors.Is(err, ErrNotFound) {
			e.Nothing, e.Summary = true, "Would look for the document: there is none of this number → the job is cancelled."
			return e, nil
		}
		if err != nil {
			return e, err
		}
		doc, printed, err := s.document(ctx, tx, args.InvoiceID)
		if err != nil {
			return e, err
		}
		if printed {
			e.Nothing = true
			e.Summary = fmt.Sprintf("Would render %s: it already exists since %s, and is only put back if the store lost it → nothing.",
				i.Number, doc.RenderedAt.Format(time.DateTime+" UTC"))
			return e, nil
		}
		e.Summary = fmt.Sprintf("Would render %s over %s to PDF and keep it; the number stays the same.", i.Number, i.Totals.Total.Display())
		return e, nil
	})
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, VerifyDocumentsArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would look for the next thousand documents in the object store and note those that are not there.",
			Again:   "It only looks, and goes on where it stopped.",
		}, nil
	})
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, _ RestoreDocumentsArgs, _ time.Time) (queue.JobPreview, error) {
		lost, err := LossesTx(ctx, tx)
		e := queue.JobPreview{
			Summary: fmt.Sprintf("Would render %d lost documents again and put back those whose bytes are what was handed out.", lost.Count),
			Again:   "What is back is lost no more, and the same bytes lie under the same key: a second run changes nothing.",
		}
		if err == nil && lost.Count == 0 {
			e.Nothing, e.Summary = true, "Would look for lost documents: there are none → nothing."
		}
		return e, err
	})
	return l
}
