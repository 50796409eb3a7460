package handler

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/announcement"
)

// Announcements shows visitors and customers what the operator tells everybody.
type Announcements struct{ announcements *announcement.Service }

// NewAnnouncements returns the handlers over the announcements.
func NewAnnouncements(a *announcement.Service) *Announcements { return &Announcements{a} }

// Register adds the routes.
func (h *Announcements) Register(r Routes) { r.Public.GET("/announcement", Handle(h.shown)) }

type shownAnnouncement struct {
	ID       string             `json:"id"`
	Revision int                `json:"revision"`
	Texts    announcement.Texts `json:"texts"`
	Link     string             `json:"link"`
	Level    announcement.Level `json:"level"`
	EndsAt   time.Time          `json:"ends_at"`
}

// shown answers visitors and customers with their announcement. Caches may keep a visitor's answer for a minute, browsers a customer's.
func (h *Announcements) shown(c *gin.Context) error {
	signedIn := middleware.Owner(c) != ""
	a, err := h.announcements.Shown(c.Request.Context(), signedIn)
	if err != nil {
		return err
	}
	c.Header("Vary", "Cookie")
	c.Header("Cache-Control", "public, max-age=60")
	if signedIn {
		c.Header("Cache-Control", "private, max-age=60")
	}
	var view *shownAnnouncement
	if a != nil {
		view = &shownAnnouncement{ID: a.ID, Revision: a.Revision, Texts: a.Texts, Link: a.Link, Level: a.Level, EndsAt: a.EndsAt.UTC()}
	}
	c.JSON(http.StatusOK, success{Status: true, Data: gin.H{"announcement": view}}) // OK would forbid caching
	return nil
}

// SupportAnnouncements handles announcements as staff write them.
type SupportAnnouncements struct{ announcements *announcement.Service }

// NewSupportAnnouncements returns the handlers over the announcements.
func NewSupportAnnouncements(a *announcement.Service) *SupportAnnouncements {
	return &SupportAnnouncements{a}
}

// RegisterSupportAnnouncements adds the routes, behind before and require.
func RegisterSupportAnnouncements(e *gin.Engine, h *SupportAnnouncements, before, require []gin.HandlerFunc) {
	of := e.Group(SupportPrefix, before...).Group("/announcements", require...)
	of.Handle(http.MethodGet, "", Handle(h.list))
	of.POST("", Handle(h.publish))
	of.POST("/:id", Handle(h.change))
	of.POST("/:id/end", Handle(h.end))
}

type announcementView struct {
	shownAnnouncement

	Audience    announcement.Audience `json:"audience"`
	StartsAt    time.Time             `json:"starts_at"`
	SavedByName string                `json:"saved_by_name"`
	SavedAt     time.Time             `json:"saved_at"`
}

func viewOfAnnouncement(a announcement.Announcement) announcementView {
	return announcementView{
		shownAnnouncement: shownAnnouncement{
			ID: a.ID, Revision: a.Revision, Texts: a.Texts, Link: a.Link, Level: a.Level, EndsAt: a.EndsAt.UTC(),
		},
		Audience: a.Audience, StartsAt: a.StartsAt.UTC(), SavedByName: a.SavedByName, SavedAt: a.SavedAt.UTC(),
	}
}

func (h *SupportAnnouncements) list(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	list, total, err := h.announcements.List(c.Request.Context(), page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	rows := make([]announcementView, 0, len(list))
	for _, a := range list {
		rows = append(rows, viewOfAnnouncement(a))
	}
	return List(c, "", rows, page, total)
}

type announcementBody struct {
	Texts    announcement.Texts    `json:"texts"`
	Link     string                `json:"link"`
	Level    announcement.Level    `json:"level"`
	Audience announcement.Audience `json:"audience"`
	StartsAt time.Time             `json:"starts_at"`
	EndsAt   time.Time             `json:"ends_at"`
	Reason   string                `json:"reason"`
}

func (b announcementBody) announcement() announcement.Announcement {
	return announcement.Announcement{
		Texts: b.Texts, Link: b.Link, Level: b.Level, Audience: b.Audience, StartsAt: b.StartsAt, EndsAt: b.EndsAt,
	}
}

func (h *SupportAnnouncements) publish(c *gin.Context) error {
	var in announcementBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	a, err := h.announcements.Publish(c.Request.Context(), middleware.Staff(c), in.announcement(), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The announcement is published.", viewOfAnnouncement(a))
}

func (h *SupportAnnouncements) change(c *gin.Context) error {
	announcementID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in announcementBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	wanted := in.announcement()
	wanted.ID = announcementID
	a, err := h.announcements.Change(c.Request.Context(), middleware.Staff(c), wanted, in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The announcement is changed.", viewOfAnnouncement(a))
}

func (h *SupportAnnouncements) end(c *gin.Context) error {
	announcementID, reason, err := decision(c)
	if err != nil {
		return err
	}
	a, err := h.announcements.End(c.Request.Context(), middleware.Staff(c), announcementID, reason)
	if err != nil {
		return err
	}
	return OK(c, "The announcement has ended.", viewOfAnnouncement(a))
}
