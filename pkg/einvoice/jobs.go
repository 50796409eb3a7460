package einvoice

// RecheckArgs are the arguments of the job that checks whether a registration was cancelled at the portal.
type RecheckArgs struct {
	InvoiceID string `json:"invoice_id"`
}

// recheckTries end within the days for which the portal shows a registration.
const recheckTries = 8

// Kind names the job in the queue.
func (RecheckArgs) Kind() string { return "recheck_einvoice" }
