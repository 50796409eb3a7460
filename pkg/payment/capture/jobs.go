package capture

// SweepArgs finds payments whose check is overdue because its job was lost.
type SweepArgs struct{}

// Kind returns the job's name.
func (SweepArgs) Kind() string { return "sweep_payments" }
