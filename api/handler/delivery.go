package handler

import (
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Deliveries handles the customer's list of deliveries.
type Deliveries struct {
	ledger *delivery.Service
}

// NewDeliveries returns the handlers backed by the ledger.
func NewDeliveries(ledger *delivery.Service) *Deliveries {
	return &Deliveries{ledger: ledger}
}

// Register adds the routes.
func (h *Deliveries) Register(r Routes) {
	r.Private.GET("/deliveries", Handle(h.list))
}

type deliveryAnswer struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	DeliveredBy plan.How         `json:"delivered_by"`
	Responsible string           `json:"responsible"`
	State       delivery.State   `json:"state"`
	Late        bool             `json:"late"`
	PromisedOn  subscription.Day `json:"promised_on"`
	Needs       string           `json:"needs"`
	Proof       string           `json:"proof"`
	ProofLink   string           `json:"proof_link"`
	DeliveredAt *time.Time       `json:"delivered_at"`
}

// proofOf returns a proof as a link or as a text; one of both is empty.
func proofOf(proof string) (text, link string) {
	if strings.HasPrefix(proof, "https://") || strings.HasPrefix(proof, "/") {
		return "", proof
	}
	return proof, ""
}

func deliveryOf(d delivery.Delivery, today subscription.Day) deliveryAnswer {
	a := deliveryAnswer{
		ID: d.ID, Name: d.Name, DeliveredBy: d.How, Responsible: d.Responsible(), State: d.State, Late: d.Late(today), PromisedOn: d.PromisedOn,
	}
	if d.State.Open() {
		a.Needs = d.Needs
	}
	if d.State == delivery.StateDelivered {
		a.Proof, a.ProofLink = proofOf(d.Proof)
		a.DeliveredAt = utc(d.DeliveredAt)
	}
	return a
}

func (h *Deliveries) list(c *gin.Context) error {
	found, err := h.ledger.List(c.Request.Context(), middleware.Principal(c).FranchiserID)
	if err != nil {
		return err
	}
	rows := make([]deliveryAnswer, 0, len(found))
	for _, d := range found {
		rows = append(rows, deliveryOf(d, h.ledger.Today()))
	}
	return OK(c, "What you get.", gin.H{"deliveries": rows})
}
