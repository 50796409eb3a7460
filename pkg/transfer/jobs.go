package transfer

// ReceiveArgs books one credit and matches it.
type ReceiveArgs struct {
	CreditID string `json:"credit_id"`
}

// Kind returns the job's name.
func (ReceiveArgs) Kind() string { return "receive_transfer" }

// UseArgs carries out what staff asked for of a credit.
type UseArgs struct {
	UseID string `json:"use_id"`
}

// Kind returns the job's name.
func (UseArgs) Kind() string { return "use_transfer" }

// CollectArgs asks the collector what came into one customer's account, by its id there.
type CollectArgs struct {
	AccountID string `json:"account_id"`
}

// Kind returns the job's name.
func (CollectArgs) Kind() string { return "collect_transfers" }

// CloseArgs has the collector close the account number of a customer whose data was erased, by its id there.
type CloseArgs struct {
	AccountID string `json:"account_id"`
}

// Kind returns the job's name.
func (CloseArgs) Kind() string { return "close_account_number" }

// SweepArgs asks for what came in unheard, ends proformas, and matches again what told numbers may decide.
type SweepArgs struct{}

// Kind returns the job's name.
func (SweepArgs) Kind() string { return "sweep_transfers" }

// PrintArgs renders the PDF of a proforma.
type PrintArgs struct {
	ProformaID string `json:"proforma_id"`
}

// Kind returns the job's name.
func (PrintArgs) Kind() string { return "print_proforma" }
