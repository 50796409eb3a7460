package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/staff"
)

// SupportStaff handles the accounts of staff: admins manage all, and each member their own.
type SupportStaff struct {
	accounts *staff.Accounts
	cookies  middleware.Cookies
}

// NewSupportStaff returns the handlers backed by the accounts.
func NewSupportStaff(accounts *staff.Accounts, cookies middleware.Cookies) *SupportStaff {
	return &SupportStaff{accounts: accounts, cookies: cookies}
}

// RegisterSupportStaff adds the routes to the engine: an invitation is opened and accepted behind before, everything else behind require
// as well.
func RegisterSupportStaff(e *gin.Engine, h *SupportStaff, before, require []gin.HandlerFunc) {
	public := e.Group(SupportPrefix, before...)
	public.POST("/enrolment/open", Handle(h.openInvitation))
	public.POST("/enrolment", Handle(h.enrol))
	private := public.Group("", require...)
	private.GET("/staff", Handle(h.list))
	private.GET("/staff/:id", Handle(h.activity))
	private.PUT("/staff/:id", Handle(h.setRole))
	private.POST("/staff/:id/disable", Handle(h.disable))
	private.POST("/staff/:id/enable", Handle(h.enable))
	private.POST("/staff/:id/reset", Handle(h.requestReset))
	private.POST("/staff-resets/:id/approve", Handle(h.approveReset))
	private.POST("/staff-resets/:id/decline", Handle(h.declineReset))
	private.POST("/staff-invitations", Handle(h.invite))
	private.POST("/staff-invitations/:id/resend", Handle(h.resend))
	private.POST("/staff-invitations/:id/withdraw", Handle(h.withdraw))
	private.POST("/staff-sessions/:id/end", Handle(h.endSession))
	private.GET("/account", Handle(h.own))
	private.GET("/account/ties", Handle(h.ties))
	private.POST("/account/password", Handle(h.changePassword))
	private.POST("/account/authenticator", Handle(h.propose))
	private.PUT("/account/authenticator", Handle(h.replace))
	private.POST("/account/sessions/:id/end", Handle(h.endOwn))
}

func (h *SupportStaff) list(c *gin.Context) error {
	d, err := h.accounts.Directory(c.Request.Context())
	if err != nil {
		return err
	}
	accounts, invitations, resets := make([]gin.H, 0, len(d.Accounts)), make([]gin.H, 0, len(d.Invitations)), make([]gin.H, 0, len(d.Resets))
	for _, a := range d.Accounts {
		accounts = append(accounts, gin.H{
			"id": a.ID, "name": a.Name, "email": a.Email, "role": a.Role, "created_at": a.CreatedAt.UTC(), "disabled_at": utc(a.DisabledAt),
			"enrolled": a.Enrolled, "last_sign_in": utc(a.LastSignIn), "sessions": a.Sessions,
		})
	}
	for _, i := range d.Invitations {
		invitations = append(invitations, gin.H{
			"id": i.ID, "name": i.Name, "email": i.Email, "role": i.Role, "enrols": i.Enrols, "invited_by": i.InvitedBy,
			"created_at": i.CreatedAt.UTC(), "expires_at": i.ExpiresAt.UTC(), "sent_at": utc(i.SentAt), "send_error": i.SendError,
		})
	}
	for _, r := range d.Resets {
		resets = append(resets, gin.H{
			"id": r.ID, "staff_id": r.StaffID, "requested_by": r.RequestedBy, "requested_by_name": r.RequestedName, "reason": r.Reason,
			"requested_at": r.RequestedAt.UTC(),
		})
	}
	return OK(c, "", gin.H{"accounts": accounts, "invitations": invitations, "resets": resets, "emails": d.Emails})
}

func (h *SupportStaff) activity(c *gin.Context) error { return h.activityOf(c, c.Param("id")) }

func (h *SupportStaff) own(c *gin.Context) error { return h.activityOf(c, middleware.Staff(c).StaffID) }

func (h *SupportStaff) ties(c *gin.Context) error {
	list, err := h.accounts.Ties(c.Request.Context())
	if err != nil {
		return err
	}
	ties := make([]gin.H, 0, len(list))
	for _, t := range list {
		ties = append(ties, gin.H{
			"staff_id": t.StaffID, "until": t.Until.UTC(), "way": t.Way, "opened_at": t.OpenedAt.UTC(), "opened_name": t.OpenedName,
			"opened_by_name": t.OpenedByName,
		})
	}
	return OK(c, "", gin.H{"days": int(h.accounts.Apart().Hours() / 24), "ties": ties})
}

func (h *SupportStaff) activityOf(c *gin.Context, staffID string) error {
	a, err := h.accounts.Activity(c.Request.Context(), staffID)
	if err != nil {
		return err
	}
	sessions, signIns := make([]gin.H, 0, len(a.Sessions)), make([]gin.H, 0, len(a.SignIns))
	for _, s := range a.Sessions {
		sessions = append(sessions, gin.H{
			"id": s.ID, "address": s.Address, "created_at": s.CreatedAt.UTC(), "seen_at": s.SeenAt.UTC(), "expires_at": s.ExpiresAt.UTC(),
			"own": s.ID == middleware.Staff(c).SessionID,
		})
	}
	for _, s := range a.SignIns {
		signIns = append(signIns, gin.H{"at": s.At.UTC(), "failed": s.Failed, "reason": s.Reason})
	}
	passkeys := make([]gin.H, 0, len(a.Passkeys))
	for _, k := range a.Passkeys {
		passkeys = append(passkeys, gin.H{
			"id": k.ID, "name": k.Name, "synced": k.Synced, "created_at": k.CreatedAt.UTC(), "last_used_at": utc(k.LastUsedAt),
		})
	}
	return OK(c, "", gin.H{"sessions": sessions, "sign_ins": signIns, "passkeys": passkeys})
}

type staffInvitationBody struct {
	provedReasonBody
	Email string     `json:"email"`
	Name  string     `json:"name"`
	Role  staff.Role `json:"role"`
}

func (h *SupportStaff) invite(c *gin.Context) error {
	var in staffInvitationBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	invited := staff.InvitationInput{Email: in.Email, Name: in.Name, Role: in.Role}
	l, err := h.accounts.Invite(c.Request.Context(), middleware.Staff(c), invited, in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return answerLink(c, "The invitation is on its way.", l)
}

// answerLink returns the link itself where it is not sent by e-mail.
func answerLink(c *gin.Context, sent string, l staff.Link) error {
	c.Header("Cache-Control", "no-store")
	if l.URL == "" {
		return OK(c, sent, gin.H{"url": nil, "expires_at": l.ExpiresAt.UTC()})
	}
	return OK(c, "Copy the link now and pass it on: it is not shown again.", gin.H{"url": l.URL, "expires_at": l.ExpiresAt.UTC()})
}

func (h *SupportStaff) resend(c *gin.Context) error {
	var in provedReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	l, err := h.accounts.Renew(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return answerLink(c, "The invitation is on its way.", l)
}

func (h *SupportStaff) approveReset(c *gin.Context) error {
	var in provedReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	l, err := h.accounts.ApproveReset(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.proof(c, h.cookies), in.Reason)
	if err != nil {
		return err
	}
	return answerLink(c, "The authenticator is reset. The link for the new enrolment is on its way.", l)
}

// withReason calls do with the reason in the body.
func withReason(c *gin.Context, done string, do func(p staff.Principal, id, reason string) error) error {
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := do(middleware.Staff(c), c.Param("id"), in.Reason); err != nil {
		return err
	}
	return OK(c, done, nil)
}

func (h *SupportStaff) withdraw(c *gin.Context) error {
	return withReason(c, "The invitation is withdrawn.", func(p staff.Principal, id, reason string) error {
		return h.accounts.Withdraw(c.Request.Context(), p, id, reason)
	})
}

func (h *SupportStaff) disable(c *gin.Context) error {
	return withReason(c, "The account is disabled.", func(p staff.Principal, id, reason string) error {
		return h.accounts.Disable(c.Request.Context(), p, id, reason)
	})
}

func (h *SupportStaff) enable(c *gin.Context) error {
	var in provedReasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.accounts.Enable(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.proof(c, h.cookies), in.Reason); err != nil {
		return err
	}
	return OK(c, "The account is enabled.", nil)
}

func (h *SupportStaff) requestReset(c *gin.Context) error {
	return withReason(c, "Another admin has to approve the reset.", func(p staff.Principal, id, reason string) error {
		return h.accounts.RequestReset(c.Request.Context(), p, id, reason)
	})
}

func (h *SupportStaff) declineReset(c *gin.Context) error {
	return withReason(c, "The reset is declined.", func(p staff.Principal, id, reason string) error {
		return h.accounts.DeclineReset(c.Request.Context(), p, id, reason)
	})
}

func (h *SupportStaff) endSession(c *gin.Context) error {
	return withReason(c, "The session has ended.", func(p staff.Principal, id, reason string) error {
		return h.accounts.EndSession(c.Request.Context(), p, id, reason)
	})
}

type staffRoleBody struct {
	provedReasonBody
	Role staff.Role `json:"role"`
}

func (h *SupportStaff) setRole(c *gin.Context) error {
	var in staffRoleBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	proof := in.proof(c, h.cookies)
	if err := h.accounts.SetRole(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.Role, proof, in.Reason); err != nil {
		return err
	}
	return OK(c, "The role is changed.", nil)
}
