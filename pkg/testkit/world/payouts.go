package world

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// payout is a line with the day on which the gateway pays it out and the day from which it is listed, both in India.
type payout struct {
	settlement.Line
	paid, listed time.Time
}

// payouts simulates the gateway's settlements, based on the providers' documentation and not on the product: captures
// are paid after two working days; refunds are deducted from the next payout, before they are done; no payout is below
// 0, so whole payments wait for the next day; some lines are listed late, and some transfers get their UTR later.
type payouts struct {
	lines []payout
	names int
}

// dateOf returns the day in India of a moment.
func dateOf(at time.Time) time.Time {
	y, m, d := at.In(clock.IST).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// works reports whether banks settle on the day, as far as this gateway knows: it has only the national holidays.
func works(day time.Time) bool {
	if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		return false
	}
	return !slices.Contains([]string{"01-26", "08-15", "10-02", "12-25"}, day.Format("01-02"))
}

func after(day time.Time, workingDays int) time.Time {
	for workingDays > 0 {
		if day = day.AddDate(0, 0, 1); works(day) {
			workingDays--
		}
	}
	return day
}

// chance returns a number from 0 to n-1, always the same for the same name.
func chance(name, what string, n uint32) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(what + name))
	return h.Sum32() % n
}

// fees adds 2% to a capture, and five rupees to one refund in four; plus 18% GST on either.
func fees(l settlement.Line) settlement.Line {
	switch {
	case l.Kind == settlement.KindCapture:
		l.Fee = l.Amount.MulBps(200)
	case l.Kind == settlement.KindRefund && chance(l.ID, "fee", 4) == 0:
		l.Fee = 5 * money.Rupee
	}
	l.FeeTax = l.Fee.MulBps(1800)
	gross := l.Amount
	if l.Kind == settlement.KindRefund || l.Kind == settlement.KindChargeback {
		gross = -gross
	}
	l.Net = gross - l.Fee - l.FeeTax
	return l
}

// move records that money moved; it is paid out, or deducted, that many working days later.
func (p *payouts) move(at time.Time, workingDays int, l settlement.Line) {
	l.ID = string(l.Kind) + ":" + l.ID
	if slices.ContainsFunc(p.lines, func(o payout) bool { return o.ID == l.ID }) {
		return
	}
	l.Action = string(l.Kind)
	paid := after(dateOf(at), workingDays)
	if l.Kind == settlement.KindCapture && p.sum(paid)+fees(l).Net < 0 {
		paid = after(paid, 1)
	}
	listed := paid
	if chance(l.ID, "late", 6) == 0 {
		listed = paid.AddDate(0, 0, 1+int(chance(l.ID, "by", 4)))
	}
	p.lines = append(p.lines, payout{Line: fees(l), paid: paid, listed: listed})
	if p.names++; p.names%25 == 0 {
		p.adjust(paid)
	}
}

// adjust deducts a fee without naming a payment, or credits a small amount.
func (p *payouts) adjust(paid time.Time) {
	l := settlement.Line{ID: "ADJ_" + paid.Format(time.DateOnly), Kind: settlement.KindAdjustment, Action: "debit"}
	if slices.ContainsFunc(p.lines, func(o payout) bool { return o.ID == l.ID }) {
		return
	}
	if p.names%50 == 0 {
		l.Fee, l.FeeTax, l.Net = 100*money.Rupee, 18*money.Rupee, -118*money.Rupee
	} else {
		l.Action, l.Amount, l.Net = "credit", 10*money.Rupee+12, 10*money.Rupee+12
	}
	p.lines = append(p.lines, payout{Line: l, paid: paid, listed: paid})
}

func (p *payouts) sum(day time.Time) (net money.Paise) {
	for _, l := range p.lines {
		if l.paid.Equal(day) {
			net += l.Net
		}
	}
	return net
}

// of lists a day as the gateway currently reports it.
func (p *payouts) of(day, now time.Time) []settlement.Line {
	var lines []settlement.Line
	for _, l := range p.lines {
		if !l.paid.Equal(day) || l.listed.After(now) {
			continue
		}
		line := l.Line
		line.At, line.SettlementID = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, clock.IST).UTC(), "S"+day.Format("20060102")
		if day.AddDate(0, 0, 1).Before(now) {
			line.UTR = "UTR" + day.Format("20060102")
		}
		lines = append(lines, line)
	}
	return lines
}

// Settlements returns Lines if set, otherwise the gateway's computed payouts of the day.
func (g *Gateway) Settlements(_ context.Context, day string) ([]settlement.Line, error) {
	if g.SettlementsFail {
		return nil, errs.Unavailable(errors.New("the report is not there"))
	}
	if g.Lines != nil {
		return g.Lines, nil
	}
	if g.Late != nil {
		return g.Late[day], nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil, err
	}
	return g.paid.of(at, dateOf(g.clock.Now())), nil
}

// PaidOut returns the total that the gateway paid out and lists on working days before today, in paise; lines is the
// number of lines.
func (g *Gateway) PaidOut() (net money.Paise, lines int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	today := dateOf(g.clock.Now())
	for _, l := range g.paid.lines {
		if l.paid.Before(today) && !l.listed.After(today) {
			net += l.Net
			lines++
		}
	}
	return net, lines
}
