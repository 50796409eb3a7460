package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkList lists the work items of staff; worklist.Service implements it.
type WorkList interface {
	List(ctx context.Context, p staff.Principal) ([]worklist.Group, error)
	Claim(ctx context.Context, p staff.Principal, kind, key string, takeOver bool) error
	Release(ctx context.Context, p staff.Principal, kind, key string) error
}

// SupportWork handles staff calls on the work list.
type SupportWork struct {
	work   WorkList
	people Reader
}

// NewSupportWork returns the handlers backed by the work list.
func NewSupportWork(work WorkList, people Reader) *SupportWork {
	return &SupportWork{work: work, people: people}
}

// RegisterSupportWork adds the routes to the engine, all behind before and require.
func RegisterSupportWork(e *gin.Engine, h *SupportWork, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/work", Handle(h.list))
	private.POST("/work/claim", Handle(h.claim))
	private.POST("/work/release", Handle(h.release))
}

type workRowView struct {
	Key    string      `json:"key"`
	Title  string      `json:"title"`
	Wrong  string      `json:"wrong"`
	ToDo   string      `json:"to_do"`
	Link   string      `json:"link"`
	Since  time.Time   `json:"since"`
	Amount money.Paise `json:"amount_paise"`
	// CustomerID and Customer belong to the item's customer: null and empty without one.
	CustomerID *string    `json:"customer_id"`
	Customer   string     `json:"customer"`
	ClaimedBy  string     `json:"claimed_by"`
	ClaimedAt  *time.Time `json:"claimed_at"`
	Mine       bool       `json:"mine"`
}

type workGroupView struct {
	Kind  string        `json:"kind"`
	Title string        `json:"title"`
	Link  string        `json:"link"`
	Count int           `json:"count"`
	Rows  []workRowView `json:"rows"`
}

func (h *SupportWork) list(c *gin.Context) error {
	p := middleware.Staff(c)
	groups, err := h.work.List(c.Request.Context(), p)
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), p, staff.ReadList("work")); err != nil {
		return err
	}
	views := make([]workGroupView, 0, len(groups))
	for _, g := range groups {
		v := workGroupView{Kind: g.Kind, Title: g.Title, Link: g.Link, Count: g.Count, Rows: make([]workRowView, 0, len(g.Rows))}
		for _, r := range g.Rows {
			v.Rows = append(v.Rows, workRowView{
				Key: r.Key, Title: r.Title, Wrong: r.Wrong, ToDo: r.ToDo, Link: r.Link, Since: r.Since, Amount: r.Amount, CustomerID: orNull(r.CustomerID), Customer: r.Customer,
				ClaimedBy: r.ClaimedBy, ClaimedAt: r.ClaimedAt, Mine: r.ClaimedByID == p.StaffID,
			})
		}
		views = append(views, v)
	}
	return OK(c, "", gin.H{"groups": views})
}

type claimBody struct {
	Kind     string `json:"kind"`
	Key      string `json:"key"`
	TakeOver bool   `json:"take_over"`
}

func (h *SupportWork) claim(c *gin.Context) error {
	var in claimBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.work.Claim(c.Request.Context(), middleware.Staff(c), in.Kind, in.Key, in.TakeOver); err != nil {
		return err
	}
	return OK(c, "It is yours.", nil)
}

type releaseBody struct {
	Kind string `json:"kind"`
	Key  string `json:"key"`
}

func (h *SupportWork) release(c *gin.Context) error {
	var in releaseBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := h.work.Release(c.Request.Context(), middleware.Staff(c), in.Kind, in.Key); err != nil {
		return err
	}
	return OK(c, "It is released.", nil)
}
