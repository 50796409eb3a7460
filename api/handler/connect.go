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

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ConnectPrefix is the path prefix of the calls that the operator's own systems make with an API key.
const ConnectPrefix = "/api/v1"

// Entitled returns a customer's entitlements; connect.Service implements it.
type Entitled interface {
	Entitlements(ctx context.Context, of string) (connect.Entitlements, error)
}

// RegisterConnect adds the calls of connected systems to the engine; require returns what precedes a call of a scope.
func RegisterConnect(e *gin.Engine, entitled Entitled, require func(connect.Scope) gin.HandlerFunc) {
	e.GET(ConnectPrefix+"/tenants/:id/entitlements", require(connect.ScopeEntitlements), Handle(func(c *gin.Context) error {
		got, err := entitled.Entitlements(c.Request.Context(), c.Param("id"))
		if err != nil {
			return err
		}
		return cached(c, viewOfEntitlements(got))
	}))
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
