// Package ratelimit counts what a subject does in fixed windows of time: in Redis, and in Postgres while Redis is away.
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
)

// Rule allows Limit hits of one subject per Window; Name keeps the counts of different rules apart.
type Rule struct {
	Name   string
	Limit  int64
	Window time.Duration
}

// Limiter counts hits. Subjects (mobiles, addresses) are stored as keyed hashes only.
type Limiter struct {
	redis *redis.Client
	store store
	clock clock.Clock
	keys  secret.Keyring
}

// New returns a limiter over Redis with the database as its fallback.
func New(r *redis.Client, db *sqlx.DB, clk clock.Clock, keys secret.Keyring) *Limiter {
	return &Limiter{redis: r, store: store{db: db}, clock: clk, keys: keys}
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

// HitAll is Hit for several at once, in one round trip. Where one is past its limit, the hits of the others are taken
// back: what was refused is not counted against them.
func (l *Limiter) HitAll(ctx context.Context, all ...Counted) error {
	hits, after, err := l.add(ctx, 1, all)
	if err != nil {
		return err
	}
	for i, c := range all {
		if hits[i] <= c.Rule.Limit {
			continue
		}
		if err := l.RefundAll(ctx, slices.Concat(all[:i], all[i+1:])...); err != nil {
			return err
		}
		return errs.RateLimited(after[i])
	}
	return nil
}

// Refund takes back one hit that turned out to be harmless.
func (l *Limiter) Refund(ctx context.Context, r Rule, subject string) error {
	return l.RefundAll(ctx, Counted{Rule: r, Subject: subject})
}

// RefundAll is Refund for several at once, in one round trip.
func (l *Limiter) RefundAll(ctx context.Context, all ...Counted) error {
	if len(all) == 0 {
		return nil
	}
	_, _, err := l.add(ctx, -1, all)
	return err
}

// Reset forgets the hits of the subject in the present window, in Redis and in Postgres.
func (l *Limiter) Reset(ctx context.Context, r Rule, subject string) error {
	key, start := l.key(r, subject)
	if err := l.store.reset(ctx, key, start); err != nil {
		return err
	}
	// While Redis is away Postgres counts, and that was reset. What Redis still holds ends with the window.
	_ = l.redis.Delete(ctx, redisKey(key, start))
	return nil
}

// add returns the sums and how long each window still lasts.
func (l *Limiter) add(ctx context.Context, n int64, all []Counted) (hits []int64, after []time.Duration, err error) {
	now := l.clock.Now()
	after = make([]time.Duration, len(all))
	counters := make([]redis.Counter, len(all))
	for i, c := range all {
		key, start := l.key(c.Rule, c.Subject)
		after[i] = start.Add(c.Rule.Window).Sub(now)
		counters[i] = redis.Counter{Key: redisKey(key, start), TTL: after[i] + time.Second}
	}
	hits, err = l.redis.Add(ctx, n, counters...)
	if err == nil {
		return hits, after, nil
	}
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("count hit: %w", ctx.Err())
	}
	hits = make([]int64, len(all))
	for i, c := range all {
		key, start := l.key(c.Rule, c.Subject)
		if hits[i], err = l.store.add(ctx, key, start, start.Add(c.Rule.Window), n); err != nil {
			return nil, nil, err
		}
	}
	return hits, after, nil
}

func (l *Limiter) key(r Rule, subject string) (key string, start time.Time) {
	mac := l.keys.MAC(secret.PurposeSubject, r.Name, subject)
	return r.Name + ":" + base64.RawURLEncoding.EncodeToString(mac[:16]), l.clock.Now().Truncate(r.Window)
}

func redisKey(key string, start time.Time) string {
	return fmt.Sprintf("limit:%s:%d", key, start.Unix())
}

// Address returns the subject of a client's address: IPv4 as it is, IPv6 by its /64, which one customer owns whole.
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
