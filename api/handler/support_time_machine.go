package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// SupportTimeMachine shows staff what would follow for a customer.
type SupportTimeMachine struct{ machine *timemachine.Service }

// NewSupportTimeMachine returns the handlers over the service.
func NewSupportTimeMachine(machine *timemachine.Service) *SupportTimeMachine {
	return wiring.Complete(&SupportTimeMachine{machine: machine})
}

// RegisterSupportTimeMachine adds the route to the engine, behind before and require.
func RegisterSupportTimeMachine(e *gin.Engine, h *SupportTimeMachine, before, require []gin.HandlerFunc) {
	e.Group(SupportPrefix, before...).Group("", require...).POST("/time-machine/:id", Handle(h.ask))
}

func (h *SupportTimeMachine) ask(c *gin.Context) error {
	franchiserID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Months   int              `json:"months"`
		Pays     timemachine.Pays `json:"pays"`
		ChangeID string           `json:"change_id"`
	}
	if err := Bind(c, &in); err != nil {
		return err
	}
	q := timemachine.Question{FranchiserID: franchiserID, Months: in.Months, Pays: in.Pays, ChangeID: in.ChangeID}
	answer, err := h.machine.Ask(c.Request.Context(), middleware.Staff(c), q)
	if err != nil {
		return err
	}
	return OK(c, "", answer)
}
