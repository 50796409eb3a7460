package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// worldStream is the random stream for choices that affect everybody; customers use streams from 0.
const worldStream = 1 << 40

// dice makes seeded random choices; each customer has a separate stream, so that one's actions do not change another's.
type dice struct{ *rand.Rand }

// Int returns a number from 0 to n-1.
func (d dice) Int(n int) int { return d.IntN(n) }

func newDice(seed, stream uint64) dice {
	return dice{rand.New(rand.NewPCG(seed, stream))} //nolint:gosec // repeatable choices, not secrets
}

// person is a customer with their actions so far.
type person struct {
	*world.Customer

	dice  dice
	steps map[string]int
}

// life is the whole simulation.
type life struct {
	settings

	db     world.Databases
	world  *world.World
	people []*person
	dice   dice
	out    io.Writer
	began  time.Time
	// outages counts the periods in which no worker ran, differences the current settlement differences.
	outages     int
	differences map[settlement.DifferenceKind]int
	settled     int
	findings    []string
}

func begin(ctx context.Context, s settings, db world.Databases, out io.Writer) (*life, error) {
	start := time.Date(2026, time.April, 1, 10, 0, 0, 0, clock.IST)
	w, err := world.New(ctx, db, start, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	l := &life{
		settings: s, db: db, world: w, dice: newDice(s.seed, worldStream), out: out, began: time.Now(),
		differences: map[settlement.DifferenceKind]int{},
	}
	for i := range s.tenants {
		d := newDice(s.seed, uint64(i))
		c, err := w.NewCustomer(ctx, d)
		if err != nil {
			return nil, err
		}
		if i%3 == 0 {
			if err := w.Register(ctx, c.ID); err != nil {
				return nil, err
			}
		}
		l.people = append(l.people, &person{Customer: c, dice: d, steps: map[string]int{}})
	}
	return l, nil
}

// live simulates the years, each month in two stretches, and checks everything at the end of each month.
func (l *life) live(ctx context.Context) error {
	for month := 1; month <= l.years*12; month++ {
		first := 5 + l.dice.Int(21)
		for i, days := range []int{first, 30 + l.dice.Int(2) - first} {
			if err := l.stretch(ctx, days, i == 1); err != nil {
				return fmt.Errorf("month %d: %w", month, err)
			}
		}
		if err := l.check(ctx, month); err != nil {
			return fmt.Errorf("month %d: %w", month, err)
		}
		if month%12 != 0 {
			continue
		}
		if err := l.report(ctx, month/12); err != nil {
			return err
		}
		if err := l.world.Reprice(ctx, l.db.Worker, 200+int64(l.dice.Int(400))); err != nil {
			return fmt.Errorf("new prices: %w", err)
		}
		// Every other year the tax rate changes too, a few weeks later, so that some orders are requested at one rate and paid
		// at another.
		if rates := []int64{1200, 1800, 2800}; month%24 == 0 {
			from := subscription.DayOf(l.world.Clock.Now()) + subscription.Day(10+l.dice.Int(40))
			if err := l.world.Tax(ctx, l.db.Worker, from, rates[l.dice.Int(len(rates))]); err != nil {
				return fmt.Errorf("new rate of tax: %w", err)
			}
		}
	}
	if err := l.renewals(ctx); err != nil {
		return err
	}
	if err := l.recount(ctx); err != nil {
		return err
	}
	if err := l.returns(ctx); err != nil {
		return err
	}
	return l.sum(ctx)
}

// stretch simulates days in which everybody may act. Unless last is set, all workers may be down, so nothing is swept.
func (l *life) stretch(ctx context.Context, days int, last bool) error {
	if err := l.world.Pass(ctx, time.Duration(days)*24*time.Hour); err != nil {
		return err
	}
	if !last && l.dice.Int(8) == 0 {
		l.outages++
	} else if err := l.sweep(ctx); err != nil {
		return err
	}
	var all errgroup.Group
	all.SetLimit(l.parallel)
	for _, p := range l.people {
		all.Go(func() error { return p.act(ctx) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	if err := l.settle(ctx); err != nil {
		return err
	}
	return l.world.Forget(ctx)
}

// sweep acts like a restarted worker: it finds lost checks, works waiting jobs and applies time-based changes.
func (l *life) sweep(ctx context.Context) error {
	if err := l.world.Worker.Captures.Sweep(ctx); err != nil {
		return err
	}
	if err := l.world.Work(ctx, ""); err != nil {
		return err
	}
	return l.world.Sweep(ctx)
}

// act usually does nothing, and sometimes up to three things.
func (p *person) act(ctx context.Context) error {
	times := 0
	switch at := p.dice.Int(20); {
	case at == 0:
		times = 3
	case at < 3:
		times = 2
	case at < 8:
		times = 1
	}
	for range times {
		name, err := p.Step(ctx)
		if err != nil {
			return fmt.Errorf("customer %s: %w", p.ID, err)
		}
		p.steps[name]++
	}
	return nil
}

// settle is the daily comparison of the gateway's payouts with the books. A capture we were never notified of is a difference
// that staff must see; a difference in a known payment is a bug.
func (l *life) settle(ctx context.Context) error {
	if err := l.world.Settlements.Compare(ctx, settlement.CompareArgs{}); err != nil {
		return fmt.Errorf("compare settlements: %w", err)
	}
	var open []struct {
		Kind          settlement.DifferenceKind `db:"kind"`
		TransactionID string                    `db:"transaction_id"`
		N             int                       `db:"n"`
	}
	err := l.db.Owner.SelectContext(ctx, &open, `SELECT kind, min(transaction_id) AS transaction_id, count(*) AS n
		FROM settlement_differences WHERE cleared_at IS NULL GROUP BY kind`)
	if err != nil {
		return fmt.Errorf("list differences: %w", err)
	}
	l.differences = map[settlement.DifferenceKind]int{}
	for _, d := range open {
		l.differences[d.Kind] = d.N
		switch d.Kind { //nolint:exhaustive // staff must see the other kinds
		case settlement.DifferenceUnknown, settlement.DifferenceNet, settlement.DifferenceTwice, settlement.DifferenceChanged, settlement.DifferenceWithdrawn:
			l.findings = append(l.findings, fmt.Sprintf("settlement: %d %s, such as %s", d.N, d.Kind, d.TransactionID))
		}
	}
	return nil
}

// bankSQL reads the payouts in the books' bank account, which customers' transfers reach too, and the settlement lines not booked yet.
const bankSQL = `SELECT
	(SELECT coalesce(sum(l.debit_paise - l.credit_paise), 0)::bigint FROM ledger_lines l JOIN ledger_journals j ON j.id = l.journal_id
		WHERE l.account = 'bank' AND (j.kind IN ('settlement', 'settlement_return')
			OR j.kind = 'adjustment' AND NOT starts_with(j.reference, 'bank_'))),
	(SELECT coalesce(sum(net_paise), 0)::bigint FROM settlement_lines WHERE booked_at IS NULL)`

// payouts compares the books' bank account with the payouts reported by the gateway itself.
func (l *life) payouts(ctx context.Context) error {
	paid, lines := l.world.Gateway.PaidOut()
	l.settled = lines
	var bank, open money.Paise
	if err := l.db.Owner.QueryRowxContext(ctx, bankSQL).Scan(&bank, &open); err != nil {
		return fmt.Errorf("read the bank: %w", err)
	}
	if bank+open != paid {
		l.findings = append(l.findings, fmt.Sprintf("the gateway paid out %s, the bank holds %s, open lines %s", paid, bank, open))
	}
	return nil
}

// moneySQL reads a customer's payments and their history, oldest first.
const moneySQL = `SELECT kind || ' ' || row FROM (
	SELECT 'payment' AS kind, created_at AS at, to_jsonb(p)::text AS row FROM payments p WHERE franchiser_id = $1
	UNION ALL SELECT 'refund', created_at, to_jsonb(r)::text FROM refunds r WHERE franchiser_id = $1
	UNION ALL SELECT 'dispute', opened_at, to_jsonb(d)::text FROM disputes d WHERE franchiser_id = $1
	UNION ALL SELECT 'reversal', requested_at, to_jsonb(v)::text FROM reversals v WHERE franchiser_ref = $1) m ORDER BY at`

// show prints the payments of a customer for whom a rule is violated.
func (l *life) show(ctx context.Context, franchiserID string) error {
	var rows []string
	if err := l.db.Owner.SelectContext(ctx, &rows, moneySQL, franchiserID); err != nil {
		return fmt.Errorf("read the money of a customer: %w", err)
	}
	for _, row := range rows {
		fmt.Fprintln(l.out, "  "+row)
	}
	return nil
}

// check checks everybody's rules, counts the figures, and verifies the complete books, number series included.
func (l *life) check(ctx context.Context, month int) error {
	broken, err := l.world.Hold(ctx, true)
	if err != nil {
		return err
	}
	for _, b := range broken {
		l.findings = append(l.findings, b.String())
		if err := l.show(ctx, b.Whose); err != nil {
			return err
		}
	}
	if err := l.payouts(ctx); err != nil {
		return err
	}
	if err := l.count(ctx); err != nil {
		return err
	}
	report, err := l.world.Books.Verify(ctx)
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		l.findings = append(l.findings, fmt.Sprintf("%s: %s (%s)", f.Check, f.Subject, f.Detail))
	}
	return l.found(fmt.Sprintf("in month %d", month))
}

// found prints the findings so far, if there are any, and returns them as an error.
func (l *life) found(when string) error {
	if len(l.findings) == 0 {
		return nil
	}
	for _, f := range l.findings[:min(20, len(l.findings))] {
		fmt.Fprintln(l.out, "finding:", f)
	}
	return fmt.Errorf("%d findings %s", len(l.findings), when)
}
