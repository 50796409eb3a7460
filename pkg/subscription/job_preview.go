package subscription

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// JobPreviews returns the previews of this domain's jobs.
func JobPreviews() queue.JobPreviews {
	l := queue.JobPreviews{}
	queue.AddSweepPreview[ExpireSubscriptionsArgs](l, "move on", "subscriptions that time has overtaken",
		`SELECT count_due_subscriptions($1)`, 0)
	queue.AddSweepPreview[EndAddOnsArgs](l, "end", "cancelled add-ons whose cycle is over", `SELECT count_over_add_ons($1)`, 0)
	queue.AddSweepPreview[EnqueueRemindersArgs](l, "note", "reminders of plans that end",
		`SELECT count_due_reminders($1, $2, $3, $4)`, 0, reminderArgs()...)
	queue.AddPreview(l, func(context.Context, *sqlx.Tx, TellPricesArgs, time.Time) (queue.JobPreview, error) {
		return queue.JobPreview{
			Summary: "Would tell customers whose next renewal costs another amount than they pay or were told.",
			Again:   "Each price of a renewal is told once, however often this runs.",
		}, nil
	})
	return l
}
