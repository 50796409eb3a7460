package subscription

// ExpireSubscriptionsArgs moves every subscription that is due to its next stage: next term, grace, expiry, lapse.
type ExpireSubscriptionsArgs struct{}

// Kind returns the job's kind.
func (ExpireSubscriptionsArgs) Kind() string { return "expire_subscriptions" }

// EndAddOnsArgs ends the cancelled add-ons whose cycle is over.
type EndAddOnsArgs struct{}

// Kind returns the job's kind.
func (EndAddOnsArgs) Kind() string { return "apply_add_on_changes" }

// EnqueueRemindersArgs finds the renewals and trials that need a reminder today.
type EnqueueRemindersArgs struct{}

// Kind returns the job's kind.
func (EnqueueRemindersArgs) Kind() string { return "remind_renewals" }

// TellPricesArgs informs customers of a changed price of their next renewal.
type TellPricesArgs struct{}

// Kind returns the job's kind.
func (TellPricesArgs) Kind() string { return "tell_prices" }
