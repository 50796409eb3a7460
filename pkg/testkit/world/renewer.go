package world

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// Renewer is a customer of a monthly plan that is renewed by debits, while banks and people act at random.
type Renewer struct {
	*Customer

	id    string // of the newest mandate at the gateway
	bills []transfer.Proforma
}

// NewRenewer adds a customer of the smallest monthly plan.
func (w *World) NewRenewer(ctx context.Context, choose Chooser) (*Renewer, error) {
	f, err := w.Franchiser(ctx, pick(choose, []string{"27", "29", "04"}))
	if err != nil {
		return nil, err
	}
	r := &Renewer{Customer: &Customer{w: w, ID: f, choose: choose}}
	return r, r.pay(ctx, Buy(w.Catalogue.Plans[0].Tiers[0], plan.TypeMonthly))
}

// pay requests a charge and pays it.
func (r *Renewer) pay(ctx context.Context, intent subscription.PurchaseIntent) error {
	known := len(r.sessions)
	if err := r.ask(ctx, intent); err != nil {
		return err
	}
	return r.payNewest(ctx, known)
}

// Evening runs the customer's and the bank's actions of a day: mostly nothing.
func (r *Renewer) Evening(ctx context.Context) error {
	m, err := r.w.APIMandates.View(ctx, r.ID)
	if err != nil {
		return err
	}
	if m.Mandate == nil || m.Mandate.State.Ended() {
		return r.without(ctx, m)
	}
	if r.choose.Int(4) == 0 && r.w.Mandates.is(r.id, mandate.ProviderPaused) {
		r.w.Mandates.SetState(r.id, mandate.ProviderActive)
	}
	often := 40
	if m.Next != nil && m.Next.CanSkip() || m.Mandate.HeldAt != nil || m.CanUnskip { // a debit is announced: people look at it
		often = 12
	}
	if r.choose.Int(often) > 0 {
		return r.payLate(ctx)
	}
	known := len(r.sessions)
	if err := r.act(ctx, m); err != nil {
		if err = r.refused(err); err != nil {
			return err
		}
	}
	if r.choose.Int(2) == 0 {
		return nil // the session stays open, to be paid later or never
	}
	return r.payNewest(ctx, known)
}

// act runs one action of a customer with a mandate, or of their bank. It reports the agreed ones to the witness.
func (r *Renewer) act(ctx context.Context, v mandate.View) error {
	id, mandates, witness := v.Mandate.ID, r.w.APIMandates, r.w.Mandates
	acts := []func() error{
		func() error {
			err := mandates.Pause(ctx, r.ID, id)
			if err == nil {
				witness.CustomerHolds(r.id, true)
			}
			return err
		},
		func() error {
			err := mandates.Resume(ctx, r.ID, id)
			if err == nil {
				witness.CustomerHolds(r.id, false)
			}
			return err
		},
		func() error {
			err := mandates.Skip(ctx, r.ID, id)
			if err == nil && v.Next != nil { // a debit that the worker has yet to call off is not shown any more
				witness.CustomerSkips(r.id, v.Next.DebitAt)
			}
			return err
		},
		func() error {
			err := mandates.Unskip(ctx, r.ID, id)
			if err == nil {
				witness.CustomerUnskips(r.id)
			}
			return err
		},
		func() error {
			_, err := mandates.Stop(ctx, r.ID, id)
			if err == nil {
				witness.CustomerStops(r.id)
			}
			return err
		},
		func() error { witness.SetState(r.id, mandate.ProviderPaused); return nil },
		func() error { witness.SetState(r.id, mandate.ProviderRevoked); return nil },
		func() error { return r.extend(ctx) },
		func() error { return r.shrink(ctx) },
		func() error { return r.renew(ctx) },
		func() error { return r.renew(ctx) },
		func() error { return r.proforma(ctx) },
		func() error { return r.transfers(ctx) },
	}
	at := r.choose.Int(len(acts))
	if v.Mandate.HeldAt != nil && r.choose.Int(2) == 0 {
		at = 1 // nobody pauses for ever
	}
	if v.CanUnskip && r.choose.Int(2) == 0 {
		at = 3
	}
	return acts[at]()
}

// payLate sometimes pays a charge that was left open, whatever happened to the renewal since.
func (r *Renewer) payLate(ctx context.Context) error {
	if len(r.sessions) == 0 || r.choose.Int(25) > 0 {
		return nil
	}
	return r.payNewest(ctx, len(r.sessions)-1)
}

// without is a day of a customer who has no mandate: a renewal that is open is paid together with a new one, or by hand.
func (r *Renewer) without(ctx context.Context, v mandate.View) error {
	if v.Bill == nil || !v.Bill.CanRenew || r.choose.Int(2) > 0 {
		if v.Bill == nil && r.choose.Int(5) == 0 {
			return r.pay(ctx, Buy(r.w.Catalogue.Plans[0].Tiers[0], plan.TypeMonthly))
		}
		return nil
	}
	if r.choose.Int(6) == 0 {
		return r.transfers(ctx)
	}
	t := v.Terms[0]
	if t.OnLimit {
		return r.pay(ctx, Renewal(v.Bill.Subscription.ID))
	}
	begun, err := r.w.APIMandates.Register(ctx, r.ID, mandate.Input{Method: t.Method, Consented: true, Version: t.Version, Text: t.Text(i18n.English)})
	if err != nil {
		return r.refused(err)
	}
	txn := begun.Session.Fields["txnid"]
	amount, err := money.Parse(begun.Session.Fields["amount"])
	if err != nil {
		return err
	}
	r.id = "M" + txn
	r.w.Gateway.Decide(txn, payment.StatusPaid, amount)
	return r.notify(ctx, r.w.Gateway.Notice(txn))
}

// LiveRenewals lives days of renewals: the worker takes every step when it is due, the banks change their minds, and in the evening the
// customers act and everything that must hold is held.
func (w *World) LiveRenewals(ctx context.Context, all []*Renewer, days int, choose Chooser) error {
	for day := range days {
		quiet := day >= days-quietDays // no actions; undecided debits are decided and detected
		end := w.Clock.Now().Add(24 * time.Hour)
		for w.Clock.Now().Before(end) {
			if err := w.nextStep(ctx, end); err != nil {
				return err
			}
		}
		if err := w.night(ctx, quiet, choose); err != nil {
			return err
		}
		for _, r := range all {
			if quiet {
				break
			}
			if err := r.Evening(ctx); err != nil {
				return fmt.Errorf("customer %s: %w", r.ID, err)
			}
		}
		if broken := w.Mandates.Broken(); len(broken) > 0 {
			return fmt.Errorf("%d debits that must not be: %s", len(broken), broken[0])
		}
		if err := w.Forget(ctx); err != nil {
			return err
		}
	}
	if err := w.moneyHolds(ctx, all); err != nil {
		return err
	}
	return w.renewalsHold(ctx)
}

// quietDays are long enough that every check of a payment that failed or is undecided has been made.
const quietDays = 6

// night changes how the bank answers and runs what runs by day.
func (w *World) night(ctx context.Context, quiet bool, choose Chooser) error {
	if quiet {
		w.Mandates.Finish(payment.StatusPaid)
		w.Mandates.Set(func(g *Mandates) { g.Cause, g.Processing, g.Loses, g.Unheard = mandate.CauseNone, false, false, false })
	} else {
		w.Mandates.moods(choose)
		if txn := w.Mandates.late(choose); txn != "" && choose.Int(2) == 0 {
			if _, err := w.API.Notices.Returned(ctx, w.Gateway.Notice(txn)); err != nil {
				return err
			}
		}
	}
	if err := w.Bank.booker.Sweep(ctx); err != nil {
		return err
	}
	if err := w.workTransfers(ctx); err != nil {
		return err
	}
	if err := w.Work(ctx, ""); err != nil {
		return err
	}
	if err := w.Sweep(ctx); err != nil {
		return err
	}
	return w.Settlements.Compare(ctx, settlement.CompareArgs{})
}

// nextStep passes to the next step of automatic renewal that is due, or to the end.
func (w *World) nextStep(ctx context.Context, end time.Time) error {
	var due *time.Time
	if err := w.Owner.GetContext(ctx, &due, `SELECT min(at) FROM (SELECT poll_at AS at FROM mandates UNION ALL SELECT plan_at FROM mandates
		UNION ALL SELECT next_at FROM mandate_debits) x WHERE at > $1`, w.Clock.Now()); err != nil {
		return fmt.Errorf("find the next step: %w", err)
	}
	at := end
	if due != nil && due.Before(at) {
		at = maxOf(*due, w.Clock.Now().Add(10*time.Minute))
	}
	if err := w.Pass(ctx, at.Sub(w.Clock.Now())); err != nil {
		return err
	}
	if _, err := w.WorkerMandates.Run(ctx); err != nil {
		return err
	}
	return w.Work(ctx, "")
}

func maxOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// late captures a debit that failed within the last day, as banks do, and returns its transaction; mostly it does nothing.
func (g *Mandates) late(choose Chooser) string {
	if choose.Int(6) > 0 {
		return ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, txn := range slices.Backward(g.inOrder) {
		d := g.debits[txn]
		if g.clock.Now().Sub(d.At) > 24*time.Hour {
			return ""
		}
		if d.Status == payment.StatusFailed && g.states[d.MandateID] == mandate.ProviderActive {
			d.Status = payment.StatusPaid
			g.debits[txn] = d
			g.Decide(txn, payment.StatusPaid, d.Charge.Amount)
			return txn
		}
	}
	return ""
}

// moods changes how the bank answers from tomorrow, and decides pending debits late.
func (g *Mandates) moods(choose Chooser) {
	g.finishSome(choose)
	mood := choose.Int(16)
	g.Set(func(g *Mandates) {
		g.Cause, g.Processing, g.Loses, g.Unheard = mandate.CauseNone, mood == 1, mood == 2, mood == 3
		switch mood {
		case 4, 5:
			g.Cause = mandate.CauseInsufficient
		case 6:
			g.Cause = mandate.CauseDeclined
		case 7:
			g.Cause = mandate.CauseTechnical
		}
	})
}

// finishSome decides debits that are being processed: most within days, some only after they ended in the product.
func (g *Mandates) finishSome(choose Chooser) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, txn := range g.inOrder {
		d := g.debits[txn]
		if d.Status != payment.StatusPending {
			continue
		}
		if g.decides[txn].IsZero() {
			days := choose.Int(3)
			if choose.Int(3) == 0 {
				days = 4 + choose.Int(22)
			}
			g.decides[txn] = g.clock.Now().AddDate(0, 0, days)
		}
		if g.clock.Now().Before(g.decides[txn]) {
			continue
		}
		d.Status = pick(choose, []payment.Status{payment.StatusPaid, payment.StatusPaid, payment.StatusFailed})
		g.debits[txn] = d
		g.Decide(txn, d.Status, d.Charge.Amount)
	}
}

func (g *Mandates) is(id string, s mandate.ProviderState) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.states[id] == s
}

// renewalsHold compares the product's records with the gateway's.
func (w *World) renewalsHold(ctx context.Context) error {
	paid := 0
	for _, d := range w.Mandates.Debits() {
		if d.Status == payment.StatusPaid {
			paid++
		}
	}
	var n struct {
		Booked int `db:"booked"`
		Twice  int `db:"twice"`
		Early  int `db:"early"`
	}
	if err := w.Owner.GetContext(ctx, &n, `SELECT
		(SELECT count(*) FROM payments WHERE by_mandate AND state IN ('paid', 'refunded', 'created', 'pending')) AS booked,
		(SELECT count(*) FROM (SELECT FROM mandate_debits WHERE state = 'paid' GROUP BY subscription_id, renew_on HAVING count(*) > 1) x) AS twice,
		(SELECT count(*) FROM mandate_debits WHERE asked_at < noticed_at + interval '24 hours') AS early`); err != nil {
		return fmt.Errorf("count debits: %w", err)
	}
	switch {
	case n.Booked < paid:
		return fmt.Errorf("%d debits were made, %d are known", paid, n.Booked)
	case n.Twice > 0:
		return errors.New("a renewal was debited twice")
	case n.Early > 0:
		return errors.New("a debit was asked for within a day of its notice")
	}
	return nil
}
