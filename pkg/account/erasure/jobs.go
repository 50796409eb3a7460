package erasure

// PurgeArgs are the arguments of the job that deletes codes, sign-ups, verifications, sessions and counts that ended long ago.
type PurgeArgs struct{}

// Kind returns the job's kind.
func (PurgeArgs) Kind() string { return "purge_account_leftovers" }

// EraseArgs are the arguments of the job that erases the accounts whose erasure is due.
type EraseArgs struct{}

// Kind returns the job's kind.
func (EraseArgs) Kind() string { return "erase_accounts" }
