package figures

// CountArgs are the arguments of the job that counts and checks the figures.
type CountArgs struct{}

// Kind returns the job's name.
func (CountArgs) Kind() string { return "count_figures" }
