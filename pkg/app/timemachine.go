package app

import (
	adapter "github.com/franchise360/franchise360/pkg/adapter/timemachine"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// newTimeMachine returns a service that is off where no program is configured, as in production.
func newTimeMachine(cfg config.Config, c *process.Connections, recorder timemachine.Recorder) *timemachine.Service {
	s := timemachine.NewService(c.DB, c.Clock, recorder)
	client := adapter.New(cfg.TimeMachine)
	if client == nil {
		return s
	}
	measured(c.Meter(), client)
	return s.With(client)
}
