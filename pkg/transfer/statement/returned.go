package statement

import (
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// outgoing is a line of money out, as far as it may return a credit of the same file.
type outgoing struct {
	line    int
	day     time.Time
	amount  money.Paise
	numbers []string // the UTRs that the line names
	reverts bool     // the line is negative money in, or says that it returns money
}

// returnWords are the banks' words for money that goes back.
func returnWords() []string {
	return []string{"RETURN", "RETURNED", "RETURNS", "RTN", "RET", "RETD", "REVERSAL", "REVERSED", "REVERSE", "REVERT", "REV", "RVSL", "REJECT", "REJECTED", "REJ"}
}

// readOutgoing notes a line of money out.
func (r *reader) readOutgoing(line sheet.Line, day time.Time, amount money.Paise) {
	out := outgoing{line: line.Number, day: day, amount: amount}
	if in, ok := readSum(r.cell(line, ColumnCredit)); ok && in.Amount > 0 {
		out.reverts = true
	}
	for _, word := range utr.WordsOf(strings.ToUpper(strings.Join(append(r.cells(line, ColumnReference), r.cells(line, ColumnNarration)...), " "))) {
		out.reverts = out.reverts || slices.Contains(returnWords(), word)
		if number := utr.Clean(word); utr.HasForm(number) || utr.IsRRN(number) {
			out.numbers = append(out.numbers, number)
		}
	}
	r.outgoing = append(r.outgoing, out)
}

// returns reports whether the line returns the credit: it names the credit's UTR, or it names no UTR, returns money of the same amount and
// is not older.
func (o outgoing) returns(c Row) bool {
	if slices.Contains(o.numbers, c.UTR) {
		return true
	}
	return len(o.numbers) == 0 && o.reverts && o.amount == c.Amount && !o.day.Before(c.PaidAt)
}

// markReturned marks the credits that the same file returns.
func (s *Statement) markReturned() {
	for i := range s.Rows {
		c := &s.Rows[i]
		if at := slices.IndexFunc(s.outgoing, func(o outgoing) bool { return o.returns(*c) }); at >= 0 && c.Amount > 0 {
			c.ReturnedBy = s.outgoing[at].line
		}
	}
}
