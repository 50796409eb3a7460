package mandate

// RunArgs runs every due step: plans, notices, debits, their results, and the states of mandates.
type RunArgs struct{}

// Kind returns the job's kind.
func (RunArgs) Kind() string { return "renew_by_mandate" }
