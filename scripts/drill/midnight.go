package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/scripts/customer"
)

// due is what falls due on the day after the midnight.
type due struct {
	day time.Time // the day, at its beginning in India
	// terms end with the day before, as do trials; of the renewers a mandate debits the renewal on the day.
	terms, trials, renewers []string
	texts                   map[string]int // that each of them had got by the evening before
}

const (
	dueOfAKind = 6
	// evening and morning are hours at which reminders are sent.
	evening, morning = 19 * time.Hour, 10 * time.Hour
	// renewEvery is how often the form starts a part again without giving it up.
	renewEvery = 15 * time.Second
	// noticed is when every process has compared its clock with Postgres's, which has also leapt: before that a process considers its own
	// clock wrong.
	noticed = 3 * time.Second
	// sweepLimit is how long the sweeps of a new worker may take.
	sweepLimit = 3 * time.Minute
	// looks is how often, and look after what time, a debit is queried again.
	looks, look = 2, 11 * time.Minute
)

func (d *due) everybody() []string { return slices.Concat(d.terms, d.trials, d.renewers) }

// prepareMidnight lets weeks go by, until the evening before a day on which the terms of some customers end, the trials of others, and
// mandates debit the renewals of a third group.
func prepareMidnight(ctx context.Context, f *form) error {
	now, err := f.now(ctx)
	if err != nil {
		return err
	}
	begin := firstDay(day(now))
	f.due = &due{day: begin.AddDate(0, 2, -1), texts: map[string]int{}}
	d := f.due
	renewers := make([]*customer.Customer, dueOfAKind)
	for _, stage := range []struct {
		what string
		at   time.Time
		do   func() error
	}{
		{"the renewers buy", begin.Add(morning), func() (err error) {
			d.renewers, renewers, err = f.many(ctx, f.buyMonth)
			return err
		}},
		{"they agree to automatic renewal", begin.AddDate(0, 1, -3).Add(morning), func() error {
			var all errgroup.Group
			for i, c := range renewers {
				all.Go(func() error {
					if _, err := c.LogIn(ctx, d.renewers[i], password); err != nil {
						return err
					}
					return c.RenewByMandate(ctx, "card")
				})
			}
			return all.Wait()
		}},
		{"others buy a month", d.day.AddDate(0, -1, 0).Add(morning), func() (err error) {
			d.terms, _, err = f.many(ctx, f.buyMonth)
			return err
		}},
		{"others begin a trial", d.day.AddDate(0, 0, -subscription.TrialDays).Add(morning), func() (err error) {
			d.trials, _, err = f.many(ctx, f.beginTrial)
			return err
		}},
		{"the debits are announced", d.day.AddDate(0, 0, -6).Add(morning), nil},
		{"the debits are noticed", d.day.AddDate(0, 0, -3).Add(morning), nil},
		{"the evening before", d.day.AddDate(0, 0, -1).Add(evening), nil},
	} {
		f.note("%s, on %s", stage.what, stage.at.Format(time.DateOnly))
		if err := f.leap(ctx, stage.at); err != nil {
			return fmt.Errorf("%s: %w", stage.what, err)
		}
		if err := f.renewWorkers(ctx); err != nil {
			return fmt.Errorf("%s: %w", stage.what, err)
		}
		if stage.do == nil {
			continue
		}
		if err := stage.do(); err != nil {
			return fmt.Errorf("%s: %w", stage.what, err)
		}
	}
	return f.countTexts(ctx)
}

// crossMidnight stops the workers, moves all clocks to the morning, and starts them again. Buyers finish first: a buyer cannot wait for a
// night.
func crossMidnight(ctx context.Context, f *form, _ int) error {
	err := f.heldWhile(func() error {
		stopped := errors.Join(f.signal("worker-1", syscall.SIGSTOP), f.signal("worker-2", syscall.SIGSTOP))
		return errors.Join(stopped, f.leap(ctx, f.due.day.Add(morning)))
	})
	if err != nil {
		return err
	}
	if err := pause(ctx, 8*time.Second); err != nil {
		return err
	}
	if err := f.renewWorkers(ctx); err != nil {
		return err
	}
	for range looks {
		err := f.heldWhile(func() error {
			now, err := f.now(ctx)
			if err != nil {
				return err
			}
			return f.leap(ctx, now.Add(look))
		})
		if err := errors.Join(err, f.renewWorkers(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// heldWhile runs do while no customer buys.
func (f *form) heldWhile(do func() error) error {
	goOn := f.load.hold()
	defer goOn()
	return do()
}

// dueSQL reads each customer's result: the subscription, and how often each transition was recorded.
const dueSQL = `
SELECT f.mobile, s.state,
  (SELECT count(*) FROM subscription_events e WHERE e.subscription_id = s.id AND e.to_state = s.state AND e.from_state <> s.state) AS moves,
  (SELECT count(*) FROM renewal_reminders r WHERE r.subscription_id = s.id AND r.renew_on = s.renew_on AND r.days = -1) AS reminders,
  (SELECT count(*) FROM mandate_debits d WHERE d.subscription_id = s.id AND d.state = 'paid') AS debits,
  (SELECT count(*) FROM mandate_debits d WHERE d.subscription_id = s.id AND d.state NOT IN ('paid', 'planned')) AS undecided,
  (SELECT count(*) FROM terms t WHERE t.subscription_id = s.id) AS terms,
  (SELECT count(*) FROM invoices i WHERE i.franchiser_id = f.id AND i.kind = 'invoice') AS invoices,
  (SELECT count(*) FROM payments p WHERE p.franchiser_id = f.id AND p.state = 'paid') AS payments,
  (SELECT count(*) FROM refunds r WHERE r.franchiser_id = f.id) AS refunds
FROM franchisers f JOIN subscriptions s ON s.franchiser_id = f.id`

// outcome is what became of a customer, but for the mobile.
type outcome struct {
	State     string `db:"state"`
	Moves     int    `db:"moves"`
	Reminders int    `db:"reminders"`
	Debits    int    `db:"debits"`
	Undecided int    `db:"undecided"`
	Terms     int    `db:"terms"`
	Invoices  int    `db:"invoices"`
	Payments  int    `db:"payments"`
	Refunds   int    `db:"refunds"`
}

// checkMidnight returns the day's missing and repeated effects.
func checkMidnight(ctx context.Context, f *form) (wrong []string, err error) {
	var rows []struct {
		Mobile string `db:"mobile"`
		outcome
	}
	if err := f.db.SelectContext(ctx, &rows, dueSQL); err != nil {
		return nil, fmt.Errorf("read what fell due: %w", err)
	}
	found := map[string]outcome{}
	for _, r := range rows {
		found[r.Mobile] = r.outcome
	}
	for _, group := range []struct {
		name    string
		mobiles []string
		want    outcome
	}{
		{"a term", f.due.terms, outcome{State: "grace", Moves: 1, Reminders: 1, Terms: 1, Invoices: 1, Payments: 1}},
		{"a trial", f.due.trials, outcome{State: "expired", Moves: 1, Reminders: 1, Terms: 1}},
		{"a debit", f.due.renewers, outcome{State: "active", Debits: 1, Terms: 3, Invoices: 3, Payments: 3}},
	} {
		for _, mobile := range group.mobiles {
			got, ok := found[mobile]
			if !ok || got != group.want {
				wrong = append(wrong, fmt.Sprintf("%s: %+v, want %+v", group.name, got, group.want))
			}
		}
	}
	return append(wrong, f.textsOfTheDay(ctx)...), nil
}

// textsOfTheDay reports who got no text on the day, and who got one twice.
func (f *form) textsOfTheDay(ctx context.Context) (wrong []string) {
	for _, mobile := range f.due.everybody() {
		texts, err := f.textsTo(ctx, mobile)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		fresh := texts[:max(len(texts)-f.due.texts[mobile], 0)] // the newest come first
		slices.Sort(fresh)
		if len(fresh) == 0 {
			wrong = append(wrong, "a customer of whom something fell due was told nothing")
		}
		if repeated := len(fresh) - len(slices.Compact(slices.Clone(fresh))); repeated > 0 {
			wrong = append(wrong, fmt.Sprintf("a customer was told the same %d times more than once", repeated))
		}
	}
	return wrong
}

func (f *form) countTexts(ctx context.Context) error {
	for _, mobile := range f.due.everybody() {
		texts, err := f.textsTo(ctx, mobile)
		if err != nil {
			return err
		}
		f.due.texts[mobile] = len(texts)
	}
	return nil
}

// textsTo returns the texts that a number got, the newest first.
func (f *form) textsTo(ctx context.Context, mobile string) ([]string, error) {
	var list []struct {
		Body string `json:"body"`
	}
	if err := f.get(ctx, f.read().SMSInbox+"/messages?mobile="+url.QueryEscape(mobile), &list); err != nil {
		return nil, err
	}
	texts := make([]string, 0, len(list))
	for _, one := range list {
		texts = append(texts, one.Body)
	}
	return texts, nil
}

// now is the time of the moved clocks, in UTC.
func (f *form) now(ctx context.Context) (now time.Time, err error) {
	if err := f.db.GetContext(ctx, &now, `SELECT clock_timestamp()`); err != nil {
		return now, fmt.Errorf("read the clock: %w", err)
	}
	return now.UTC(), nil
}

// day returns the beginning of the day in India.
func day(at time.Time) time.Time {
	year, month, day := at.In(clock.IST).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, clock.IST)
}

// firstDay returns the first day from the given one on of which the day before has its like in every month.
func firstDay(on time.Time) time.Time {
	for on.Day() < 2 || on.Day() > 28 {
		on = on.AddDate(0, 0, 1)
	}
	return on
}

// leap moves all clocks forward to a time, and never back.
func (f *form) leap(ctx context.Context, to time.Time) error {
	now, err := f.now(ctx)
	if err != nil {
		return err
	}
	usual, err := f.offset()
	if err != nil {
		return err
	}
	if err := f.setAll(usual + max(to.Sub(now), 0)); err != nil {
		return err
	}
	if f.leapt, err = f.now(ctx); err != nil {
		return err
	}
	return pause(ctx, noticed)
}

// renewWorkers ends both workers, frozen or not, and returns once every sweep has run since the last leap, and its jobs are done. Workers
// that ran at the leap may have run them: their leadership ended with it, and the new leader starts with all sweeps.
func (f *form) renewWorkers(ctx context.Context) error {
	if err := pause(ctx, time.Until(f.renewed.Add(renewEvery))); err != nil {
		return err
	}
	f.renewed = time.Now()
	for i := range 2 {
		if err := f.endPart(ctx, replica("worker", 2, i), syscall.SIGKILL); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, sweepLimit)
	defer cancel()
	for _, kind := range []string{
		subscription.ExpireSubscriptionsArgs{}.Kind(), subscription.EnqueueRemindersArgs{}.Kind(), mandate.RunArgs{}.Kind(),
	} {
		for n := 0; n == 0; {
			if err := f.db.GetContext(ctx, &n, `SELECT count(*) FROM river_job WHERE kind = $1 AND created_at > $2 AND state = 'completed'`, kind, f.leapt); err != nil {
				return fmt.Errorf("wait for %s: %w", kind, err)
			}
			if err := pause(ctx, 200*time.Millisecond); err != nil {
				return fmt.Errorf("wait for %s: %w", kind, err)
			}
		}
	}
	for n := 1; n > 0; { // the jobs that the sweeps enqueued
		if err := f.db.GetContext(ctx, &n, `SELECT count(*) FROM river_job WHERE kind = 'send_customer_message'
			AND state IN ('available', 'running', 'scheduled', 'retryable') AND scheduled_at <= clock_timestamp()`); err != nil {
			return fmt.Errorf("wait for the messages: %w", err)
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return fmt.Errorf("wait for the messages: %w", err)
		}
	}
	return nil
}

// many lets several people do the same at once, and returns their numbers.
func (f *form) many(ctx context.Context, do func(ctx context.Context, c *customer.Customer, mobile string) error) ([]string, []*customer.Customer, error) {
	mobiles, people := make([]string, dueOfAKind), make([]*customer.Customer, dueOfAKind)
	var all errgroup.Group
	for i := range people {
		var err error
		if mobiles[i], err = newMobile(); err != nil {
			return nil, nil, err
		}
		transport, err := f.transport()
		if err != nil {
			return nil, nil, err
		}
		if people[i], err = f.customer(transport, nil); err != nil {
			return nil, nil, err
		}
		all.Go(func() error { return do(ctx, people[i], mobiles[i]) })
	}
	return mobiles, people, all.Wait()
}

func (f *form) beginTrial(ctx context.Context, c *customer.Customer, mobile string) error {
	details := customer.Details{Mobile: mobile, Email: mobile + "@franchise360.example", Password: password, FirstName: "Asha", FreeTrial: true}
	_, err := c.SignUp(ctx, details)
	return err
}

func (f *form) buyMonth(ctx context.Context, c *customer.Customer, mobile string) error {
	details := customer.Details{Mobile: mobile, Email: mobile + "@franchise360.example", Password: password, FirstName: "Asha"}
	if _, err := c.SignUp(ctx, details); err != nil {
		return err
	}
	if err := c.SaveAddress(ctx); err != nil {
		return err
	}
	services, err := c.FirstServices(ctx)
	if err != nil {
		return err
	}
	session, err := c.RequestMonth(ctx, services[0])
	if err != nil {
		return err
	}
	return c.Pay(ctx, session)
}
