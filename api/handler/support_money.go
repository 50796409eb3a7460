package handler

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// MoneyRecords tell what became of money; payment.Service is the one that does.
type MoneyRecords interface {
	Trail(ctx context.Context, books *ledger.Service, name string) (payment.Trail, error)
	Settlements(ctx context.Context, first, last subscription.Day) ([]payment.SettlementDay, error)
	Settlement(ctx context.Context, gateway string, day subscription.Day) (payment.SettlementDay, error)
}

// SupportMoney answers staff and auditors who follow money: payment by payment, and day by day against the gateway.
type SupportMoney struct {
	records MoneyRecords
	books   *ledger.Service
	clock   clock.Clock
}

// NewSupportMoney returns the area on the records and the books.
func NewSupportMoney(records MoneyRecords, books *ledger.Service, clk clock.Clock) *SupportMoney {
	return &SupportMoney{records: records, books: books, clock: clk}
}

// RegisterSupportMoney adds the calls to the engine, all behind before and require.
func RegisterSupportMoney(e *gin.Engine, h *SupportMoney, before, require []gin.HandlerFunc) {
	private := e.Group(SupportPrefix, before...).Group("", require...)
	private.GET("/payments/:payment/trail", Handle(h.trail))
	private.GET("/settlements", Handle(h.settlements))
	private.GET("/settlements/:gateway/:day", Handle(h.settlement))
}

const (
	settlementDays    = 31
	maxSettlementDays = 366
)

func (h *SupportMoney) settlements(c *gin.Context) error {
	var v errs.Validation
	last, ok := dayQuery(c, "to", subscription.DayOf(h.clock.Now()))
	v.Check(ok, "to", "Write a day as 2026-11-21.")
	first, ok := dayQuery(c, "from", last-settlementDays+1)
	v.Check(ok, "from", "Write a day as 2026-11-21.")
	v.Check(first <= last && last-first < maxSettlementDays, "from", "Ask for 1 to 366 days.")
	if err := v.Err(); err != nil {
		return err
	}
	days, err := h.records.Settlements(c.Request.Context(), first, last)
	if err != nil {
		return err
	}
	views := make([]settlementView, 0, len(days))
	for _, d := range days {
		views = append(views, viewOfSettlement(d))
	}
	return OK(c, "", gin.H{"from": first, "to": last, "days": views})
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
	d, err := h.records.Settlement(c.Request.Context(), c.Param("gateway"), day)
	if err != nil {
		return err
	}
	lines := make([]settlementLineView, 0, len(d.All))
	for _, l := range d.All {
		lines = append(lines, viewOfLine(l))
	}
	return OK(c, "", gin.H{"day": viewOfSettlement(d), "lines": lines})
}

type settlementView struct {
	Gateway     string           `json:"gateway"`
	Day         subscription.Day `json:"day"`
	Lines       int              `json:"lines"`
	Captured    int64            `json:"captured_paise"`
	Refunded    int64            `json:"refunded_paise"`
	Fee         int64            `json:"fee_paise"`
	Tax         int64            `json:"tax_paise"`
	Net         int64            `json:"net_paise"`
	ComparedAt  time.Time        `json:"compared_at"`
	Differences []differenceView `json:"differences"`
}

type differenceView struct {
	TransactionID string                 `json:"transaction_id"`
	Kind          payment.DifferenceKind `json:"kind"`
	Meaning       string                 `json:"meaning"`
	Ours          int64                  `json:"ours_paise"`
	Theirs        int64                  `json:"theirs_paise"`
}

func viewOfSettlement(d payment.SettlementDay) settlementView {
	view := settlementView{
		Gateway: d.Gateway, Day: d.Day, Lines: d.Lines, Captured: int64(d.Captured), Refunded: int64(d.Refunded), Fee: int64(d.Fee),
		Tax: int64(d.Tax), Net: int64(d.Net), ComparedAt: d.ComparedAt.UTC(), Differences: []differenceView{},
	}
	for _, x := range d.Differences {
		view.Differences = append(view.Differences, differenceView{
			TransactionID: x.TransactionID, Kind: x.Kind, Meaning: x.Kind.Meaning(), Ours: int64(x.Ours), Theirs: int64(x.Theirs),
		})
	}
	return view
}

type settlementLineView struct {
	TransactionID    string     `json:"transaction_id"`
	GatewayPaymentID string     `json:"gateway_payment_id"`
	Refund           bool       `json:"refund"`
	RefundID         string     `json:"refund_id"`
	Amount           int64      `json:"amount_paise"`
	Fee              int64      `json:"fee_paise"`
	Tax              int64      `json:"tax_paise"`
	Net              int64      `json:"net_paise"`
	UTR              string     `json:"utr"`
	SettledAt        *time.Time `json:"settled_at"`
}

func viewOfLine(l payment.SettlementLine) settlementLineView {
	view := settlementLineView{
		TransactionID: l.TransactionID, GatewayPaymentID: l.GatewayPaymentID, Refund: l.Refund, RefundID: l.RefundID,
		Amount: int64(l.Amount), Fee: int64(l.Fee), Tax: int64(l.FeeTax), Net: int64(l.Net), UTR: l.UTR,
	}
	if !l.At.IsZero() {
		at := l.At.UTC()
		view.SettledAt = &at
	}
	return view
}

func (h *SupportMoney) trail(c *gin.Context) error {
	t, err := h.records.Trail(c.Request.Context(), h.books, c.Param("payment"))
	if err != nil {
		return err
	}
	return OK(c, "", viewOfTrail(t))
}

// trailSettlementView is a line of a settlement with the day on which it stood.
type trailSettlementView struct {
	settlementLineView

	Gateway string           `json:"gateway"`
	Day     subscription.Day `json:"day"`
}

type trailEventView struct {
	ID         string          `json:"id"`
	At         time.Time       `json:"at"`
	Source     string          `json:"source"`
	Kind       string          `json:"kind"`
	Status     string          `json:"status"`
	Amount     int64           `json:"amount_paise"`
	ExternalID string          `json:"external_id"`
	Fields     json.RawMessage `json:"fields"`
	AppliedAt  *time.Time      `json:"applied_at"`
}
