package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Transfers handles bills that customers pay by bank transfer.
type Transfers struct{ transfers *transfer.Service }

// NewTransfers returns the handlers backed by the service.
func NewTransfers(s *transfer.Service) *Transfers { return &Transfers{transfers: s} }

// Register adds the routes.
func (h *Transfers) Register(r Routes) {
	r.Private.GET("/transfers", Handle(h.list))
	r.Private.POST("/transfers/plan", middleware.Idempotency, Handle(h.plan))
	r.Private.POST("/transfers/renewal", middleware.Idempotency, Handle(h.renewal))
	r.Private.GET("/transfers/:id", Handle(h.show))
	r.Private.POST("/transfers/:id/utr", Handle(h.tell))
	r.Private.POST("/transfers/:id/cancel", Handle(h.cancel))
	r.Private.GET("/transfers/:id/proforma", Handle(h.proforma))
}

type deductibleView struct {
	RateBps  int64  `json:"rate_bps"`
	Amount   string `json:"amount"`
	Transfer string `json:"transfer"`
}

type transferView struct {
	ID          string           `json:"id"`
	OrderID     string           `json:"order_id"`
	Number      string           `json:"number"`
	State       transfer.State   `json:"state"`
	Title       string           `json:"title"`
	PONumber    string           `json:"po_number"`
	Amount      string           `json:"amount"`
	Exact       string           `json:"exact_amount"`
	Received    string           `json:"received"`
	Rest        string           `json:"rest"`
	Paid        money.Paise      `json:"received_paise"`
	ExactRest   string           `json:"exact_rest"`
	TDS         string           `json:"tds"`
	TDSPaise    money.Paise      `json:"tds_paise"`
	GSTTDS      string           `json:"gst_tds"`
	GSTTDSPaise money.Paise      `json:"gst_tds_paise"`
	Over        string           `json:"over"`
	OverPaise   money.Paise      `json:"over_paise"`
	Came        string           `json:"unassigned"`
	CamePaise   money.Paise      `json:"unassigned_paise"`
	CancelledBy string           `json:"cancelled_by"`
	Cancellable bool             `json:"cancellable"`
	Account     string           `json:"account_number"`
	IFSC        string           `json:"ifsc"`
	Beneficiary string           `json:"beneficiary"`
	Bank        string           `json:"bank"`
	Virtual     bool             `json:"own_account"`
	Deductibles []deductibleView `json:"deductibles"`
	ToldUTR     string           `json:"told_utr"`
	Printed     bool             `json:"printed"`
	ValidUntil  time.Time        `json:"valid_until"`
	CreatedAt   time.Time        `json:"created_at"`
	PaidAt      *time.Time       `json:"paid_at"`
}

func transferViewOf(p transfer.Proforma) transferView {
	rest := p.Amount - p.Received
	if p.State == transfer.StatePaid { // the receipts lack the deducted tax
		rest = 0
	}
	v := transferView{
		ID: p.ID, OrderID: p.OrderID, Number: p.Number, State: p.State, Title: p.Title, PONumber: p.PONumber, Amount: p.Amount.Display(),
		Exact: p.Amount.Decimal(), Received: p.Received.Display(), Rest: rest.Display(), Paid: p.Received, ExactRest: rest.Decimal(),
		TDS: p.TDS.Display(), TDSPaise: p.TDS, GSTTDS: p.GSTTDS.Display(), GSTTDSPaise: p.GSTTDS, Over: p.Over.Display(), OverPaise: p.Over,
		Came: p.Unassigned.Display(), CamePaise: p.Unassigned,
		CancelledBy: p.CancelledBy, Cancellable: p.Cancellable(),
		Account: p.Account.Number, IFSC: p.Account.IFSC, Beneficiary: p.Account.Beneficiary, Bank: p.Account.Bank, Virtual: p.VirtualID != "",
		ToldUTR: p.ToldUTR, Printed: p.ObjectKey != "", ValidUntil: p.ValidUntil, CreatedAt: p.CreatedAt, Deductibles: []deductibleView{},
	}
	if !p.PaidAt.IsZero() {
		v.PaidAt = &p.PaidAt
	}
	for _, d := range p.Deductibles() {
		if d.Amount < rest {
			v.Deductibles = append(v.Deductibles, deductibleView{d.RateBps, d.Amount.Display(), (rest - d.Amount).Display()})
		}
	}
	return v
}

type transfersAnswer struct {
	Offered   bool           `json:"offered"`
	Minimum   money.Paise    `json:"minimum_paise"`
	Transfers []transferView `json:"transfers"`
}

func (h *Transfers) list(c *gin.Context) error {
	list, err := h.transfers.List(c.Request.Context(), middleware.Principal(c).FranchiserID)
	if err != nil {
		return err
	}
	a := transfersAnswer{Offered: h.transfers.Offered(), Minimum: h.transfers.Minimum(), Transfers: []transferView{}}
	for _, p := range list {
		a.Transfers = append(a.Transfers, transferViewOf(p))
	}
	return OK(c, "", a)
}

// transferFields are common to the requests for a proforma.
type transferFields struct {
	ExpectedTotal *money.Paise `json:"expected_total"`
	PONumber      string       `json:"po_number"`
	DespiteDebit  bool         `json:"pay_despite_debit"`
}

func (h *Transfers) open(c *gin.Context, intent subscription.PurchaseIntent, in transferFields, err error) error {
	if err != nil {
		return err
	}
	if err := checkTotal(in.ExpectedTotal); err != nil {
		return err
	}
	// The order is the key: asking again for the same one is the same proforma.
	p, err := h.transfers.Open(c.Request.Context(), middleware.Principal(c).FranchiserID, transfer.Input{
		Request: checkout.Input{Intent: intent, ExpectedTotal: in.ExpectedTotal, DespiteDebit: in.DespiteDebit}, PONumber: in.PONumber,
	})
	if err != nil {
		return err
	}
	return OK(c, "We activate your order when the money arrives.", transferViewOf(p))
}

func (h *Transfers) plan(c *gin.Context) error {
	var in struct {
		planSelection
		transferFields
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.open(c, intent, in.transferFields, err)
}

func (h *Transfers) renewal(c *gin.Context) error {
	var in struct {
		renewSelection
		transferFields
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	intent, err := in.intent()
	return h.open(c, intent, in.transferFields, err)
}

func (h *Transfers) show(c *gin.Context) error {
	p, err := h.transfers.Find(c.Request.Context(), middleware.Principal(c).FranchiserID, c.Param("id"))
	if err != nil {
		return err
	}
	return OK(c, "", transferViewOf(p))
}

func (h *Transfers) tell(c *gin.Context) error {
	var in struct {
		UTR string `json:"utr"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	p, err := h.transfers.TellUTR(c.Request.Context(), middleware.Principal(c).FranchiserID, c.Param("id"), in.UTR)
	if err != nil {
		return err
	}
	return OK(c, "Thank you. We look for this transfer.", transferViewOf(p))
}

func (h *Transfers) cancel(c *gin.Context) error {
	if err := NoBody(c); err != nil {
		return err
	}
	p, err := h.transfers.Cancel(c.Request.Context(), middleware.Principal(c).FranchiserID, c.Param("id"))
	if err != nil {
		return err
	}
	return OK(c, "The proforma is cancelled.", transferViewOf(p))
}

func (h *Transfers) proforma(c *gin.Context) error {
	link, err := h.transfers.Link(c.Request.Context(), middleware.Principal(c).FranchiserID, c.Param("id"))
	if err != nil {
		return err
	}
	return OK(c, "", map[string]any{"url": orNull(link)})
}
