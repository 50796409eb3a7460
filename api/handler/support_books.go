package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// BookLocks locks the books; ledger.Locks implements it.
type BookLocks interface {
	History(ctx context.Context) ([]ledger.Lock, error)
	LastMonthEnd() subscription.Day
	Lock(ctx context.Context, p staff.Principal, through subscription.Day, reason string) (ledger.Lock, error)
}

// SupportBooks handles staff calls on locking the books.
type SupportBooks struct{ locks BookLocks }

// NewSupportBooks returns the handlers backed by the locks.
func NewSupportBooks(locks BookLocks) *SupportBooks { return &SupportBooks{locks: locks} }

// RegisterSupportBooks adds the routes to the engine, all behind before and require.
func RegisterSupportBooks(e *gin.Engine, h *SupportBooks, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/books/lock", Handle(h.lock))
	private.POST("/books/lock", Handle(h.lockThrough))
}

// bookLockBody is the last day to lock.
type bookLockBody struct {
	Through subscription.Day `json:"through"`
	Reason  string           `json:"reason"`
}

type bookLockEntryView struct {
	Through *subscription.Day `json:"through"`
	Reason  string            `json:"reason"`
	By      string            `json:"by"`
	At      time.Time         `json:"at"`
}

type bookLockView struct {
	Through        *subscription.Day   `json:"through"`
	CanLockThrough subscription.Day    `json:"can_lock_through"`
	History        []bookLockEntryView `json:"history"`
}

// dayOrNone returns nil for no day.
func dayOrNone(day subscription.Day) *subscription.Day {
	if day == 0 {
		return nil
	}
	return &day
}

func (h *SupportBooks) view(ctx context.Context) (bookLockView, error) {
	history, err := h.locks.History(ctx)
	if err != nil {
		return bookLockView{}, err
	}
	v := bookLockView{CanLockThrough: h.locks.LastMonthEnd(), History: make([]bookLockEntryView, 0, len(history))}
	for i, l := range history {
		if i == 0 {
			v.Through = dayOrNone(l.Through)
		}
		v.History = append(v.History, bookLockEntryView{Through: dayOrNone(l.Through), Reason: l.Reason, By: l.By, At: l.At.UTC()})
	}
	return v, nil
}

func (h *SupportBooks) lock(c *gin.Context) error {
	v, err := h.view(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "", v)
}

// lockThrough locks the books, and responds with the resulting lock.
func (h *SupportBooks) lockThrough(c *gin.Context) error {
	var in bookLockBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if _, err := h.locks.Lock(c.Request.Context(), middleware.Staff(c), in.Through, in.Reason); err != nil {
		return err
	}
	v, err := h.view(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "The books are locked.", v)
}
