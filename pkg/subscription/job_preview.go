package subscription

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews tells what the jobs of this domain would do now.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddSweepPreview[ExpireSubscriptionsArgs](l, "move on", "subscriptions that time has overtaken",
		`SELECT count_due_subscriptions($1)`, 0)
	queue.AddSweepPreview[EndAddOnsArgs](l, "end", "cancelled add-ons whose cycle is over", `SELECT count_over_add_ons($1)`, 0)
	queue.AddSweepPreview[EnqueueRemindersArgs](l, "note", "reminders of plans that end",
		`SELECT count_due_reminders($1, $2, $3, $4)`, 0, reminderArgs()...)
	queue.AddPreview(l, func(ctx context.Context, tx *sqlx.Tx, args SendReminderArgs, now time.Time) (queue.JobPreview, error) {
		e := queue.JobPreview{Again: "A reminder that was sent is never sent again, and the provider knows it by its number."}
		r, err := store{}.reminder(ctx, tx, args.ReminderID, DayOf(now))
		if err != nil {
			return e, err
		}
		if r == nil {
			e.Nothing, e.Summary = true, "Would look at the reminder: it was sent, or the plan was renewed meanwhile → nothing."
			return e, nil
		}
		if r.ended() {
			e.Summary = fmt.Sprintf("Would ask the SMS provider to remind %s that %s was paid until %s.", r.Mobile, r.PlanName, r.lastDay())
			return e, nil
		}
		e.Summary = fmt.Sprintf("Would ask the SMS provider to remind %s that %s ends on %s.", r.Mobile, r.PlanName, r.lastDay())
		return e, nil
	})
	return l
}
