package handler

import (
	"encoding/csv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

// exportBatch is the number of rows per export query.
const exportBatch = 500

// gone reports whether the client has disconnected, which is not an error on our side.
func gone(w *csv.Writer) bool { return w.Error() != nil }

// beginCSV starts a response that is a file of that name. The writer keeps its first error: a client that disconnected.
func beginCSV(c *gin.Context, name string) *csv.Writer {
	c.Header("Content-Type", "text/csv; charset=utf-8")
	c.Header("Content-Disposition", `attachment; filename="`+name+`"`)
	c.Header("Cache-Control", "no-store")
	return text.NewSheet(c.Writer)
}

// writeCells writes a row in which a spreadsheet finds no formula.
func writeCells(w *csv.Writer, cells []string) {
	for i := range cells {
		cells[i] = text.Cell(cells[i])
	}
	_ = w.Write(cells)
}

// streamCSV writes batches of rows until one is short. The first batch is read before the response starts, so that errors
// can still use the failure envelope.
func streamCSV(c *gin.Context, name string, header []string, batch func(q history.Query) ([][]string, history.Cursor, error)) error {
	p, err := ParsePage(c)
	if err != nil {
		return err
	}
	takeTime(c)
	q := history.Query{Search: p.Search, Limit: exportBatch}
	rows, last, err := batch(q)
	if err != nil {
		return err
	}
	w := beginCSV(c, name)
	_ = w.Write(header)
	for {
		for _, r := range rows {
			writeCells(w, r)
		}
		w.Flush()
		if len(rows) < exportBatch || gone(w) {
			return nil
		}
		q.After = &last // rows ordered meanwhile cannot cause duplicates across batches
		if rows, last, err = batch(q); err != nil {
			return err // the response has started: it is cut off, and the log has the reason
		}
	}
}

// maxListed limits the rows in the file of a list of the console.
const maxListed = 10_000

// listRow is a row of an exported list, with the id that identifies it.
type listRow struct {
	id    string
	cells []string
}

// listFile is a list of the console as CSV. Its name is the one in the audit trail; page returns the rows from the offset on, at most
// exportBatch, and whether there are more.
type listFile struct {
	name   string
	header []string
	page   func(offset int) (rows []listRow, more bool, err error)
}

// sendList writes a list of the console as CSV page by page. The first page is read, and the download recorded, before the response
// starts. A row that moves to the next page meanwhile is written once. The last line says so if there are more rows than were written.
func sendList(c *gin.Context, people Reader, f listFile) error {
	takeTime(c)
	rows, more, err := f.page(0)
	if err != nil {
		return err
	}
	if err := people.NoteRead(c.Request.Context(), middleware.Staff(c), staff.ExportList(f.name)); err != nil {
		return err
	}
	w := beginCSV(c, strings.ReplaceAll(f.name, " ", "-")+".csv")
	_ = w.Write(f.header)
	written := make(map[string]bool)
	for offset := 0; ; {
		for _, row := range rows {
			if written[row.id] {
				continue
			}
			if len(written) == maxListed {
				return endCut(w, len(f.header))
			}
			written[row.id] = true
			writeCells(w, row.cells)
		}
		w.Flush()
		if !more || gone(w) {
			return nil
		}
		if len(rows) == 0 {
			return endCut(w, len(f.header))
		}
		offset += len(rows)
		if rows, more, err = f.page(offset); err != nil {
			return err // the response has started: it is cut off, and the log has the reason
		}
	}
}

// endCut ends a file that holds only the first rows of its list.
func endCut(w *csv.Writer, columns int) error {
	last := make([]string, columns)
	last[0] = "Cut here: the list has more rows. Narrow the filters for them."
	_ = w.Write(last)
	w.Flush()
	return nil
}

// istCell formats a time for a cell whose header says IST; empty for nil.
func istCell(at *time.Time) string {
	if at == nil || at.IsZero() {
		return ""
	}
	return at.In(clock.IST).Format(time.DateTime)
}

// yesCell is yes or no.
func yesCell(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
