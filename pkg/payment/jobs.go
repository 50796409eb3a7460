package payment

// VerifyArgs checks one payment at the gateway. Check is the number of the scheduled check, from 1. Event, a webhook kind or staff,
// marks an immediate check outside the schedule.
type VerifyArgs struct {
	PaymentID string `json:"payment_id"`
	Check     int    `json:"check,omitempty"`
	Event     string `json:"event,omitempty"`
}

// EventStaff is the Event of a check requested by staff, which covers everything.
const EventStaff = "staff"

// Kind returns the job's name.
func (VerifyArgs) Kind() string { return "verify_payment" }
