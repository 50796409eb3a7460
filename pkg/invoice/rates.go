package invoice

import (
	"errors"
	"fmt"
	"time"
)

// Date is a calendar day in India written as 2025-09-22; such dates compare as strings.
type Date string

// Rate is a tax rate in basis points (1800 is 18%), in force from a day on.
type Rate struct {
	From    Date  `json:"from"`
	RateBps int64 `json:"rate_bps"`
}

// Rates are the successive rates of a tax, oldest first.
type Rates []Rate

// Validate returns an error unless there is at least one rate, each is 0 to 100%, and each begins after the previous one.
func (r Rates) Validate() error {
	if len(r) == 0 {
		return errors.New("rates of tax: there is none")
	}
	for i, rate := range r {
		if _, err := time.Parse(time.DateOnly, string(rate.From)); err != nil {
			return fmt.Errorf("rates of tax: %q is no date", rate.From)
		}
		if rate.RateBps < 0 || rate.RateBps > 10_000 || i > 0 && rate.From <= r[i-1].From {
			return fmt.Errorf("rates of tax: that from %s is impossible or out of order", rate.From)
		}
	}
	return nil
}

// Supply holds the three days that decide the tax rate of a service: when it was supplied (for a continuous one, the first day
// of its period), when the invoice was issued, and when the payment was entered in the books.
type Supply struct{ Supplied, Invoiced, Paid Date }

// For returns the rate on a supply in basis points, by its time of supply at each change of the rate.
func (r Rates) For(s Supply) int64 {
	rate := r[0].RateBps
	for _, change := range r[1:] {
		if s.timeAt(change.From) >= change.From {
			rate = change.RateBps
		}
	}
	return rate
}

// timeAt returns the time of supply when the rate changes on a day, by section 14 of the CGST Act 2017; section 20 of the IGST Act
// and section 21 of the UTGST Act apply it to those taxes. The day of the change counts as after it. If all three days
// lie on one side of the change, section 13 gives a time on that side.
//
// The proviso about a payment that reaches the bank more than four working days after the change is not applied: gateways pay
// out within two, and the invoice is issued when the payment is entered.
func (s Supply) timeAt(change Date) Date {
	supplied, invoiced, paid := s.Supplied >= change, s.Invoiced >= change, s.Paid >= change
	switch {
	case !supplied && invoiced && paid: // (a)(i)
		return min(s.Invoiced, s.Paid)
	case !supplied && !invoiced && paid: // (a)(ii)
		return s.Invoiced
	case !supplied && invoiced && !paid: // (a)(iii)
		return s.Paid
	case supplied && !invoiced && paid: // (b)(i)
		return s.Paid
	case supplied && !invoiced && !paid: // (b)(ii)
		return min(s.Invoiced, s.Paid)
	case supplied && invoiced && !paid: // (b)(iii)
		return s.Invoiced
	default:
		return min(s.Invoiced, s.Paid)
	}
}
