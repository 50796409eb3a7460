package profile

// MailDocumentsArgs has the documents of the last thirty days sent to an address that was proved after they were issued.
type MailDocumentsArgs struct {
	FranchiserID string `json:"franchiser_id"`
}

// Kind returns the job's kind.
func (MailDocumentsArgs) Kind() string { return "mail_documents" }
