package handler

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

// GSTReturns makes the monthly returns of outward supplies; gstreturn.Service implements it.
type GSTReturns interface {
	Months() []gstreturn.Month
	Offered(m gstreturn.Month) bool
	Documents(ctx context.Context, m gstreturn.Month, f gstreturn.Figure, from, limit int) ([]gstreturn.Document, int, error)
	Of(ctx context.Context, m gstreturn.Month) (gstreturn.Checked, error)
	Take(ctx context.Context, p staff.Principal, m gstreturn.Month) ([]byte, error)
	TakeTable(ctx context.Context, p staff.Principal, m gstreturn.Month, t gstreturn.Table) ([][]string, error)
}

// SupportGSTReturns handles staff calls on the returns.
type SupportGSTReturns struct {
	returns GSTReturns
	people  Reader
}

// NewSupportGSTReturns returns the handlers backed by the returns.
func NewSupportGSTReturns(returns GSTReturns, people Reader) *SupportGSTReturns {
	return &SupportGSTReturns{returns: returns, people: people}
}

// RegisterSupportGSTReturns adds the routes to the engine, all behind before and require.
func RegisterSupportGSTReturns(e *gin.Engine, h *SupportGSTReturns, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/gst-returns", Handle(h.months))
	private.GET("/gst-returns/:month", Handle(h.show))
	private.GET("/gst-returns/:month/documents", Handle(h.documents))
	private.GET("/gst-returns/:month/file", Handle(h.file))
}

type gstTableView struct {
	Table     gstreturn.Table `json:"table"`
	Documents int             `json:"documents"`
	Taxable   money.Paise     `json:"taxable_paise"`
	CGST      money.Paise     `json:"cgst_paise"`
	SGST      money.Paise     `json:"sgst_paise"`
	IGST      money.Paise     `json:"igst_paise"`
}

type gstComparedView struct {
	Name    string      `json:"name"`
	Return  money.Paise `json:"return_paise"`
	Other   money.Paise `json:"other_paise"`
	Differs bool        `json:"differs"`
}

type gstCodeView struct {
	Table     gstreturn.Table `json:"table"`
	SAC       string          `json:"sac"`
	RateBps   int64           `json:"rate_bps"`
	Documents int             `json:"documents"`
	Taxable   money.Paise     `json:"taxable_paise"`
	CGST      money.Paise     `json:"cgst_paise"`
	SGST      money.Paise     `json:"sgst_paise"`
	IGST      money.Paise     `json:"igst_paise"`
}

type gstSeriesView struct {
	Kind   invoice.Kind `json:"kind"`
	From   string       `json:"from"`
	To     string       `json:"to"`
	Issued int64        `json:"issued"`
	Lost   int64        `json:"lost"`
	// Cancelled are those of Issued that were cancelled at the Invoice Registration Portal.
	Cancelled int64 `json:"cancelled"`
}

type gstReturnView struct {
	Month    string            `json:"month"`
	GSTIN    string            `json:"gstin"`
	Over     bool              `json:"over"`
	Sound    bool              `json:"sound"`
	Tables   []gstTableView    `json:"tables"`
	Books    []gstComparedView `json:"books"`
	Codes    []gstComparedView `json:"codes"`
	HSN      []gstCodeView     `json:"hsn"`
	Series   []gstSeriesView   `json:"series"`
	Problems []string          `json:"problems"`
	// Cancelled are the documents that the return leaves out.
	Cancelled []string `json:"cancelled"`
}

func (h *SupportGSTReturns) months(c *gin.Context) error {
	list := []string{}
	for _, one := range h.returns.Months() {
		list = append(list, one.String())
	}
	return OK(c, "", list)
}

func (h *SupportGSTReturns) month(c *gin.Context) (gstreturn.Month, error) {
	m, ok := gstreturn.ParseMonth(c.Param("month"))
	if !ok || !h.returns.Offered(m) {
		return m, errs.NotFound()
	}
	return m, nil
}

func (h *SupportGSTReturns) show(c *gin.Context) error {
	m, err := h.month(c)
	if err != nil {
		return err
	}
	takeTime(c)
	r, err := h.returns.Of(c.Request.Context(), m)
	if err != nil {
		return err
	}
	v := gstReturnView{
		Month: m.String(), GSTIN: r.GSTIN, Over: r.Over, Sound: r.Sound(), Books: comparedViews(r.Books), Codes: comparedViews(r.Codes),
		HSN:    append(codeViews(gstreturn.TableHSNB2B, r.Registered), codeViews(gstreturn.TableHSNB2C, r.Others)...),
		Series: []gstSeriesView{}, Problems: append([]string{}, r.Problems...), Cancelled: append([]string{}, r.CancelledNumbers...),
	}
	for _, t := range gstreturn.Tables() {
		s := r.Sums[t]
		v.Tables = append(v.Tables, gstTableView{t, s.Documents, s.Taxable, s.CGST, s.SGST + s.UTGST, s.IGST})
	}
	for _, s := range r.Series {
		v.Series = append(v.Series, gstSeriesView(s))
	}
	return OK(c, "", v)
}

func comparedViews(list []gstreturn.Compared) []gstComparedView {
	views := make([]gstComparedView, 0, len(list))
	for _, one := range list {
		views = append(views, gstComparedView{one.Name, one.Return, one.Other, one.Differs()})
	}
	return views
}

func codeViews(t gstreturn.Table, list []gstreturn.Code) []gstCodeView {
	views := make([]gstCodeView, 0, len(list))
	for _, one := range list {
		views = append(views, gstCodeView{t, one.SAC, one.RateBps, one.Documents, one.Taxable, one.CGST, one.SGST + one.UTGST, one.IGST})
	}
	return views
}

func errNoTable() error {
	return errs.Invalid("Please check the marked fields.").Field("table", "There is no such table.")
}

// figure returns the request's figure, or a validation error if the figure has no documents.
func figure(c *gin.Context) (gstreturn.Figure, error) {
	f := gstreturn.Figure{Table: gstreturn.Table(c.Query("table")), SAC: c.Query("sac")}
	if rate := c.Query("rate_bps"); rate != "" {
		n, err := strconv.ParseInt(rate, 10, 32)
		if err != nil {
			return f, errs.Invalid("Please check the marked fields.").Field("rate_bps", "Write the rate in basis points, such as 1800.")
		}
		f.RateBps = n
	}
	if !f.Valid() {
		return f, errNoTable()
	}
	return f, nil
}

type gstDocumentView struct {
	ID         string            `json:"id"`
	CustomerID string            `json:"customer_id"`
	Kind       invoice.Kind      `json:"kind"`
	Number     string            `json:"number"`
	Date       string            `json:"date"`
	Name       string            `json:"name"`
	GSTIN      string            `json:"gstin"`
	Place      invoice.StateCode `json:"place_of_supply"`
	Original   string            `json:"original_number"`
	Total      money.Paise       `json:"total_paise"`
}

// documents lists those behind a table's figures.
func (h *SupportGSTReturns) documents(c *gin.Context) error {
	m, err := h.month(c)
	if err != nil {
		return err
	}
	f, err := figure(c)
	if err != nil {
		return err
	}
	p, err := ParsePage(c)
	if err != nil {
		return err
	}
	takeTime(c)
	list, total, err := h.returns.Documents(c.Request.Context(), m, f, p.Offset(), p.PerPage)
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("gst returns")); err != nil {
		return err
	}
	views := make([]gstDocumentView, 0, len(list))
	for _, d := range list {
		views = append(views, gstDocumentView{
			ID: d.ID, CustomerID: d.FranchiserID, Kind: d.Kind, Number: d.Number, Date: gstreturn.DayOf(d), Name: d.Name, GSTIN: d.GSTIN,
			Place: d.PlaceOfSupply, Original: d.OriginalNumber, Total: d.Total,
		})
	}
	return List(c, "", views, p, total)
}

// file hands out the return for the portal, or one of its tables as CSV,; each download is recorded.
func (h *SupportGSTReturns) file(c *gin.Context) error {
	p := middleware.Staff(c)
	m, err := h.month(c)
	if err != nil {
		return err
	}
	takeTime(c)
	c.Header("Cache-Control", "no-store")
	if c.Query("table") == "" {
		raw, err := h.returns.Take(c.Request.Context(), p, m)
		if err != nil {
			return err
		}
		c.Header("Content-Disposition", `attachment; filename="gstr1-`+m.String()+`.json"`)
		c.Data(http.StatusOK, "application/json", raw)
		return nil
	}
	t := gstreturn.Table(c.Query("table"))
	if !slices.Contains(gstreturn.Files(), t) {
		return errNoTable()
	}
	rows, err := h.returns.TakeTable(c.Request.Context(), p, m, t)
	if err != nil {
		return err
	}
	c.Header("Content-Type", "text/csv; charset=utf-8")
	c.Header("Content-Disposition", `attachment; filename="gstr1-`+m.String()+`-`+string(t)+`.csv"`)
	w := text.NewSheet(c.Writer)
	for _, row := range rows {
		writeCells(w, row)
	}
	w.Flush()
	return nil
}
