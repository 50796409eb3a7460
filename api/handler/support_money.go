package handler

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
)

// MoneyRecords returns what became of payments; desk.Service implements it.
type MoneyRecords interface {
	Trail(ctx context.Context, books *ledger.Service, name string) (desk.Trail, error)
}

// Settlements returns what gateways paid out; settlement.Service implements it.
type Settlements interface {
	Report(ctx context.Context, first, last subscription.Day) (settlement.Report, error)
	Day(ctx context.Context, gateway string, day subscription.Day) (settlement.ComparedDay, error)
	OfTransaction(ctx context.Context, gateway, transactionID string) ([]settlement.StoredLine, error)
}

// Comparer repeats settlement comparisons and acknowledges permanent differences; settlement.Comparisons implements it.
type Comparer interface {
	Ask(ctx context.Context, p staff.Principal, gateway string, day subscription.Day, reason string) (jobID int64, err error)
	Acknowledge(ctx context.Context, p staff.Principal, differenceID, reason string) (settlement.Difference, error)
}

// SupportMoney handles calls by staff and auditors who trace money: payment by payment, and day by day against the gateway.
type SupportMoney struct {
	records     MoneyRecords
	settlements Settlements
	books       *ledger.Service
	compare     Comparer
	people      Reader
	clock       clock.Clock
	// approveAbove is the most of one payment that can be refunded without a second person's approval.
	approveAbove money.Paise
}

// NewSupportMoney returns the handlers backed by the records, the settlements and the books.
func NewSupportMoney(records MoneyRecords, settlements Settlements, books *ledger.Service, compare Comparer, people Reader, clk clock.Clock,
	approveAbove money.Paise,
) *SupportMoney {
	return &SupportMoney{
		records: records, settlements: settlements, books: books, compare: compare, people: people, clock: clk, approveAbove: approveAbove,
	}
}

// RegisterSupportMoney adds the routes to the engine, all behind before and require.
func RegisterSupportMoney(e *gin.Engine, h *SupportMoney, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/payments/:payment/trail", Handle(h.trail))
	private.GET("/settlements", Handle(h.listSettlements))
	private.GET("/settlements/:gateway/:day", Handle(h.settlement))
	private.POST("/settlements/:gateway/compare", Handle(h.compareOpen))
	private.POST("/settlement-differences/:id/acknowledge", Handle(h.acknowledge))
	private.POST("/settlements/:gateway/:day/compare", Handle(h.compareDay))
}

const (
	settlementDays    = 31
	maxSettlementDays = 366
)

func (h *SupportMoney) listSettlements(c *gin.Context) error {
	var v errs.Validation
	last, ok := dayQuery(c, "to", subscription.DayOf(h.clock.Now()))
	v.Check(ok, "to", "Write a day as 2026-11-21.")
	first, ok := dayQuery(c, "from", last-settlementDays+1)
	v.Check(ok, "from", "Write a day as 2026-11-21.")
	v.Check(first <= last && last-first < maxSettlementDays, "from", "Ask for 1 to 366 days.")
	if err := v.Err(); err != nil {
		return err
	}
	report, err := h.settlements.Report(c.Request.Context(), first, last)
	if err != nil {
		return err
	}
	views := make([]settlementView, 0, len(report.Days))
	for _, d := range report.Days {
		views = append(views, viewOfSettlement(d))
	}
	return OK(c, "", gin.H{
		"from": first, "to": last, "days": views, "open_lines": viewsOfLines(report.Open),
		"open_differences": viewsOfDifferences(report.OpenDifferences), "acknowledged_differences": viewsOfDifferences(report.Acknowledged),
	})
}

// compareOpen queues a comparison of everything due and open at the gateway.
func (h *SupportMoney) compareOpen(c *gin.Context) error { return h.askComparison(c, 0) }

// compareDay queues fetching one day again, and a comparison of everything open.
func (h *SupportMoney) compareDay(c *gin.Context) error {
	var day subscription.Day
	if err := day.UnmarshalText([]byte(c.Param("day"))); err != nil || day <= 0 {
		return errs.NotFound()
	}
	return h.askComparison(c, day)
}

func (h *SupportMoney) askComparison(c *gin.Context, day subscription.Day) error {
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	jobID, err := h.compare.Ask(c.Request.Context(), middleware.Staff(c), c.Param("gateway"), day, in.Reason)
	if err != nil {
		return err
	}
	return answerDone(c, support.Done{Message: "The settlement is being compared. The result appears here in a moment.", JobID: &jobID}, nil)
}

func dayQuery(c *gin.Context, name string, otherwise subscription.Day) (subscription.Day, bool) {
	text := c.Query(name)
	if text == "" {
		return otherwise, true
	}
	var d subscription.Day
	return d, d.UnmarshalText([]byte(text)) == nil && d != 0
}

func (h *SupportMoney) settlement(c *gin.Context) error {
	var day subscription.Day
	if err := day.UnmarshalText([]byte(c.Param("day"))); err != nil || day == 0 {
		return errs.NotFound()
	}
	d, err := h.settlements.Day(c.Request.Context(), c.Param("gateway"), day)
	if err != nil {
		return err
	}
	return OK(c, "", gin.H{"day": viewOfSettlement(d), "lines": viewsOfLines(d.All)})
}

// acknowledge records why a permanent difference remains.
func (h *SupportMoney) acknowledge(c *gin.Context) error {
	var in reasonBody
	if err := Bind(c, &in); err != nil {
		return err
	}
	d, err := h.compare.Acknowledge(c.Request.Context(), middleware.Staff(c), c.Param("id"), in.Reason)
	if err != nil {
		return err
	}
	return OK(c, "The difference is acknowledged.", viewsOfDifferences([]settlement.Difference{d})[0])
}

func (h *SupportMoney) trail(c *gin.Context) error {
	t, err := h.records.Trail(c.Request.Context(), h.books, c.Param("payment"))
	if err != nil {
		return err
	}
	if err := h.people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ReadTrail(t.Payment.FranchiserID, t.Payment.ID)); err != nil {
		return err
	}
	settled, err := h.settlements.OfTransaction(c.Request.Context(), t.Payment.Gateway, t.Payment.TransactionID)
	if err != nil {
		return err
	}
	view := viewOfTrail(t, settled)
	view["approval_above_paise"] = int64(h.approveAbove)
	return OK(c, "", view)
}
