package handler

import (
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
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
	r.Private.POST("/deliveries/:id/files", Handle(h.addFile))
	r.Private.GET("/deliveries/:id/files/:file", Handle(h.file))
	r.Private.POST("/deliveries/:id/provide", Handle(h.provide))
}

type deliveryFileAnswer struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	ByUs   bool      `json:"by_us"`
	SentAt time.Time `json:"sent_at"`
}

func deliveryFileOf(f delivery.File) deliveryFileAnswer {
	return deliveryFileAnswer{ID: f.ID, Name: f.Name, ByUs: f.StaffID != nil, SentAt: f.CreatedAt.UTC()}
}

type deliveryAnswer struct {
	ID          string           `json:"id"`
	Name        i18n.Sentence    `json:"name"`
	DeliveredBy plan.How         `json:"delivered_by"`
	Responsible string           `json:"responsible"`
	State       delivery.State   `json:"state"`
	Late        bool             `json:"late"`
	PromisedOn  subscription.Day `json:"promised_on"`
	Needs       i18n.Sentence    `json:"needs"`
	NeedsAct    string           `json:"needs_act"`
	Proof       string           `json:"proof"`
	ProofLink   string           `json:"proof_link"`
	DeliveredAt *time.Time       `json:"delivered_at"`
}

type providedAnswer struct {
	Note string    `json:"note"`
	At   time.Time `json:"at"`
}

func providedOf(d delivery.Delivery) *providedAnswer {
	if p := d.Provided(); !p.At.IsZero() {
		return &providedAnswer{Note: p.Note, At: p.At}
	}
	return nil
}

type deliveryWithFiles struct {
	deliveryAnswer

	Provided *providedAnswer      `json:"provided"`
	Files    []deliveryFileAnswer `json:"files"`
}

func filesOf(d delivery.Delivery) []deliveryFileAnswer {
	files := make([]deliveryFileAnswer, 0, len(d.Files))
	for _, f := range d.Files {
		files = append(files, deliveryFileOf(f))
	}
	return files
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
		ID: d.ID, Name: i18n.Sentence(d.Name), DeliveredBy: d.How, Responsible: d.Responsible(), State: d.State, Late: d.Late(today), PromisedOn: d.PromisedOn,
		NeedsAct: d.Act(),
	}
	if d.State.Open() {
		a.Needs = i18n.Sentence(d.Needs)
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
	rows := make([]deliveryWithFiles, 0, len(found))
	for _, d := range found {
		rows = append(rows, deliveryWithFiles{deliveryOf(d, h.ledger.Today()), providedOf(d), filesOf(d)})
	}
	return OK(c, "What you get.", gin.H{"deliveries": rows})
}

func (h *Deliveries) addFile(c *gin.Context) error {
	deliveryID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	ctx, franchiserID := c.Request.Context(), middleware.Principal(c).FranchiserID
	if err := h.ledger.Exists(ctx, franchiserID, deliveryID); err != nil {
		return err // before the file is read
	}
	name, content, err := sentFile(c)
	if err != nil {
		return err
	}
	f, err := h.ledger.AddFile(ctx, franchiserID, deliveryID, name, content)
	if err != nil {
		return err
	}
	return OK(c, "The file is stored.", deliveryFileOf(f))
}

func (h *Deliveries) file(c *gin.Context) error {
	deliveryID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	fileID, err := ParamID(c, "file")
	if err != nil {
		return err
	}
	f, err := h.ledger.File(c.Request.Context(), middleware.Principal(c).FranchiserID, deliveryID, fileID)
	if err != nil {
		return err
	}
	download(c, f.Name, f.ContentType, f.Content)
	return nil
}

func (h *Deliveries) provide(c *gin.Context) error {
	deliveryID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Note string `json:"note"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.ledger.Provide(c.Request.Context(), middleware.Principal(c).FranchiserID, deliveryID, in.Note); err != nil {
		return err
	}
	return OK(c, "Thank you. We go on with it.", nil)
}
