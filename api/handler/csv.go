package handler

import (
	"encoding/csv"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// exportBatch is the number of rows per export query.
const exportBatch = 500

// gone reports whether the client has disconnected, which is not an error on our side.
func gone(w *csv.Writer) bool { return w.Error() != nil }

// streamCSV writes batches of rows until one is short. The first batch is read before the response starts, so that errors
// can still use the failure envelope.
func streamCSV(c *gin.Context, name string, header []string, batch func(q payment.Query) ([][]string, payment.Cursor, error)) error {
	p, err := ParsePage(c)
	if err != nil {
		return err
	}
	takeTime(c)
	q := payment.Query{Search: p.Search, Limit: exportBatch}
	rows, last, err := batch(q)
	if err != nil {
		return err
	}
	c.Header("Content-Type", "text/csv; charset=utf-8")
	c.Header("Content-Disposition", `attachment; filename="`+name+`"`)
	c.Header("Cache-Control", "no-store")
	w := csv.NewWriter(c.Writer)
	_ = w.Write(header) // w keeps its first error: a client that disconnected
	for {
		for _, r := range rows {
			for i := range r {
				r[i] = text.Cell(r[i])
			}
			_ = w.Write(r)
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
