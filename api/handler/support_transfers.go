package handler

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// SupportTransfers handles staff calls on bank transfers and deducted tax.
type SupportTransfers struct {
	desk   *transfer.Desk
	people Reader
}

// NewSupportTransfers returns the handlers backed by the desk.
func NewSupportTransfers(desk *transfer.Desk, people Reader) *SupportTransfers {
	return &SupportTransfers{desk: desk, people: people}
}

// RegisterSupportTransfers adds the routes to the engine, all behind before and require.
func RegisterSupportTransfers(e *gin.Engine, h *SupportTransfers, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/transfers", Handle(h.proformas))
	private.POST("/transfers/:id/cancel", Handle(h.cancel))
	private.GET("/transfers/export", Handle(h.exportProformas))
	private.GET("/bank-credits", Handle(h.credits))
	private.GET("/bank-credits/export", Handle(h.exportCredits))
	private.POST("/bank-credits", Handle(h.enter))
	private.POST("/bank-statements", Handle(h.preview))
	private.POST("/bank-credits/:id/uses", middleware.Idempotency, Handle(h.use))
	private.POST("/bank-credit-uses/:id/decision", Handle(h.decide))
	private.GET("/tds", Handle(h.deducted))
	private.GET("/tds/export", Handle(h.export))
	private.POST("/tds/:id", Handle(h.change))
}

type supportTransferView struct {
	transferView

	CustomerID   string `json:"customer_id"`
	CustomerName string `json:"customer_name"`
}

func (h *SupportTransfers) proformas(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, total, err := h.desk.Proformas(c.Request.Context(), transfer.ProformaQuery{
		State: transfer.State(c.Query("state")), Search: page.Search, Limit: page.PerPage, Offset: page.Offset(),
	})
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("transfers")); err != nil {
		return err
	}
	rows := make([]supportTransferView, 0, len(list))
	for _, p := range list {
		rows = append(rows, supportTransferView{transferViewOf(p), p.FranchiserID, p.Name})
	}
	return List(c, "", rows, page, total)
}

// exportProformas writes the listed rows as CSV.
func (h *SupportTransfers) exportProformas(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	q := transfer.ProformaQuery{State: transfer.State(c.Query("state")), Search: page.Search, Limit: exportBatch}
	return sendList(c, h.people, listFile{
		name: "transfers",
		header: []string{
			"Proforma", "Made on (IST)", "State", "Customer", "For", "Order number", "Amount (INR)", "Received (INR)", "Income tax deducted (INR)",
			"GST deducted (INR)", "Too much (INR)", "Told UTR", "Valid until (IST)", "Paid on (IST)", "Cancelled by", "Customer id", "Id",
		},
		page: func(offset int) ([]listRow, bool, error) {
			q.Offset = offset
			list, _, err := h.desk.Proformas(c.Request.Context(), q)
			rows := make([]listRow, 0, len(list))
			for _, p := range list {
				rows = append(rows, listRow{p.ID, []string{
					p.Number, istCell(&p.CreatedAt), string(p.State), p.Name, p.Title, p.PONumber, p.Amount.Decimal(), p.Received.Decimal(),
					p.TDS.Decimal(), p.GSTTDS.Decimal(), p.Over.Decimal(), p.ToldUTR, istCell(&p.ValidUntil), istCell(&p.PaidAt), p.CancelledBy,
					p.FranchiserID, p.ID,
				}})
			}
			return rows, len(list) == exportBatch, err
		},
	})
}

func (h *SupportTransfers) cancel(c *gin.Context) error {
	var in struct {
		Reason string `json:"reason"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	p, err := h.desk.CancelProforma(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The proforma is cancelled.", supportTransferView{transferViewOf(p), p.FranchiserID, p.Name})
}

type proposalView struct {
	ProformaID string      `json:"proforma_id"`
	Number     string      `json:"number"`
	Customer   string      `json:"customer_name"`
	Basis      match.Basis `json:"basis"`
	Fit        match.Fit   `json:"fit"`
	Due        money.Paise `json:"due_paise"`
	Amount     money.Paise `json:"amount_paise"`
	TDS        money.Paise `json:"tds_paise"`
	RateBps    int64       `json:"tds_rate_bps"`
	GSTTDS     money.Paise `json:"gst_tds_paise"`
	Off        money.Paise `json:"off_paise"`
	Over       money.Paise `json:"over_paise"`
	Expired    bool        `json:"expired"`
}

func proposalViews(list []match.Proposal) []proposalView {
	views := make([]proposalView, 0, len(list))
	for _, p := range list {
		views = append(views, proposalView{
			p.ProformaID, p.Number, p.Name, p.Basis, p.Fit, p.Due, p.Amount, p.TDS, p.RateBps, p.GSTTDS, p.Off, p.Over, p.Expired,
		})
	}
	return views
}

type creditUseView struct {
	ID              string            `json:"id"`
	Kind            transfer.UseKind  `json:"kind"`
	Number          string            `json:"number"`
	Amount          money.Paise       `json:"amount_paise"`
	TDS             money.Paise       `json:"tds_paise"`
	GSTTDS          money.Paise       `json:"gst_tds_paise"`
	UTR             string            `json:"utr"`
	State           transfer.UseState `json:"state"`
	Reason          string            `json:"reason"`
	RequestedBy     string            `json:"requested_by"`
	RequestedByName string            `json:"requested_by_name"`
	RequestedAt     time.Time         `json:"requested_at"`
	DecidedByName   string            `json:"decided_by_name"`
	Failure         string            `json:"failure"`
}

func useViewOf(u transfer.Use) creditUseView {
	return creditUseView{
		u.ID, u.Kind, u.Number, u.Amount, u.TDS, u.GSTTDS, u.UTR, u.State, u.Reason, u.RequestedBy, u.RequestedByName, u.RequestedAt.UTC(),
		u.DecidedByName, u.Failure,
	}
}

type bankCreditView struct {
	ID           string               `json:"id"`
	Source       string               `json:"source"`
	UTR          string               `json:"utr"`
	Amount       money.Paise          `json:"amount_paise"`
	Rest         money.Paise          `json:"rest_paise"`
	Returnable   money.Paise          `json:"returnable_paise"`
	Held         money.Paise          `json:"held_paise"`
	EnteredBy    *string              `json:"entered_by"`
	PaidAt       time.Time            `json:"paid_at"`
	PayerName    string               `json:"payer_name"`
	PayerAccount string               `json:"payer_account"`
	Narration    string               `json:"narration"`
	State        transfer.CreditState `json:"state"`
	Note         string               `json:"note"`
	CustomerID   *string              `json:"customer_id"`
	CustomerName string               `json:"customer_name"`
	Uses         []creditUseView      `json:"uses"`
	Proposals    []proposalView       `json:"proposals"`
}

func creditViewOf(b transfer.BankCredit) bankCreditView {
	v := bankCreditView{
		ID: b.ID, Source: b.Source, UTR: b.UTR, Amount: b.Amount, Rest: b.Rest(), Returnable: b.Returnable(), Held: b.Held,
		EnteredBy: orNull(b.EnteredBy), PaidAt: b.PaidAt.UTC(), PayerName: b.PayerName,
		PayerAccount: b.PayerAccount, Narration: b.Narration, State: b.State, Note: b.Note, CustomerID: orNull(b.FranchiserID),
		CustomerName: b.Name, Uses: []creditUseView{}, Proposals: proposalViews(b.Proposals),
	}
	for _, u := range b.Uses {
		v.Uses = append(v.Uses, useViewOf(u))
	}
	return v
}

func (h *SupportTransfers) credits(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, total, err := h.desk.Credits(c.Request.Context(), transfer.CreditQuery{
		State: transfer.CreditState(c.Query("state")), Search: page.Search, Limit: page.PerPage, Offset: page.Offset(),
	})
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("bank credits")); err != nil {
		return err
	}
	rows := make([]bankCreditView, 0, len(list))
	for _, b := range list {
		rows = append(rows, creditViewOf(b))
	}
	return List(c, "", rows, page, total)
}

// exportCredits writes the listed rows as CSV.
func (h *SupportTransfers) exportCredits(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	q := transfer.CreditQuery{State: transfer.CreditState(c.Query("state")), Search: page.Search, Limit: exportBatch}
	return sendList(c, h.people, listFile{
		name: "bank credits",
		header: []string{
			"UTR", "Day (IST)", "Payer", "Payer's account", "Remark", "Source", "State", "Amount (INR)", "Left (INR)", "Returnable (INR)", "Pays",
			"Note", "Customer", "Customer id", "Id",
		},
		page: func(offset int) ([]listRow, bool, error) {
			q.Offset = offset
			list, _, err := h.desk.Credits(c.Request.Context(), q)
			rows := make([]listRow, 0, len(list))
			for _, b := range list {
				rows = append(rows, listRow{b.ID, []string{
					b.UTR, b.PaidAt.In(clock.IST).Format(time.DateOnly), b.PayerName, b.PayerAccount, b.Narration, b.Source, string(b.State),
					b.Amount.Decimal(), b.Rest().Decimal(), b.Returnable().Decimal(), usesCell(b.Uses), b.Note, b.Name, b.FranchiserID, b.ID,
				}})
			}
			return rows, len(list) == exportBatch, err
		},
	})
}

// usesCell lists a credit's uses, as "order PF/26-27/000001 159300.00 (booked)".
func usesCell(uses []transfer.Use) string {
	parts := make([]string, 0, len(uses))
	for _, u := range uses {
		words := []string{string(u.Kind), u.Number, u.Amount.Decimal(), "(" + string(u.State) + ")"}
		parts = append(parts, strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " "))
	}
	return strings.Join(parts, "; ")
}

type creditBody struct {
	UTR       string      `json:"utr"`
	Amount    money.Paise `json:"amount_paise"`
	PaidAt    time.Time   `json:"paid_at"`
	PayerName string      `json:"payer_name"`
	Narration string      `json:"narration"`
}

func (h *SupportTransfers) enter(c *gin.Context) error {
	var in struct {
		Credits []creditBody `json:"credits"`
		Reason  string       `json:"reason"`
		Choice  string       `json:"choice"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	rows := make([]statement.Row, 0, len(in.Credits))
	for _, b := range in.Credits {
		rows = append(rows, statement.Row{UTR: b.UTR, Amount: b.Amount, PaidAt: b.PaidAt, PayerName: b.PayerName, Narration: b.Narration})
	}
	list, err := h.desk.EnterAll(c.Request.Context(), middleware.Staff(c), rows, in.Reason, in.Choice)
	if err != nil {
		return err
	}
	views := make([]bankCreditView, 0, len(list))
	for _, b := range list {
		views = append(views, creditViewOf(b))
	}
	return OK(c, "The credits are booked and matched.", views)
}

func (h *SupportTransfers) use(c *gin.Context) error {
	var in struct {
		Kind       transfer.UseKind `json:"kind"`
		ProformaID string           `json:"proforma_id"`
		TDS        money.Paise      `json:"tds_paise"`
		RateBps    int64            `json:"tds_rate_bps"`
		GSTTDS     money.Paise      `json:"gst_tds_paise"`
		UTR        string           `json:"utr"`
		Reason     string           `json:"reason"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	u, err := h.desk.Ask(c.Request.Context(), middleware.Staff(c), transfer.UseInput{
		CreditID: c.Param("id"), Kind: in.Kind, ProformaID: in.ProformaID, TDS: in.TDS, RateBps: in.RateBps, GSTTDS: in.GSTTDS, UTR: in.UTR,
		Reason: in.Reason, Key: middleware.IdempotencyKey(c),
	})
	if err != nil {
		return err
	}
	message := "It is being booked."
	if u.State == transfer.UseWaiting {
		message = "A colleague has to approve this."
	}
	return OK(c, message, useViewOf(u))
}

func (h *SupportTransfers) decide(c *gin.Context) error {
	var in struct {
		Approve bool   `json:"approve"`
		Reason  string `json:"reason"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	u, err := h.desk.Decide(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.Approve, in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "It is decided.", useViewOf(u))
}

type tdsView struct {
	ID           string            `json:"id"`
	CustomerID   string            `json:"customer_id"`
	CustomerName string            `json:"customer_name"`
	Proforma     string            `json:"proforma"`
	Invoice      string            `json:"invoice_number"`
	Kind         string            `json:"kind"`
	Code         string            `json:"code"`
	Section      string            `json:"section"`
	TAN          string            `json:"tan"`
	PAN          string            `json:"pan"`
	Base         money.Paise       `json:"base_paise"`
	RateBps      int64             `json:"rate_bps"`
	Amount       money.Paise       `json:"amount_paise"`
	Reversed     money.Paise       `json:"reversed_paise"`
	TaxYear      string            `json:"tax_year"`
	Quarter      int               `json:"quarter"`
	State        transfer.TDSState `json:"state"`
	Shown        *int64            `json:"shown_paise"`
	Certificate  string            `json:"certificate"`
	Age          int               `json:"age_days"`
	Difference   money.Paise       `json:"difference_paise"`
	CreatedAt    time.Time         `json:"created_at"`
}

func tdsViewOf(t transfer.Deducted) tdsView {
	v := tdsView{
		ID: t.ID, CustomerID: t.FranchiserID, CustomerName: t.Name, Proforma: t.Proforma, Invoice: t.InvoiceNumber, Kind: t.Kind, Code: t.Code,
		Section: t.Section, TAN: t.TAN, PAN: t.PAN, Base: t.Base, RateBps: t.RateBps, Amount: t.Amount, Reversed: t.Reversed, TaxYear: t.TaxYear, Quarter: t.Quarter,
		State: t.State, Certificate: t.Certificate, Age: t.Age, Difference: t.Difference, CreatedAt: t.CreatedAt,
	}
	if t.Shown.Valid {
		v.Shown = &t.Shown.Int64
	}
	return v
}

func tdsQuery(c *gin.Context) (transfer.TDSQuery, error) {
	q := transfer.TDSQuery{State: transfer.TDSState(c.Query("state")), TaxYear: c.Query("tax_year"), Kind: c.Query("kind")}
	var v errs.Validation
	if text := c.Query("quarter"); text != "" {
		quarter, err := strconv.Atoi(text)
		v.Check(err == nil && quarter > 0, "quarter", "A quarter is 1, 2, 3 or 4.")
		q.Quarter = quarter
	}
	if text := c.Query("late"); text != "" {
		v.Check(text == "true" || text == "false", "late", "Write true or false.")
		q.Late = text == "true"
	}
	return q, v.Err()
}

func (h *SupportTransfers) deducted(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	q, err := tdsQuery(c)
	if err != nil {
		return err
	}
	q.Limit, q.Offset = page.PerPage, page.Offset()
	list, total, _, err := h.desk.Deducted(c.Request.Context(), q)
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("tds")); err != nil {
		return err
	}
	rows := make([]tdsView, 0, len(list))
	for _, t := range list {
		rows = append(rows, tdsViewOf(t))
	}
	return List(c, "", rows, page, total)
}

// mostExported is more than the deductions of many years.
const mostExported = 100_000

func (h *SupportTransfers) export(c *gin.Context) error {
	takeTime(c)
	q, err := tdsQuery(c)
	if err != nil {
		return err
	}
	q.Limit = mostExported
	list, _, _, err := h.desk.Deducted(c.Request.Context(), q)
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("tds")); err != nil {
		return err
	}
	w := beginCSV(c, "tds.csv")
	_ = w.Write(transfer.Deducted{}.Header())
	for _, t := range list {
		writeCells(w, t.Row())
	}
	w.Flush()
	return nil
}

func (h *SupportTransfers) change(c *gin.Context) error {
	var in struct {
		State       transfer.TDSState `json:"state"`
		TAN         string            `json:"tan"`
		PAN         string            `json:"pan"`
		Code        string            `json:"code"`
		Shown       *money.Paise      `json:"shown_paise"`
		Certificate string            `json:"certificate"`
		Reason      string            `json:"reason"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	t, err := h.desk.ChangeTDS(c.Request.Context(), middleware.Staff(c), c.Param("id"), transfer.TDSChange{
		State: in.State, TAN: in.TAN, PAN: in.PAN, Code: in.Code, Shown: in.Shown, Certificate: in.Certificate, Reason: in.Reason,
	})
	if err != nil {
		return err
	}
	return OK(c, "It is noted.", tdsViewOf(t))
}
