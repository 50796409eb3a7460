package otp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this package's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewSendOTP)
	return l
}

// previewSendOTP reports whether the SMS of a code would still be sent; it never reveals the code.
func previewSendOTP(ctx context.Context, tx *sqlx.Tx, args SendOTPArgs, now time.Time) (queue.JobPreview, error) {
	e := queue.JobPreview{Nothing: true, Again: "A message that was sent is never sent again, and the provider knows it by its number."}
	row, ok, err := outgoingByID(ctx, tx, args.CodeID)
	if err != nil {
		return e, err
	}
	switch {
	case !ok:
		e.Summary = "Would look for the message: it is no longer kept → nothing."
	case row.SentAt != nil:
		e.Summary = fmt.Sprintf("Would look at the message to %s: it was sent already → nothing.", row.Mobile)
	case row.UsedAt != nil || row.Message == MessageNone:
		e.Summary = "Would look at the message: it is not needed any more → nothing."
	case row.Superseded:
		e.Summary = fmt.Sprintf("Would look at the message to %s: a newer one took its place → nothing.", row.Mobile)
	case row.Expired(now):
		e.Summary = fmt.Sprintf("Would look at the message to %s: its code has expired, so it is given up → nothing is sent.", row.Mobile)
	default:
		e.Nothing, e.Summary = false, fmt.Sprintf("Would ask the SMS provider to send the message (%s) to %s.", strings.ReplaceAll(string(row.Purpose), "_", " "), row.Mobile)
	}
	return e, nil
}
