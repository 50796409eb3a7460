package payment

// VerifyArgs checks one payment at the gateway. Check is the number of the scheduled check, from 1. Event, a webhook kind or staff,
// marks an immediate check outside the schedule.
type VerifyArgs struct {
	PaymentID string `json:"payment_id"`
	Check     int    `json:"check,omitempty"`
	Event     string `json:"event,omitempty"`
}

// eventStaff is the Event of a check requested by staff, which covers everything.
const eventStaff = "staff"

// Kind returns the job's name.
func (VerifyArgs) Kind() string { return "verify_payment" }

// SweepArgs finds payments whose check is overdue because its job was lost.
type SweepArgs struct{}

// Kind returns the job's name.
func (SweepArgs) Kind() string { return "sweep_payments" }

// RefundArgs sends one refund to the gateway, or checks its progress.
type RefundArgs struct {
	RefundID string `json:"refund_id"`
}

// Kind returns the job's name.
func (RefundArgs) Kind() string { return "refund_payment" }

// ReverseArgs executes an approved reversal.
type ReverseArgs struct {
	ReversalID string `json:"reversal_id"`
}

// Kind returns the job's name.
func (ReverseArgs) Kind() string { return "reverse_payment" }

// CheckDisputeArgs checks a dispute at the gateway.
type CheckDisputeArgs struct {
	DisputeID string `json:"dispute_id"`
}

// Kind returns the job's name.
func (CheckDisputeArgs) Kind() string { return "check_dispute" }
