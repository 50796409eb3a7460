package handler

import (
	"context"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
)

// SupportActs handles staff requests that need a second person, and the documents that staff open.
type SupportActs struct {
	acts     *support.Acts
	invoices *invoice.Service
	register Registrations
	reads    Reader
}

// Registrations returns the documents' state at the Invoice Registration Portal; einvoice.Desk implements it.
type Registrations interface {
	Refused(ctx context.Context, invoiceID string) (bool, error)
}

// NewSupportActs returns the handlers over their parts.
func NewSupportActs(acts *support.Acts, invoices *invoice.Service, register Registrations, reads Reader) *SupportActs {
	return wiring.Complete(&SupportActs{acts: acts, invoices: invoices, register: register, reads: reads})
}

// RegisterSupportActs adds the routes, behind before and require.
func RegisterSupportActs(e *gin.Engine, h *SupportActs, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/acts", Handle(h.list))
	private.GET("/acts/export", Handle(h.export))
	private.POST("/acts", Handle(h.ask))
	private.POST("/acts/preview", Handle(h.preview))
	private.POST("/acts/:id/approve", decided(h.acts.Approve, says[support.Act]("Approved. It is being done now."), viewOfAct))
	private.POST("/acts/:id/decline", decided(h.acts.Decline, says[support.Act]("Declined. Nothing was done."), viewOfAct))
	private.POST("/acts/:id/withdraw", decided(h.acts.Withdraw, says[support.Act]("Withdrawn. Nothing was done."), viewOfAct))
	private.POST("/acts/:id/stop", decided(h.acts.Stop, says[support.Act]("Stopped. Nothing was done."), viewOfAct))
	private.GET("/customers/:id/invoices/:invoice", Handle(h.document))
}

type actView struct {
	ID           string            `json:"id"`
	Kind         support.ActKind   `json:"kind"`
	CustomerID   *string           `json:"customer_id"`
	CustomerName string            `json:"customer_name"`
	Facts        []support.ActFact `json:"facts"`
	Amount       int64             `json:"amount_paise"`
	approvalView
	Outcome    string     `json:"outcome"`
	FinishedAt *time.Time `json:"finished_at"`
}

func viewOfAct(a support.Act) actView {
	return actView{
		ID: a.ID, Kind: a.Kind, CustomerID: orNull(a.FranchiserID), CustomerName: a.CustomerName, Facts: a.Facts, Amount: int64(a.Amount),
		approvalView: viewOfApproval(a.Request), Outcome: a.Outcome, FinishedAt: utc(a.FinishedAt),
	}
}

func (h *SupportActs) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, total, err := h.acts.List(c.Request.Context(), approval.State(c.Query("state")), c.Query("customer_id"), page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	if err := h.reads.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("acts")); err != nil {
		return err
	}
	rows := make([]actView, 0, len(list))
	for _, a := range list {
		rows = append(rows, viewOfAct(a))
	}
	return List(c, "", rows, page, total)
}

// export writes the listed rows as CSV.
func (h *SupportActs) export(c *gin.Context) error {
	state := approval.State(c.Query("state"))
	return sendList(c, h.reads, listFile{
		name: "acts",
		header: []string{
			"Asked for on (IST)", "Kind", "State", "Customer", "Facts", "Amount (INR)", "Reason", "Second person", "Asked by", "Decided by",
			"Decided on (IST)", "Decision", "Outcome", "Finished on (IST)", "Customer id", "Request",
		},
		page: func(offset int) ([]listRow, bool, error) {
			list, _, err := h.acts.List(c.Request.Context(), state, c.Query("customer_id"), exportBatch, offset)
			rows := make([]listRow, 0, len(list))
			for _, a := range list {
				facts := make([]string, 0, len(a.Facts))
				for _, f := range a.Facts {
					facts = append(facts, f.Name+": "+f.Value)
				}
				rows = append(rows, listRow{a.ID, []string{
					istCell(&a.RequestedAt), string(a.Kind), string(a.State), a.CustomerName, strings.Join(facts, "; "), a.Amount.Decimal(), a.Reason,
					yesCell(a.NeedsApproval), a.RequestedByName, a.DecidedByName, istCell(a.DecidedAt), a.DecisionReason, a.Outcome,
					istCell(a.FinishedAt), a.FranchiserID, a.ID,
				}})
			}
			return rows, len(list) == exportBatch, err
		},
	})
}

// actBody holds the fields of every kind. The handler validates all fields; the kind's draft requires its own.
type actBody struct {
	Kind       support.ActKind `json:"kind"`
	CustomerID string          `json:"customer_id" empty:"refused"`
	PaymentID  string          `json:"payment_id" empty:"refused"`
	InvoiceID  string          `json:"invoice_id" empty:"refused"`
	Name       string          `json:"name"`
	Address    string          `json:"address"`
	StateCode  string          `json:"state_code"`
	GSTIN      typedGSTIN      `json:"gstin"`
	Mobile     typedMobile     `json:"mobile" empty:"refused"`
	Checked    string          `json:"checked"`
	From       string          `json:"from" empty:"refused"`
	To         string          `json:"to" empty:"refused"`
	Days       *int            `json:"days"`
	TierID     string          `json:"plan_services_id" empty:"refused"`
	PlanType   string          `json:"plan_type" empty:"refused"`
	AddOnIDs   []string        `json:"add_ons_service_id"`
	Settlement string          `json:"settlement" empty:"refused"`
	Reason     string          `json:"reason"`
}

// Limits of the fields, as in api/openapi.yaml.
const (
	maxActName    = 100
	maxActAddress = 700
	maxActChecked = 500
)

// addressLines matches lines of at most 120 characters.
var addressLines = regexp.MustCompile(`^[^\n]{0,120}(\n[^\n]{0,120})*$`)

func (h *SupportActs) input(c *gin.Context) (support.ActInput, error) {
	var in actBody
	if err := Bind(c, &in); err != nil {
		return support.ActInput{}, err
	}
	out := support.ActInput{
		Kind: in.Kind, FranchiserID: in.CustomerID, Content: support.ActContent{
			PaymentID: in.PaymentID, InvoiceID: in.InvoiceID, Mobile: string(in.Mobile), Checked: in.Checked,
			Recipient: support.ActRecipient{Name: in.Name, Address: in.Address, StateCode: invoice.StateCode(in.StateCode), GSTIN: string(in.GSTIN)},
			Switch: support.ActSwitch{
				TierID: in.TierID, Type: plan.Type(in.PlanType), AddOnIDs: strings.Join(in.AddOnIDs, ","), Settlement: subscription.Settlement(in.Settlement),
			},
		},
		Reason: in.Reason, Key: c.GetHeader(headerIdempotency),
	}
	var v errs.Validation
	v.Check(in.CustomerID == "" || id.Valid(in.CustomerID), "customer_id", "There is no such customer.")
	v.Check(in.InvoiceID == "" || id.Valid(in.InvoiceID), "invoice_id", "There is no such invoice.")
	v.Check(in.PaymentID == "" || id.Valid(in.PaymentID), "payment_id", "There is no such payment.")
	v.Check(in.TierID == "" || id.Valid(in.TierID), "plan_services_id", "There is no such plan.")
	v.Check(utf8.RuneCountInString(in.Name) <= maxActName, "name", "Write at most 100 characters.")
	v.Check(utf8.RuneCountInString(in.Address) <= maxActAddress && addressLines.MatchString(in.Address), "address", "Write lines of at most 120 characters.")
	v.Check(utf8.RuneCountInString(in.StateCode) <= len("29"), "state_code", "Choose a State.")
	v.Check(utf8.RuneCountInString(string(in.GSTIN)) <= gstin.Length, "gstin", "This is no GSTIN. Check it character by character.")
	v.Check(utf8.RuneCountInString(in.Checked) <= maxActChecked, "checked", "Write at most 500 characters.")
	if in.Mobile != "" {
		account.CheckMobile(&v, "mobile", string(in.Mobile))
	}
	v.Check(in.PlanType == "" || plan.Type(in.PlanType).Valid(), "plan_type", "Choose monthly or annual payment.")
	v.Check(in.Settlement == "" || subscription.Settlement(in.Settlement).Valid(), "settlement", "Choose how it is settled.")
	if in.Days != nil {
		out.Content.Days = *in.Days
		v.Check(*in.Days >= 1 && *in.Days <= subscription.MaxGraceExtra, "days", "Give 1 to 20 days.")
	}
	v.Check(len(in.AddOnIDs) <= subscription.MaxAddOns, "add_ons_service_id", "Choose up to 20 add-ons.")
	for _, one := range in.AddOnIDs {
		v.Check(id.Valid(one), "add_ons_service_id", "There is no such add-on.")
	}
	for field, day := range map[string]struct {
		text string
		into *subscription.Day
	}{"from": {in.From, &out.Content.From}, "to": {in.To, &out.Content.To}} {
		v.Check(day.into.UnmarshalText([]byte(day.text)) == nil, field, "Write a date such as 2026-11-25.")
	}
	return out, v.Err()
}

// preview returns the current effect of an act.
func (h *SupportActs) preview(c *gin.Context) error {
	in, err := h.input(c)
	if err != nil {
		return err
	}
	p, err := h.acts.Preview(c.Request.Context(), middleware.Staff(c), in)
	if err != nil {
		return err
	}
	if in.FranchiserID == "" {
		if err := h.reads.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadList("acts")); err != nil {
			return err
		}
	}
	return OK(c, "", gin.H{"facts": p.Facts, "amount_paise": int64(p.Amount), "needs_approval": p.NeedsApproval})
}

func (h *SupportActs) ask(c *gin.Context) error {
	in, err := h.input(c)
	if err != nil {
		return err
	}
	a, err := h.acts.Ask(c.Request.Context(), middleware.Staff(c), in)
	if err != nil {
		return err
	}
	message := "It is being done now."
	switch a.State {
	case approval.Waiting:
		message = "Nothing has happened yet: a second admin has to approve it."
	case approval.Done, approval.Failed, approval.Scheduled, approval.Stopped:
		message = a.Outcome
	case approval.Declined, approval.Withdrawn:
		message = "It was requested before, and is " + string(a.State) + ". Ask again if it is still needed."
	case approval.Approved:
	}
	return OK(c, message, viewOfAct(a))
}

// document returns a link to a customer's document for five minutes, once it is noted who opens it.
func (h *SupportActs) document(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	invoiceID, err := ParamID(c, "invoice")
	if err != nil {
		return err
	}
	link, err := h.invoices.Link(c.Request.Context(), franchiserID, invoiceID)
	if err != nil {
		return err
	}
	if err := h.reads.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadDocument(franchiserID, invoiceID)); err != nil {
		return err
	}
	if !link.Ready() {
		refused, err := h.register.Refused(c.Request.Context(), invoiceID)
		if err != nil {
			return err
		}
		text := "The PDF is being made. Try again in a moment."
		if refused {
			text = "There is no PDF: the Invoice Registration Portal refused the document, which is no invoice before. See E-invoices."
		}
		return OK(c, text, gin.H{"url": nil, "number": link.Number, "expires_at": nil})
	}
	return OK(c, "", gin.H{"url": link.URL, "number": link.Number, "expires_at": link.ExpiresAt.UTC()})
}
