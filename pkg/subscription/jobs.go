package subscription

// AdvanceArgs moves every subscription that time has overtaken: next term, grace, expiry, lapse.
type AdvanceArgs struct{}

// Kind names the job.
func (AdvanceArgs) Kind() string { return "expire_subscriptions" }

// EndAddOnsArgs ends the cancelled add-ons whose cycle is over.
type EndAddOnsArgs struct{}

// Kind names the job.
func (EndAddOnsArgs) Kind() string { return "apply_add_on_changes" }

// RemindArgs finds the renewals and trials of which somebody has to be reminded today.
type RemindArgs struct{}

// Kind names the job.
func (RemindArgs) Kind() string { return "remind_renewals" }

// SendReminderArgs sends one reminder.
type SendReminderArgs struct {
	ReminderID string `json:"reminder_id"`
}

// Kind names the job.
func (SendReminderArgs) Kind() string { return "send_reminder" }
