package revenue

// RecogniseArgs asks the worker to book every day that is over and not booked.
type RecogniseArgs struct{}

// Kind returns the job's name.
func (RecogniseArgs) Kind() string { return "recognise_revenue" }
