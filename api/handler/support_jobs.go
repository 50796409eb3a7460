package handler

import (
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// SupportJobs handles staff calls that view and manage jobs and queues.
type SupportJobs struct {
	service *jobadmin.Service
	people  Reader
}

// NewSupportJobs returns the handlers backed by the service.
func NewSupportJobs(w *jobadmin.Service, people Reader) *SupportJobs {
	return &SupportJobs{service: w, people: people}
}

// RegisterSupportJobs adds the routes to the engine, all behind before and require.
func RegisterSupportJobs(e *gin.Engine, h *SupportJobs, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	jobs := private.Group("/jobs", middleware.Idempotency)
	jobs.GET("", Handle(h.list))
	jobs.GET("/export", Handle(h.export))
	jobs.GET("/summary", Handle(h.summary))
	jobs.GET("/operations", Handle(h.operations))
	jobs.POST("/operations", Handle(h.begin))
	jobs.GET("/operations/:id", Handle(h.operation))
	jobs.POST("/dry-runs", Handle(h.dryRun))
	jobs.POST("/dry-runs/:id/continue", Handle(h.continueDryRun))
	jobs.GET("/:job", Handle(h.job))
	for _, action := range []jobadmin.JobAction{jobadmin.JobRerun, jobadmin.JobCancel, jobadmin.JobDismiss, jobadmin.JobSnooze} {
		jobs.POST("/"+string(action), Handle(h.change(action)))
	}
	private.GET("/queues", Handle(h.queues))
	private.POST("/queues/:name/pause", Handle(h.pause))
	private.POST("/queues/:name/resume", Handle(h.resume))
	private.POST("/schedules/:kind/run", Handle(h.runSchedule))
}

const (
	defaultJobs = 100
	maxJobs     = 500
)

func (h *SupportJobs) list(c *gin.Context) error {
	f, err := jobFilter(c)
	if err != nil {
		return err
	}
	after, err := jobadmin.ParseJobCursor(c.Query("after"))
	if err != nil {
		return err
	}
	limit := defaultJobs
	if text := c.Query("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxJobs {
			return errs.Invalid("Please check the marked fields.").Field("limit", "Rows per page must be from 1 to 500.")
		}
	}
	page, err := h.service.FailedJobs(c.Request.Context(), f, after, limit)
	if err != nil {
		return err
	}
	first := jobadmin.JobCursor{}
	if len(page.Jobs) > 0 {
		first = jobadmin.JobCursor{At: page.Jobs[0].FailedAt, ID: page.Jobs[0].ID}
	}
	return OK(c, "", gin.H{"jobs": page.Jobs, "first": first.String(), "next": page.Next.String()})
}

// export writes the listed rows as CSV.
func (h *SupportJobs) export(c *gin.Context) error {
	f, err := jobFilter(c)
	if err != nil {
		return err
	}
	after := jobadmin.JobCursor{}
	return sendList(c, h.people, listFile{
		name: "jobs",
		header: []string{
			"Job", "Kind", "Queue", "State", "Attempt", "Of attempts", "Failed on (IST)", "Next on (IST)", "Last error", "Customer", "Sign-up",
			"Customer id",
		},
		page: func(int) ([]listRow, bool, error) {
			page, err := h.service.FailedJobs(c.Request.Context(), f, after, exportBatch)
			after = page.Next
			rows := make([]listRow, 0, len(page.Jobs))
			for _, j := range page.Jobs {
				number, next := strconv.FormatInt(j.ID, 10), ""
				if j.State == "retryable" || j.State == "scheduled" {
					next = istCell(&j.ScheduledAt)
				}
				rows = append(rows, listRow{number, []string{
					number, j.Kind, j.Queue, j.State, strconv.Itoa(j.Attempt), strconv.Itoa(j.MaxAttempts), istCell(&j.FailedAt), next, j.LastError,
					j.CustomerName, j.SignUp, j.FranchiserID,
				}})
			}
			return rows, page.Next != (jobadmin.JobCursor{}), err
		},
	})
}

func (h *SupportJobs) summary(c *gin.Context) error {
	f, err := jobFilter(c)
	if err != nil {
		return err
	}
	s, err := h.service.Summary(c.Request.Context(), f)
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{
		"total": s.Total, "newer": s.Newer, "groups": s.Groups, "facets": s.Facets, "bars": s.Bars, "step_seconds": s.StepSeconds,
	})
}

func (h *SupportJobs) job(c *gin.Context) error {
	number, err := strconv.ParseInt(c.Param("job"), 10, 64)
	if err != nil || number < 1 {
		return errs.NotFound()
	}
	job, err := h.service.Job(c.Request.Context(), number)
	if err != nil {
		return err
	}
	return OK(c, "", job)
}

type jobsChange struct {
	IDs           []int64 `json:"ids"`
	Reason        string  `json:"reason"`
	SnoozeSeconds int64   `json:"snooze_seconds"`
}

func (h *SupportJobs) change(action jobadmin.JobAction) Func {
	return func(c *gin.Context) error {
		var in jobsChange
		if err := Bind(c, &in); err != nil {
			return err
		}
		results, err := h.service.Change(c.Request.Context(), middleware.Staff(c), jobadmin.JobChange{
			Action: action, IDs: in.IDs, Reason: in.Reason, Snooze: snooze(in.SnoozeSeconds), Key: middleware.IdempotencyKey(c),
		})
		if err != nil {
			return err
		}
		return OK(c, "", gin.H{"results": results})
	}
}

type jobsFilter struct {
	State      string     `json:"state"`
	Kind       string     `json:"kind"`
	Queue      string     `json:"queue"`
	Search     string     `json:"search"`
	Cause      string     `json:"cause"`
	By         string     `json:"by"`
	CustomerID string     `json:"customer_id"`
	Arg        string     `json:"arg"`
	From       *time.Time `json:"from" null:"allowed"`
	To         *time.Time `json:"to" null:"allowed"`
	Seen       string     `json:"seen"`
}

type jobsOperation struct {
	Action        jobadmin.JobAction `json:"action"`
	IDs           []int64            `json:"ids"`
	Filter        *jobsFilter        `json:"filter"`
	DryRun        string             `json:"dry_run"`
	FailedIn      string             `json:"failed_in"`
	Reason        string             `json:"reason"`
	SnoozeSeconds int64              `json:"snooze_seconds"`
}

func (in jobsOperation) change() (jobadmin.JobChange, error) {
	change := jobadmin.JobChange{
		Action: in.Action, IDs: in.IDs, DryRun: in.DryRun, FailedIn: in.FailedIn, Reason: in.Reason, Snooze: snooze(in.SnoozeSeconds),
	}
	if in.Filter != nil {
		f, err := in.Filter.filter()
		if err != nil {
			return change, err
		}
		change.Filter = &f
	}
	return change, nil
}

func (h *SupportJobs) begin(c *gin.Context) error {
	var in jobsOperation
	if err := Bind(c, &in); err != nil {
		return err
	}
	change, err := in.change()
	if err != nil {
		return err
	}
	change.Key = middleware.IdempotencyKey(c)
	o, err := h.service.Begin(c.Request.Context(), middleware.Staff(c), change)
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"id": o.ID, "total": o.Total})
}

func (h *SupportJobs) operations(c *gin.Context) error {
	list, err := h.service.Operations(c.Request.Context())
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"operations": list})
}

func (h *SupportJobs) operation(c *gin.Context) error {
	operationID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	o, err := h.service.Operation(c.Request.Context(), operationID)
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"operation": o.Operation, "results": o.Results, "refusals": o.Refusals, "aftermath": o.Aftermath})
}

type jobsDryRun struct {
	Action   jobadmin.JobAction `json:"action"`
	IDs      []int64            `json:"ids"`
	Filter   *jobsFilter        `json:"filter"`
	FailedIn string             `json:"failed_in"`
}

func (h *SupportJobs) dryRun(c *gin.Context) error {
	var in jobsDryRun
	if err := Bind(c, &in); err != nil {
		return err
	}
	change, err := jobsOperation{Action: in.Action, IDs: in.IDs, Filter: in.Filter, FailedIn: in.FailedIn}.change()
	if err != nil {
		return err
	}
	d, err := h.service.DryRun(c.Request.Context(), middleware.Staff(c), change)
	if err != nil {
		return err
	}
	return OK(c, "", dryRunView(d))
}

func (h *SupportJobs) continueDryRun(c *gin.Context) error {
	dryRunID, err := ParamID(c, "id")
	if err != nil {
		return err
	}
	d, err := h.service.ContinueDryRun(c.Request.Context(), middleware.Staff(c), dryRunID)
	if err != nil {
		return err
	}
	return OK(c, "", dryRunView(d))
}

func dryRunView(d jobadmin.DryRun) gin.H {
	return gin.H{"id": d.ID, "total": d.Total, "acts": d.Acts, "nothing": d.Nothing, "refused": d.Refused, "left": d.Left, "refusals": d.Reasons, "failing": d.Failing}
}

// jobFilter parses a filter from the query.
func jobFilter(c *gin.Context) (jobadmin.JobFilter, error) {
	in := jobsFilter{
		State: c.Query("state"), Kind: c.Query("kind"), Queue: c.Query("queue"), Search: c.Query("search"),
		Cause: c.Query("cause"), By: c.Query("by"), Arg: c.Query("arg"), CustomerID: c.Query("customer_id"), Seen: c.Query("seen"),
	}
	var v errs.Validation
	for name, into := range map[string]**time.Time{"from": &in.From, "to": &in.To} {
		if text := c.Query(name); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			v.Check(err == nil, name, "Give a time such as 2026-11-21T05:30:00Z.")
			*into = &at
		}
	}
	if err := v.Err(); err != nil {
		return jobadmin.JobFilter{}, err
	}
	return in.filter()
}

func (in jobsFilter) filter() (jobadmin.JobFilter, error) {
	seen, err := jobadmin.ParseJobCursor(in.Seen)
	return jobadmin.JobFilter{
		State: in.State, Kind: in.Kind, Queue: in.Queue, Error: in.Search, Cause: in.Cause, By: jobadmin.CauseOf(in.By), Arg: in.Arg, FranchiserID: in.CustomerID,
		From: in.From, To: in.To, Seen: seen,
	}, err
}

// snooze converts seconds to a duration, keeping absurd values out of range without overflow.
func snooze(n int64) time.Duration {
	const most = 100 * 365 * 24 * 3600
	return time.Duration(max(-1, min(n, most))) * time.Second
}
