package message

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews tells what the jobs of this domain would do now; it never tells what a message says. The addressees are by template.
func JobPreviews(addressees map[string]Addressee) queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args SendStaffMessageArgs, now time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "A message that was sent is never sent again, and the provider knows it by its number."}
		m, err := unsentTx(ctx, tx, args.MessageID)
		if err != nil {
			return e, err
		}
		var mobile string
		if m != nil && addressees[m.Template] != nil {
			if mobile, err = addressees[m.Template](ctx, tx, *m); err != nil {
				return e, err
			}
		}
		switch {
		case mobile == "":
			e.Nothing, e.Summary = true, "Would look at the message: it was sent, or is not needed any more → nothing."
		case !now.Before(m.ExpiresAt):
			e.Nothing, e.Summary = true, fmt.Sprintf("Would look at the message to %s: it is too late for it → nothing is sent.", mobile)
		default:
			e.Summary = fmt.Sprintf("Would ask the SMS provider to send the message to %s.", mobile)
		}
		return e, nil
	})
	return l
}
