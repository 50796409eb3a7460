package delivery

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Service reads the deliveries of one customer. It runs with the API's role.
type Service struct {
	db    *sqlx.DB
	clock clock.Clock
	store store
}

// NewService returns a service over the API's pool.
func NewService(db *sqlx.DB, clk clock.Clock) *Service {
	return wiring.Complete(&Service{db: db, clock: clk})
}

// Today is the day by which deliveries are late.
func (s *Service) Today() subscription.Day { return subscription.DayOf(s.clock.Now()) }

// List returns the customer's deliveries, open ones first, in the order of promised days. It omits ended deliveries.
func (s *Service) List(ctx context.Context, franchiserID string) (list []Delivery, err error) {
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		list, err = s.store.ofCustomer(ctx, tx, franchiserID)
		return err
	})
	return list, err
}

// Keeper finds proofs of the product's own deliveries and rows that are missing. It runs with the worker's role.
type Keeper struct {
	db       *sqlx.DB
	clock    clock.Clock
	messages *message.Enqueuer
	store    store
}

// NewKeeper returns a keeper over the worker's pool.
func NewKeeper(db *sqlx.DB, clk clock.Clock, messages *message.Enqueuer) *Keeper {
	return wiring.Complete(&Keeper{db: db, clock: clk, messages: messages})
}

// keepBatch is the number of customers or rows that one transaction takes.
const keepBatch = 500

// Settle creates missing rows, for example of customers who bought before there was a ledger, and returns the number of customers.
func (k *Keeper) Settle(ctx context.Context) (int, error) {
	return k.batches(ctx, func(tx *sqlx.Tx) (int, error) {
		return k.store.settle(ctx, tx, subscription.DayOf(k.clock.Now()), keepBatch)
	})
}

// Prove marks the product's own deliveries as delivered if their proof exists, and returns their number: an active domain, or a partner
// who accepted the invitation.
func (k *Keeper) Prove(ctx context.Context) (int, error) {
	return k.batches(ctx, func(tx *sqlx.Tx) (int, error) { return k.store.prove(ctx, tx, k.clock.Now(), keepBatch) })
}

// MarkLate records each delivery that became late, once for each promised day, and returns their number.
func (k *Keeper) MarkLate(ctx context.Context) (int, error) {
	return k.batches(ctx, func(tx *sqlx.Tx) (int, error) { return k.store.markLate(ctx, tx, k.clock.Now(), keepBatch) })
}

// A delivery that waits for the customer is in their digest again after firstReminder and secondReminder working days.
const (
	firstReminder  = 3
	secondReminder = 7
)

// Remind puts deliveries that still wait for their customer into the customer's next digest, at most twice each, and returns their number.
func (k *Keeper) Remind(ctx context.Context) (int, error) {
	return k.batches(ctx, func(tx *sqlx.Tx) (int, error) { return k.store.remind(ctx, tx, k.clock.Now(), keepBatch) })
}

// Tell tells each customer at most once a day of each topic (needed, done, late), and returns the number of digests.
func (k *Keeper) Tell(ctx context.Context) (int, error) {
	return k.batches(ctx, func(tx *sqlx.Tx) (int, error) {
		now := k.clock.Now()
		news, err := k.store.digests(ctx, tx, subscription.DayOf(now), keepBatch)
		if err != nil {
			return 0, err
		}
		for _, d := range news {
			for _, template := range d.Topic.templates() {
				m := message.CustomerMessage{FranchiserID: d.FranchiserID, Template: template, About: d.ID, CreatedAt: now}
				if err := k.messages.OnceTx(ctx, tx, m); err != nil {
					return 0, err
				}
			}
		}
		return len(news), nil
	})
}

// batches repeats step, one transaction per batch, until a batch is not full.
func (k *Keeper) batches(ctx context.Context, step func(tx *sqlx.Tx) (int, error)) (int, error) {
	total := 0
	for {
		n := 0
		err := postgres.InTx(ctx, k.db, func(tx *sqlx.Tx) (err error) {
			n, err = step(tx)
			return err
		})
		total += n
		if err != nil || n < keepBatch {
			return total, err
		}
	}
}

// PersonalData exports and erases the personal data in deliveries.
type PersonalData struct{ clock clock.Clock }

// NewPersonalData returns the personal data of deliveries.
func NewPersonalData(clk clock.Clock) PersonalData {
	return *wiring.Complete(&PersonalData{clock: clk})
}

// Export is one delivery in the export of personal data.
type Export struct {
	Name        string     `json:"name" db:"name"`
	Status      State      `json:"status" db:"state"`
	Promised    string     `json:"promised_on" db:"promised_on"`
	Needs       string     `json:"needs,omitempty" db:"needs"`
	Proof       string     `json:"proof,omitempty" db:"proof"`
	DeliveredAt *time.Time `json:"delivered_at,omitempty" db:"delivered_at"`
}

// ExportTx returns the deliveries; nil without deliveries.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	list, err := store{}.exported(ctx, tx, franchiserID)
	if err != nil || len(list) == 0 {
		return "deliveries", nil, err
	}
	return "deliveries", list, nil
}

// EraseTx ends every delivery and removes the texts that people wrote.
func (p PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return store{}.erase(ctx, tx, franchiserID, p.clock.Now())
}

// MoveTx changes nothing: no delivery has a mobile.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
