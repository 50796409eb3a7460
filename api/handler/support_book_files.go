package handler

import (
	"context"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/bookexport"
	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
)

// BookFiles makes the files of the books for accounting software; bookexport.Service implements it.
type BookFiles interface {
	Of(ctx context.Context, m gstreturn.Month) (bookexport.State, error)
	Take(ctx context.Context, p staff.Principal, m gstreturn.Month, f bookexport.File) ([]byte, error)
}

// SupportBookFiles handles staff calls on the files for accounting software.
type SupportBookFiles struct{ files BookFiles }

// NewSupportBookFiles returns the handlers backed by the files.
func NewSupportBookFiles(files BookFiles) *SupportBookFiles { return &SupportBookFiles{files: files} }

// RegisterSupportBookFiles adds the routes to the engine, all behind before and require.
func RegisterSupportBookFiles(e *gin.Engine, h *SupportBookFiles, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/books/files/:month", Handle(h.show))
	private.GET("/books/files/:month/:file", Handle(h.file))
}

type bookFilesView struct {
	Month        string            `json:"month"`
	Over         bool              `json:"over"`
	Entries      int               `json:"entries"`
	Debit        money.Paise       `json:"debit_paise"`
	Invoices     int               `json:"invoices"`
	CreditNotes  int               `json:"credit_notes"`
	NewCustomers int               `json:"new_customers"`
	Files        []bookexport.File `json:"files"`
	Problems     []string          `json:"problems"`
}

func monthOfPath(c *gin.Context) (gstreturn.Month, error) {
	m, ok := gstreturn.ParseMonth(c.Param("month"))
	if !ok {
		return m, errs.NotFound()
	}
	return m, nil
}

// show returns the content of a month's files, and the obstacles to their export.
func (h *SupportBookFiles) show(c *gin.Context) error {
	m, err := monthOfPath(c)
	if err != nil {
		return err
	}
	takeTime(c)
	s, err := h.files.Of(c.Request.Context(), m)
	if err != nil {
		return err
	}
	return OK(c, "", bookFilesView{
		Month: m.String(), Over: s.Over, Entries: s.Entries, Debit: s.Debit, Invoices: s.Invoices, CreditNotes: s.CreditNotes,
		NewCustomers: s.NewCustomers, Files: bookexport.Files(), Problems: s.Problems,
	})
}

// file hands out a file of a month; each download is recorded.
func (h *SupportBookFiles) file(c *gin.Context) error {
	p := middleware.Staff(c)
	m, err := monthOfPath(c)
	if err != nil {
		return err
	}
	f := bookexport.File(c.Param("file"))
	if !slices.Contains(bookexport.Files(), f) {
		return errs.NotFound()
	}
	takeTime(c)
	raw, err := h.files.Take(c.Request.Context(), p, m, f)
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	c.Header("Content-Disposition", `attachment; filename="`+string(f)+`-`+m.String()+`.`+f.Extension()+`"`)
	c.Data(http.StatusOK, f.ContentType(), raw)
	return nil
}
