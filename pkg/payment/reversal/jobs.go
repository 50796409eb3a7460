package reversal

// Args executes an approved reversal.
type Args struct {
	ReversalID string `json:"reversal_id"`
}

// Kind returns the job's name.
func (Args) Kind() string { return "reverse_payment" }
