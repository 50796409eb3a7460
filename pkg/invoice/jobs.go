package invoice

// RenderArgs asks the worker to render one document to PDF and keep it in the object store.
type RenderArgs struct {
	InvoiceID string `json:"invoice_id"`
}

// Kind names the job in the queue.
func (RenderArgs) Kind() string { return "render_invoice" }
