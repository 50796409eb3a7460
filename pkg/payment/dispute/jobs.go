package dispute

// CheckArgs checks a dispute at the gateway.
type CheckArgs struct {
	DisputeID string `json:"dispute_id"`
}

// Kind returns the job's name.
func (CheckArgs) Kind() string { return "check_dispute" }
