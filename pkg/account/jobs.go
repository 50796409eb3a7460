package account

// SendOTPArgs asks a worker to send the SMS of one row of one_time_codes; the code itself is never an argument.
type SendOTPArgs struct {
	CodeID string `json:"code_id"`
}

// Kind names the job.
func (SendOTPArgs) Kind() string { return "send_otp" }

// RowID fills message.RowArgs.
func (a SendOTPArgs) RowID() string { return a.CodeID }

// PurgeArgs asks a worker to delete codes, sign-ups, verifications, sessions and counts that ended long ago.
type PurgeArgs struct{}

// Kind names the job.
func (PurgeArgs) Kind() string { return "purge_account_leftovers" }

// EraseArgs asks a worker to erase the accounts whose erasure fell due.
type EraseArgs struct{}

// Kind names the job.
func (EraseArgs) Kind() string { return "erase_accounts" }
