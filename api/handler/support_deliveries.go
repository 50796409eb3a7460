package handler

import (
	"context"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// DeliveryDesk is where staff see to deliveries; delivery.Desk implements it.
type DeliveryDesk interface {
	Today() subscription.Day
	List(ctx context.Context, p staff.Principal, f delivery.Filter, limit, offset int) ([]delivery.Row, int, error)
	Open(ctx context.Context, franchiserID, deliveryID string) (delivery.Opened, error)
	Change(ctx context.Context, p staff.Principal, franchiserID, deliveryID string, revision int, c delivery.Change) error
	Assign(ctx context.Context, p staff.Principal, franchiserID, deliveryID string, revision int, staffID *string) error
	Check(ctx context.Context, p staff.Principal, franchiserID, deliveryID string, revision int, done []string) error
	AddFile(ctx context.Context, p staff.Principal, franchiserID, deliveryID, name string, content []byte) (delivery.File, error)
	File(ctx context.Context, franchiserID, deliveryID, fileID string) (delivery.File, error)
}

// SupportDeliveries handles staff calls on deliveries.
type SupportDeliveries struct {
	desk   DeliveryDesk
	reader Reader
}

// NewSupportDeliveries returns the handlers over their parts.
func NewSupportDeliveries(desk DeliveryDesk, reader Reader) *SupportDeliveries {
	return &SupportDeliveries{desk: desk, reader: reader}
}

// RegisterSupportDeliveries adds the routes to the engine, all behind before and require.
func RegisterSupportDeliveries(e *gin.Engine, h *SupportDeliveries, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/deliveries", Handle(h.list))
	private.GET("/deliveries/export", Handle(h.export))
	private.GET("/customers/:id/deliveries/:delivery", Handle(h.open))
	private.POST("/customers/:id/deliveries/:delivery", Handle(h.change))
	private.POST("/customers/:id/deliveries/:delivery/owner", Handle(h.assign))
	private.POST("/customers/:id/deliveries/:delivery/steps", Handle(h.check))
	private.POST("/customers/:id/deliveries/:delivery/files", Handle(h.addFile))
	private.GET("/customers/:id/deliveries/:delivery/files/:file", Handle(h.file))
}

type deliveryRow struct {
	deliveryAnswer

	CustomerID string           `json:"customer_id"`
	StaffID    *string          `json:"staff_id"`
	Mine       bool             `json:"mine"`
	Revision   int              `json:"revision"`
	Next       []delivery.State `json:"next"`
	UpdatedAt  time.Time        `json:"updated_at"`
	EndReason  string           `json:"end_reason"`
}

type namedDeliveryRow struct {
	deliveryRow

	Customer string `json:"customer"`
}

func deliveryRowOf(d delivery.Delivery, today subscription.Day, p staff.Principal) deliveryRow {
	return deliveryRow{
		deliveryAnswer: deliveryOf(d, today), CustomerID: d.FranchiserID, StaffID: d.StaffID, Mine: d.StaffID != nil && *d.StaffID == p.StaffID,
		Revision: d.Revision, Next: d.State.Next(), UpdatedAt: d.UpdatedAt.UTC(), EndReason: d.EndReason,
	}
}

// deliveryFilter reads the filters of the list from the query.
func deliveryFilter(c *gin.Context, search string) (delivery.Filter, error) {
	f := delivery.Filter{State: c.Query("state"), How: c.Query("delivered_by"), Owner: c.Query("owner"), CustomerID: c.Query("customer"), Search: search}
	states := []string{"", delivery.FilterOpen, delivery.FilterLate, delivery.FilterDue, delivery.FilterProvided, delivery.FilterUnanswered}
	for _, s := range delivery.States() {
		states = append(states, string(s))
	}
	ways := []string{"", string(plan.ByProduct), string(plan.ByConnected), string(plan.ByStaff)}
	var v errs.Validation
	v.Check(slices.Contains(states, f.State), "state", "Kindly choose one")
	v.Check(slices.Contains(ways, f.How), "delivered_by", "Kindly choose one")
	v.Check(slices.Contains([]string{"", "me", "nobody"}, f.Owner), "owner", "Kindly choose one")
	v.Check(f.CustomerID == "" || id.Valid(f.CustomerID), "customer", "Kindly choose one")
	return f, v.Err()
}

func (h *SupportDeliveries) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	f, err := deliveryFilter(c, page.Search)
	if err != nil {
		return err
	}
	p := middleware.Staff(c)
	found, total, err := h.desk.List(c.Request.Context(), p, f, page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	if err := h.reader.NoteRead(c.Request.Context(), p, staff.ReadList("deliveries")); err != nil {
		return err
	}
	rows := make([]namedDeliveryRow, 0, len(found))
	for _, r := range found {
		rows = append(rows, namedDeliveryRow{deliveryRow: deliveryRowOf(r.Delivery, h.desk.Today(), p), Customer: r.Customer})
	}
	return List(c, "", rows, page, total)
}

// export writes the listed rows as CSV.
func (h *SupportDeliveries) export(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	f, err := deliveryFilter(c, page.Search)
	if err != nil {
		return err
	}
	p, today := middleware.Staff(c), h.desk.Today()
	return sendList(c, h.reader, listFile{
		name: "deliveries",
		header: []string{
			"Promised for", "What", "Customer", "State", "Late", "Delivered by", "Responsible", "Needed from the customer", "Proof",
			"Delivered on (IST)", "Customer id", "Delivery",
		},
		page: func(offset int) ([]listRow, bool, error) {
			list, _, err := h.desk.List(c.Request.Context(), p, f, exportBatch, offset)
			rows := make([]listRow, 0, len(list))
			for _, r := range list {
				rows = append(rows, listRow{r.ID, []string{
					r.PromisedOn.String(), r.Name, r.Customer, string(r.State), yesCell(r.Late(today)), string(r.How), r.Responsible(), r.Needs, r.Proof,
					istCell(r.DeliveredAt), r.FranchiserID, r.ID,
				}})
			}
			return rows, len(list) == exportBatch, err
		},
	})
}

// paramDelivery reads the customer and the delivery from the path.
func paramDelivery(c *gin.Context) (franchiserID, deliveryID string, err error) {
	if franchiserID, err = ParamID(c, "id"); err != nil {
		return "", "", err
	}
	deliveryID, err = ParamID(c, "delivery")
	return franchiserID, deliveryID, err
}

type deliveryEventAnswer struct {
	Kind  string         `json:"kind"`
	To    delivery.State `json:"to"`
	Note  string         `json:"note"`
	Actor string         `json:"actor"`
	Staff string         `json:"staff"`
	At    time.Time      `json:"at"`
}

type colleagueAnswer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (h *SupportDeliveries) open(c *gin.Context) error {
	franchiserID, deliveryID, err := paramDelivery(c)
	if err != nil {
		return err
	}
	p := middleware.Staff(c)
	found, err := h.desk.Open(c.Request.Context(), franchiserID, deliveryID)
	if err != nil {
		return err
	}
	if err := h.reader.NoteRead(c.Request.Context(), p, staff.ReadTimeline(franchiserID)); err != nil {
		return err
	}
	events := make([]deliveryEventAnswer, 0, len(found.Events))
	for _, e := range found.Events {
		events = append(events, deliveryEventAnswer{Kind: e.Kind, To: e.To, Note: e.Note, Actor: e.Actor, Staff: e.Staff, At: e.At.UTC()})
	}
	colleagues := make([]colleagueAnswer, 0, len(found.Colleagues))
	for _, m := range found.Colleagues {
		colleagues = append(colleagues, colleagueAnswer(m))
	}
	steps := make([]deliveryStep, 0, len(found.Steps()))
	for _, step := range found.Steps() {
		steps = append(steps, deliveryStep{Name: step, Done: slices.Contains(found.DoneSteps, step)})
	}
	return OK(c, "", gin.H{
		"delivery": deliveryRowOf(found.Delivery, h.desk.Today(), p), "events": events, "colleagues": colleagues, "steps": steps,
		"files": filesOf(found.Delivery), "credit": creditOf(found.Credit),
	})
}

type deliveryStep struct {
	Name string `json:"name"`
	Done bool   `json:"done"`
}

type deliveryCredit struct {
	PaymentID string      `json:"payment_id"`
	Amount    money.Paise `json:"amount_paise"`
	Weeks     int         `json:"weeks"`
	Printed   string      `json:"printed_reason"`
	Given     money.Paise `json:"given_paise"`
}

func creditOf(c *delivery.Credit) *deliveryCredit {
	if c == nil {
		return nil
	}
	return &deliveryCredit{PaymentID: c.PaymentID, Amount: c.Amount, Weeks: c.Weeks, Printed: c.Printed, Given: c.Given}
}

func (h *SupportDeliveries) check(c *gin.Context) error {
	franchiserID, deliveryID, err := paramDelivery(c)
	if err != nil {
		return err
	}
	var in struct {
		Revision int      `json:"revision"`
		Done     []string `json:"done"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.desk.Check(c.Request.Context(), middleware.Staff(c), franchiserID, deliveryID, in.Revision, in.Done); err != nil {
		return err
	}
	return OK(c, "The checklist is saved.", nil)
}

func (h *SupportDeliveries) addFile(c *gin.Context) error {
	franchiserID, deliveryID, err := paramDelivery(c)
	if err != nil {
		return err
	}
	name, content, err := sentFile(c)
	if err != nil {
		return err
	}
	f, err := h.desk.AddFile(c.Request.Context(), middleware.Staff(c), franchiserID, deliveryID, name, content)
	if err != nil {
		return err
	}
	return OK(c, "The file is stored. The customer sees it.", deliveryFileOf(f))
}

func (h *SupportDeliveries) file(c *gin.Context) error {
	franchiserID, deliveryID, err := paramDelivery(c)
	if err != nil {
		return err
	}
	fileID, err := ParamID(c, "file")
	if err != nil {
		return err
	}
	f, err := h.desk.File(c.Request.Context(), franchiserID, deliveryID, fileID)
	if err != nil {
		return err
	}
	if err := h.reader.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadTimeline(franchiserID)); err != nil {
		return err
	}
	download(c, f.Name, f.ContentType, f.Content)
	return nil
}

func (h *SupportDeliveries) change(c *gin.Context) error {
	franchiserID, deliveryID, err := paramDelivery(c)
	if err != nil {
		return err
	}
	var in struct {
		Revision int            `json:"revision"`
		State    delivery.State `json:"state"`
		Needs    string         `json:"needs"`
		Proof    string         `json:"proof"`
		Reason   string         `json:"reason"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	change := delivery.Change{State: in.State, Needs: in.Needs, Proof: in.Proof, Reason: in.Reason}
	if err := h.desk.Change(c.Request.Context(), middleware.Staff(c), franchiserID, deliveryID, in.Revision, change); err != nil {
		return err
	}
	return OK(c, "The delivery is changed.", nil)
}

func (h *SupportDeliveries) assign(c *gin.Context) error {
	franchiserID, deliveryID, err := paramDelivery(c)
	if err != nil {
		return err
	}
	var in struct {
		Revision int     `json:"revision"`
		StaffID  *string `json:"staff_id"`
	}
	if err := bindWith(c, &in, func(v *errs.Validation) {
		v.Check(in.StaffID != nil && (*in.StaffID == "" || id.Valid(*in.StaffID)), "staff_id", "Choose a colleague who works with customers.")
	}); err != nil {
		return err
	}
	if *in.StaffID == "" { // nobody
		in.StaffID = nil
	}
	if err := h.desk.Assign(c.Request.Context(), middleware.Staff(c), franchiserID, deliveryID, in.Revision, in.StaffID); err != nil {
		return err
	}
	return OK(c, "The assignment is saved.", nil)
}
