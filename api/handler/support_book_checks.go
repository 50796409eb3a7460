package handler

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
)

// BookChecks stores the findings of the ledger's checks; ledger.Service implements it.
type BookChecks interface {
	Board(ctx context.Context) (ledger.Board, error)
}

// Schedules runs scheduled jobs at once; jobadmin.Service implements it.
type Schedules interface {
	RunSchedule(ctx context.Context, p staff.Principal, kind, reason string) (jobID int64, err error)
}

// SupportBookChecks handles staff calls on the checks of the books.
type SupportBookChecks struct {
	checks    BookChecks
	schedules Schedules
}

// NewSupportBookChecks returns the handlers backed by the books and the schedules.
func NewSupportBookChecks(checks BookChecks, schedules Schedules) *SupportBookChecks {
	return &SupportBookChecks{checks: checks, schedules: schedules}
}

// RegisterSupportBookChecks adds the routes to the engine, all behind before and require.
func RegisterSupportBookChecks(e *gin.Engine, h *SupportBookChecks, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/books/checks", Handle(h.board))
	private.POST("/books/checks/run", Handle(h.run))
}

type bookCheckView struct {
	At        time.Time   `json:"at"`
	Journals  int64       `json:"journals"`
	Documents int64       `json:"documents"`
	Payments  int64       `json:"payments"`
	Debit     money.Paise `json:"debit_paise"`
	Credit    money.Paise `json:"credit_paise"`
	Findings  int         `json:"findings"`
}

type bookFindingView struct {
	Subject string `json:"subject"`
	Detail  string `json:"detail"`
}

type bookPointView struct {
	At       time.Time `json:"at"`
	Findings int       `json:"findings"`
}

type invariantView struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Findings int               `json:"findings"`
	Rows     []bookFindingView `json:"rows"`
	Trend    []bookPointView   `json:"trend"`
}

type bookBoardView struct {
	Last       *bookCheckView  `json:"last"`
	Invariants []invariantView `json:"invariants"`
}

func (h *SupportBookChecks) board(c *gin.Context) error {
	b, err := h.checks.Board(c.Request.Context())
	if err != nil {
		return err
	}
	v := bookBoardView{Invariants: make([]invariantView, 0, len(b.Invariants))}
	if l := b.Last; l != nil {
		v.Last = &bookCheckView{l.At, l.Journals, l.Documents, l.Payments, l.Debit, l.Credit, l.Findings}
	}
	for _, i := range b.Invariants {
		one := invariantView{i.Name, i.Title(), i.Findings, make([]bookFindingView, 0, len(i.Rows)), make([]bookPointView, 0, len(i.Trend))}
		for _, r := range i.Rows {
			one.Rows = append(one.Rows, bookFindingView{r.Subject, r.Detail})
		}
		for _, p := range i.Trend {
			one.Trend = append(one.Trend, bookPointView(p))
		}
		v.Invariants = append(v.Invariants, one)
	}
	return OK(c, "", v)
}

// run has a worker check the ledger now, in addition to the nightly check.
func (h *SupportBookChecks) run(c *gin.Context) error {
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	jobID, err := h.schedules.RunSchedule(c.Request.Context(), middleware.Staff(c), ledger.VerifyArgs{}.Kind(), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "A worker checks the books as soon as it is free.", gin.H{"job_id": jobID})
}
