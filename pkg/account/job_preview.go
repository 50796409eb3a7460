package account

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddPreview(l, previewSendOTP)
	queue.AddPreview(l, previewTeamInvitation)
	queue.AddPreview(l, previewMobileChange)
	queue.AddSweepPreview[EraseArgs](l, "erase", "accounts whose seven days are over", `SELECT count_due_erasures($1)`, ErasureDelay)
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, PurgeArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would delete codes, sign-ups, sessions and counts that ended thirty days ago, and what visitors and staff left years ago.",
			Again:   "It takes only what is old enough, so that a second run finds nothing left to do.",
		}, nil
	})
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, MailDocumentsArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would have the documents of the last thirty days sent to the proved e-mail address.",
			Again:   "A document that was sent is never sent again.",
		}, nil
	})
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
	case row.UsedAt != nil || row.Message == messageNone:
		e.Summary = "Would look at the message: it is not needed any more → nothing."
	case row.Superseded:
		e.Summary = fmt.Sprintf("Would look at the message to %s: a newer one took its place → nothing.", row.Mobile)
	case row.expired(now):
		e.Summary = fmt.Sprintf("Would look at the message to %s: its code has expired, so it is given up → nothing is sent.", row.Mobile)
	default:
		e.Nothing, e.Summary = false, fmt.Sprintf("Would ask the SMS provider to send the message (%s) to %s.", strings.ReplaceAll(string(row.Purpose), "_", " "), row.Mobile)
	}
	return e, nil
}
