package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// SupportPasskeys handles the sign-in of staff by passkey, and each member's own passkeys.
type SupportPasskeys struct {
	console  *Support
	passkeys *staff.Passkeys
	cookies  middleware.Cookies
}

// NewSupportPasskeys returns the handlers over their parts.
func NewSupportPasskeys(console *Support, passkeys *staff.Passkeys, cookies middleware.Cookies) *SupportPasskeys {
	return wiring.Complete(&SupportPasskeys{console: console, passkeys: passkeys, cookies: cookies})
}

// RegisterSupportPasskeys adds the routes to the engine: the sign-in behind before, everything else behind require as well.
func RegisterSupportPasskeys(e *gin.Engine, h *SupportPasskeys, before, require []gin.HandlerFunc) {
	public := e.Group(SupportPrefix, before...)
	public.POST("/login/passkey/begin", Handle(h.begin))
	public.POST("/login/passkey", Handle(h.login))
	private := public.Group("", require...)
	private.POST("/account/passkeys/begin", Handle(h.beginNew))
	private.POST("/account/passkeys", Handle(h.add))
	private.PUT("/account/passkeys/:id", Handle(h.rename))
	private.POST("/account/passkeys/:id/remove", Handle(h.remove))
}

func (h *SupportPasskeys) begin(c *gin.Context) error {
	if err := NoBody(c); err != nil {
		return err
	}
	options, token, err := h.passkeys.AskSignIn(c.Request.Context())
	if err != nil {
		return err
	}
	h.cookies.SetStaffPasskey(c, token)
	c.Header("Cache-Control", "no-store")
	return OK(c, "", options)
}

func (h *SupportPasskeys) login(c *gin.Context) error {
	var in passkey.Used
	if err := Bind(c, &in); err != nil {
		return err
	}
	t, err := h.passkeys.SignIn(c.Request.Context(), h.cookies.StaffPasskey(c), in, visitorOf(c, h.cookies))
	if err != nil {
		return err
	}
	h.cookies.ClearStaffPasskey(c)
	return h.console.admit(c, t)
}

type currentPasswordBody struct {
	CurrentPassword string `json:"current_password"`
}

func (h *SupportPasskeys) beginNew(c *gin.Context) error {
	var in staffProofBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	options, err := h.passkeys.AskNew(c.Request.Context(), middleware.Staff(c), in.proof(c, h.cookies))
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	return OK(c, "", options)
}

type newPasskeyBody struct {
	Name string `json:"name"`
	passkey.Made
}

func (h *SupportPasskeys) add(c *gin.Context) error {
	var in newPasskeyBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.passkeys.Add(c.Request.Context(), middleware.Staff(c), staff.NewPasskey{Name: in.Name, Made: in.Made}, c.ClientIP())
	if err != nil {
		return err
	}
	return OK(c, "The passkey is added. You can sign in with it.", nil)
}

type passkeyNameBody struct {
	Name string `json:"name"`
}

func (h *SupportPasskeys) rename(c *gin.Context) error {
	var in passkeyNameBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.passkeys.Rename(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.Name); err != nil {
		return err
	}
	return OK(c, "The passkey is renamed.", nil)
}

func (h *SupportPasskeys) remove(c *gin.Context) error {
	var in currentPasswordBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.passkeys.Remove(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.CurrentPassword, visitorOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, "The passkey is removed. Your other sessions are ended.", nil)
}
