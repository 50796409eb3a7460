package payment

// VerifyArgs asks the gateway about one payment. Check counts the checks of the schedule from 1; Event is the kind of notice
// that asks for a check at once, or staff, and then the schedule goes its own way.
type VerifyArgs struct {
	PaymentID string `json:"payment_id"`
	Check     int    `json:"check,omitempty"`
	Event     string `json:"event,omitempty"`
}

// eventStaff is the Event where staff have the gateway asked: about everything.
const eventStaff = "staff"

// Kind names the job.
func (VerifyArgs) Kind() string { return "verify_payment" }

// SweepArgs finds payments whose check is overdue because its job was lost.
type SweepArgs struct{}

// Kind names the job.
func (SweepArgs) Kind() string { return "sweep_payments" }

// RefundArgs sends one refund to the gateway, or asks how far it is.
type RefundArgs struct {
	RefundID string `json:"refund_id"`
}

// Kind names the job.
func (RefundArgs) Kind() string { return "refund_payment" }

// ReverseArgs does what staff asked for and what was approved.
type ReverseArgs struct {
	ReversalID string `json:"reversal_id"`
}

// Kind names the job.
func (ReverseArgs) Kind() string { return "reverse_payment" }

// CheckDisputeArgs asks the gateway how a dispute stands.
type CheckDisputeArgs struct {
	DisputeID string `json:"dispute_id"`
}

// Kind names the job.
func (CheckDisputeArgs) Kind() string { return "check_dispute" }
