package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Keys manages API keys; connect.Service implements it.
type Keys interface {
	Keys(ctx context.Context) ([]connect.Key, error)
	Make(ctx context.Context, p staff.Principal, in connect.KeyInput, proof staff.Proof, reason string) (connect.Key, string, error)
	Revoke(ctx context.Context, p staff.Principal, keyID, reason string) error
}

// SupportKeys handles staff calls on the keys of connected systems.
type SupportKeys struct {
	keys    Keys
	cookies middleware.Cookies
}

// NewSupportKeys returns the handlers backed by the service.
func NewSupportKeys(keys Keys, cookies middleware.Cookies) *SupportKeys {
	return &SupportKeys{keys: keys, cookies: cookies}
}

// RegisterSupportKeys adds the routes to the engine, all behind before and require.
func RegisterSupportKeys(e *gin.Engine, h *SupportKeys, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/api-keys", Handle(h.list))
	private.POST("/api-keys", Handle(h.add))
	private.POST("/api-keys/:key/revoke", Handle(h.revoke))
}

// apiKeyBody is an admin's request for a key; 0 days means no expiry.
type apiKeyBody struct {
	provedReasonBody
	Label  string          `json:"label"`
	Scopes []connect.Scope `json:"scopes"`
	Days   int             `json:"days"`
}

type apiKeyView struct {
	ID         string          `json:"id"`
	Label      string          `json:"label"`
	Hint       string          `json:"hint"`
	Scopes     []connect.Scope `json:"scopes"`
	CreatedAt  time.Time       `json:"created_at"`
	ExpiresAt  *time.Time      `json:"expires_at"`
	RevokedAt  *time.Time      `json:"revoked_at"`
	LastUsedAt *time.Time      `json:"last_used_at"`
}

func viewOfKey(k connect.Key) apiKeyView {
	return apiKeyView{
		ID: k.ID, Label: k.Label, Hint: k.Hint, Scopes: k.Scopes, CreatedAt: k.CreatedAt.UTC(), ExpiresAt: utc(k.ExpiresAt),
		RevokedAt: utc(k.RevokedAt), LastUsedAt: utc(k.LastUsedAt),
	}
}

func (h *SupportKeys) list(c *gin.Context) error {
	list, err := h.keys.Keys(c.Request.Context())
	if err != nil {
		return err
	}
	views := make([]apiKeyView, 0, len(list))
	for _, k := range list {
		views = append(views, viewOfKey(k))
	}
	return OK(c, "", gin.H{"keys": views, "scopes": connect.Scopes()})
}

func (h *SupportKeys) add(c *gin.Context) error {
	var in apiKeyBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	key := connect.KeyInput{Label: in.Label, Scopes: in.Scopes, Days: in.Days}
	k, shown, err := h.keys.Make(c.Request.Context(), middleware.Staff(c), key, in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "Copy the key now: it is not shown again.", gin.H{"key": viewOfKey(k), "secret": shown})
}

func (h *SupportKeys) revoke(c *gin.Context) error {
	var in webhookReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.keys.Revoke(c.Request.Context(), middleware.Staff(c), c.Param("key"), in.Reason); err != nil {
		return err
	}
	return OK(c, "The key is revoked.", nil)
}
