package transfer

// ReceiveArgs books one credit and matches it.
type ReceiveArgs struct {
	CreditID string `json:"credit_id"`
}

// Kind returns the job's name.
func (ReceiveArgs) Kind() string { return "receive_transfer" }

// UseArgs carries out a staff request to use a credit.
type UseArgs struct {
	UseID string `json:"use_id"`
}

// Kind returns the job's name.
func (UseArgs) Kind() string { return "use_transfer" }

// CollectArgs fetches the credits of one customer's account, by the collector's account id.
type CollectArgs struct {
	AccountID string `json:"account_id"`
}

// Kind returns the job's name.
func (CollectArgs) Kind() string { return "collect_transfers" }

// CloseArgs closes the account of a customer whose data was erased, by the collector's account id.
type CloseArgs struct {
	AccountID string `json:"account_id"`
}

// Kind returns the job's name.
func (CloseArgs) Kind() string { return "close_account_number" }

// SweepArgs fetches credits without a webhook, ends proformas, and matches credits again after customers gave UTRs.
type SweepArgs struct{}

// Kind returns the job's name.
func (SweepArgs) Kind() string { return "sweep_transfers" }

// PrintArgs renders the PDF of a proforma.
type PrintArgs struct {
	ProformaID string `json:"proforma_id"`
}

// Kind returns the job's name.
func (PrintArgs) Kind() string { return "print_proforma" }
