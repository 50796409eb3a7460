package handler

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// Webhooks manages the operator's connected systems; webhook.Service implements it.
type Webhooks interface {
	Endpoints(ctx context.Context) ([]webhook.Endpoint, error)
	Add(ctx context.Context, p staff.Principal, in webhook.EndpointInput, proof staff.Proof, reason string) (webhook.Endpoint, string, error)
	Change(ctx context.Context, p staff.Principal, endpointID string, in webhook.EndpointInput, proof staff.Proof, reason string) (webhook.Endpoint, error)
	Rotate(ctx context.Context, p staff.Principal, endpointID string, proof staff.Proof, reason string) (webhook.Endpoint, string, error)
	Enable(ctx context.Context, p staff.Principal, endpointID string, proof staff.Proof, reason string) (webhook.Endpoint, error)
	Disable(ctx context.Context, p staff.Principal, endpointID, reason string) (webhook.Endpoint, error)
	Remove(ctx context.Context, p staff.Principal, endpointID, reason string) error
	Test(ctx context.Context, p staff.Principal, endpointID, reason string) (string, error)
	ResendSince(ctx context.Context, p staff.Principal, endpointID string, since time.Time, reason string) (int, error)
	Deliveries(ctx context.Context, q webhook.DeliveryQuery) ([]webhook.Delivery, bool, error)
	Delivery(ctx context.Context, deliveryID string) (webhook.DeliveryDetails, error)
	Resend(ctx context.Context, p staff.Principal, deliveryID, reason string) (webhook.Delivery, error)
}

// SupportWebhooks handles the staff calls for webhook endpoints.
type SupportWebhooks struct {
	webhooks Webhooks
	cookies  middleware.Cookies
}

// NewSupportWebhooks returns the handlers backed by the service.
func NewSupportWebhooks(webhooks Webhooks, cookies middleware.Cookies) *SupportWebhooks {
	return &SupportWebhooks{webhooks: webhooks, cookies: cookies}
}

// RegisterSupportWebhooks adds the routes to the engine, all behind before and require.
func RegisterSupportWebhooks(e *gin.Engine, h *SupportWebhooks, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/webhooks", Handle(h.list))
	private.POST("/webhooks", Handle(h.add))
	private.PUT("/webhooks/:endpoint", Handle(h.change))
	private.POST("/webhooks/:endpoint/rotate", Handle(h.rotate))
	private.POST("/webhooks/:endpoint/enable", Handle(h.enable))
	private.POST("/webhooks/:endpoint/disable", Handle(h.disable))
	private.POST("/webhooks/:endpoint/remove", Handle(h.remove))
	private.POST("/webhooks/:endpoint/test", Handle(h.test))
	private.POST("/webhooks/:endpoint/resend", Handle(h.resendSince))
	private.GET("/webhook-deliveries", Handle(h.deliveries))
	private.GET("/webhook-deliveries/:delivery", Handle(h.delivery))
	private.POST("/webhook-deliveries/:delivery/resend", Handle(h.resend))
}

// webhookBody is an endpoint as an admin enters it; no events means all of them.
type webhookBody struct {
	provedReasonBody
	URL         string         `json:"url"`
	Description string         `json:"description"`
	Events      []webhook.Kind `json:"events"`
}

func (b webhookBody) input() webhook.EndpointInput {
	return webhook.EndpointInput{URL: b.URL, Description: b.Description, Kinds: b.Events}
}

type webhookReasonBody struct {
	Reason string `json:"reason"`
}

type webhookResendBody struct {
	Since  time.Time `json:"since"`
	Reason string    `json:"reason"`
}

type webhookView struct {
	ID             string              `json:"id"`
	URL            string              `json:"url"`
	Description    string              `json:"description"`
	Events         []webhook.Kind      `json:"events"`
	State          webhook.State       `json:"state"`
	DisabledFor    webhook.DisabledFor `json:"disabled_for"`
	FailingSince   *time.Time          `json:"failing_since"`
	OldSecretUntil *time.Time          `json:"old_secret_until"`
	CreatedAt      time.Time           `json:"created_at"`
	Waiting        int                 `json:"waiting"`
	Undelivered    int                 `json:"undelivered"`
}

func viewOfWebhook(e webhook.Endpoint) webhookView {
	v := webhookView{
		ID: e.ID, URL: e.URL, Description: e.Description, Events: e.Kinds, State: e.State, DisabledFor: e.DisabledFor,
		FailingSince: utc(e.FailingSince), OldSecretUntil: utc(e.OldSecretUntil), CreatedAt: e.CreatedAt.UTC(), Waiting: e.Waiting,
		Undelivered: e.Undelivered,
	}
	if v.Events == nil {
		v.Events = []webhook.Kind{}
	}
	return v
}

func (h *SupportWebhooks) list(c *gin.Context) error {
	list, err := h.webhooks.Endpoints(c.Request.Context())
	if err != nil {
		return err
	}
	views := make([]webhookView, 0, len(list))
	for _, e := range list {
		views = append(views, viewOfWebhook(e))
	}
	return OK(c, "", gin.H{"endpoints": views, "events": webhook.Kinds()})
}

func (h *SupportWebhooks) add(c *gin.Context) error {
	var in webhookBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	e, secret, err := h.webhooks.Add(c.Request.Context(), middleware.Staff(c), in.input(), in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The endpoint is added. Copy its secret now: it is not shown again.", gin.H{"endpoint": viewOfWebhook(e), "secret": secret})
}

func (h *SupportWebhooks) change(c *gin.Context) error {
	var in webhookBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	proof := in.proof(c, h.cookies)
	e, err := h.webhooks.Change(c.Request.Context(), middleware.Staff(c), c.Param("endpoint"), in.input(), proof, in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The endpoint is changed.", viewOfWebhook(e))
}

func (h *SupportWebhooks) rotate(c *gin.Context) error {
	var in provedReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	e, secret, err := h.webhooks.Rotate(c.Request.Context(), middleware.Staff(c), c.Param("endpoint"), in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "Copy the new secret now: it is not shown again. The old one also signs for a day.",
		gin.H{"endpoint": viewOfWebhook(e), "secret": secret})
}

func (h *SupportWebhooks) enable(c *gin.Context) error {
	var in provedReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	e, err := h.webhooks.Enable(c.Request.Context(), middleware.Staff(c), c.Param("endpoint"), in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The endpoint is enabled.", viewOfWebhook(e))
}

func (h *SupportWebhooks) disable(c *gin.Context) error {
	var in webhookReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	e, err := h.webhooks.Disable(c.Request.Context(), middleware.Staff(c), c.Param("endpoint"), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The endpoint is disabled.", viewOfWebhook(e))
}

func (h *SupportWebhooks) remove(c *gin.Context) error {
	var in webhookReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.webhooks.Remove(c.Request.Context(), middleware.Staff(c), c.Param("endpoint"), in.Reason); err != nil {
		return err
	}
	return OK(c, "The endpoint is removed.", nil)
}

func (h *SupportWebhooks) test(c *gin.Context) error {
	var in webhookReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	deliveryID, err := h.webhooks.Test(c.Request.Context(), middleware.Staff(c), c.Param("endpoint"), in.Reason)
	if err != nil {
		return err
	}
	return accepted(c, "A test event is on its way.", gin.H{"delivery_id": deliveryID})
}

func (h *SupportWebhooks) resendSince(c *gin.Context) error {
	var in webhookResendBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if in.Since.IsZero() {
		return errs.Invalid("Please check the marked fields.").Field("since", "Say since when.")
	}
	n, err := h.webhooks.ResendSince(c.Request.Context(), middleware.Staff(c), c.Param("endpoint"), in.Since, in.Reason)
	if err != nil {
		return err
	}
	return accepted(c, "What was not delivered is on its way again.", gin.H{"sent": n})
}

type deliveryView struct {
	ID         string                `json:"id"`
	EndpointID string                `json:"endpoint_id"`
	EventID    string                `json:"event_id"`
	Event      webhook.Kind          `json:"event"`
	CustomerID string                `json:"customer_id"`
	State      webhook.DeliveryState `json:"state"`
	Attempts   int                   `json:"attempts"`
	At         time.Time             `json:"at"`
	LastAt     *time.Time            `json:"last_at"`
	Status     *int                  `json:"status"`
}

func viewOfDelivery(d webhook.Delivery) deliveryView {
	return deliveryView{
		ID: d.ID, EndpointID: d.EndpointID, EventID: d.EventID, Event: d.Kind, CustomerID: d.FranchiserID, State: d.State,
		Attempts: d.Attempts, At: d.At.UTC(), LastAt: utc(d.LastAt), Status: d.Status,
	}
}

type attemptView struct {
	Number  int       `json:"number"`
	At      time.Time `json:"at"`
	TookMS  int       `json:"took_ms"`
	Status  *int      `json:"status"`
	Failure string    `json:"failure"`
	Answer  string    `json:"answer"`
}

type deliveryDetailsView struct {
	deliveryView

	Payload json.RawMessage `json:"payload"`
	Tries   []attemptView   `json:"tries"`
}

func (h *SupportWebhooks) deliveries(c *gin.Context) error {
	list, more, err := h.webhooks.Deliveries(c.Request.Context(), webhook.DeliveryQuery{
		EndpointID: c.Query("endpoint_id"), State: webhook.DeliveryState(c.Query("state")), Before: c.Query("before"),
	})
	if err != nil {
		return err
	}
	views := make([]deliveryView, 0, len(list))
	for _, d := range list {
		views = append(views, viewOfDelivery(d))
	}
	return OK(c, "", gin.H{"deliveries": views, "more": more})
}

func (h *SupportWebhooks) delivery(c *gin.Context) error {
	d, err := h.webhooks.Delivery(c.Request.Context(), c.Param("delivery"))
	if err != nil {
		return err
	}
	v := deliveryDetailsView{deliveryView: viewOfDelivery(d.Delivery), Payload: d.Payload, Tries: make([]attemptView, 0, len(d.Tries))}
	for _, a := range d.Tries {
		v.Tries = append(v.Tries, attemptView{Number: a.Number, At: a.At.UTC(), TookMS: a.TookMS, Status: a.Status, Failure: a.Failure, Answer: a.Answer})
	}
	return OK(c, "", v)
}

func (h *SupportWebhooks) resend(c *gin.Context) error {
	var in webhookReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	d, err := h.webhooks.Resend(c.Request.Context(), middleware.Staff(c), c.Param("delivery"), in.Reason)
	if err != nil {
		return err
	}
	return accepted(c, "The event is on its way again.", viewOfDelivery(d))
}
