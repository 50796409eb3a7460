package handler

import (
	"encoding/csv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/payment"
)

// exportBatch is how many rows one query of an export brings.
const exportBatch = 500

// gone says that the reader takes nothing more, which is its own business and no failure of ours.
func gone(w *csv.Writer) bool { return w.Error() != nil }

// cell keeps a spreadsheet from taking a text for a formula.
func cell(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	if s != "" && strings.ContainsRune("=+-@|\t\r\n＝＋－＠｜﹦﹢﹣﹫−", first) && s != "-" {
		return "'" + s
	}
	return s
}

// streamCSV answers with batches of rows until one is short. The first batch is read before the answer begins, so that what
// fails fails with the usual envelope.
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
	_ = w.Write(header) // w keeps its first error: a reader that has gone
	for {
		for _, r := range rows {
			for i := range r {
				r[i] = cell(r[i])
			}
			_ = w.Write(r)
		}
		w.Flush()
		if len(rows) < exportBatch || gone(w) {
			return nil
		}
		q.After = &last // what is ordered meanwhile moves no row into two batches
		if rows, last, err = batch(q); err != nil {
			return err // the answer has begun: it breaks off, and the log says why
		}
	}
}
