package handler

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

type statementRowView struct {
	Line       int            `json:"line"`
	UTR        string         `json:"utr"`
	Amount     money.Paise    `json:"amount_paise"`
	PaidAt     *time.Time     `json:"paid_at"`
	PayerName  string         `json:"payer_name"`
	Narration  string         `json:"narration"`
	Problem    string         `json:"problem"`
	Known      bool           `json:"known"`
	Dismissed  bool           `json:"dismissed"`
	ReturnedBy int            `json:"returned_by"`
	Proposals  []proposalView `json:"proposals"`
}

type sampleLineView struct {
	Line  int      `json:"line"`
	Cells []string `json:"cells"`
}

type statementView struct {
	Bank       string             `json:"bank"`
	Remembered bool               `json:"remembered"`
	Choice     string             `json:"choice"`
	Asks       statement.Asks     `json:"asks"`
	Line       int                `json:"line"`
	Headings   []string           `json:"headings"`
	Columns    []statement.Column `json:"columns"`
	Order      sheet.DayOrder     `json:"day_order"`
	Sample     []sampleLineView   `json:"sample"`
	Lines      int                `json:"lines"`
	Debits     int                `json:"debits"`
	Notes      []string           `json:"notes"`
	Credits    []statementRowView `json:"credits"`
}

func statementViewOf(s statement.Statement) statementView {
	v := statementView{
		s.Bank, s.Remembered, s.Choice, s.Asks, s.Layout.Line, s.Headings, s.Layout.Columns, s.Layout.Order, make([]sampleLineView, 0, len(s.Sample)), s.Lines, s.Debits,
		append([]string{}, s.Notes...), make([]statementRowView, 0, len(s.Rows)),
	}
	for _, line := range s.Sample {
		v.Sample = append(v.Sample, sampleLineView{line.Line, line.Cells})
	}
	for _, r := range s.Rows {
		row := statementRowView{r.Line, r.UTR, r.Amount, nil, r.PayerName, r.Narration, r.Problem, r.Known, r.Dismissed, r.ReturnedBy, proposalViews(r.Proposals)}
		if !r.PaidAt.IsZero() {
			at := r.PaidAt.UTC()
			row.PaidAt = &at
		}
		v.Credits = append(v.Credits, row)
	}
	return v
}

// preview takes the file as the bank wrote it: the reader decodes it. Its own limit of size goes beyond that of JSON.
func (h *SupportTransfers) preview(c *gin.Context) error {
	if c.ContentType() != "application/octet-stream" {
		return errs.Malformed("Send the file as application/octet-stream.")
	}
	layout, err := layoutOf(c)
	if err != nil {
		return err
	}
	file, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, statement.MaxStatementBytes))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return errs.New(errs.KindTooLarge, "body_too_large", "This file is too large. Please send at most 10 MB.")
		}
		return errs.Malformed("The request could not be read.").Because(err)
	}
	s, err := h.desk.Preview(c.Request.Context(), middleware.Staff(c), file, layout)
	if err != nil {
		return err
	}
	return OK(c, "", statementViewOf(s))
}

// layoutOf reads the columns and the date order that a person chose, or nil.
func layoutOf(c *gin.Context) (*statement.Layout, error) {
	line, columns, order := c.Query("line"), c.Query("columns"), c.Query("day_order")
	if line+columns+order == "" {
		return nil, nil // a person chose nothing
	}
	var v errs.Validation
	layout := statement.Layout{Order: sheet.DayOrder(order)}
	v.Check(slices.Contains([]sheet.DayOrder{sheet.OrderUnknown, sheet.OrderDayFirst, sheet.OrderMonthFirst}, layout.Order), "day_order", "Choose whether the day or the month comes first.")
	if line+columns != "" {
		n, err := strconv.Atoi(line)
		v.Check(err == nil && n > 0, "line", "Choose the line of the headings.")
		layout.Line = n
		for name := range strings.SplitSeq(columns, ",") {
			layout.Columns = append(layout.Columns, statement.Column(name))
			v.Check(slices.Contains(statement.Columns(), statement.Column(name)), "columns", "Choose what each column holds.")
		}
	}
	return &layout, v.Err()
}
