package invoice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews tells what the jobs of this domain would do now.
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
	return l
}
