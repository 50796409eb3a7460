package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// Teams handles the people of an account: the owner's invitations, the invited person's acceptance, and the choice of an account.
type Teams struct {
	teams    *team.Service
	sessions *session.Service
	cookies  middleware.Cookies
	clock    clock.Clock
}

// NewTeams returns the handlers backed by the account service.
func NewTeams(teams *team.Service, sessions *session.Service, cookies middleware.Cookies, clk clock.Clock) *Teams {
	return &Teams{teams: teams, sessions: sessions, cookies: cookies, clock: clk}
}

// Register adds the routes.
func (h *Teams) Register(r Routes) {
	r.Private.GET("/team", Handle(h.team))
	r.Private.POST("/team/members", Handle(h.invite))
	r.Private.PUT("/team/members/:id", Handle(h.changeRole))
	r.Private.DELETE("/team/members/:id", Handle(h.remove))
	r.Private.POST("/team/members/:id/resend", Handle(h.resend))
	r.Public.GET("/team/invitations/:code", Handle(h.invitation))
	r.Private.POST("/team/invitations/:code/accept", Handle(h.accept))
	r.Private.GET("/accounts", Handle(h.list))
	r.Private.POST("/accounts/switch", Handle(h.change))
	r.Private.DELETE("/accounts/:id", Handle(h.leave))
}

type memberAnswer struct {
	ID         string           `json:"id"`
	Name       string           `json:"name"`
	Mobile     string           `json:"mobile"`
	Role       account.Role     `json:"role"`
	State      team.MemberState `json:"state"`
	InvitedAt  time.Time        `json:"invited_at"`
	AcceptedAt *time.Time       `json:"accepted_at"`
	LastSeenAt *time.Time       `json:"last_seen_at"`
	// Invitation is that of a member who has not accepted.
	Invitation *invitationState `json:"invitation"`
}

type invitationState struct {
	ExpiresAt time.Time `json:"expires_at"`
	// State is waiting, sent, failed or expired.
	State string `json:"state"`
}

func (h *Teams) memberOf(m team.Member) memberAnswer {
	a := memberAnswer{
		ID: m.ID, Name: m.Name, Mobile: m.Mobile, Role: m.Role, State: m.State, InvitedAt: m.InvitedAt.UTC(),
		AcceptedAt: utc(m.AcceptedAt), LastSeenAt: utc(m.SeenAt),
	}
	if m.State == team.MemberInvited && m.ExpiresAt != nil {
		a.Invitation = &invitationState{ExpiresAt: m.ExpiresAt.UTC(), State: "waiting"}
		switch {
		case !h.clock.Now().Before(*m.ExpiresAt):
			a.Invitation.State = "expired"
		case m.SentAt != nil:
			a.Invitation.State = "sent"
		case m.SendError != "":
			a.Invitation.State = "failed"
		}
	}
	return a
}

type teamEventAnswer struct {
	ID   string    `json:"id"`
	At   time.Time `json:"at"`
	Name string    `json:"name"`
	// ByOwner is true for the owner's actions about the person, false for the person's own.
	ByOwner bool         `json:"by_owner"`
	Kind    string       `json:"kind"`
	Role    account.Role `json:"role"`
	// Operation is that of an act: the method and the route.
	Operation *string `json:"operation"`
	Outcome   *string `json:"outcome"`
}

func (h *Teams) team(c *gin.Context) error {
	t, err := h.teams.Team(c.Request.Context(), middleware.Principal(c).FranchiserID)
	if err != nil {
		return err
	}
	members, events := make([]memberAnswer, 0, len(t.Members)), make([]teamEventAnswer, 0, len(t.Events))
	for _, m := range t.Members {
		members = append(members, h.memberOf(m))
	}
	for _, e := range t.Events {
		events = append(events, teamEventAnswer{
			ID: e.ID, At: e.At.UTC(), Name: e.Name, ByOwner: e.Actor == "owner", Kind: e.Kind, Role: e.Role,
			Operation: orNull(e.Operation), Outcome: e.Outcome,
		})
	}
	return OK(c, "Your team.", gin.H{"members": members, "activity": events})
}

type inviteRequest struct {
	Name   string       `json:"name"`
	Mobile typedMobile  `json:"mobile"`
	Role   account.Role `json:"role"`
	proofRequest
}

func (h *Teams) invite(c *gin.Context) error {
	var in inviteRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	m, err := h.teams.InviteMember(c.Request.Context(), middleware.Principal(c), team.MemberInput{
		Name: in.Name, Mobile: string(in.Mobile), Role: in.Role,
	}, in.proof())
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Invitation sent."), h.memberOf(m))
}

type roleRequest struct {
	Role account.Role `json:"role"`
	proofRequest
}

func (h *Teams) changeRole(c *gin.Context) error {
	memberID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in roleRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	if _, err := h.teams.ChangeRole(c.Request.Context(), middleware.Principal(c), memberID, in.Role, in.proof()); err != nil {
		return err
	}
	return OK(c, i18n.Mark("Role changed."), nil)
}

func (h *Teams) remove(c *gin.Context) error {
	memberID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	if err := h.teams.RemoveMember(c.Request.Context(), middleware.Principal(c).FranchiserID, memberID); err != nil {
		return err
	}
	return OK(c, i18n.Mark("This person has no access any more."), nil)
}

func (h *Teams) resend(c *gin.Context) error {
	memberID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in proofRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	m, err := h.teams.ResendInvitation(c.Request.Context(), middleware.Principal(c), memberID, in.proof())
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("Invitation sent again. The earlier link no longer works."), h.memberOf(m))
}

func (h *Teams) invitation(c *gin.Context) error {
	i, err := h.teams.TeamInvitation(c.Request.Context(), c.Param("code"))
	if err != nil {
		return err
	}
	return OK(c, "You are invited.", gin.H{
		"account_name": i.AccountName, "invited_by": i.Owner, "name": i.Name, "role": i.Role, "mobile": i.MaskedMobile(),
		"expires_at": i.ExpiresAt.UTC(),
	})
}

type accountAnswer struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Role    account.Role `json:"role"`
	Current bool         `json:"current"`
}

func (h *Teams) accept(c *gin.Context) error {
	m, err := h.teams.AcceptInvitation(c.Request.Context(), middleware.Principal(c), c.Param("code"))
	if err != nil {
		return err
	}
	return OK(c, i18n.Mark("You have joined."), accountAnswer{ID: m.AccountID, Name: m.Name, Role: m.Role})
}

// list returns the person's own account first. Staff who look at an account see no other one of that person's.
func (h *Teams) list(c *gin.Context) error {
	p := middleware.Principal(c)
	rows := []accountAnswer{{ID: p.Person(), Role: account.RoleOwner, Current: p.Owns()}}
	if !middleware.Viewing(c) {
		list, err := h.teams.Memberships(c.Request.Context(), p.Person())
		if err != nil {
			return err
		}
		for _, m := range list {
			rows = append(rows, accountAnswer{ID: m.AccountID, Name: m.Name, Role: m.Role, Current: m.MemberID == p.MemberID})
		}
	}
	return OK(c, "Your accounts.", rows)
}

type switchRequest struct {
	AccountID string `json:"account_id"`
}

func (h *Teams) change(c *gin.Context) error {
	var in switchRequest
	if err := Bind(c, &in); err != nil {
		return err
	}
	out, err := h.sessions.SwitchAccount(c.Request.Context(), middleware.Principal(c), in.AccountID, originOf(c, h.cookies))
	if err != nil {
		return err
	}
	h.cookies.SetSession(c, out.Tokens, h.clock.Now())
	return OK(c, i18n.Mark("You are in the other account."), signedIn(out.User))
}

func (h *Teams) leave(c *gin.Context) error {
	accountID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	p := middleware.Principal(c)
	if err := h.teams.LeaveAccount(c.Request.Context(), p, accountID); err != nil {
		return err
	}
	if !p.Owns() && p.FranchiserID == accountID {
		h.cookies.ClearSession(c)
	}
	return OK(c, i18n.Mark("You have left the account."), nil)
}
