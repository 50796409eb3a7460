package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
)

// SupportNotes handles what staff note about customers.
type SupportNotes struct {
	customers *support.Customers
	actions   *support.CustomerActions
	reader    Reader
}

// NewSupportNotes returns the handlers over their parts.
func NewSupportNotes(customers *support.Customers, actions *support.CustomerActions, reader Reader) *SupportNotes {
	return &SupportNotes{customers: customers, actions: actions, reader: reader}
}

// RegisterSupportNotes adds the routes to the engine, all behind before and require.
func RegisterSupportNotes(e *gin.Engine, h *SupportNotes, before, require []gin.HandlerFunc) {
	of := e.Group(SupportPrefix, before...).Group("/customers/:id", require...)
	of.GET("/notes", Handle(h.list))
	of.POST("/notes", Handle(h.add))
	of.POST("/notes/:note/pin", Handle(h.pin))
	of.POST("/notes/:note/delete", Handle(h.remove))
	of.POST("/tags", Handle(h.tag))
}

type noteView struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Pinned    bool      `json:"pinned"`
	Author    string    `json:"author"`
	CreatedAt time.Time `json:"created_at"`
	MayDelete bool      `json:"may_delete"`
}

func (h *SupportNotes) list(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	p := middleware.Staff(c)
	found, err := h.customers.Notes(c.Request.Context(), franchiserID)
	if err != nil {
		return err
	}
	if err := h.reader.NoteRead(c.Request.Context(), p, staff.ReadTimeline(franchiserID)); err != nil {
		return err
	}
	notes := make([]noteView, 0, len(found.Notes))
	for _, n := range found.Notes {
		notes = append(notes, noteView{ID: n.ID, Text: n.Text, Pinned: n.Pinned, Author: n.Author, CreatedAt: n.CreatedAt.UTC(), MayDelete: n.MayDelete(p)})
	}
	return OK(c, "", gin.H{"notes": notes, "tags": found.Tags, "known_tags": found.Known})
}

func (h *SupportNotes) add(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Text   string `json:"text"`
		Pinned *bool  `json:"pinned"`
	}
	if err := bindWith(c, &in, func(v *errs.Validation) { v.Check(in.Pinned != nil, "pinned", "Choose whether the note is pinned.") }); err != nil {
		return err
	}
	request := support.Request{FranchiserID: franchiserID, Key: c.GetHeader(headerIdempotency)}
	done, err := h.actions.AddNote(c.Request.Context(), middleware.Staff(c), request, in.Text, *in.Pinned)
	return answerDone(c, done, err)
}

func paramNote(c *gin.Context) (franchiserID, noteID string, err error) {
	if franchiserID, err = ParamID(c, "id"); err != nil {
		return "", "", err
	}
	noteID, err = ParamID(c, "note")
	return franchiserID, noteID, err
}

func (h *SupportNotes) pin(c *gin.Context) error {
	franchiserID, noteID, err := paramNote(c)
	if err != nil {
		return err
	}
	var in struct {
		Pinned *bool `json:"pinned"`
	}
	if err := bindWith(c, &in, func(v *errs.Validation) { v.Check(in.Pinned != nil, "pinned", "Choose whether the note is pinned.") }); err != nil {
		return err
	}
	if err := h.actions.PinNote(c.Request.Context(), middleware.Staff(c), franchiserID, noteID, *in.Pinned); err != nil {
		return err
	}
	return OK(c, "The note is changed.", nil)
}

func (h *SupportNotes) remove(c *gin.Context) error {
	franchiserID, noteID, err := paramNote(c)
	if err != nil {
		return err
	}
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.actions.DeleteNote(c.Request.Context(), middleware.Staff(c), franchiserID, noteID, in.Reason); err != nil {
		return err
	}
	return OK(c, "The note is deleted.", nil)
}

// bindWith reads the body and refuses it if check finds an error.
func bindWith(c *gin.Context, in any, check func(v *errs.Validation)) error {
	if err := Bind(c, in); err != nil {
		return err
	}
	var v errs.Validation
	check(&v)
	return v.Err()
}

func (h *SupportNotes) tag(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Tag string `json:"tag"`
		Set *bool  `json:"set"`
	}
	if err := bindWith(c, &in, func(v *errs.Validation) { v.Check(in.Set != nil, "set", "Choose whether the customer has the tag.") }); err != nil {
		return err
	}
	if err := h.actions.Tag(c.Request.Context(), middleware.Staff(c), franchiserID, in.Tag, *in.Set); err != nil {
		return err
	}
	return OK(c, "The tags are changed.", nil)
}
