package handler

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/staff"
)

func (h *SupportJobs) queues(c *gin.Context) error {
	b, err := h.service.Board(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"queues": b.Queues, "running": b.Running, "workers": b.Workers, "schedules": b.Schedules})
}

func (h *SupportJobs) pause(c *gin.Context) error {
	return h.control(c, h.service.Pause, "The queue is paused.")
}

func (h *SupportJobs) resume(c *gin.Context) error {
	return h.control(c, h.service.Resume, "The queue goes on.")
}

func (h *SupportJobs) control(c *gin.Context, do func(ctx context.Context, p staff.Principal, name, reason string) error, message string) error {
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	if err := do(c.Request.Context(), middleware.Staff(c), c.Param("name"), in.Reason); err != nil {
		return err
	}
	return OK(c, message, nil)
}

func (h *SupportJobs) runSchedule(c *gin.Context) error {
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	jobID, err := h.service.RunSchedule(c.Request.Context(), middleware.Staff(c), c.Param("kind"), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "A worker starts it as soon as it is free.", gin.H{"job_id": jobID})
}
