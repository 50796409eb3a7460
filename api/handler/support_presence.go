package handler

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
)

// Presence knows who of the staff has which page open; support.Presence implements it.
type Presence interface {
	Stay(ctx context.Context, p staff.Principal, page string) (support.Lookers, error)
	Look(ctx context.Context, p staff.Principal, pages []string) (support.Lookers, error)
}

// SupportPresence tells staff which colleagues look at the same.
type SupportPresence struct{ presence Presence }

// NewSupportPresence returns the handlers over the presence.
func NewSupportPresence(presence Presence) *SupportPresence {
	return &SupportPresence{presence: presence}
}

// RegisterSupportPresence adds the routes to the engine, all behind before and require.
func RegisterSupportPresence(e *gin.Engine, h *SupportPresence, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/presence", Handle(h.look))
	private.POST("/presence", Handle(h.stay))
}

type lookersOnPage struct {
	Page  string   `json:"page"`
	Names []string `json:"names"`
}

func answerLookers(c *gin.Context, found support.Lookers, pages []string) error {
	views := []lookersOnPage{}
	for _, page := range pages {
		if names := found.Names[page]; len(names) > 0 {
			views = append(views, lookersOnPage{Page: page, Names: names})
		}
	}
	return OK(c, "", gin.H{"known": found.Known, "pages": views})
}

func (h *SupportPresence) look(c *gin.Context) error {
	pages := strings.Split(c.Query("pages"), ",")
	found, err := h.presence.Look(c.Request.Context(), middleware.Staff(c), pages)
	if err != nil {
		return err
	}
	return answerLookers(c, found, pages)
}

func (h *SupportPresence) stay(c *gin.Context) error {
	var in struct {
		Page string `json:"page"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	found, err := h.presence.Stay(c.Request.Context(), middleware.Staff(c), in.Page)
	if err != nil {
		return err
	}
	return answerLookers(c, found, []string{in.Page})
}
