package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/consent"
)

// consentView is a requested consent: the code is sent to the customer and never part of the response.
type consentView struct {
	ID        string    `json:"id"`
	ExpiresAt time.Time `json:"expires_at"`
}

func (h *Support) askView(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	v, err := h.views.Ask(c.Request.Context(), middleware.Staff(c), franchiserID, in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The customer gets a code by SMS.", consentView{ID: v.ID, ExpiresAt: v.CodeExpiresAt.UTC()})
}

type codeBody struct {
	Code string `json:"code"`
}

type openViewAnswer struct {
	ID         string    `json:"id"`
	CustomerID string    `json:"customer_id"`
	EndsAt     time.Time `json:"ends_at"`
}

func (h *Support) beginView(c *gin.Context) error {
	viewID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in codeBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	v, token, err := h.views.Begin(c.Request.Context(), middleware.Staff(c), viewID, in.Code)
	if err != nil {
		return err
	}
	h.cookies.SetView(c, v, token, h.clock.Now())
	return OK(c, "You see the account as its customer does.", openViewAnswer{ID: v.ID, CustomerID: v.FranchiserID, EndsAt: v.EndsAt.UTC()})
}

func (h *Support) endView(c *gin.Context) error {
	viewID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	h.cookies.ClearView(c)
	if err := h.views.End(c.Request.Context(), middleware.Staff(c), viewID); err != nil {
		return err
	}
	return OK(c, "The view has ended.", nil)
}

// StaffAccess shows customers what staff did with their account.
type StaffAccess struct{ views *consent.Service }

// NewStaffAccess returns the handlers backed by the consent service.
func NewStaffAccess(views *consent.Service) *StaffAccess { return &StaffAccess{views: views} }

// Register adds the routes.
func (h *StaffAccess) Register(r Routes) {
	r.Private.GET("/profile/staff-access", Handle(h.list))
	r.Private.POST("/profile/staff-access/end", Handle(h.end))
}

type openAccess struct {
	By      string    `json:"by"`
	BegunAt time.Time `json:"begun_at"`
	EndsAt  time.Time `json:"ends_at"`
}

type accessEntry struct {
	ID   string    `json:"id"`
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	What string    `json:"what"`
}

func (h *StaffAccess) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, err := h.views.AccessTo(c.Request.Context(), middleware.Principal(c).FranchiserID, page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	open, entries := make([]openAccess, 0, len(list.Open)), make([]accessEntry, 0, len(list.Entries))
	for _, v := range list.Open {
		open = append(open, openAccess{By: v.By, BegunAt: v.BegunAt.UTC(), EndsAt: v.EndsAt.UTC()})
	}
	for _, a := range list.Entries {
		entries = append(entries, accessEntry{ID: a.ID, At: a.At.UTC(), By: a.By, What: a.What})
	}
	return OK(c, "", gin.H{"open": open, "entries": entries, "total": list.Total})
}

func (h *StaffAccess) end(c *gin.Context) error {
	n, err := h.views.EndByCustomer(c.Request.Context(), middleware.Principal(c).FranchiserID)
	if err != nil {
		return err
	}
	return OK(c, "Our support team no longer sees your account.", gin.H{"ended": n})
}
