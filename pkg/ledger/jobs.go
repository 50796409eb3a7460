package ledger

// VerifyArgs are the arguments of the job that checks the whole books.
type VerifyArgs struct{}

// Kind returns the job's name.
func (VerifyArgs) Kind() string { return "verify_books" }
