package handler

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Invoices handles tax invoices and credit notes.
type Invoices struct {
	invoices *invoice.Service
	register OwnRegistrations
}

// OwnRegistrations returns a franchiser's registrations at the Invoice Registration Portal; einvoice.Desk implements it.
type OwnRegistrations interface {
	RefusedOf(ctx context.Context, franchiserID, invoiceID string) (bool, error)
}

// NewInvoices returns the handlers over their parts.
func NewInvoices(invoices *invoice.Service, register OwnRegistrations) *Invoices {
	return wiring.Complete(&Invoices{invoices: invoices, register: register})
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

// errNotRegistered reports a document that is not valid before the portal registers it (CGST Rules 2017, rule 48(5)), so no PDF is being
// prepared.
func errNotRegistered() *errs.Error {
	return errs.New(errs.KindConflict, "document_not_registered",
		"The government’s e-invoice portal has not accepted this document yet, so there is no PDF. We are seeing to it; there is nothing for you to do.")
}

// link returns a signed link to the PDF, or 202 while it is being prepared.
func (h *Invoices) link(c *gin.Context) error {
	franchiserID := middleware.Principal(c).FranchiserID
	link, err := h.invoices.Link(c.Request.Context(), franchiserID, c.Param("id"))
	if err != nil {
		return err
	}
	if !link.Ready() {
		refused, err := h.register.RefusedOf(c.Request.Context(), franchiserID, link.ID)
		if err != nil {
			return err
		}
		if refused {
			return errNotRegistered()
		}
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
