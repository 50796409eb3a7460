package ledger

// VerifyArgs asks the worker to check the whole books.
type VerifyArgs struct{}

// Kind returns the job's name.
func (VerifyArgs) Kind() string { return "verify_books" }
