package handler

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ConnectPrefix is the path prefix of the calls that the operator's own systems make with an API key.
const ConnectPrefix = "/api/v1"

// Connected serves the operator's own systems; connect.Service implements it.
type Connected interface {
	Entitlements(ctx context.Context, of string) (connect.Entitlements, error)
	AccountOf(ctx context.Context, of string) (string, error)
	Report(ctx context.Context, k connect.Key, of string, day subscription.Day, f connect.Figures) error
}

// ConnectedDeliveries returns what connected systems deliver, and takes their reports; delivery.Service implements it.
type ConnectedDeliveries interface {
	Today() subscription.Day
	Connected(ctx context.Context, franchiserID string) ([]delivery.Delivery, error)
	Report(ctx context.Context, franchiserID, deliveryID string, r delivery.Report) (delivery.Delivery, error)
}

// RegisterConnect adds the calls of connected systems to the engine; require returns what precedes a call of a scope.
func RegisterConnect(e *gin.Engine, systems Connected, ledger ConnectedDeliveries, require func(connect.Scope) gin.HandlerFunc) {
	h := connected{systems: systems, ledger: ledger}
	of := e.Group(ConnectPrefix + "/tenants/:id")
	of.GET("/entitlements", require(connect.ScopeEntitlements), Handle(h.entitlements))
	of.GET("/deliveries", require(connect.ScopeDeliveries), Handle(h.deliveries))
	of.POST("/deliveries/:delivery", require(connect.ScopeDeliveries), Handle(h.report))
	of.PUT("/figures/:day", require(connect.ScopeFigures), Handle(h.figures))
}

type connected struct {
	systems Connected
	ledger  ConnectedDeliveries
}

func (h connected) entitlements(c *gin.Context) error {
	got, err := h.systems.Entitlements(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return cached(c, viewOfEntitlements(got))
}

type connectedDelivery struct {
	ID         string           `json:"id"`
	Item       string           `json:"item"`
	Name       string           `json:"name"`
	State      delivery.State   `json:"state"`
	Late       bool             `json:"late"`
	PromisedOn subscription.Day `json:"promised_on"`
	Needs      string           `json:"needs"`
	Proof      string           `json:"proof"`
}

func (h connected) viewOf(d delivery.Delivery) connectedDelivery {
	return connectedDelivery{
		ID: d.ID, Item: d.Item, Name: d.Name, State: d.State, Late: d.Late(h.ledger.Today()), PromisedOn: d.PromisedOn, Needs: d.Needs, Proof: d.Proof,
	}
}

func (h connected) deliveries(c *gin.Context) error {
	accountID, err := h.systems.AccountOf(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	found, err := h.ledger.Connected(c.Request.Context(), accountID)
	if err != nil {
		return err
	}
	rows := make([]connectedDelivery, 0, len(found))
	for _, d := range found {
		rows = append(rows, h.viewOf(d))
	}
	return OK(c, "", gin.H{"deliveries": rows})
}

type deliveryReport struct {
	State delivery.State `json:"state"`
	Needs string         `json:"needs"`
	Proof string         `json:"proof"`
	Note  string         `json:"note"`
}

func (h connected) report(c *gin.Context) error {
	ctx := c.Request.Context()
	accountID, err := h.systems.AccountOf(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	deliveryID, err := ParamID(c, "delivery")
	if err != nil {
		return err
	}
	var in deliveryReport
	if err := Bind(c, &in); err != nil {
		return err
	}
	content, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	key := middleware.APIKey(c)
	d, err := h.ledger.Report(ctx, accountID, deliveryID, delivery.Report{
		APIKeyID: key.ID, System: key.Label, Key: c.GetHeader(headerIdempotency), Content: idempotency.Of(append([]byte(deliveryID+" "), content...)),
		Change: delivery.Change{State: in.State, Needs: in.Needs, Proof: in.Proof, Reason: in.Note},
	})
	if err != nil {
		return err
	}
	return OK(c, "", h.viewOf(d))
}

func (h connected) figures(c *gin.Context) error {
	var day subscription.Day
	if err := day.UnmarshalText([]byte(c.Param("day"))); err != nil || day == 0 {
		return errs.Invalid("Send a day such as 2027-03-21.").Field("day", "Send a day such as 2027-03-21.")
	}
	var in struct {
		SalesPaise   *int64 `json:"sales_paise"`
		Points       *int64 `json:"points"`
		NewCustomers *int64 `json:"new_customers"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.systems.Report(c.Request.Context(), middleware.APIKey(c), c.Param("id"), day, connect.Figures(in)); err != nil {
		return err
	}
	return OK(c, "The figures are stored.", nil)
}

type entitlementsView struct {
	AccountID  string             `json:"account_id"`
	TenantID   string             `json:"tenant_id"`
	Plan       string             `json:"plan"`
	Tier       string             `json:"tier"`
	PlanType   string             `json:"plan_type"`
	State      string             `json:"state"`
	Usable     bool               `json:"usable"`
	ValidUntil *subscription.Day  `json:"valid_until"`
	Limits     entitlementsLimits `json:"limits"`
	AddOns     []entitlementAddOn `json:"add_ons"`
}

type entitlementsLimits struct {
	Outlets entitlementLimit `json:"outlets"`
}

type entitlementLimit struct {
	Limit int `json:"limit"`
	Used  int `json:"used"`
}

type entitlementAddOn struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

func viewOfEntitlements(e connect.Entitlements) entitlementsView {
	v := entitlementsView{
		AccountID: e.AccountID, TenantID: e.TenantID, Plan: e.Plan, Tier: e.Tier, State: "none",
		Limits: entitlementsLimits{Outlets: entitlementLimit{Limit: e.OutletLimit, Used: e.Outlets}}, AddOns: []entitlementAddOn{},
	}
	if sub := e.Subscription; sub != nil {
		last := sub.PaidUntil - 1
		v.PlanType, v.State, v.Usable, v.ValidUntil = string(sub.Type), string(sub.State), sub.State.Usable(), &last
	}
	for _, a := range e.AddOns {
		v.AddOns = append(v.AddOns, entitlementAddOn{Key: a.Key, Name: a.Name, Count: a.Count})
	}
	return v
}

// cached answers with an ETag of the content, and 304 if the caller has it. The calling system may cache it for a minute.
func cached(c *gin.Context, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	hash := sha256.Sum256(raw)
	tag := `"` + base64.RawURLEncoding.EncodeToString(hash[:16]) + `"`
	c.Header("ETag", tag)
	c.Header("Cache-Control", "private, max-age=60, must-revalidate")
	c.Header("Vary", "Authorization")
	if asked := c.GetHeader("If-None-Match"); strings.TrimSpace(asked) == "*" || strings.Contains(asked, tag) {
		c.Status(http.StatusNotModified)
		c.Writer.WriteHeaderNow()
		return nil
	}
	c.JSON(http.StatusOK, gin.H{"status": true, "message": "", "data": json.RawMessage(raw)})
	return nil
}
