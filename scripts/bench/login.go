package main

import (
	"context"
	"errors"

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
