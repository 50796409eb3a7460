package plan

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns what this domain's jobs would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewApply)
	return l
}

func previewApply(ctx context.Context, tx *sqlx.Tx, _ ApplyArgs, now time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "A change becomes the newest catalogue in the transaction that marks it applied: once."}
	c, err := changeStore{}.maybe(ctx, tx, approvedChangeSQL)
	switch {
	case err != nil:
		return e, err
	case c == nil:
		e.Nothing, e.Summary = true, "Would look for an approved change of the catalogue: there is none → nothing."
	case c.EffectiveFrom.After(now):
		e.Nothing = true
		e.Summary = fmt.Sprintf("Would look at the approved catalogue `%s`: it holds from %s on → nothing yet.", c.Content.Version, moment(*c.EffectiveFrom))
	default:
		e.Summary = fmt.Sprintf("Would sell by the catalogue `%s` from now on.", c.Content.Version)
	}
	return e, nil
}

// moment writes a time as staff read it.
func moment(at time.Time) string { return at.In(clock.IST).Format("2 Jan 2006, 15:04 IST") }
