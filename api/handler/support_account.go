package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/staff"
)

type staffAuthenticatorView struct {
	Secret string `json:"secret"`
	URL    string `json:"url"`
	Sealed string `json:"sealed"`
}

type staffLinkBody struct {
	Link string `json:"link"`
}

func (h *SupportStaff) openInvitation(c *gin.Context) error {
	var in staffLinkBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	i, key, err := h.accounts.OpenInvitation(c.Request.Context(), in.Link)
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	return OK(c, "", gin.H{
		"name": i.Name, "email": i.Email, "role": i.Role, "enrols": i.Enrols, "expires_at": i.ExpiresAt.UTC(),
		"authenticator": staffAuthenticatorView(key),
	})
}

type staffEnrolmentBody struct {
	Link     string `json:"link"`
	Password string `json:"password"`
	Sealed   string `json:"sealed"`
	Code     string `json:"code"`
}

func (h *SupportStaff) enrol(c *gin.Context) error {
	var in staffEnrolmentBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.accounts.Enrol(c.Request.Context(), staff.EnrolmentInput(in), visitorOf(c, h.cookies)); err != nil {
		return err
	}
	return OK(c, "Your account is ready. Sign in.", nil)
}

type staffPasswordBody struct {
	CurrentPassword string `json:"current_password"`
	Password        string `json:"password"`
}

func (h *SupportStaff) changePassword(c *gin.Context) error {
	var in staffPasswordBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.accounts.ChangePassword(c.Request.Context(), middleware.Staff(c), in.CurrentPassword, in.Password, visitorOf(c, h.cookies))
	if err != nil {
		return err
	}
	return OK(c, "Your password is changed. Your other sessions are ended.", nil)
}

func (h *SupportStaff) propose(c *gin.Context) error {
	if err := NoBody(c); err != nil {
		return err
	}
	key, err := h.accounts.ProposeAuthenticator(middleware.Staff(c))
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "no-store")
	return OK(c, "", staffAuthenticatorView(key))
}

// staffProofBody is the re-authentication before a change that outlives the session.
type staffProofBody struct {
	CurrentPassword string `json:"current_password"`
	CurrentCode     string `json:"current_code"`
}

func (b staffProofBody) proof(c *gin.Context, cookies middleware.Cookies) staff.Proof {
	return staff.Proof{Password: b.CurrentPassword, Code: b.CurrentCode, Visitor: visitorOf(c, cookies)}
}

// visitorOf is the client of a member of staff who enters a password or a code.
func visitorOf(c *gin.Context, cookies middleware.Cookies) guard.Visitor {
	return guard.Visitor{Address: c.ClientIP(), Device: cookies.Device(c), Work: c.GetHeader(HeaderWork), Pressed: middleware.Pressed(c)}
}

// provedReasonBody is a reason with the proof, for what gives access beyond the session.
type provedReasonBody struct {
	staffProofBody
	Reason string `json:"reason"`
}

type staffAuthenticatorBody struct {
	staffProofBody
	Sealed string `json:"sealed"`
	Code   string `json:"code"`
}

func (h *SupportStaff) replace(c *gin.Context) error {
	var in staffAuthenticatorBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	err := h.accounts.ReplaceAuthenticator(c.Request.Context(), middleware.Staff(c), in.proof(c, h.cookies), in.Sealed, in.Code)
	if err != nil {
		return err
	}
	return OK(c, "Your authenticator is replaced. Your other sessions are ended.", nil)
}

func (h *SupportStaff) endOwn(c *gin.Context) error {
	err := h.accounts.EndSession(c.Request.Context(), middleware.Staff(c), c.Param("id"), "Ended a session of one's own")
	if err != nil {
		return err
	}
	return OK(c, "The session has ended.", nil)
}
