package alert

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Notice is the message to a channel.
type Notice struct {
	// ID is that of the delivery, the same whenever it is sent again.
	ID string `db:"id"`
	// What is fired, grown or resolved.
	What       string     `db:"what"`
	Channel    string     `db:"channel"`
	AlertID    string     `db:"alert_id"`
	Rule       string     `db:"rule"`
	Subject    string     `db:"subject"`
	Severity   Severity   `db:"severity"`
	Message    string     `db:"message"`
	OpenedAt   time.Time  `db:"opened_at"`
	ResolvedAt *time.Time `db:"resolved_at"`
}

// Channel takes notices to people.
type Channel interface {
	// Name is email, slack or webhook.
	Name() string
	Deliver(ctx context.Context, n Notice) error
}

const (
	// maxAttempts limits the attempts of a delivery; claimFor is how long an attempt locks it.
	maxAttempts = 12
	claimFor    = 30 * time.Second
	noteWithin  = 5 * time.Second
	// deliverWithin is how long one attempt may take; it ends well before another process may claim the delivery.
	deliverWithin = 15 * time.Second
	// lostAfter is the age at which any look sends a delivery that no job has sent.
	lostAfter = 90 * time.Second
)

// Deliverer sends alerts to the channels that the settings name.
type Deliverer struct {
	db       *sqlx.DB
	clock    clock.Clock
	channels []Channel
}

// NewDeliverer returns a deliverer to these channels, possibly zero.
func NewDeliverer(db *sqlx.DB, clk clock.Clock, channels ...Channel) *Deliverer {
	return wiring.Complete(&Deliverer{db: db, clock: clk, channels: append([]Channel{}, channels...)})
}

// Channels returns the names of the channels that are on.
func (d *Deliverer) Channels() []string {
	names := make([]string, 0, len(d.channels))
	for _, c := range d.channels {
		names = append(names, c.Name())
	}
	return names
}

// Whoever claims a delivery sends it; a claim that ends without a result has died with its process.
const claimSQL = `
UPDATE alert_deliveries d SET claimed_until = $2, attempts = attempts + 1 FROM alerts a
WHERE d.id = $1 AND a.id = d.alert_id AND d.delivered_at IS NULL AND d.given_up_at IS NULL AND (d.claimed_until IS NULL OR d.claimed_until <= $3)
RETURNING d.id, d.what, d.channel, a.id AS alert_id, a.rule, a.subject, a.severity, a.message, a.opened_at, a.resolved_at`

// Deliver sends one delivery, unless it is sent or another process has it in hand. last marks the attempt after which it is given up.
func (d *Deliverer) Deliver(ctx context.Context, deliveryID string, last bool) error {
	now := d.clock.Now()
	var n Notice
	err := d.db.GetContext(ctx, &n, claimSQL, deliveryID, now.Add(claimFor), now)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return postgres.Error(fmt.Errorf("claim delivery of alert: %w", err))
	}
	failure := d.send(ctx, n)
	// What happened is noted even where the attempt has used up the time of the job.
	noting, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
	defer cancel()
	if err := d.note(noting, n, failure, last); err != nil {
		return err
	}
	if failure != nil {
		return errs.Unavailable(fmt.Errorf("alert not delivered by %s: %w", n.Channel, failure))
	}
	return nil
}

func (d *Deliverer) send(ctx context.Context, n Notice) error {
	for _, c := range d.channels {
		if c.Name() == n.Channel {
			sending, cancel := context.WithTimeout(ctx, deliverWithin)
			defer cancel()
			return c.Deliver(sending, n)
		}
	}
	return errors.New("the channel is off in this process")
}

const (
	deliveredSQL = `UPDATE alert_deliveries SET delivered_at = $2, failure = '' WHERE id = $1`
	// A claim is given back, so that the next attempt need not wait for its end.
	failedSQL = `UPDATE alert_deliveries SET claimed_until = NULL, failure = $2, given_up_at = CASE WHEN $3 THEN $4::timestamptz END WHERE id = $1`
)

func (d *Deliverer) note(ctx context.Context, n Notice, failure error, last bool) error {
	now := d.clock.Now()
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if failure == nil {
			if _, err := tx.ExecContext(ctx, deliveredSQL, n.ID, now); err != nil {
				return fmt.Errorf("note delivery of alert: %w", err)
			}
			return noteTx(ctx, tx, n.AlertID, eventDelivered, "", n.Channel+": "+n.What, now)
		}
		why := text.First(log.Mask(failure.Error()), 300)
		if _, err := tx.ExecContext(ctx, failedSQL, n.ID, why, last, now); err != nil {
			return fmt.Errorf("note failed delivery of alert: %w", err)
		}
		if !last {
			return nil
		}
		return noteTx(ctx, tx, n.AlertID, eventNotDelivered, "", n.Channel+": "+why, now)
	})
}

const waitingSQL = `
SELECT d.id, d.attempts FROM alert_deliveries d WHERE d.delivered_at IS NULL AND d.given_up_at IS NULL
    AND (d.claimed_until IS NULL OR d.claimed_until <= $1)
    AND (d.created_at <= $2 OR NOT $3 AND NOT EXISTS (SELECT FROM worker_overview WHERE lives))
ORDER BY d.created_at LIMIT 20`

// Waiting sends deliveries that no job has sent: in an API all of them while no worker lives, and in any process the lost ones.
func (d *Deliverer) Waiting(ctx context.Context, worker bool) error {
	now := d.clock.Now()
	var rows []struct {
		ID       string `db:"id"`
		Attempts int    `db:"attempts"`
	}
	if err := d.db.SelectContext(ctx, &rows, waitingSQL, now, now.Add(-lostAfter), worker); err != nil {
		return postgres.Error(fmt.Errorf("find deliveries of alerts: %w", err))
	}
	var failed []error
	for _, r := range rows {
		failed = append(failed, d.Deliver(ctx, r.ID, r.Attempts+1 >= maxAttempts))
	}
	return errors.Join(failed...)
}

// Prune deletes alerts that were resolved long ago, with their history.
func (d *Deliverer) Prune(ctx context.Context) error {
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error { return pruneTx(ctx, tx, d.clock.Now().Add(-keepFor)) })
}
