package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/scripts/customer"
)

const loginMobile = "9199999999"

// signIn sets whole sign-ins, one after the other, against the bare hash that each of them can't do without.
func signIn(ctx context.Context, s stack) (result, error) {
	if err := ensureLogin(ctx, s); err != nil {
		return result{}, err
	}
	hasher := password.NewHasher(1)
	hash, err := hasher.Hash(ctx, benchPassword)
	if err != nil {
		return result{}, err
	}
	one := func(fn ask) side {
		return func(ctx context.Context) (float64, error) {
			rate, _, err := load(ctx, 1, fn)
			return rate, err
		}
	}
	ours, limit, err := alternate(ctx,
		one(func(ctx context.Context, _ int) error { return logIn(ctx, s) }),
		one(func(ctx context.Context, _ int) error { return verify(ctx, hasher, hash) }))
	if err != nil {
		return result{}, err
	}
	r := compare(ours, limit, 0.9)
	r.Note = "(one caller; argon2id 19 MiB, t=2, p=1)"
	return r, nil
}

func verify(ctx context.Context, hasher *password.Hasher, hash string) error {
	ok, err := hasher.Verify(ctx, hash, benchPassword)
	if err == nil && !ok {
		err = errors.New("the hash does not fit")
	}
	return err
}

const (
	signInPairs = 200
	// mostBesideHash is what a sign-in may take beside its hash.
	mostBesideHash = 5 * time.Millisecond
)

// besideHash sets each sign-in against a bare hash of the same moment: what is left is the rest of the request, with
// what the two hashes differ in.
func besideHash(ctx context.Context, s stack) (result, error) {
	if err := ensureLogin(ctx, s); err != nil {
		return result{}, err
	}
	hasher := password.NewHasher(1)
	hash, err := hasher.Hash(ctx, benchPassword)
	if err != nil {
		return result{}, err
	}
	rest, bare := make([]time.Duration, 0, signInPairs), make([]time.Duration, 0, signInPairs)
	for range signInPairs {
		whole, err := timed(func() error { return logIn(ctx, s) })
		if err != nil {
			return result{}, err
		}
		alone, err := timed(func() error { return verify(ctx, hasher, hash) })
		if err != nil {
			return result{}, err
		}
		rest, bare = append(rest, whole-alone), append(bare, alone)
	}
	slices.Sort(rest)
	slices.Sort(bare)
	p95 := quantile(rest, 0.95)
	return result{
		Ours:  fmt.Sprintf("p50 %.1f, p95 %.1f ms", ms(quantile(rest, 0.5)), ms(p95)),
		Limit: fmt.Sprintf("%.0f ms a hash, p95 %.0f", ms(quantile(bare, 0.5)), ms(quantile(bare, 0.95))),
		Ratio: fmt.Sprintf("%.2f", float64(p95)/float64(mostBesideHash)), Wanted: "p95 ≤ 5 ms", Met: p95 <= mostBesideHash,
	}, nil
}

const triesPerMobile = 2

// unknownMobile compares refused sign-ins of mobiles with and without an account, in turn: nobody should learn from
// the time which is which. Each mobile is tried too seldom to meet its limit.
func unknownMobile(ctx context.Context, s stack) (result, error) {
	if _, _, err := signUpAll(ctx, s, 200); err != nil {
		return result{}, err
	}
	try := func(mobile int) (float64, error) {
		c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox, Gateway: s.Gateway})
		if err != nil {
			return 0, err
		}
		took, err := timed(func() error {
			_, err := c.LogIn(ctx, strconv.Itoa(mobile), "wrong"+benchPassword)
			if customer.IsRefused(err) {
				return nil
			}
			return errors.Join(err, errors.New("a wrong password was not refused"))
		})
		return ms(took), err
	}
	var known, unknown []float64
	for n := range connections * triesPerMobile {
		a, err := try(firstMobile + 200 + n%connections)
		if err != nil {
			return result{}, err
		}
		b, err := try(firstMobile + 500_000 + n)
		if err != nil {
			return result{}, err
		}
		known, unknown = append(known, a), append(unknown, b)
	}
	ratio := median(known) / median(unknown)
	return result{
		Ours: durations(known), Limit: durations(unknown), Ratio: fmt.Sprintf("%.2f", ratio),
		Wanted: "0.9 to 1.1", Met: ratio >= 0.9 && ratio <= 1.1,
	}, nil
}

func timed(fn func() error) (time.Duration, error) {
	begun := time.Now()
	err := fn()
	return time.Since(begun), err
}

// logIn signs in as a browser that was not signed in before.
func logIn(ctx context.Context, s stack) error {
	c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox, Gateway: s.Gateway})
	if err != nil {
		return err
	}
	_, err = c.LogIn(ctx, loginMobile, benchPassword)
	return err
}

// ensureLogin signs the account up unless an earlier run did.
func ensureLogin(ctx context.Context, s stack) error {
	if err := logIn(ctx, s); !customer.IsRefused(err) {
		return err
	}
	c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox, Gateway: s.Gateway})
	if err != nil {
		return err
	}
	_, err = c.SignUp(ctx, customer.Details{
		Mobile: loginMobile, Email: "bench@franchise360.example", Password: benchPassword, FirstName: "Bench",
	})
	return err
}
