package revenue

// RecogniseArgs books the revenue of every past day that is not booked yet.
type RecogniseArgs struct{}

// Kind returns the job's name.
func (RecogniseArgs) Kind() string { return "recognise_revenue" }
