package recovery

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this package's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewMobileChange)
	return l
}

func previewMobileChange(ctx context.Context, tx *sqlx.Tx, args MobileChangeArgs, now time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Nothing: true, Again: "A change is applied in the transaction that marks it applied: it happens once."}
	c, err := lockMobileChangeTx(ctx, tx, args.ChangeID)
	switch {
	case errs.KindOf(err) == errs.KindNotFound:
		e.Summary = "Would look for the change of a lost mobile: it is no longer kept → nothing."
		return e, nil
	case err != nil:
		return e, err
	case c.State != MobileChangeWaiting:
		e.Summary = fmt.Sprintf("Would look at the change of a lost mobile: it is %s → nothing but noting it.", c.State)
	case now.Before(c.DueAt):
		e.Summary = "Would look at the change of a lost mobile: it waits until " + c.Due() + " → nothing."
	default:
		e.Nothing, e.Summary = false, "Would move the account to the mobile ending in "+c.Ending()+", end its sessions and tell the old number and the e-mail address."
	}
	return e, nil
}
