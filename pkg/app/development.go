package app

import (
	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/process"
)

// NewClockMover builds the mover of the clock that both processes share; in development only.
func NewClockMover(c *process.Connections) *devclock.Mover {
	return devclock.NewMover(c.DB, c.Jobs, c.Shifted)
}

// NewSMSInbox builds the client of the development stack's SMS inbox, if one is configured.
func NewSMSInbox(cfg config.Config) (*sms.Inbox, error) { return sms.NewInbox(cfg.SMS.InboxURL) }
