package handler

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
)

// EInvoices shows registrations of documents and retries refused ones; einvoice.Desk implements it.
type EInvoices interface {
	Counts(ctx context.Context) (on bool, counts map[einvoice.State]int, err error)
	List(ctx context.Context, state einvoice.State, limit, offset int) ([]einvoice.Row, int, error)
	Again(ctx context.Context, p staff.Principal, invoiceID, reason string) error
}

// SupportEInvoices handles staff calls on registrations.
type SupportEInvoices struct {
	desk   EInvoices
	people Reader
}

// NewSupportEInvoices returns the handlers backed by the desk.
func NewSupportEInvoices(desk EInvoices, people Reader) *SupportEInvoices {
	return &SupportEInvoices{desk: desk, people: people}
}

// RegisterSupportEInvoices adds the routes to the engine, all behind before and require.
func RegisterSupportEInvoices(e *gin.Engine, h *SupportEInvoices, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/e-invoices", Handle(h.list))
	private.GET("/e-invoices/export", Handle(h.export))
	private.GET("/e-invoices/counts", Handle(h.counts))
	private.POST("/e-invoices/:id/register", Handle(h.again))
}

type einvoiceView struct {
	ID         string         `json:"id"`
	CustomerID string         `json:"customer_id"`
	Kind       invoice.Kind   `json:"kind"`
	Number     string         `json:"number"`
	IssuedAt   time.Time      `json:"issued_at"`
	Name       string         `json:"name"`
	GSTIN      string         `json:"gstin"`
	Total      money.Paise    `json:"total_paise"`
	State      einvoice.State `json:"state"`
	Tries      int            `json:"tries"`
	Code       string         `json:"code"`
	Message    string         `json:"message"`
	IRN        string         `json:"irn"`
	AckNo      string         `json:"ack_no"`
	AckAt      *time.Time     `json:"acknowledged_at"`
	AskedAt    time.Time      `json:"asked_at"`
}

func (h *SupportEInvoices) list(c *gin.Context) error {
	p, err := ParsePage(c)
	if err != nil {
		return err
	}
	rows, total, err := h.desk.List(c.Request.Context(), einvoice.State(c.Query("state")), p.PerPage, p.Offset())
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("e invoices")); err != nil {
		return err
	}
	views := make([]einvoiceView, 0, len(rows))
	for _, r := range rows {
		d := r.Document
		views = append(views, einvoiceView{
			ID: r.InvoiceID, CustomerID: r.FranchiserID, Kind: d.Kind, Number: d.Number, IssuedAt: d.IssuedAt.UTC(), Name: d.Name,
			GSTIN: d.GSTIN, Total: d.Total, State: r.State, Tries: r.Tries, Code: r.Code, Message: r.Message, IRN: cmp.Or(d.IRN, r.IRN),
			AckNo: cmp.Or(d.AckNo, r.AckNo), AckAt: utc(r.AckAt), AskedAt: r.AskedAt.UTC(),
		})
	}
	return List(c, "", views, p, total)
}

// export writes the listed rows as CSV.
func (h *SupportEInvoices) export(c *gin.Context) error {
	state := einvoice.State(c.Query("state"))
	return sendList(c, h.people, listFile{
		name: "e invoices",
		header: []string{
			"Document", "Kind", "Issued on (IST)", "Recipient", "GSTIN", "Total (INR)", "State", "Tries", "Code", "Message", "IRN",
			"Acknowledgement", "Acknowledged on (IST)", "Asked on (IST)", "Customer id", "Id",
		},
		page: func(offset int) ([]listRow, bool, error) {
			list, _, err := h.desk.List(c.Request.Context(), state, exportBatch, offset)
			rows := make([]listRow, 0, len(list))
			for _, r := range list {
				d := r.Document
				rows = append(rows, listRow{r.InvoiceID, []string{
					d.Number, string(d.Kind), istCell(&d.IssuedAt), d.Name, d.GSTIN, d.Total.Decimal(), string(r.State), strconv.Itoa(r.Tries), r.Code,
					r.Message, cmp.Or(d.IRN, r.IRN), cmp.Or(d.AckNo, r.AckNo), istCell(r.AckAt), istCell(&r.AskedAt), r.FranchiserID, r.InvoiceID,
				}})
			}
			return rows, len(list) == exportBatch, err
		},
	})
}

// counts answers whether documents are registered, and how many wait for the portal or for staff.
func (h *SupportEInvoices) counts(c *gin.Context) error {
	on, counts, err := h.desk.Counts(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{
		"registering": on, "waiting": counts[einvoice.StateWaiting], "refused": counts[einvoice.StateRefused],
		"cancelled": counts[einvoice.StateCancelled], "unsigned": counts[einvoice.StateUnsigned],
	})
}

func (h *SupportEInvoices) again(c *gin.Context) error {
	invoiceID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.desk.Again(c.Request.Context(), middleware.Staff(c), invoiceID, in.Reason); err != nil {
		return err
	}
	return OK(c, "The portal is asked again. Its answer appears here in a moment.", nil)
}
