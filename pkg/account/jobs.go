package account

// SendOTPArgs are the arguments of the job that sends the SMS of one row of one_time_codes; the code itself is never an argument.
type SendOTPArgs struct {
	CodeID string `json:"code_id"`
}

// Kind returns the job's kind.
func (SendOTPArgs) Kind() string { return "send_otp" }

// RowID implements message.RowArgs.
func (a SendOTPArgs) RowID() string { return a.CodeID }

// PurgeArgs are the arguments of the job that deletes codes, sign-ups, verifications, sessions and counts that ended long ago.
type PurgeArgs struct{}

// Kind returns the job's kind.
func (PurgeArgs) Kind() string { return "purge_account_leftovers" }

// EraseArgs are the arguments of the job that erases the accounts whose erasure is due.
type EraseArgs struct{}

// Kind returns the job's kind.
func (EraseArgs) Kind() string { return "erase_accounts" }

// MailDocumentsArgs has the documents of the last thirty days sent to an address that was proved after they were issued.
type MailDocumentsArgs struct {
	FranchiserID string `json:"franchiser_id"`
}

// Kind returns the job's kind.
func (MailDocumentsArgs) Kind() string { return "mail_documents" }
