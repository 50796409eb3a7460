package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/scripts/customer"
)

const loginMobile = "9199999999"

// signIn sets whole sign-ins, one after the other, against the bare hash that each of them can't do without.
func signIn(ctx context.Context, s stack) (result, error) {
	if err := ensureLogin(ctx, s, loginMobile); err != nil {
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
		one(func(ctx context.Context, _ int) error { return logIn(ctx, s, loginMobile) }),
		one(func(ctx context.Context, _ int) error {
			ok, err := hasher.Verify(ctx, hash, benchPassword)
			if err == nil && !ok {
				err = errors.New("the hash does not fit")
			}
			return err
		}))
	if err != nil {
		return result{}, err
	}
	r := compare(ours, limit, 0.9)
	r.Note = "(one caller; argon2id 19 MiB, t=2, p=1)"
	return r, nil
}

const (
	quickMobile  = "9199999998"
	quickSignIns = 400
	// mostBesideHash is what a sign-in may take beside its hash.
	mostBesideHash = 5 * time.Millisecond
)

// besideHash measures whole sign-ins of an account whose hash costs next to nothing, because an argon2id hash names its
// own cost: what is left is the rest of the request.
func besideHash(ctx context.Context, s stack) (result, error) {
	if err := ensureLogin(ctx, s, quickMobile); err != nil {
		return result{}, err
	}
	if err := cheapen(ctx, s, quickMobile); err != nil {
		return result{}, err
	}
	took := make([]time.Duration, 0, quickSignIns)
	for range quickSignIns {
		t, err := timed(func() error { return logIn(ctx, s, quickMobile) })
		if err != nil {
			return result{}, err
		}
		took = append(took, t)
	}
	slices.Sort(took)
	p95 := quantile(took, 0.95)
	return result{
		Ours: fmt.Sprintf("p50 %.1f ms, p95 %.1f ms", ms(quantile(took, 0.5)), ms(p95)), Limit: "p95 5 ms",
		Ratio: fmt.Sprintf("%.2f", float64(p95)/float64(mostBesideHash)), Wanted: "≤ 1.0", Met: p95 <= mostBesideHash,
		Note: "(one caller)",
	}, nil
}

// cheapen gives the account a hash of its password that takes some microseconds.
func cheapen(ctx context.Context, s stack, mobile string) error {
	db, err := postgres.Open(ctx, s.OwnerURL, 1)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	salt := []byte("a cheap hash has")
	key := argon2.IDKey([]byte(benchPassword), salt, 1, 8, 1, 32)
	hash := fmt.Sprintf("$argon2id$v=%d$m=8,t=1,p=1$%s$%s", argon2.Version,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
	if _, err := db.ExecContext(ctx, `UPDATE franchisers SET password_hash = $2 WHERE mobile = $1`, mobile, hash); err != nil {
		return fmt.Errorf("cheapen the hash: %w", err)
	}
	return nil
}

const triesPerMobile = 2

// unknownMobile compares refused sign-ins of mobiles with and without an account, in turn: nobody should learn from
// the time which is which. Each mobile is tried too seldom to meet its limit.
func unknownMobile(ctx context.Context, s stack) (result, error) {
	if _, _, err := signUpAll(ctx, s, 200); err != nil {
		return result{}, err
	}
	try := func(mobile int) (float64, error) {
		c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox})
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
func logIn(ctx context.Context, s stack, mobile string) error {
	c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox})
	if err != nil {
		return err
	}
	_, err = c.LogIn(ctx, mobile, benchPassword)
	return err
}

// ensureLogin signs the account up unless an earlier run did.
func ensureLogin(ctx context.Context, s stack, mobile string) error {
	if err := logIn(ctx, s, mobile); !customer.IsRefused(err) {
		return err
	}
	c, err := customer.New(customer.Stack{Site: s.Site, Inbox: s.SMSInbox})
	if err != nil {
		return err
	}
	_, err = c.SignUp(ctx, customer.Details{
		Mobile: mobile, Email: "bench@franchise360.example", Password: benchPassword, FirstName: "Bench",
	})
	return err
}
