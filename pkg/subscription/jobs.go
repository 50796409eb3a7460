package subscription

// ExpireSubscriptionsArgs moves every subscription that time has overtaken: next term, grace, expiry, lapse.
type ExpireSubscriptionsArgs struct{}

// Kind names the job.
func (ExpireSubscriptionsArgs) Kind() string { return "expire_subscriptions" }

// EndAddOnsArgs ends the cancelled add-ons whose cycle is over.
type EndAddOnsArgs struct{}

// Kind names the job.
func (EndAddOnsArgs) Kind() string { return "apply_add_on_changes" }

// EnqueueRemindersArgs finds the renewals and trials of which somebody has to be reminded today.
type EnqueueRemindersArgs struct{}

// Kind names the job.
func (EnqueueRemindersArgs) Kind() string { return "remind_renewals" }

// SendReminderArgs sends one reminder.
type SendReminderArgs struct {
	ReminderID string `json:"reminder_id"`
}

// Kind names the job.
func (SendReminderArgs) Kind() string { return "send_reminder" }

// RowID fills message.RowArgs.
func (a SendReminderArgs) RowID() string { return a.ReminderID }
