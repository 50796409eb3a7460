package figures

// CountArgs asks the worker to count the figures and to check them.
type CountArgs struct{}

// Kind returns the job's name.
func (CountArgs) Kind() string { return "count_figures" }
