package support

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
)

// previewSendMessage tells whether an SMS that staff asked for would still go out; it never tells a consent code.
func previewSendMessage(ctx context.Context, tx *sqlx.Tx, args SendMessageArgs, now time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Again: "A message that was sent is never sent again, and the provider knows it by its number."}
	out, err := outgoingTx(ctx, tx, args.MessageID)
	if err != nil {
		return e, err
	}
	switch {
	case out == nil:
		e.Nothing, e.Summary = true, "Would look at the message: it was sent, or is not needed any more → nothing."
	case !now.Before(out.ExpiresAt):
		e.Nothing, e.Summary = true, fmt.Sprintf("Would look at the message to %s: it is too late for it → nothing is sent.", out.Mobile)
	default:
		e.Summary = fmt.Sprintf("Would ask the SMS provider to send the message to %s.", out.Mobile)
	}
	return e, nil
}

func previewVerifyAudit(context.Context, *sqlx.Tx, staff.VerifyArgs, time.Time) (queue.JobPreview, error) {
	return queue.JobPreview{
		Summary: "Would check the chain of the audit trail, and fail again if a record is still out of place.",
		Nothing: true, Again: "It only reads.",
	}, nil
}
