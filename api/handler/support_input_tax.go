package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/payment/inputtax"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

// InputTaxRecords stores what recipients did about the input tax credit of their credit notes; inputtax.Desk implements
// it.
type InputTaxRecords interface {
	Record(ctx context.Context, p staff.Principal, franchiserID, noteID string, state inputtax.State, evidence string) ([]inputtax.Record, error)
	Notes(ctx context.Context, state inputtax.State, limit, offset int) ([]inputtax.ReversingNote, int, error)
	Export(ctx context.Context, p staff.Principal, state inputtax.State, most int) ([]inputtax.ReversingNote, error)
}

// SupportInputTax handles staff calls on the input tax credit of credit notes.
type SupportInputTax struct {
	records InputTaxRecords
	people  Reader
}

// NewSupportInputTax returns the handlers backed by the records.
func NewSupportInputTax(records InputTaxRecords, people Reader) *SupportInputTax {
	return &SupportInputTax{records: records, people: people}
}

// RegisterSupportInputTax adds the routes to the engine, all behind before and require.
func RegisterSupportInputTax(e *gin.Engine, h *SupportInputTax, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/credit-notes", Handle(h.notes))
	private.GET("/credit-notes/export", Handle(h.export))
	private.POST("/credit-notes/:id/input-tax", Handle(h.record))
}

type inputTaxBody struct {
	CustomerID string         `json:"customer_id"`
	State      inputtax.State `json:"state"`
	Evidence   string         `json:"evidence"`
}

type inputTaxRecordView struct {
	State    inputtax.State `json:"state"`
	Evidence string         `json:"evidence"`
	By       string         `json:"by"`
	At       time.Time      `json:"at"`
}

type inputTaxView struct {
	State   inputtax.State       `json:"state"`
	History []inputTaxRecordView `json:"history"`
}

func viewOfInputTax(history []inputtax.Record) inputTaxView {
	v := inputTaxView{State: inputtax.Unknown, History: make([]inputTaxRecordView, 0, len(history))}
	for _, r := range history {
		v.State = r.State
		v.History = append(v.History, inputTaxRecordView{State: r.State, Evidence: r.Evidence, By: r.By, At: r.At.UTC()})
	}
	return v
}

func (h *SupportInputTax) record(c *gin.Context) error {
	noteID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in inputTaxBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	history, err := h.records.Record(c.Request.Context(), middleware.Staff(c), in.CustomerID, noteID, in.State, in.Evidence)
	if err != nil {
		return err
	}
	return OK(c, recorded(in.State), viewOfInputTax(history))
}

// recorded returns the consequence of a note's current input tax credit state.
func recorded(state inputtax.State) string {
	switch state {
	case inputtax.Refused:
		return "Recorded. The GST of the note is owed again and booked as our own expense."
	case inputtax.Reversed, inputtax.NotTaken:
		return "Recorded. The note reduces our output tax."
	case inputtax.Unknown:
	}
	return "Recorded. Nothing is known of it any more."
}

type creditNoteView struct {
	ID            string         `json:"id"`
	CustomerID    string         `json:"customer_id"`
	Number        string         `json:"number"`
	IssuedAt      time.Time      `json:"issued_at"`
	Name          string         `json:"name"`
	GSTIN         string         `json:"gstin"`
	Taxable       int64          `json:"taxable_paise"`
	Tax           int64          `json:"tax_paise"`
	Total         int64          `json:"total_paise"`
	TransactionID string         `json:"transaction_id"`
	State         inputtax.State `json:"state"`
	Evidence      string         `json:"evidence"`
	By            string         `json:"recorded_by"`
	At            *time.Time     `json:"recorded_at"`
}

func (h *SupportInputTax) notes(c *gin.Context) error {
	p, err := ParsePage(c)
	if err != nil {
		return err
	}
	notes, total, err := h.records.Notes(c.Request.Context(), inputtax.State(c.Query("state")), p.PerPage, p.Offset())
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("credit notes")); err != nil {
		return err
	}
	views := make([]creditNoteView, 0, len(notes))
	for _, n := range notes {
		views = append(views, creditNoteView{
			ID: n.ID, CustomerID: n.FranchiserID, Number: n.Number, IssuedAt: n.IssuedAt.UTC(), Name: n.Name, GSTIN: n.GSTIN,
			Taxable: int64(n.Taxable), Tax: int64(n.Tax), Total: int64(n.Total), TransactionID: n.TransactionID, State: n.State,
			Evidence: n.Evidence, By: n.By, At: utc(n.At),
		})
	}
	return List(c, "", views, p, total)
}

// maxExported limits the number of credit notes in an export.
const maxExported = 50_000

// export writes every note in the state as CSV; the export itself is recorded.
func (h *SupportInputTax) export(c *gin.Context) error {
	p := middleware.Staff(c)
	takeTime(c)
	notes, err := h.records.Export(c.Request.Context(), p, inputtax.State(c.Query("state")), maxExported)
	if err != nil {
		return err
	}
	w := beginCSV(c, "credit-notes.csv")
	_ = w.Write([]string{
		"Credit note", "Date (IST)", "Recipient", "GSTIN", "Taxable value (INR)", "GST (INR)", "Total (INR)", "Transaction",
		"Input tax credit", "Evidence", "Recorded by", "Recorded on (IST)",
	})
	for _, n := range notes {
		on := ""
		if n.At != nil {
			on = n.At.In(clock.IST).Format(time.DateTime)
		}
		_ = w.Write([]string{
			n.Number, n.IssuedAt.In(clock.IST).Format(time.DateOnly), text.Cell(n.Name), n.GSTIN, n.Taxable.Decimal(), n.Tax.Decimal(),
			n.Total.Decimal(), n.TransactionID, string(n.State), text.Cell(n.Evidence), text.Cell(n.By), on,
		})
	}
	w.Flush()
	return nil
}
