package handler

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

const auditPage = 50

// recordView is an audit record; hash is SHA-256 over previous and the record, as computed by staff_action_hash.
type recordView struct {
	Sequence   int64     `json:"sequence"`
	ID         string    `json:"id"`
	At         time.Time `json:"at"`
	StaffID    string    `json:"staff_id"`
	StaffName  string    `json:"staff_name"`
	Action     string    `json:"action"`
	Target     string    `json:"target"`
	CustomerID *string   `json:"customer_id"`
	Reason     string    `json:"reason"`
	Before     string    `json:"before"`
	After      string    `json:"after"`
	RequestID  string    `json:"request_id"`
	Previous   string    `json:"previous"`
	Hash       string    `json:"hash"`
}

// auditRowView is a record as the page shows it, with readable names for its target and customer.
type auditRowView struct {
	recordView

	Subject      string `json:"subject"`
	CustomerName string `json:"customer_name"`
}

func viewOfRecord(r staff.Record) recordView {
	return recordView{
		Sequence: r.Sequence, ID: r.ID, At: r.At.UTC(), StaffID: r.StaffID, StaffName: r.StaffName, Action: r.Action.Action,
		Target: r.Target, CustomerID: r.FranchiserRef, Reason: r.Reason, Before: r.Before, After: r.After, RequestID: r.RequestID,
		Previous: hex.EncodeToString(r.Previous), Hash: hex.EncodeToString(r.Hash),
	}
}

type checkView struct {
	At      time.Time `json:"at"`
	Entries int64     `json:"entries"`
	Whole   bool      `json:"whole"`
	Problem string    `json:"problem"`
}

// auditFilter parses the filter; from and to are days in India, both inclusive.
func auditFilter(c *gin.Context) (staff.AuditFilter, error) {
	f := staff.AuditFilter{StaffID: c.Query("staff_id"), Action: c.Query("action"), FranchiserID: c.Query("customer_id")}
	var v errs.Validation
	day := func(name string) time.Time {
		text := c.Query(name)
		if text == "" {
			return time.Time{}
		}
		at, err := time.ParseInLocation(time.DateOnly, text, clock.IST)
		v.Check(err == nil, name, "Write the day as 2026-11-21.")
		return at
	}
	f.From, f.To = day("from"), day("to")
	if !f.To.IsZero() {
		f.To = f.To.AddDate(0, 0, 1)
	}
	if before := c.Query("before"); before != "" {
		n, err := strconv.ParseInt(before, 10, 64)
		v.Check(err == nil && n > 0, "before", "This is no place in the trail.")
		f.Before = n
	}
	return f, v.Err()
}

func (h *Support) audit(c *gin.Context) error {
	f, err := auditFilter(c)
	if err != nil {
		return err
	}
	records, err := h.staff.Audit(c.Request.Context(), f, auditPage+1)
	if err != nil {
		return err
	}
	members, err := h.staff.Members(c.Request.Context())
	if err != nil {
		return err
	}
	check, err := h.staff.LastCheck(c.Request.Context())
	if err != nil {
		return err
	}
	answer := gin.H{"next": nil, "staff": members, "check": nil}
	if len(records) > auditPage {
		records = records[:auditPage]
		answer["next"] = records[auditPage-1].Sequence
	}
	if err := h.note(c, staff.ReadList("audit")); err != nil {
		return err
	}
	rows := make([]auditRowView, 0, len(records))
	for _, r := range records {
		rows = append(rows, auditRowView{recordView: viewOfRecord(r), Subject: r.Subject, CustomerName: r.CustomerName})
	}
	answer["records"] = rows
	if check != nil {
		answer["check"] = checkView{At: check.At.UTC(), Entries: check.Entries, Whole: check.BrokenAt == 0, Problem: check.Problem}
	}
	return OK(c, "", answer)
}

// exportAudit streams the audit trail line by line, so that memory use does not depend on its length.
func (h *Support) exportAudit(c *gin.Context) error {
	f, err := auditFilter(c)
	if err != nil {
		return err
	}
	format := c.DefaultQuery("format", "csv")
	if format != "csv" && format != "jsonl" {
		return errs.Invalid("Please check the marked fields.").Field("format", "Choose csv or jsonl.")
	}
	day := h.clock.Now().In(clock.IST).Format(time.DateOnly)
	contentType := map[string]string{"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}[format]
	takeTime(c)
	write, flush := recordWriter(c.Writer, format)
	begin := func() {
		c.Header("Content-Type", contentType)
		c.Header("Cache-Control", "no-store")
		c.Header("Content-Disposition", `attachment; filename="audit-`+day+`.`+format+`"`)
	}
	err = h.staff.Export(c.Request.Context(), middleware.Staff(c), f, func(r staff.Record) error {
		if !c.Writer.Written() {
			begin()
		}
		return write(viewOfRecord(r))
	})
	if err != nil {
		return err // after the first line the connection is cut, so the file is visibly incomplete
	}
	if !c.Writer.Written() {
		begin()
	}
	return flush()
}

func recordWriter(w io.Writer, format string) (write func(recordView) error, flush func() error) {
	if format == "jsonl" {
		enc := json.NewEncoder(w)
		return func(r recordView) error { return enc.Encode(r) }, func() error { return nil } // the handler's own writer
	}
	out := text.NewSheet(w)
	head := []string{
		"sequence", "id", "at", "staff_id", "staff_name", "action", "target", "customer_id", "reason", "before", "after", "request_id",
		"previous", "hash",
	}
	begun := false
	return func(r recordView) error {
			if !begun {
				begun = true
				if err := out.Write(head); err != nil {
					return fmt.Errorf("write export: %w", err)
				}
			}
			customer := ""
			if r.CustomerID != nil {
				customer = *r.CustomerID
			}
			return out.Write([]string{ // the handler's own writer
				strconv.FormatInt(r.Sequence, 10), r.ID, r.At.Format(time.RFC3339Nano), r.StaffID, text.Cell(r.StaffName), r.Action, text.Cell(r.Target),
				customer, text.Cell(r.Reason), text.Cell(r.Before), text.Cell(r.After), r.RequestID, r.Previous, r.Hash,
			})
		}, func() error {
			out.Flush()
			return out.Error()
		}
}
