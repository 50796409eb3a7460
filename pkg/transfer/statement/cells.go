package statement

import (
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// mostSum and mostLabel bound the bytes of a cell with a sum, or with a label or a day.
const mostSum, mostLabel = 120, 60

// way is the direction of money, if a cell gives it.
type way int

const (
	wayUnsaid way = iota
	wayIn
	wayOut
)

// wayOf reads a bank's word for the direction of money; false if the word is unknown.
func wayOf(word string) (way, bool) {
	switch utr.Plain(word) {
	case "":
		return wayUnsaid, true
	case "C", "CR", "CREDIT", "CREDITS", "DEPOSIT", "CREDITED":
		return wayIn, true
	case "D", "DR", "DEBIT", "DEBITS", "WITHDRAWAL", "W", "DEBITED":
		return wayOut, true
	default:
		return wayUnsaid, false
	}
}

var (
	currency      = regexp.MustCompile(`₹|INR|RS\.?`)
	currencyFront = regexp.MustCompile(`^([-+(]? *)(?:₹|INR|RS\.?) *`)
	currencyBack  = regexp.MustCompile(` *(?:₹|INR|RS\.?)( *[-+)]?)$`)
	wordFront     = regexp.MustCompile(`(?i)^\(?(CR|DR)\.?\)?[: ]*((?:₹|INR|RS\.?)? ?\d.*)$`)
	wordBack      = regexp.MustCompile(`(?i)^(.*(?:[\d)₹]|INR|RS\.?|/-))[ ]*\(?(CREDIT|DEBIT|CR|DR|C|D)\.?\)?$`)
	// Digits, grouped as in India (1,18,000) or elsewhere (118,000). A number with a leading zero is the rest of a sum split by a comma.
	plainSum  = regexp.MustCompile(`^(0|[1-9]\d*)(\.\d{1,2})?$`)
	indianSum = regexp.MustCompile(`^[1-9]\d?(,\d{2})*,\d{3}(\.\d{1,2})?$`)
	otherSum  = regexp.MustCompile(`^[1-9]\d{0,2}(,\d{3})+(\.\d{1,2})?$`)
	dashes    = regexp.MustCompile(`^[-–—. ]*$`)
)

// sum is an amount as a cell writes it. Empty means a cell without an amount; zero is an amount.
type sum struct {
	Amount money.Paise
	Way    way
	Empty  bool
}

// withoutCurrency removes the currency around a sum. 500/- is the handwritten form of rupees.
func withoutCurrency(cell string) string {
	cell = strings.TrimSpace(currencyBack.ReplaceAllString(currencyFront.ReplaceAllString(cell, "$1"), "$1"))
	return strings.TrimSpace(strings.TrimSuffix(cell, "/-"))
}

// readSum reads an amount with its currency, and its direction from a sign, brackets or a word (CR, DR). It returns false for anything
// else.
func readSum(cell string) (sum, bool) {
	cell = strings.ToUpper(strings.Join(strings.Fields(text.Digits(cell)), " "))
	if len(cell) > mostSum {
		return sum{}, false
	}
	if len(currency.FindAllString(cell, 2)) > 1 {
		return sum{}, false
	}
	cell = withoutCurrency(cell)
	if dashes.MatchString(cell) {
		return sum{Empty: true}, true
	}
	var s sum
	if m := wordBack.FindStringSubmatch(cell); m != nil {
		s.Way, _ = wayOf(m[2])
		cell = strings.TrimSpace(m[1])
	} else if m := wordFront.FindStringSubmatch(cell); m != nil {
		s.Way, _ = wayOf(m[1])
		cell = strings.TrimSpace(m[2])
	}
	cell = withoutCurrency(cell)
	signed := wayUnsaid
	switch {
	case strings.HasPrefix(cell, "(") && strings.HasSuffix(cell, ")"):
		cell, signed = strings.TrimSpace(cell[1:len(cell)-1]), wayOut
	case strings.HasPrefix(cell, "-"):
		cell, signed = strings.TrimLeft(cell[1:], ", "), wayOut // a comma after the sign: "-,1,00,000.00" of Axis
	case strings.HasSuffix(cell, "-"):
		cell, signed = strings.TrimSpace(strings.TrimSuffix(cell, "-")), wayOut
	case strings.HasPrefix(cell, "+"):
		cell, signed = strings.TrimSpace(cell[1:]), wayIn
	case strings.HasSuffix(cell, "+"):
		cell, signed = strings.TrimSpace(strings.TrimSuffix(cell, "+")), wayIn
	}
	if signed != wayUnsaid {
		if s.Way != wayUnsaid && s.Way != signed {
			return sum{}, false
		}
		s.Way = signed
	}
	if !plainSum.MatchString(cell) && !indianSum.MatchString(cell) && !otherSum.MatchString(cell) {
		return sum{}, false
	}
	var err error
	if s.Amount, err = money.Parse(strings.ReplaceAll(cell, ",", "")); err != nil || s.Amount > money.Max {
		return sum{}, false
	}
	return s, true
}
