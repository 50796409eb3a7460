package app

import (
	adapter "github.com/franchise360/franchise360/pkg/adapter/timemachine"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// newTimeMachine returns a service that is off where no program is configured, as in production.
func newTimeMachine(cfg config.Config, c *process.Connections, recorder timemachine.Recorder) *timemachine.Service {
	o := timemachine.Options{DB: c.DB, Clock: c.Clock, Recorder: recorder}
	if client := adapter.New(cfg.TimeMachine); client != nil {
		measured(c.Meter(), client)
		o.Machine = client
	}
	return timemachine.NewService(o)
}
