package handler

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// ClockMover moves the business clock of all processes and waits for the jobs that fell due.
type ClockMover interface {
	Now() time.Time
	Offset() time.Duration
	Advance(ctx context.Context, seconds int64) error
}

// RegisterDev adds the development-only routes: the clock, and the inbox that replaces phones.
func RegisterDev(e *gin.Engine, mover ClockMover, inbox Inbox) {
	g := e.Group("/dev")
	g.GET("/clock", Handle(func(c *gin.Context) error { return answerClock(c, "Clock.", mover) }))
	g.POST("/clock", Handle(func(c *gin.Context) error {
		var in struct {
			AdvanceSeconds int64 `json:"advance_seconds"`
		}
		if err := Bind(c, &in); err != nil {
			return err
		}
		takeTime(c)
		if err := mover.Advance(c.Request.Context(), in.AdvanceSeconds); err != nil {
			return err
		}
		return answerClock(c, "Clock moved.", mover)
	}))
	if inbox == nil {
		return
	}
	g.GET("/sms", Handle(listSMS(inbox)))
	g.POST("/sms", Handle(setSMSMode(inbox)))
}

func answerClock(c *gin.Context, message string, mover ClockMover) error {
	return OK(c, message, gin.H{
		"now":            mover.Now().Format(time.RFC3339),
		"offset_seconds": int64(mover.Offset() / time.Second),
	})
}

// smsMode is how the inbox treats incoming messages.
type smsMode struct {
	Mode string `json:"mode"`
}

// Inbox is the process that replaces phones in development.
type Inbox interface {
	// List returns the messages sent to a mobile, or all if it is empty, newest first.
	List(ctx context.Context, mobile string) (json.RawMessage, error)
	// SetMode makes it accept messages (ok), refuse them (fail) or never respond (timeout).
	SetMode(ctx context.Context, mode string) error
}

func listSMS(inbox Inbox) Func {
	return func(c *gin.Context) error {
		list, err := inbox.List(c.Request.Context(), c.Query("mobile"))
		if err != nil {
			return errs.Unavailable(err)
		}
		return OK(c, "Messages.", list)
	}
}

func setSMSMode(inbox Inbox) Func {
	messages := map[string]string{
		"ok": "The SMS provider works.", "fail": "The SMS provider now fails.", "timeout": "The SMS provider now never answers.",
	}
	return func(c *gin.Context) error {
		var in smsMode
		if err := Bind(c, &in); err != nil {
			return err
		}
		message, known := messages[in.Mode]
		if !known {
			return errs.Invalid("Choose ok, fail or timeout.").Field("mode", "Choose ok, fail or timeout.")
		}
		if err := inbox.SetMode(c.Request.Context(), in.Mode); err != nil {
			return errs.Unavailable(err)
		}
		return OK(c, message, in)
	}
}
