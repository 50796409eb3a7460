package world

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Chooser makes the choices in a history: a number from 0 to n-1.
type Chooser interface{ Int(n int) int }

// Customer is a franchiser with a history. Its methods must not be called concurrently; those of different customers
// may.
type Customer struct {
	w        *World
	ID       string
	choose   Chooser
	sessions []checkout.Requested
	// Refused counts the requests refused by a rule, Stuck the steps that did not find what they needed.
	Refused int
	names   int
	// asked is the action that staff requested, or nil.
	asked *act
}

// NewCustomer adds a franchiser in one of three States, with or without the free trial.
func (w *World) NewCustomer(ctx context.Context, choose Chooser) (*Customer, error) {
	f, err := w.Franchiser(ctx, pick(choose, []string{"27", "29", "04"}))
	if err != nil {
		return nil, err
	}
	c := &Customer{w: w, ID: f, choose: choose}
	if choose.Int(2) == 1 {
		err = w.Trial(ctx, f)
	}
	return c, err
}

func pick[T any](choose Chooser, list []T) T { return list[choose.Int(len(list))] }

// Trial starts a franchiser's free trial.
func (w *World) Trial(ctx context.Context, franchiserID string) error {
	return postgres.InTenantTx(ctx, w.APIDB(), franchiserID, func(tx *sqlx.Tx) error {
		return w.APISubs.StartTrialTx(ctx, tx, franchiserID)
	})
}

// APIDB returns the pool of the HTTP process.
func (w *World) APIDB() *sqlx.DB { return w.api.DB }

// refused reports whether an error is an answer that a customer may get; anything else is a fault.
func (c *Customer) refused(err error) error {
	switch errs.KindOf(err) {
	case errs.KindConflict, errs.KindInvalid, errs.KindNotFound:
		c.Refused++
		return nil
	default:
		return err
	}
}

func (c *Customer) ask(ctx context.Context, intent subscription.PurchaseIntent) error {
	r, err := c.w.API.Checkout.Request(ctx, c.ID, checkout.Input{Intent: intent, Key: c.name("request")})
	if errors.Is(err, checkout.ErrDebitUndecided) && c.choose.Int(2) == 0 { // the customer reads the warning and pays anyway
		r, err = c.w.API.Checkout.Request(ctx, c.ID, checkout.Input{Intent: intent, Key: c.name("request"), DespiteDebit: true})
	}
	if err != nil {
		return c.refused(err)
	}
	if r.Session == nil {
		return nil
	}
	c.sessions = append(c.sessions, r)
	return c.askedRightly(ctx, r)
}

// name returns a word that the customer has never used before.
func (c *Customer) name(what string) string {
	c.names++
	return fmt.Sprintf("%s-%s-%d", what, c.ID[24:], c.names)
}

// subscriptionID returns the customer's subscription, or an id that does not exist.
func (c *Customer) subscriptionID(ctx context.Context) (string, error) {
	ids, err := c.list(ctx, `SELECT id FROM subscriptions WHERE franchiser_id = $1`)
	return append(ids, "00000000-0000-7000-8000-000000000000")[0], err
}

func (c *Customer) list(ctx context.Context, query string) ([]string, error) {
	var list []string
	if err := c.w.Owner.SelectContext(ctx, &list, query, c.ID); err != nil {
		return nil, fmt.Errorf("ask for %q: %w", query, err)
	}
	return list, nil
}

// session returns any charge for which the customer was sent to pay; ok is false without one. The newest is as likely as all others
// together.
func (c *Customer) session() (r checkout.Requested, ok bool) {
	if len(c.sessions) == 0 {
		return r, false
	}
	if c.choose.Int(2) == 1 {
		return c.sessions[len(c.sessions)-1], true
	}
	return pick(c.choose, c.sessions), true
}

// Buy returns the intent to buy a plan.
func Buy(t plan.Tier, typ plan.Type, addOns ...string) subscription.PurchaseIntent {
	return subscription.PurchaseIntent{Plan: &subscription.Selection{Type: typ, ServiceID: t.ID, AddOnIDs: addOns}}
}

// Renewal returns the intent to buy the next term of a subscription.
func Renewal(subscriptionID string) subscription.PurchaseIntent {
	return subscription.PurchaseIntent{SubscriptionID: subscriptionID, Renew: true}
}
