package handler

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/invoice"
)

// Invoices handles tax invoices and credit notes.
type Invoices struct{ invoices *invoice.Service }

// NewInvoices returns the handlers backed by the invoice service.
func NewInvoices(invoices *invoice.Service) *Invoices {
	return &Invoices{invoices: invoices}
}

// Register adds the routes.
func (h *Invoices) Register(r Routes) {
	r.Private.GET("/subscription/invoice/:id", Handle(h.link))
}

// The states of a document's PDF.
const (
	documentReady     = "ready"
	documentPreparing = "preparing"
)

// preparingRetryAfter is the Retry-After in seconds; rendering takes far less unless the object store is down.
const preparingRetryAfter = "2"

type invoiceLinkAnswer struct {
	Invoice   *string    `json:"invoice"`
	Number    string     `json:"invoice_number"`
	State     string     `json:"state"`
	ExpiresAt *time.Time `json:"expires_at"`
}

// link returns a signed link to the PDF, or 202 while it is being prepared.
func (h *Invoices) link(c *gin.Context) error {
	link, err := h.invoices.Link(c.Request.Context(), middleware.Principal(c).FranchiserID, c.Param("id"))
	if err != nil {
		return err
	}
	if !link.Ready() {
		c.Header("Cache-Control", "no-store")
		c.Header("Retry-After", preparingRetryAfter)
		c.JSON(http.StatusAccepted, success{
			Status: true, Message: "Your invoice is being prepared.",
			Data: invoiceLinkAnswer{Number: link.Number, State: documentPreparing},
		})
		return nil
	}
	return OK(c, "Invoice Downloaded", invoiceLinkAnswer{
		Invoice: &link.URL, Number: link.Number, State: documentReady, ExpiresAt: &link.ExpiresAt,
	})
}
