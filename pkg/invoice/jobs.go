package invoice

// RenderArgs asks the worker to render one document to PDF and keep it in the object store.
type RenderArgs struct {
	InvoiceID string `json:"invoice_id"`
}

// Kind names the job in the queue.
func (RenderArgs) Kind() string { return "render_invoice" }

// RegisterArgs asks the worker to register one document at the Invoice Registration Portal, and then to render it.
type RegisterArgs struct {
	InvoiceID string `json:"invoice_id"`
}

// Kind names the job in the queue.
func (RegisterArgs) Kind() string { return "register_invoice" }

// VerifyDocumentsArgs asks the worker to continue checking whether the object store has every document.
type VerifyDocumentsArgs struct{}

// Kind names the job in the queue.
func (VerifyDocumentsArgs) Kind() string { return "verify_documents" }

// RestoreDocumentsArgs asks the worker to render the lost documents again.
type RestoreDocumentsArgs struct{}

// Kind names the job in the queue.
func (RestoreDocumentsArgs) Kind() string { return "restore_documents" }
