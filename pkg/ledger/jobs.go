package ledger

// VerifyArgs asks the worker to check the whole books.
type VerifyArgs struct{}

// Kind names the job in the queue.
func (VerifyArgs) Kind() string { return "verify_books" }
