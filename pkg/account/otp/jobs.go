package otp

// SendOTPArgs are the arguments of the job that sends the SMS of one row of one_time_codes; the code itself is never an argument.
type SendOTPArgs struct {
	CodeID string `json:"code_id"`
}

// Kind returns the job's kind.
func (SendOTPArgs) Kind() string { return "send_otp" }

// RowID implements message.RowArgs.
func (a SendOTPArgs) RowID() string { return a.CodeID }
