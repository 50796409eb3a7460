package world

import (
	"context"
	"hash/fnv"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// payout is a line with the day on which the gateway pays it out and the day from which it lists it, both in India.
type payout struct {
	settlement.Line
	paid, listed time.Time
}

// payouts is the gateway's own settlement, written from what providers document and from nothing of the product: captures
// after two working days, refunds kept back from the next payout, before they are done; no payout below 0, so that whole
// payments wait for the next day; lines that are listed late, and transfers whose UTR comes later.
type payouts struct {
	lines []payout
	names int
}

// dateOf is the day of a moment in India.
func dateOf(at time.Time) time.Time {
	y, m, d := at.In(clock.IST).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// works says whether banks settle on the day, as far as this gateway knows: it has the national holidays only.
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

// chance is the same number from 0 to n-1 for the same name each time.
func chance(name, what string, n uint32) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(what + name))
	return h.Sum32() % n
}

// fees are 2% of a capture, and five rupees of one refund in four; GST of 18% on either.
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

// move notes that money moved at a moment; it is paid out, or kept back, so many working days later.
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

// adjust takes a fee without naming a payment, or gives a little back.
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

// of lists a day as the gateway does now.
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

// Settlements gives the Lines, or where there are none what the gateway pays out on the day by itself.
func (g *Gateway) Settlements(_ context.Context, day string) ([]settlement.Line, error) {
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

// PaidOut is all that the gateway paid out, and lists, on working days before today, in paise; lines is how many there are.
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
