package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/support"
)

// SupportSavedViews handles the filters that staff keep under a name.
type SupportSavedViews struct{ views *support.SavedViews }

// NewSupportSavedViews returns the handlers backed by the views.
func NewSupportSavedViews(v *support.SavedViews) *SupportSavedViews {
	return &SupportSavedViews{views: v}
}

// RegisterSupportSavedViews adds the routes to the engine, all behind before and require.
func RegisterSupportSavedViews(e *gin.Engine, h *SupportSavedViews, before, require []gin.HandlerFunc) {
	views := e.Group(SupportPrefix, before...).Group("/saved-views", require...)
	views.GET("", Handle(h.list))
	views.POST("", Handle(h.save))
	views.POST("/:id", Handle(h.change))
	views.DELETE("/:id", Handle(h.remove))
}

type savedView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Query     string `json:"query"`
	Shared    bool   `json:"shared"`
	Owner     string `json:"owner"`
	MayChange bool   `json:"may_change"`
}

func savedViewOf(c *gin.Context, v support.SavedView) savedView {
	p := middleware.Staff(c)
	return savedView{
		ID: v.ID, Name: v.Name, Query: v.Query, Shared: v.Shared, Owner: v.Owner, MayChange: v.StaffID == p.StaffID || v.Shared && p.Role == "admin",
	}
}

func (h *SupportSavedViews) list(c *gin.Context) error {
	found, err := h.views.List(c.Request.Context(), c.Query("list"))
	if err != nil {
		return err
	}
	views := make([]savedView, 0, len(found))
	for _, v := range found {
		views = append(views, savedViewOf(c, v))
	}
	return OK(c, "", gin.H{"views": views})
}

func (h *SupportSavedViews) save(c *gin.Context) error {
	var in struct {
		List   string `json:"list"`
		Name   string `json:"name"`
		Query  string `json:"query"`
		Shared bool   `json:"shared"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	v, err := h.views.Save(c.Request.Context(), middleware.Staff(c), support.SavedView{List: in.List, Name: in.Name, Query: in.Query, Shared: in.Shared})
	if err != nil {
		return err
	}
	return OK(c, "The view is saved.", savedViewOf(c, v))
}

func (h *SupportSavedViews) change(c *gin.Context) error {
	viewID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Name   string `json:"name"`
		Shared bool   `json:"shared"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.views.Change(c.Request.Context(), viewID, in.Name, in.Shared); err != nil {
		return err
	}
	return OK(c, "The view is changed.", nil)
}

func (h *SupportSavedViews) remove(c *gin.Context) error {
	viewID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	if err := h.views.Delete(c.Request.Context(), viewID); err != nil {
		return err
	}
	return OK(c, "The view is deleted.", nil)
}
