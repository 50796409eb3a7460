package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account/recovery"
)

// MobileChanges handles the links that stop a change of a lost mobile without a log-in.
type MobileChanges struct{ changes *recovery.MobileChanges }

// NewMobileChanges returns the handlers backed by the changes.
func NewMobileChanges(changes *recovery.MobileChanges) *MobileChanges {
	return &MobileChanges{changes: changes}
}

// Register adds the routes. Both are public, because the link's signature authorises the caller. Only the POST stops the change.
func (h *MobileChanges) Register(r Routes) {
	r.Public.GET("/mobile-changes/:code", Handle(h.look))
	r.Public.POST("/mobile-changes/:code/stop", Handle(h.stop))
}

type mobileChangeAnswer struct {
	State  recovery.MobileChangeState `json:"state"`
	Ending string                     `json:"ending"`
	DueAt  time.Time                  `json:"due_at"`
}

func answerOfMobileChange(c recovery.MobileChange) mobileChangeAnswer {
	return mobileChangeAnswer{State: c.State, Ending: c.Ending(), DueAt: c.DueAt.UTC()}
}

func (h *MobileChanges) look(c *gin.Context) error {
	change, err := h.changes.Look(c.Request.Context(), c.Param("code"))
	if err != nil {
		return err
	}
	return OK(c, "The change and its state.", answerOfMobileChange(change))
}

func (h *MobileChanges) stop(c *gin.Context) error {
	if err := NoBody(c); err != nil {
		return err
	}
	change, err := h.changes.Stop(c.Request.Context(), c.Param("code"))
	if err != nil {
		return err
	}
	return OK(c, "The change is stopped. Your account keeps its mobile number.", answerOfMobileChange(change))
}
