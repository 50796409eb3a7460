package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
)

// SupportPrefix is where the calls of staff live.
const SupportPrefix = "/api/support"

// Support answers for the console of the staff who help customers.
type Support struct {
	staff   *staff.Service
	desk    *support.Desk
	inbox   *support.Inbox
	cookies middleware.Cookies
	clock   clock.Clock
}

// NewSupport returns the area on the services of staff.
func NewSupport(s *staff.Service, desk *support.Desk, inbox *support.Inbox, cookies middleware.Cookies, clk clock.Clock) *Support {
	return &Support{staff: s, desk: desk, inbox: inbox, cookies: cookies, clock: clk}
}

// RegisterSupport adds the calls of staff to the engine: sign-in behind before, everything else behind require as well.
func RegisterSupport(e *gin.Engine, h *Support, before, require []gin.HandlerFunc) {
	public := e.Group(SupportPrefix, before...)
	public.POST("/login", Handle(h.login))
	private := public.Group("", require...)
	private.POST("/logout", Handle(h.logout))
	private.GET("/me", Handle(h.me))
	private.GET("/search", Handle(h.search))
	private.GET("/customers/:id", Handle(h.customer))
	private.GET("/contacts", Handle(h.contacts))
	private.POST("/contacts/:id", Handle(h.setContact))
}

type staffView struct {
	ID    string     `json:"id"`
	Name  string     `json:"name"`
	Email string     `json:"email"`
	Role  staff.Role `json:"role"`
}

func viewOfStaff(p staff.Principal) staffView {
	return staffView{ID: p.StaffID, Name: p.Name, Email: p.Email, Role: p.Role}
}

type staffLogin struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Code     string `json:"code"`
}

func (h *Support) login(c *gin.Context) error {
	var in staffLogin
	if err := Bind(c, &in); err != nil {
		return err
	}
	t, err := h.staff.SignIn(c.Request.Context(), in.Email, in.Password, in.Code, c.ClientIP())
	if err != nil {
		return err
	}
	h.cookies.SetStaff(c, t, h.clock.Now())
	return OK(c, "You are signed in.", viewOfStaff(t.Principal))
}

func (h *Support) logout(c *gin.Context) error {
	if err := h.staff.SignOut(c.Request.Context(), middleware.Staff(c)); err != nil {
		return err
	}
	h.cookies.ClearStaff(c)
	return OK(c, "You are signed out.", nil)
}

func (h *Support) me(c *gin.Context) error { return OK(c, "", viewOfStaff(middleware.Staff(c))) }

func (h *Support) search(c *gin.Context) error {
	hits, err := h.desk.Search(c.Request.Context(), c.Query("q"))
	if err != nil {
		return err
	}
	rows := make([]gin.H, 0, len(hits))
	for _, hit := range hits {
		rows = append(rows, gin.H{"customer_id": hit.FranchiserID, "kind": hit.Kind, "label": hit.Label, "exact": hit.Exact})
	}
	return OK(c, "", gin.H{"hits": rows})
}

func (h *Support) customer(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	found, err := h.desk.Customer(c.Request.Context(), franchiserID)
	if err != nil {
		return err
	}
	actions, err := h.staff.ActionsOf(c.Request.Context(), franchiserID, support.TimelineLimit)
	if err != nil {
		return err
	}
	for _, a := range actions {
		found.Timeline = append(found.Timeline, support.Event{
			At: a.At, Type: "staff", Title: a.Action, Status: "done", Reference: a.Target,
			Details: map[string]any{"by": a.StaffName, "reason": a.Reason, "before": a.Before, "after": a.After},
		})
	}
	return OK(c, "", found.Sorted())
}

type contactView struct {
	ID        string                `json:"id"`
	Name      string                `json:"name"`
	Email     string                `json:"email"`
	Mobile    string                `json:"mobile"`
	Topic     string                `json:"topic"`
	Message   string                `json:"message"`
	Status    support.ContactStatus `json:"status"`
	CreatedAt time.Time             `json:"created_at"`
	UpdatedAt time.Time             `json:"updated_at"`
}

func (h *Support) contacts(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, total, err := h.inbox.Contacts(c.Request.Context(), support.ContactStatus(c.Query("status")), page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	rows := make([]contactView, 0, len(list))
	for _, r := range list {
		rows = append(rows, contactView{
			ID: r.ID, Name: r.Name, Email: r.Email, Mobile: r.Mobile, Topic: r.Topic, Message: r.Message, Status: r.Status,
			CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		})
	}
	return List(c, "", rows, page, total)
}

type contactMove struct {
	Status support.ContactStatus `json:"status"`
	Reason string                `json:"reason"`
}

func (h *Support) setContact(c *gin.Context) error {
	contactID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in contactMove
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.desk.SetContactStatus(c.Request.Context(), middleware.Staff(c), contactID, in.Status, in.Reason); err != nil {
		return err
	}
	return OK(c, "The request is moved.", nil)
}
