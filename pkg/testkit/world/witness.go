package world

import (
	"fmt"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// witness records forbidden debits from the gateway's and the customers' view. It reads nothing from the product: only the requests to the
// gateway, and the actions that customers were told were done.
type witness struct {
	broken []string
	// stops are when a mandate was stopped by its customer or ended at the gateway by us; holds are mandates that customers have paused.
	stops map[string]time.Time
	holds map[string]bool
	// skips are the days until which no debit of a mandate may come, as its customer skipped one.
	skips map[string]time.Time
}

func newWitness() witness {
	return witness{stops: map[string]time.Time{}, holds: map[string]bool{}, skips: map[string]time.Time{}}
}

// Broken returns the forbidden debits: without a notice of the amount a day before, by UPI in NPCI's closed hours, after a stop, during a
// pause, of a skipped renewal, during another undecided debit of the customer, a second time in a cycle, or a fifth time.
func (g *Mandates) Broken() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string{}, g.witness.broken...)
}

// CustomerStops tells the witness that a customer has stopped a mandate.
func (g *Mandates) CustomerStops(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.witness.stops[id] = g.clock.Now()
}

// CustomerHolds tells the witness that a customer has paused a mandate, or resumed it.
func (g *Mandates) CustomerHolds(id string, held bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.witness.holds[id] = held
}

// CustomerSkips tells the witness that a customer has skipped the debit of a day: neither it nor a retry may come.
func (g *Mandates) CustomerSkips(id string, day time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.witness.skips[id] = day.AddDate(0, 0, 8)
}

// CustomerUnskips tells the witness that a customer has taken a skip back.
func (g *Mandates) CustomerUnskips(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.witness.skips, id)
}

// aCycle is less than the time between the debits of two terms, the first of which may be paid at the end of its grace.
const aCycle = 19 * 24 * time.Hour

// judge records the faults of a debit request.
func (g *Mandates) judge(d Debited) {
	for _, wrong := range append(g.wrongOf(d), g.wrongWith(d)...) {
		g.witness.broken = append(g.witness.broken, fmt.Sprintf("%s of %s debited %s at %s", d.MandateID, d.Charge.Mobile, wrong, d.At.In(clock.IST)))
	}
}

// wrongOf returns the faults of a debit alone.
func (g *Mandates) wrongOf(d Debited) (wrong []string) {
	at := d.At.In(clock.IST)
	minute := at.Hour()*60 + at.Minute()
	n, noticed := g.notices[d.Notice.Token]
	stopped, isStopped := g.witness.stops[d.MandateID]
	for what, is := range map[string]bool{
		"without a notice":                   !noticed || n.MandateID != d.MandateID,
		"less than a day after its notice":   noticed && d.At.Sub(n.At) < 24*time.Hour,
		"of another amount than its notice":  noticed && n.Amount != d.Charge.Amount,
		"by a notice that was withdrawn":     noticed && slices.Contains(g.withdrew, d.Notice.Token),
		"in closed hours":                    d.Method == mandate.MethodUPI && (minute >= 10*60 && minute < 13*60 || minute >= 17*60 && minute < 21*60+30),
		"after the customer stopped it":      isStopped && !d.At.Before(stopped),
		"while the customer pauses it":       g.witness.holds[d.MandateID],
		"although the customer skipped it":   d.At.Before(g.witness.skips[d.MandateID]),
		"after the gateway said it is ended": g.stopped(mandate.Reference{MandateID: d.MandateID}) == mandate.CauseEnded && isStopped,
	} {
		if is {
			wrong = append(wrong, what)
		}
	}
	return wrong
}

// wrongWith returns the faults of a debit in combination with the customer's other debits, whatever their mandates.
func (g *Mandates) wrongWith(d Debited) (wrong []string) {
	at, tries := d.At.In(clock.IST), 1
	for _, other := range g.debits {
		if other.Charge.Mobile != d.Charge.Mobile {
			continue
		}
		o := other.At.In(clock.IST)
		switch {
		case other.Status == payment.StatusPending:
			wrong = append(wrong, "while another one is undecided")
		case d.Method == mandate.MethodUPI && other.Status == payment.StatusPaid && other.MandateID == d.MandateID && o.Year() == at.Year() && o.Month() == at.Month():
			wrong = append(wrong, "a second time in a month")
		case other.Status == payment.StatusPaid && at.Sub(o) < aCycle:
			wrong = append(wrong, "a second time in a cycle")
		case other.MandateID == d.MandateID && at.Sub(o) < aCycle:
			if tries++; tries > 4 {
				wrong = append(wrong, "a fifth time")
			}
		}
	}
	return wrong
}
