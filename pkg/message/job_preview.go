package message

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs; they never reveal a message's text. The addressees are by
// template.
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
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args SendCustomerMessageArgs, now time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "A message that was sent is never sent again, and the provider knows it by its number."}
		m, err := unsentCustomerMessageTx(ctx, tx, args.MessageID)
		switch {
		case err != nil:
			return e, err
		case m == nil:
			e.Nothing, e.Summary = true, "Would look at the message: it was sent already → nothing."
		case !now.Before(m.ExpiresAt):
			e.Nothing, e.Summary = true, "Would look at the message: it is too late for it → nothing is sent."
		case IsWhatsApp(m.Template):
			e.Summary = "Would ask the WhatsApp platform to send the message, if the customer still wants such messages."
		case IsEmail(m.Template):
			e.Summary = "Would ask the mail server to send the message, if the customer's address is proved."
		default:
			e.Summary = "Would ask the SMS provider to send the message to the customer."
		}
		return e, nil
	})
	return l
}
