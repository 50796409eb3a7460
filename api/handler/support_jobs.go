package handler

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/support"
)

func (h *Support) jobs(c *gin.Context) error {
	page, err := ParsePage(c)
	if err != nil {
		return err
	}
	f := support.JobFilter{State: c.Query("state"), Kind: c.Query("kind"), Queue: c.Query("queue"), Error: page.Search, FranchiserID: c.Query("customer_id")}
	list, err := h.desk.FailedJobs(c.Request.Context(), f, page.PerPage, page.Offset())
	if err != nil {
		return err
	}
	answer := gin.H{"jobs": list.Jobs, "groups": list.Groups, "total": list.Total, "page": page.Number, "per_page": page.PerPage}
	return OK(c, "", answer)
}

func (h *Support) job(c *gin.Context) error {
	number, err := strconv.ParseInt(c.Param("job"), 10, 64)
	if err != nil || number < 1 {
		return errs.NotFound()
	}
	job, err := h.desk.Job(c.Request.Context(), number)
	if err != nil {
		return err
	}
	return OK(c, "", job)
}

type jobsChange struct {
	IDs    []int64 `json:"ids"`
	Reason string  `json:"reason"`
}

func (h *Support) rerun(c *gin.Context) error {
	var in jobsChange
	if err := Bind(c, &in); err != nil {
		return err
	}
	results, err := h.desk.Rerun(c.Request.Context(), middleware.Staff(c), in.IDs, in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"results": results})
}

func (h *Support) cancel(c *gin.Context) error {
	var in jobsChange
	if err := Bind(c, &in); err != nil {
		return err
	}
	results, err := h.desk.Cancel(c.Request.Context(), middleware.Staff(c), in.IDs, in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"results": results})
}

func (h *Support) queues(c *gin.Context) error {
	list, err := h.desk.Queues(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"queues": list})
}
