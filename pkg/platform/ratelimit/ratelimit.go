// Package ratelimit counts hits per subject in fixed time windows: in Redis, or in Postgres while Redis is down.
package ratelimit

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Rule allows Limit hits per subject and Window; Name separates the counters of different rules.
type Rule struct {
	Name   string
	Limit  int64
	Window time.Duration
}

// Limiter counts hits. Subjects (mobile numbers, addresses) are stored only as keyed hashes.
type Limiter struct {
	redis *redis.Client
	store store
	clock clock.Clock
	keys  secret.Keyring
}

// New returns a limiter that uses Redis, with the database as its fallback.
func New(r *redis.Client, db *sqlx.DB, clk clock.Clock, keys secret.Keyring) *Limiter {
	return wiring.Complete(&Limiter{redis: r, store: store{db: db}, clock: clk, keys: keys})
}

// Counted is a subject under a rule.
type Counted struct {
	Rule    Rule
	Subject string
}

// Hit counts one hit of the subject; past the limit it fails with KindRateLimited and the time until the window ends.
func (l *Limiter) Hit(ctx context.Context, r Rule, subject string) error {
	return l.HitAll(ctx, Counted{Rule: r, Subject: subject})
}

// HitAll is Hit for several subjects in one round trip. If one is past its limit, the hits of the others are taken back, so
// that a refused request does not count against them.
func (l *Limiter) HitAll(ctx context.Context, all ...Counted) error {
	c, err := l.Count(ctx, all...)
	if err != nil {
		return err
	}
	i := c.Over()
	if i < 0 {
		return nil
	}
	others := Counts{windows: slices.Concat(c.windows[:i], c.windows[i+1:])}
	if err := l.TakeBack(ctx, others); err != nil {
		return err
	}
	return errs.RateLimited(c.After[i])
}

// Refund takes back one hit that turned out to be harmless.
func (l *Limiter) Refund(ctx context.Context, r Rule, subject string) error {
	return l.RefundAll(ctx, Counted{Rule: r, Subject: subject})
}

// RefundAll is Refund for several subjects in one round trip.
func (l *Limiter) RefundAll(ctx context.Context, all ...Counted) error {
	return l.TakeBack(ctx, Counts{windows: l.windows(all)})
}

// Counts holds the result of counted hits regardless of limits: each sum, and when its window ends.
type Counts struct {
	Hits    []int64
	After   []time.Duration
	windows []window
}

// Over returns the index of the first counter past its limit, or -1.
func (c Counts) Over() int {
	return slices.IndexFunc(c.windows, func(w window) bool { return w.hits > w.limit })
}

// window is one subject's counter under one rule.
type window struct {
	key         string
	start, end  time.Time
	hits, limit int64
}

// Count counts one hit for each subject in one round trip, and leaves it to the caller to act on the sums.
func (l *Limiter) Count(ctx context.Context, all ...Counted) (Counts, error) {
	c := Counts{windows: l.windows(all)}
	hits, err := l.add(ctx, 1, c.windows)
	if err != nil {
		return Counts{}, err
	}
	c.Hits, c.After = hits, make([]time.Duration, len(all))
	now := l.clock.Now()
	for i := range c.windows {
		c.windows[i].hits = hits[i]
		c.After[i] = c.windows[i].end.Sub(now)
	}
	return c, nil
}

// TakeBack takes the hits back from the windows in which they were counted, even if those have ended.
func (l *Limiter) TakeBack(ctx context.Context, c Counts) error {
	if len(c.windows) == 0 {
		return nil
	}
	_, err := l.add(ctx, -1, c.windows)
	return err
}

// Left returns the time remaining in the rule's current window.
func (l *Limiter) Left(r Rule) time.Duration {
	now := l.clock.Now()
	return now.Truncate(r.Window).Add(r.Window).Sub(now)
}

// Guess counts a hit, lets judge check the guess, and takes the hit back unless it was judged wrong: right guesses, and
// those not judged because of a fault on our side, do not count.
func (l *Limiter) Guess(ctx context.Context, c Counted, judge func() error) error {
	counts, err := l.Count(ctx, c)
	if err != nil {
		return err
	}
	if counts.Over() >= 0 {
		return errs.RateLimited(counts.After[0])
	}
	err = judge()
	if err == nil || errs.IsFault(err) {
		l.Forgive(ctx, counts)
	}
	return err
}

// forgiveWithin limits how long taking hits back may take after the request has ended.
const forgiveWithin = 2 * time.Second

// Forgive is TakeBack for when the response is already decided: it also works after the request has ended, and if it fails,
// the counter stays until its window ends.
func (l *Limiter) Forgive(ctx context.Context, all ...Counts) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgiveWithin)
	defer cancel()
	for _, c := range all {
		_ = l.TakeBack(ctx, c)
	}
}

// Reset clears the subject's hits in the current window, in Redis and in Postgres.
func (l *Limiter) Reset(ctx context.Context, r Rule, subject string) error {
	key, start := l.key(r, subject)
	if err := l.store.reset(ctx, key, start); err != nil {
		return err
	}
	// While Redis is down, Postgres counts, and that was reset. Whatever Redis still holds expires with the window.
	_ = l.redis.Delete(ctx, redisKey(key, start))
	return nil
}

func (l *Limiter) windows(all []Counted) []window {
	list := make([]window, len(all))
	for i, c := range all {
		key, start := l.key(c.Rule, c.Subject)
		list[i] = window{key: key, start: start, end: start.Add(c.Rule.Window), limit: c.Rule.Limit}
	}
	return list
}

// add adds n to each window and returns the sums.
func (l *Limiter) add(ctx context.Context, n int64, all []window) ([]int64, error) {
	now := l.clock.Now()
	counters := make([]redis.Counter, len(all))
	for i, w := range all {
		counters[i] = redis.Counter{Key: redisKey(w.key, w.start), TTL: max(w.end.Sub(now), 0) + time.Second}
	}
	hits, err := l.redis.Add(ctx, n, counters...)
	if err == nil {
		return hits, nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("count hit: %w", ctx.Err())
	}
	hits = make([]int64, len(all))
	for i, w := range all {
		if hits[i], err = l.store.add(ctx, w.key, w.start, w.end, n); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

func (l *Limiter) key(r Rule, subject string) (key string, start time.Time) {
	mac := l.keys.MAC(secret.PurposeSubject, r.Name, subject)
	return r.Name + ":" + base64.RawURLEncoding.EncodeToString(mac[:16]), l.clock.Now().Truncate(r.Window)
}

func redisKey(key string, start time.Time) string {
	return fmt.Sprintf("limit:%s:%d", key, start.Unix())
}

// Address returns the rate-limiting subject for a client's address: IPv4 unchanged, IPv6 by its /64, which belongs to one
// customer.
func Address(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return "unknown"
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(64)
	if err != nil {
		return "unknown"
	}
	return p.String()
}
