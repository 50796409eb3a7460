package checkout

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// session opens the payment's session at its gateway. If that needs an order, only one is created, even for concurrent requests.
func (s *Service) session(ctx context.Context, p payment.Payment, person subscription.Person, o subscription.Order) (payment.Session, error) {
	return s.sessionFor(ctx, p, person, o, nil)
}

// sessionFor is session; the bearer of a link, if any, comes back to the link's page.
func (s *Service) sessionFor(ctx context.Context, p payment.Payment, person subscription.Person, o subscription.Order, by *bearer) (payment.Session, error) {
	g, err := s.gateways.Find(p.Gateway)
	if err != nil {
		return payment.Session{}, errs.Unavailable(err)
	}
	invoiced := o.Recipient.Name
	if by != nil { // the bearer's browser is not told the customer's name
		invoiced = ""
	}
	c := s.chargeOf(p, person, o.ProductInfo(), invoiced)
	if by != nil {
		c.ReturnURL = s.returnURL(person.Language, by.code)
	}
	if orders, ok := g.(payment.OrderCreator); ok && c.Reference == "" {
		if c.Reference, err = s.order(ctx, orders, p, c); err != nil {
			return payment.Session{}, err
		}
	}
	return g.Begin(ctx, c)
}

const (
	// orderLease is how long one request may take to create the gateway's order: two calls with their timeouts, and a margin.
	orderLease = 45 * time.Second
	// orderPatience is how long other requests wait for it, orderPause how often they look.
	orderPatience = 15 * time.Second
	orderPause    = 50 * time.Millisecond
	// orderNoted limits storing the gateway's answer after the request has timed out.
	orderNoted = 1500 * time.Millisecond
)

// order returns the gateway's id for the charge. One request at a time creates it; the others wait for it to be stored.
// If a request dies, its lease expires, and the next one finds the order by our transaction.
func (s *Service) order(ctx context.Context, g payment.OrderCreator, p payment.Payment, c payment.Charge) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, orderLease)
	defer cancel()
	patience := time.NewTimer(orderPatience)
	defer patience.Stop()
	for {
		reference, claimed, err := s.claimOrder(ctx, p)
		if err != nil || reference != "" {
			return reference, err
		}
		if claimed {
			return s.makeOrder(ctx, g, p, c)
		}
		select {
		case <-time.After(orderPause):
		case <-patience.C:
			return "", errs.Unavailable(errs.New(errs.KindUnavailable, "order_being_made", "The payment page is being opened. Please try again."))
		case <-ctx.Done():
			return "", errs.Unavailable(ctx.Err())
		}
	}
}

func (s *Service) claimOrder(ctx context.Context, p payment.Payment) (reference string, claimed bool, err error) {
	now := s.clock.Now()
	err = postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		reference, claimed, err = claimOrderTx(ctx, tx, p, now, now.Add(-orderLease))
		return err
	})
	return reference, claimed, err
}

func (s *Service) makeOrder(ctx context.Context, g payment.OrderCreator, p payment.Payment, c payment.Charge) (string, error) {
	made, failure := g.Order(ctx, c)
	var kept string
	// Runs even if the caller has gone: a created order is stored, and a failure releases the lease.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), orderNoted)
	defer cancel()
	err := postgres.InTenantTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		var err error
		kept, err = store.SetReference(ctx, tx, p, made)
		return err
	})
	if failure != nil {
		return "", failure
	}
	return kept, err
}
