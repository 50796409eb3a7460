package alert

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// ruleDatabaseAway is the rule that no look can judge: the looks themselves need the database.
const ruleDatabaseAway = "database_away"

const (
	// looksUntilAway is how many looks in a row have to fail, and looksUntilBack how many have to succeed.
	looksUntilAway, looksUntilBack = 4, 2
	// claimOutageFor is how long one process tells of an outage for all others. It renews the claim while the outage lasts.
	claimOutageFor = 5 * time.Minute
	claimOutageKey = "alert:database-away"
)

// Claims lets one process act for all while the database is unavailable; redis.Client implements it. A failed claim counts as granted:
// several messages are better than no message.
type Claims interface {
	SetIfAbsent(ctx context.Context, key, value string, ttl time.Duration) error
	Set(ctx context.Context, key, value string, ttl time.Duration) error
	Get(ctx context.Context, key string) (value string, found bool, err error)
	Delete(ctx context.Context, keys ...string) error
}

// outage tells the channels directly, from memory, that the database is away: the alerts and their deliveries are kept in it.
type outage struct {
	process  string
	channels []Channel
	claims   Claims `wiring:"optional"`
	clock    clock.Clock
	logger   *slog.Logger

	mu        sync.Mutex
	bad, good int
	since     time.Time
	notice    Notice `wiring:"later"`
	told      []string
}

func newOutage(channels []Channel, clk clock.Clock, logger *slog.Logger) *outage {
	return wiring.Complete(&outage{process: id.New(), channels: channels, clock: clk, logger: logger})
}

// looked counts the outcome of one look, tells the channels when enough of them failed, and tells them when the outage is over. It
// returns the outage that is over, if this process told of it.
func (o *outage) looked(ctx context.Context, failure error) *Notice {
	o.mu.Lock()
	defer o.mu.Unlock()
	ctx = context.WithoutCancel(ctx) // the look may have used up its time
	if failure != nil {
		o.failed(ctx, failure)
		return nil
	}
	o.good++
	if o.good < looksUntilBack {
		return nil
	}
	o.bad = 0
	if len(o.told) == 0 {
		return nil
	}
	now := o.clock.Now()
	n := o.notice
	n.ID, n.What, n.ResolvedAt = id.New(), eventResolved, &now
	o.told = slices.DeleteFunc(o.told, func(channel string) bool { return o.deliver(ctx, channel, n) })
	if len(o.told) > 0 && o.good < looksUntilBack+looksUntilAway {
		return nil // the next look tries the others again
	}
	o.told = nil
	if o.claims != nil {
		_ = o.claims.Delete(ctx, claimOutageKey) // it expires if the deletion fails
	}
	return &n
}

func (o *outage) failed(ctx context.Context, failure error) {
	if o.bad == 0 {
		o.since = o.clock.Now()
	}
	o.bad, o.good = o.bad+1, 0
	if o.bad < looksUntilAway || len(o.channels) == 0 || !o.claimed(ctx) {
		return
	}
	if len(o.told) == 0 {
		o.notice = Notice{
			ID: id.New(), What: eventFired, AlertID: id.New(), Rule: ruleDatabaseAway, Severity: Critical, OpenedAt: o.since,
			Message: fmt.Sprintf("The database fails: %s. %d looks in a row failed within %s. Nobody can sign in, buy or pay, and no other alert is judged meanwhile.",
				postgres.Reason(failure), o.bad, span(o.clock.Now().Sub(o.since))),
		}
		o.logger.ErrorContext(ctx, "the database is away", log.Error(failure))
	}
	for _, c := range o.channels {
		if !slices.Contains(o.told, c.Name()) && o.deliver(ctx, c.Name(), o.notice) {
			o.told = append(o.told, c.Name())
		}
	}
}

// claimed reports whether this process tells of the outage.
func (o *outage) claimed(ctx context.Context) bool {
	if o.claims == nil {
		return true
	}
	if err := o.claims.SetIfAbsent(ctx, claimOutageKey, o.process, claimOutageFor); err != nil {
		return true
	}
	holder, found, err := o.claims.Get(ctx, claimOutageKey)
	if err != nil || !found {
		return true
	}
	if holder != o.process {
		return false
	}
	_ = o.claims.Set(ctx, claimOutageKey, o.process, claimOutageFor) // renews it
	return true
}

func (o *outage) deliver(ctx context.Context, channel string, n Notice) bool {
	i := slices.IndexFunc(o.channels, func(c Channel) bool { return c.Name() == channel })
	ctx, cancel := context.WithTimeout(ctx, deliverWithin)
	defer cancel()
	n.Channel = channel
	err := o.channels[i].Deliver(ctx, n)
	if err != nil {
		o.logger.WarnContext(ctx, "alert about the database not delivered", slog.String("channel", channel), log.Error(err))
	}
	return err == nil
}

// errStarting is the failure of a process that starts and waits for the database; its log has the reason.
var errStarting = errors.New("the process starts and does not reach the database")

// AwaitDatabase tells the channels if a process that starts does not reach the database: it has no watch yet. Call the returned function
// once it does.
func AwaitDatabase(ctx context.Context, channels []Channel, claims Claims, clk clock.Clock, logger *slog.Logger) (reached func()) {
	o := newOutage(channels, clk, logger)
	o.claims = claims
	tick := time.NewTicker(watchEvery)
	await := o.await(ctx, tick.C)
	return func() {
		tick.Stop()
		await()
	}
}

// await counts a failed look at each tick until the returned function is called.
func (o *outage) await(ctx context.Context, ticks <-chan time.Time) (reached func()) {
	waiting, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-waiting.Done():
				return
			case <-ticks:
				o.looked(waiting, errStarting)
			}
		}
	}()
	return func() {
		stop()
		<-done
		for range looksUntilBack {
			o.looked(ctx, nil)
		}
	}
}

// Looked counts the outcome of a regular look, or of what precedes it in a worker. Call it once for each.
func (w *Watch) Looked(ctx context.Context, failure error) {
	if failure == nil {
		failure = w.refusals.Within(watchEvery + watchWithin)
	}
	over := w.outage.looked(ctx, failure)
	if over == nil {
		return
	}
	keeping, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
	defer cancel()
	if err := w.keepOutage(keeping, *over); err != nil {
		w.logger.WarnContext(ctx, "keep the outage of the database", log.Error(err))
	}
}

// keepOutage adds an outage that is over to the history.
func (w *Watch) keepOutage(ctx context.Context, n Notice) error {
	return postgres.InTx(ctx, w.db, func(tx *sqlx.Tx) error {
		f := Finding{Rule: n.Rule, Severity: n.Severity, Message: n.Message}
		if err := insertPastTx(ctx, tx, n.AlertID, f, n.OpenedAt, *n.ResolvedAt); err != nil {
			return err
		}
		return errors.Join(
			noteTx(ctx, tx, n.AlertID, eventFired, "", n.Message, n.OpenedAt),
			noteTx(ctx, tx, n.AlertID, eventDelivered, "", "by this process itself, without the database", n.OpenedAt),
			noteTx(ctx, tx, n.AlertID, eventResolved, "", "", *n.ResolvedAt),
		)
	})
}
