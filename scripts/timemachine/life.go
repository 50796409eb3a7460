package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// product is how the product is set up: as the api and the worker are, with the gateways, clock, providers and documents of the run.
type product struct {
	// billing has everything but what belongs to one run.
	billing  app.BillingParts
	gateways []string // their names, the one for new payments first
	debiting bool
	site     message.Site
}

// life is one run: the services of both processes on a scratch database.
type life struct {
	timemachine.Question

	db       scratch
	clock    *clock.Fake
	from     time.Time // rows of the copy are not younger
	gateways []*gateway
	api      app.Billing
	worker   app.Billing
	prices   *plan.Applier
	change   *waitingChange
	printer  *invoice.Printer
	outbox   *message.CustomerOutbox
	sent     *collector
	refused  []timemachine.Entry       // renewals that could not be requested
	tried    map[subscription.Day]bool // renewals that were tried by hand, by the day on which the next term begins
}

// begin builds the product on a database that holds the customer.
func begin(ctx context.Context, p product, db scratch, q timemachine.Question, now time.Time, logger *slog.Logger) (*life, error) {
	l := &life{Question: q, db: db, from: now, clock: clock.NewFake(now.Add(time.Second)), tried: map[subscription.Day]bool{}}
	l.sent = &collector{clock: l.clock}
	if err := l.setUp(ctx, p, logger); err != nil {
		return nil, err
	}
	var err error
	l.change, err = findChange(ctx, db.owner, q.ChangeID, l.from)
	return l, err
}

func (l *life) setUp(ctx context.Context, p product, logger *slog.Logger) error {
	keys, err := newKeys(ctx, l.db, l.clock)
	if err != nil {
		return err
	}
	states, err := mandateStates(ctx, l.db)
	if err != nil {
		return err
	}
	documents := &shelf{objects: map[string][]byte{}}
	parts := p.billing
	parts.Clock, parts.Documents, parts.Logger, parts.AutomaticRenewal = l.clock, documents, logger, p.debiting
	for _, name := range p.gateways {
		g := newGateway(name, l.Pays, states)
		l.gateways = append(l.gateways, g)
		if p.debiting {
			parts.Gateways = append(parts.Gateways, debiting{g})
		} else {
			parts.Gateways = append(parts.Gateways, g)
		}
	}
	parts.DB = l.db.api
	if parts.Jobs, err = queue.NewInserter(l.db.api, logger); err != nil {
		return err
	}
	l.api = app.NewBilling(parts)
	parts.DB = l.db.worker
	if parts.Jobs, err = queue.NewInserter(l.db.worker, logger); err != nil {
		return err
	}
	l.worker = app.NewBilling(parts)
	renderer, err := pdf.New(pdf.Options{})
	if err != nil {
		return err
	}
	l.printer = invoice.NewPrinter(invoice.PrinterOptions{
		DB: l.db.worker, Clock: l.clock, Renderer: renderer, Objects: documents,
		Messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: parts.Jobs, Email: parts.Email}),
	})
	l.prices = plan.NewApplier(l.db.worker, l.clock)
	over := func(name string) message.SenderOptions {
		return message.SenderOptions{
			DB: l.db.worker, Providers: []message.Provider{channel{l.sent, name}}, Site: p.site, Clock: l.clock, Counts: message.Uncounted{}, Logger: logger,
		}
	}
	out := message.OutboxOptions{SMS: message.NewSender(over("sms")), Site: p.site, Clock: l.clock, Logger: logger}
	if parts.Email {
		out.Email = message.NewEmailSender(over("email"))
	}
	if parts.WhatsApp {
		out.WhatsApp = message.NewWhatsAppSender(over("whatsapp"))
	}
	l.outbox = message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: l.db.worker, Clock: l.clock, Outbox: message.NewOutbox(out), Contacts: profile.Contacts{},
		Letters: app.CustomerLetters(app.LetterParts{
			Providers: parts.Providers,
			DB:        l.db.worker, Clock: l.clock, Keys: keys, Documents: documents, Subscriptions: l.worker.Subscriptions, Site: p.site.URL,
		}),
		Keys: keys,
	})
	return nil
}

// newKeys makes keys that die with the run: its links open nothing.
func newKeys(ctx context.Context, db scratch, clk clock.Clock) (secret.Keyring, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	keys, err := secret.ParseKeyring(hex.EncodeToString(key))
	if err != nil {
		return keys, err
	}
	return secret.Load(ctx, db.worker, keys, clk.Now())
}

// mandateStates returns the product's view of the mandates' states at their gateways.
func mandateStates(ctx context.Context, db scratch) (map[string]mandate.ProviderState, error) {
	var rows []struct {
		ID    string `db:"provider_mandate_id"`
		State string `db:"state"`
	}
	err := db.owner.SelectContext(ctx, &rows, `SELECT provider_mandate_id, state FROM mandates WHERE provider_mandate_id <> ''`)
	if err != nil {
		return nil, fmt.Errorf("read mandates: %w", err)
	}
	states := map[string]mandate.ProviderState{}
	for _, r := range rows {
		if states[r.ID] = mandate.ProviderState(r.State); r.State == "requested" {
			states[r.ID] = mandate.ProviderPending
		}
	}
	return states, nil
}

// The hours of a day in India at which something is done. Between them only the steps of automatic renewal are taken.
const (
	midnight = 2 * time.Minute // the sweeps that run each minute and each hour
	morning  = 9 * time.Hour   // messages go out
	forenoon = 10 * time.Hour  // the customer acts, who has read them
	oneDay   = 24 * time.Hour
)

// live lives through the months, day by day, and tells after each day.
func (l *life) live(ctx context.Context, told func(day, days int)) error {
	first := subscription.DayOf(l.from)
	last := subscription.DayOf(l.from.In(clock.IST).AddDate(0, l.Months, 0))
	for day := first; day <= last; day++ {
		if err := l.until(ctx, day.Start().Add(midnight)); err != nil {
			return err
		}
		if err := l.sweep(ctx); err != nil {
			return fmt.Errorf("%s: %w", day, err)
		}
		for _, hour := range []time.Duration{morning, forenoon} {
			if err := l.until(ctx, day.Start().Add(hour)); err != nil {
				return err
			}
		}
		if err := l.act(ctx, day); err != nil {
			return fmt.Errorf("%s: %w", day, err)
		}
		told(int(day-first)+1, int(last-first)+1)
	}
	return l.until(ctx, (last + 1).Start().Add(-time.Minute))
}

// until moves the clock to a time, with a stop at each step of automatic renewal, and works what falls due.
func (l *life) until(ctx context.Context, end time.Time) error {
	for l.clock.Now().Before(end) {
		next := end
		var due *time.Time
		err := l.db.owner.GetContext(ctx, &due, `SELECT min(at) FROM (SELECT poll_at AS at FROM mandates UNION ALL SELECT plan_at FROM mandates
			UNION ALL SELECT next_at FROM mandate_debits) x`)
		if err != nil {
			return fmt.Errorf("find the next step: %w", err)
		}
		if soon := l.clock.Now().Add(10 * time.Minute); due != nil && due.Before(end) {
			if next = *due; next.Before(soon) {
				next = soon
			}
		}
		if err := l.pass(ctx, next.Sub(l.clock.Now())); err != nil {
			return err
		}
		if due != nil {
			if _, err := l.worker.Mandates.Run(ctx); err != nil {
				return err
			}
		}
		if err := l.work(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sweep runs what runs every day, in the order in which it falls due.
func (l *life) sweep(ctx context.Context) error {
	if err := l.change.load(ctx, l.db.worker, l.clock); err != nil {
		return err
	}
	for _, sweep := range []func(context.Context) (int, error){
		l.prices.Apply, l.worker.Subscriptions.Advance, l.worker.Subscriptions.EndAddOns, l.worker.Subscriptions.Remind,
		l.worker.Subscriptions.TellPrices,
	} {
		if _, err := sweep(ctx); err != nil {
			return err
		}
	}
	if err := l.worker.Payments.Captures.Sweep(ctx); err != nil {
		return err
	}
	return l.work(ctx)
}

// act has the customer pay manually, where the day for it has come and no debit is under way.
func (l *life) act(ctx context.Context, day subscription.Day) error {
	if l.Pays == timemachine.PaysNever {
		return nil
	}
	bill, err := l.api.Subscriptions.NextBill(ctx, l.FranchiserID)
	if err != nil || bill == nil || bill.Subscription.Prepaid() || !bill.CanRenew || l.tried[bill.RenewsOn] {
		return err
	}
	pays := bill.RenewsOn - 1
	if l.Pays == timemachine.PaysLate {
		pays = bill.RenewsOn + 2
	}
	if day < pays {
		return nil
	}
	var debits bool
	err = l.db.owner.GetContext(ctx, &debits, `SELECT EXISTS (SELECT FROM mandate_debits WHERE renew_on = $1 AND state IN ('planned', 'noticed', 'asked'))`,
		bill.RenewsOn.String())
	if err != nil {
		return fmt.Errorf("look for debits: %w", err)
	}
	if debits {
		return nil
	}
	return l.renew(ctx, bill)
}

func (l *life) renew(ctx context.Context, bill *subscription.NextBill) error {
	l.tried[bill.RenewsOn] = true
	asked, err := l.api.Payments.Checkout.Request(ctx, l.FranchiserID, checkout.Input{
		Intent: subscription.PurchaseIntent{SubscriptionID: bill.Subscription.ID, Renew: true}, Key: "time-machine-" + bill.RenewsOn.String(),
	})
	switch errs.KindOf(err) {
	case errs.KindConflict, errs.KindInvalid, errs.KindNotFound: // a customer would read this
		l.refused = append(l.refused, timemachine.Entry{
			At: l.clock.Now(), Kind: timemachine.KindPayment, Title: "Renewal refused", Status: errs.As(err).Code, Text: errs.As(err).Message,
			Amount: new(bill.Payable()),
		})
		return nil
	default:
		if err != nil {
			return err
		}
	}
	if asked.Session == nil {
		return nil
	}
	if _, err := l.api.Payments.Notices.Returned(ctx, l.gateways[0].pay(asked)); err != nil {
		return err
	}
	return l.work(ctx)
}

// entries returns all that would happen, in order of time.
func (l *life) entries(ctx context.Context) ([]timemachine.Entry, error) {
	list, err := read(ctx, l.db.owner, l.from)
	if err != nil {
		return nil, err
	}
	list = slices.Concat(list, l.sent.sent, l.refused)
	slices.SortStableFunc(list, func(a, b timemachine.Entry) int { return a.At.Compare(b.At) })
	return list, nil
}

// paise returns an amount for an entry, or nil.
func paise(amount *int64) *money.Paise {
	if amount == nil {
		return nil
	}
	return new(money.Paise(*amount))
}
