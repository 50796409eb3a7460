// Package money represents amounts as whole paise in int64, rounds them as Indian tax invoices do, and never uses floats.
package money

import (
	"encoding/json"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Paise is an amount in hundredths of a rupee, negative for credits; in JSON and SQL it is a plain integer.
type Paise int64

const (
	// Rupee is one hundred paise; write ten rupees as 10 * money.Rupee.
	Rupee Paise = 100

	// Max is the largest amount the product handles, ten thousand crore rupees in paise.
	Max Paise = 10_000_000_000_000

	basisPoints = 10_000
	hundred     = 100
)

// ErrOverflow means that a sum of amounts is out of range for int64.
var ErrOverflow = errors.New("money: amount out of range")

// ErrSyntax means that a text is not a rupee amount with at most two decimals.
var ErrSyntax = errors.New("money: not a rupee amount")

// FromRupees converts whole rupees to paise, saturating at the limits of int64.
func FromRupees(rupees int64) Paise {
	return Paise(mulDiv(rupees, hundred, 1))
}

// Parse parses rupees such as "1593", "1593.5" or "-1593.50" exactly, as gateways send them; anything else returns
// ErrSyntax.
func Parse(text string) (Paise, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, hasPoint := strings.Cut(digits, ".")
	if hasPoint && (fraction == "" || len(fraction) > 2) {
		return 0, ErrSyntax
	}
	if !allDigits(whole) || (hasPoint && !allDigits(fraction)) {
		return 0, ErrSyntax
	}
	for len(fraction) < 2 {
		fraction += "0"
	}
	value, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil {
		return 0, ErrOverflow
	}
	if negative {
		value = -value
	}
	return Paise(value), nil
}

// String returns the same as Display, so that %s and %v print rupees.
func (p Paise) String() string { return p.Display() }

// Display formats the amount with rupee sign and Indian grouping, and with paise only if not zero: ₹1,50,000 or -₹1,500.50.
func (p Paise) Display() string {
	if p.paisePart() == 0 {
		return p.sign() + "₹" + groupIndian(p.rupeePart())
	}
	return p.sign() + "₹" + groupIndian(p.rupeePart()) + "." + twoDigits(p.paisePart())
}

// Grouped formats the amount with Indian grouping and two decimals but no currency sign, for columns of a document:
// 1,50,000.00.
func (p Paise) Grouped() string {
	return p.sign() + groupIndian(p.rupeePart()) + "." + twoDigits(p.paisePart())
}

// Decimal formats rupees with exactly two decimals and no grouping, the format that payment gateways sign: 159300.00.
func (p Paise) Decimal() string {
	return p.sign() + strconv.FormatUint(p.rupeePart(), 10) + "." + twoDigits(p.paisePart())
}

// Rupees returns the shortest decimal of rupees as a JSON number for the API's *_value fields: 150000 or 150000.5.
func (p Paise) Rupees() json.Number {
	text := p.Decimal()
	text = strings.TrimSuffix(text, ".00")
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(text, "0")
	}
	return json.Number(text)
}

// Abs returns the absolute amount; the smallest int64 saturates to the largest.
func (p Paise) Abs() Paise {
	if p == math.MinInt64 {
		return math.MaxInt64
	}
	if p < 0 {
		return -p
	}
	return p
}

// MulBps returns the given basis points (1800 is 18%) of the amount, rounded half away from zero to the paisa, saturating
// on overflow. This rounding makes the tax of a credit the exact negative of the tax of the debit.
func (p Paise) MulBps(bps int64) Paise {
	return Paise(mulDiv(int64(p), bps, basisPoints))
}

// Prorate returns the share for days out of total, rounded half away from zero, or zero if total is below one.
func (p Paise) Prorate(days, total int64) Paise {
	if total < 1 {
		return 0
	}
	return Paise(mulDiv(int64(p), days, total))
}

// Sum returns the sum of the amounts, or ErrOverflow rather than wrapping around.
func Sum(amounts ...Paise) (Paise, error) {
	var total Paise
	for _, amount := range amounts {
		next := total + amount
		if (amount > 0 && next < total) || (amount < 0 && next > total) {
			return 0, ErrOverflow
		}
		total = next
	}
	return total, nil
}

func (p Paise) sign() string {
	if p < 0 {
		return "-"
	}
	return ""
}

func (p Paise) rupeePart() uint64 { return magnitude(int64(p)) / hundred }

func (p Paise) paisePart() uint64 { return magnitude(int64(p)) % hundred }

func magnitude(value int64) uint64 {
	if value < 0 {
		return -uint64(value) //nolint:gosec // two's complement gives the exact magnitude even for the smallest int64
	}
	return uint64(value)
}

// mulDiv returns a*b/c computed in 128 bits, rounded half away from zero; c must be positive.
func mulDiv(a, b, c int64) int64 {
	negative := (a < 0) != (b < 0)
	divisor := magnitude(c)
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	low, carry := bits.Add64(low, divisor/2, 0)
	high += carry
	if high >= divisor {
		return saturate(negative)
	}
	// divisor/2 rounds down for odd divisors, which is right: no remainder of an odd divisor is exactly one half.
	quotient, _ := bits.Div64(high, low, divisor)
	if quotient > math.MaxInt64 {
		return saturate(negative)
	}
	if negative {
		return -int64(quotient)
	}
	return int64(quotient)
}

func saturate(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

func groupIndian(value uint64) string {
	digits := strconv.FormatUint(value, 10)
	if len(digits) <= 3 {
		return digits
	}
	head, tail := digits[:len(digits)-3], digits[len(digits)-3:]
	var groups strings.Builder
	for i, digit := range head {
		if i > 0 && (len(head)-i)%2 == 0 {
			groups.WriteByte(',')
		}
		groups.WriteRune(digit)
	}
	return groups.String() + "," + tail
}

func twoDigits(value uint64) string {
	if value < 10 {
		return "0" + strconv.FormatUint(value, 10)
	}
	return strconv.FormatUint(value, 10)
}

func allDigits(text string) bool {
	for _, char := range text {
		if char < '0' || char > '9' {
			return false
		}
	}
	return text != ""
}
