// Package guard protects every secret that can be guessed. It limits guessing without ever locking out the owner: a browser that has signed
// in before has its own budget, and all others share a budget that, when exhausted, leads to growing waits or proof of work, not to a
// refusal.
package guard

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Visitor describes the client making a guess.
type Visitor struct {
	// Address is the client's IP address as reported by the trusted proxies.
	Address string
	Device  Device
	// Work is the answer to a challenge, or empty.
	Work string
	// Pressed means that the visitor's address sends far more than people do, so work is always required.
	Pressed bool
}

// Guard counts guesses and requires proof of work.
type Guard struct {
	limiter *ratelimit.Limiter
	db      *sqlx.DB
	clock   clock.Clock
	keys    secret.Keyring
}

// New returns a guard that counts with the limiter.
func New(l *ratelimit.Limiter, db *sqlx.DB, clk clock.Clock, keys secret.Keyring) *Guard {
	return wiring.Complete(&Guard{limiter: l, db: db, clock: clk, keys: keys})
}

// Try runs judge on one guess at the account's secret. Any error from judge counts as a wrong guess, except a fault on our
// side. If the visitor has to wait or work first, Try fails with KindRateLimited, RetryAfter and, if the door accepts work,
// the challenge.
func (g *Guard) Try(ctx context.Context, d Door, k Kind, account string, v Visitor, judge func() error) error {
	return g.TryAs(ctx, d, k, account, account, v, judge)
}

// TryAs is Try for a counter that is not keyed by the account the visitor's device may know.
func (g *Guard) TryAs(ctx context.Context, d Door, k Kind, account, subject string, v Visitor, judge func() error) error {
	p, err := g.enter(ctx, d, v.Device.Knows(k, account, g.clock.Now()), subject, v)
	if err != nil {
		return err
	}
	err = judge()
	if err == nil || errs.IsFault(err) {
		g.limiter.Forgive(ctx, p.counts...)
	}
	if errs.IsFault(err) && p.work.id != nil {
		unspend(ctx, g.db, p.work)
	}
	return err
}

// pass records which counters one guess used.
type pass struct {
	counts []ratelimit.Counts
	work   answered
}

func (g *Guard) enter(ctx context.Context, d Door, known bool, subject string, v Visitor) (pass, error) {
	if known {
		c, err := g.limiter.Count(ctx,
			ratelimit.Counted{Rule: rule(d, "own", d.Known, shortWindow), Subject: v.Device.ID() + subject},
			ratelimit.Counted{Rule: rule(d, "known", d.KnownInAll, day), Subject: subject})
		if err != nil {
			return pass{}, err
		}
		if c.Over() < 0 {
			return pass{counts: []ratelimit.Counts{c}}, nil
		}
		g.limiter.Forgive(ctx, c)
	}
	return g.enterUnknown(ctx, d, subject, v)
}

func rule(d Door, name string, limit int64, window time.Duration) ratelimit.Rule {
	return ratelimit.Rule{Name: d.Name + "-" + name, Limit: limit, Window: window}
}

func accountRule(d Door) ratelimit.Rule { return rule(d, "account", d.Free, day) }

// The counters for a guess from an unknown browser, in the order in which they are queried.
const (
	ofAccount = iota
	ofAddress
)

func (g *Guard) enterUnknown(ctx context.Context, d Door, subject string, v Visitor) (pass, error) {
	address := ratelimit.Address(v.Address)
	c, err := g.limiter.Count(ctx,
		ratelimit.Counted{Rule: accountRule(d), Subject: subject},
		ratelimit.Counted{Rule: rule(d, "address", d.Address, shortWindow), Subject: address})
	if err != nil {
		return pass{}, err
	}
	p := pass{counts: []ratelimit.Counts{c}}
	if err := g.admit(ctx, d, subject, v, c, &p); err != nil {
		g.limiter.Forgive(ctx, p.counts...)
		return pass{}, err
	}
	return p, nil
}

// admit refuses the guess, or records its cost in p.
func (g *Guard) admit(ctx context.Context, d Door, subject string, v Visitor, c ratelimit.Counts, p *pass) error {
	if d.InAll > 0 && c.Hits[ofAccount] > d.InAll {
		return errs.RateLimited(c.After[ofAccount])
	}
	account, address := c.Hits[ofAccount]-d.Free, c.Hits[ofAddress]-d.Address
	pressure := max(account/accountsPerBit, address/addressesPerBit)
	if v.Work != "" && !d.NoWork {
		if ok, err := g.work(ctx, d, subject, v, pressure, p); ok || err != nil {
			return err
		}
	}
	if account <= 0 && address <= 0 && !v.Pressed {
		return nil
	}
	if d.NoWork && c.Hits[ofAccount] <= d.ReserveInAll {
		if ok, err := g.hit(ctx, rule(d, "reserve", d.Reserve, day), ratelimit.Address(v.Address)+" "+subject, p); ok || err != nil {
			return err
		}
	}
	after := c.After[ofAddress]
	if account > 0 && address <= 0 && !v.Pressed {
		turn := rule(d, "wait", 1, wait(account))
		ok, err := g.hit(ctx, turn, subject, p)
		if ok || err != nil {
			return err
		}
		after = g.limiter.Left(turn)
	}
	if d.NoWork {
		return errs.RateLimited(after)
	}
	return g.Wanted(d.Name, subject, pressure, after)
}

// How many guesses beyond the free ones double the difficulty of the work.
const (
	accountsPerBit  = 16
	addressesPerBit = 8
)

// work reports whether the visitor's work pays for a guess, and spends it.
func (g *Guard) work(ctx context.Context, d Door, subject string, v Visitor, pressure int64, p *pass) (bool, error) {
	a, ok := g.check(v.Work, d.Name, subject, difficulty(pressure))
	if !ok {
		return false, nil
	}
	pair := rule(d, "worked", d.Worked, day)
	ok, err := g.hit(ctx, pair, ratelimit.Address(v.Address)+" "+subject, p)
	if err != nil {
		return false, err
	}
	if !ok {
		return false, errs.RateLimited(g.limiter.Left(pair))
	}
	if ok, err = spend(ctx, g.db, a); ok {
		p.work = a
	}
	return ok, err
}

// hit counts under the rule and reports whether it allows the hit; refused hits are not counted.
func (g *Guard) hit(ctx context.Context, r ratelimit.Rule, subject string, p *pass) (bool, error) {
	c, err := g.limiter.Count(ctx, ratelimit.Counted{Rule: r, Subject: subject})
	if err != nil {
		return false, err
	}
	if c.Over() >= 0 {
		g.limiter.Forgive(ctx, c)
		return false, nil
	}
	p.counts = append(p.counts, c)
	return true, nil
}

// CountInAll counts one wrong guess from an unknown browser against the door's InAll, and fails once that is exhausted. It
// is for a second secret guessed after a first one in the same call.
func (g *Guard) CountInAll(ctx context.Context, d Door, k Kind, known, subject string, v Visitor, judge func() error) error {
	if v.Device.Knows(k, known, g.clock.Now()) {
		return judge()
	}
	p := pass{}
	r := rule(d, "in-all", d.InAll, day)
	ok, err := g.hit(ctx, r, subject, &p)
	if err != nil {
		return err
	}
	if !ok {
		return errs.RateLimited(g.limiter.Left(r))
	}
	if err = judge(); err == nil || errs.IsFault(err) {
		g.limiter.Forgive(ctx, p.counts...)
	}
	return err
}

// Forget resets the account's counter for unknown browsers.
func (g *Guard) Forget(ctx context.Context, d Door, subject string) error {
	return g.limiter.Reset(ctx, accountRule(d), subject)
}
