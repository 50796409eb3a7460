package mandate

// RunArgs takes every step that is due: plans, notices, debits, their results, and the states of mandates.
type RunArgs struct{}

// Kind returns the job's kind.
func (RunArgs) Kind() string { return "renew_by_mandate" }
