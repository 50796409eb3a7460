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

// signIn compares complete sign-ins, one after the other, with the bare hash that each of them needs.
func signIn(ctx context.Context, s stack) (result, error) {
	if err := ensureLogin(ctx, s, loginMobile); err != nil {
		return result{}, err
	}
	hasher := password.NewHasher(1)
	hash, err := hasher.Hash(ctx, benchPassword)
	if err != nil {
		return result{}, err
	}
	ours, limit, err := inTurn(ctx,
		func(ctx context.Context) error { return logIn(ctx, s, loginMobile) },
		func(ctx context.Context) error {
			ok, err := hasher.Verify(ctx, hash, benchPassword)
			if err == nil && !ok {
				err = errors.New("the hash does not fit")
			}
			return err
		})
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
	// mostBesideHash is the time a sign-in may take besides its hash.
	mostBesideHash = 5 * time.Millisecond
)

// besideHash measures complete sign-ins of an account whose hash costs next to nothing, as an argon2id hash encodes its own
// cost: the remainder is the rest of the request.
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

// cheapen gives the account a password hash that takes a few microseconds.
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

// unknownMobile compares, in alternation, refused sign-ins of mobiles with and without an account: timing must not reveal which
// is which. Each mobile is tried too rarely to hit its rate limit.
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

// logIn signs in with a fresh browser.
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
