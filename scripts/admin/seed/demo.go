package seed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/franchise360/franchise360/scripts/admin/command"
	"github.com/franchise360/franchise360/scripts/customer"
)

const demoPassword = "Mangoes#2027"

// demoAccount is a development sign-in and the state it demonstrates.
type demoAccount struct {
	title, mobile, name, store string
	trial, paid                bool
}

func demoAccounts() []demoAccount {
	return []demoAccount{
		{title: "Active franchiser", mobile: "9000000001", name: "Asha", store: "Asha Sweets", paid: true},
		{title: "Trial franchiser", mobile: "9000000002", name: "Ravi", trial: true},
		{title: "Unpaid franchiser", mobile: "9000000003", name: "Meera"},
	}
}

// demo brings every demo account into its state, keeping what an earlier run did. It writes the sign-ins to DATA_DIR/demo.json,
// which the stack's start-up table reads.
func demo(ctx context.Context, call command.Call) error {
	if call.Getenv("APP_ENV") != "development" {
		return errors.New("demo accounts exist in development only")
	}
	stack := customer.Stack{Site: call.Getenv("PUBLIC_URL"), Inbox: call.Getenv("SMS_URL")}
	if stack.Inbox == "" {
		return errors.New("demo accounts need the SMS inbox of the development stack")
	}
	rows := [][2]string{}
	for _, a := range demoAccounts() {
		if err := ensure(ctx, stack, a); err != nil {
			return fmt.Errorf("%s: %w", a.title, err)
		}
		rows = append(rows, [2]string{a.title, a.mobile + "  " + demoPassword})
	}
	people, err := ensureStaff(ctx, call)
	if err != nil {
		return err
	}
	text, err := json.Marshal(append(rows, people...))
	if err != nil {
		return fmt.Errorf("note the demo sign-ins: %w", err)
	}
	if err := os.WriteFile(filepath.Join(call.Getenv("DATA_DIR"), "demo.json"), text, 0o600); err != nil {
		return fmt.Errorf("note the demo sign-ins: %w", err)
	}
	return nil
}

// ensure performs the steps still missing for the account's state.
func ensure(ctx context.Context, stack customer.Stack, a demoAccount) error {
	c, err := customer.New(stack)
	if err != nil {
		return err
	}
	u, err := c.LogIn(ctx, a.mobile, demoPassword)
	if customer.IsRefused(err) {
		u, err = c.SignUp(ctx, customer.Details{
			Mobile: a.mobile, Email: a.name + "@demo.franchise360.example", Password: demoPassword, FirstName: a.name,
			FreeTrial: a.trial,
		})
	}
	if err != nil {
		return err
	}
	if !u.HasAddress {
		if err := c.SaveAddress(ctx); err != nil {
			return err
		}
	}
	if a.paid && !u.IsActive {
		if err := buy(ctx, c); err != nil {
			return err
		}
	}
	if a.store != "" && !u.HasStore {
		return c.AddStore(ctx, a.mobile, demoPassword, a.store)
	}
	return nil
}

// buy buys the first plan for a year.
func buy(ctx context.Context, c *customer.Customer) error {
	services, err := c.FirstServices(ctx)
	if err != nil {
		return err
	}
	session, err := c.Request(ctx, services[0])
	if err != nil {
		return err
	}
	return c.Pay(ctx, session)
}
