package invoice

// RenderArgs are the arguments of the job that renders one document to PDF and stores it in the object store.
type RenderArgs struct {
	InvoiceID string `json:"invoice_id"`
}

// Kind names the job in the queue.
func (RenderArgs) Kind() string { return "render_invoice" }

// RegisterArgs are the arguments of the job that registers one document at the Invoice Registration Portal, and then renders it.
type RegisterArgs struct {
	InvoiceID string `json:"invoice_id"`
}

// Kind names the job in the queue.
func (RegisterArgs) Kind() string { return "register_invoice" }

// VerifyDocumentsArgs are the arguments of the job that continues to check whether the object store has every document.
type VerifyDocumentsArgs struct{}

// Kind names the job in the queue.
func (VerifyDocumentsArgs) Kind() string { return "verify_documents" }

// RestoreDocumentsArgs are the arguments of the job that renders the lost documents again.
type RestoreDocumentsArgs struct{}

// Kind names the job in the queue.
func (RestoreDocumentsArgs) Kind() string { return "restore_documents" }
