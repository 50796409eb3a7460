package statement

import (
	"strings"
	"time"
	"unicode"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// tidy removes unprintable characters and truncates the bank's text to the stored length.
func (c Row) tidy() Row {
	short := func(said string, most int) string {
		said = strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) || unicode.IsSpace(r) || r == '\u200C' || r == '\u200D' {
				return r
			}
			return -1
		}, said)
		said = card.Replace(said, func(number string) string {
			return number[:4] + strings.Repeat("X", len(number)-8) + number[len(number)-4:]
		})
		return text.First(strings.Join(strings.Fields(said), " "), most)
	}
	c.PayerName, c.Narration = short(c.PayerName, 200), short(c.Narration, 300)
	return c
}

// Checked sets the problem of a credit that staff typed or a bank wrote. It keeps an earlier problem.
func (c Row) Checked(now time.Time) Row {
	said := c.UTR
	c = c.tidy()
	c.UTR = utr.Clean(said)
	switch {
	case c.Problem != "":
	case c.Amount < 1 || c.Amount > money.Max:
		c.Problem = "The amount is above zero."
	case c.PaidAt.IsZero():
		c.Problem = "The day is missing."
	case c.PaidAt.After(now):
		c.Problem = "This day lies in the future."
	case c.PaidAt.Before(now.AddDate(-2, 0, 0)):
		c.Problem = "This day is more than two years ago."
	case !text.Clean(c.Narration + c.PayerName):
		c.Problem = "The narration has characters that are no text."
	default:
		c.Problem = utr.Problem(said, c.PaidAt)
	}
	return c
}
