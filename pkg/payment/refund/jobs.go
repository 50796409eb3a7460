package refund

// Args sends one refund to the gateway, or checks its progress.
type Args struct {
	RefundID string `json:"refund_id"`
}

// Kind returns the job's name.
func (Args) Kind() string { return "refund_payment" }
