// Package world simulates everything about money without HTTP: the services of both processes on one database, a
// gateway with scripted outcomes, a clock that tests move, and customers who behave like customers. Tests and the
// simulation share it.
package world

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/inputtax"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/gstin"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// ApproveAbove is the amount above which reversals of a payment need two people here.
const ApproveAbove = 1_00_000 * money.Rupee

// World is everything that moves money. Its methods may be called concurrently for different customers.
type World struct {
	Owner   *sqlx.DB // sees everything, for what only tests may query
	Clock   *clock.Fake
	Gateway *Gateway
	// API and Worker are the payment services of the two processes, each with its own rights; likewise the
	// subscriptions.
	API, Worker         app.Payments
	APISubs, WorkerSubs *subscription.Service
	// Mandates is the gateway's other half; APIMandates and WorkerMandates are the services of the two processes.
	Mandates                    *Mandates
	APIMandates, WorkerMandates *mandate.Service
	// Bank is the account for bank transfers.
	Bank *Bank
	// Settlements is the worker's service.
	Settlements *settlement.Service
	Books       *ledger.Service
	Plans       *plan.Service
	Catalogue   *plan.Catalogue
	// Reversals lets staff request refunds and other reversals.
	Reversals *reversal.Requests
	// Disputes lets staff close disputes.
	Disputes *dispute.Desk
	// Locks lets admins lock the books.
	Locks *ledger.Locks
	// InputTax lets staff record what recipients of credit notes did.
	InputTax *inputtax.Desk
	// Grace lets staff extend the time to renew.
	Grace *subscription.GraceExtensions
	// Asha and Ravi are two members of staff; each can approve the other's requests.
	Asha, Ravi staff.Principal

	api, worker app.BillingParts
	catalogue   []byte // the text of the current revision

	jobs     atomic.Int64
	mobiles  atomic.Int64
	mu       sync.Mutex
	prepared map[string]*sqlx.Stmt
}

// Databases are the connections with the rights of each process.
type Databases struct{ Owner, API, Worker *sqlx.DB }

// New builds the world on a migrated, empty database; its clock is set to start.
func New(ctx context.Context, db Databases, start time.Time, logger *slog.Logger) (*World, error) {
	w := &World{
		Owner: db.Owner, Clock: clock.NewFake(start), prepared: map[string]*sqlx.Stmt{}, catalogue: plan.DefaultCatalogue(),
	}
	w.Gateway = newGateway(w.Clock)
	if _, err := plan.Load(ctx, db.Worker, w.Clock, plan.DefaultCatalogue()); err != nil {
		return nil, err
	}
	apiJobs, err := queue.NewInserter(db.API, logger)
	if err != nil {
		return nil, err
	}
	workerJobs, err := queue.NewInserter(db.Worker, logger)
	if err != nil {
		return nil, err
	}
	w.api, w.worker = w.parts(db.API, apiJobs, logger), w.parts(db.Worker, workerJobs, logger)
	api, worker := app.NewBilling(w.api), app.NewBilling(w.worker)
	w.API, w.APISubs, w.Plans = api.Payments, api.Subscriptions, api.Plans
	w.Worker, w.WorkerSubs, w.Books, w.Settlements = worker.Payments, worker.Subscriptions, worker.Ledger, worker.Settlements
	w.Mandates = newMandates(w.Gateway, w.Clock)
	rails := []mandate.Gateway{w.Mandates}
	w.APIMandates = mandate.NewService(mandate.Options{
		DB: db.API, Jobs: apiJobs, Clock: w.Clock, Gateways: rails, Checkout: w.API.Checkout, Captures: w.API.Captures, Subscriptions: w.APISubs,
		Settings: mandate.DefaultSettings(), Email: true, Logger: logger,
	})
	w.WorkerMandates = mandate.NewService(mandate.Options{
		DB: db.Worker, Jobs: workerJobs, Clock: w.Clock, Gateways: rails, Checkout: w.Worker.Checkout, Captures: w.Worker.Captures, Subscriptions: w.WorkerSubs,
		Settings: mandate.DefaultSettings(), Email: true, Logger: logger,
	})
	if w.Catalogue, err = w.Plans.Fresh(ctx); err != nil {
		return nil, err
	}
	if w.Asha, err = member.Add(ctx, w.Owner, "asha", staff.RoleAdmin, w.Clock.Now()); err != nil {
		return nil, err
	}
	if w.Ravi, err = member.Add(ctx, w.Owner, "ravi", staff.RoleAdmin, w.Clock.Now()); err != nil {
		return nil, err
	}
	people := staff.NewRecorder(w.Clock)
	w.Reversals = reversal.NewRequests(reversal.RequestsOptions{
		DB: db.API, Jobs: apiJobs, Clock: w.Clock, Recorder: people, Gateways: w.API.Gateways, ApproveAbove: ApproveAbove, OtherUnapproved: support.AloneTx,
		LateCredit: delivery.NewDesk(db.API, w.Clock, people, plan.LateCreditOf()).CheckCreditTx,
	})
	w.Disputes = dispute.NewDesk(db.API, w.Clock, people)
	w.Locks = ledger.NewLocks(db.API, w.Clock, people)
	w.InputTax = inputtax.NewDesk(db.API, w.Clock, api.Ledger, people)
	w.Bank = w.bank(api, worker, apiJobs, workerJobs, people, logger)
	w.Grace = subscription.NewGraceExtensions(db.API, w.Clock, people, message.NewEnqueuer(message.EnqueuerOptions{
		Jobs: apiJobs, Email: true,
	}))
	return w, nil
}

// APIWith rebuilds the API's billing with some parts changed.
func (w *World) APIWith(change func(*app.BillingParts)) app.Billing { return with(w.api, change) }

// WorkerWith is APIWith for the worker.
func (w *World) WorkerWith(change func(*app.BillingParts)) app.Billing { return with(w.worker, change) }

func with(p app.BillingParts, change func(*app.BillingParts)) app.Billing {
	change(&p)
	return app.NewBilling(p)
}

func (w *World) parts(db *sqlx.DB, jobs *queue.Inserter, logger *slog.Logger) app.BillingParts {
	return app.BillingParts{
		DB: db, Jobs: jobs, Clock: w.Clock, Gateways: []app.Gateway{w.Gateway}, Providers: Providers(), Documents: testkit.NoObjects{},
		Supplier:  invoice.Supplier{Name: "Franchise 360", Address: []string{"Mumbai"}, GSTIN: SupplierGSTIN, StateCode: "27"},
		PublicURL: "https://shop.example", ApproveAbove: ApproveAbove, Counts: payment.Uncounted{}, Email: true, Logger: logger,
	}
}

// SupplierGSTIN is under which everything is sold.
const SupplierGSTIN = "27AAPFU0939F1ZV"

// Register gives the franchiser, who has an address, a business with a GSTIN of its State.
func (w *World) Register(ctx context.Context, franchiserID string) error {
	var state string
	if err := w.Owner.GetContext(ctx, &state, `SELECT state_id FROM business_addresses WHERE franchiser_id = $1`, franchiserID); err != nil {
		return fmt.Errorf("read the State: %w", err)
	}
	first := fmt.Sprintf("%sAAACF%04dK1Z", state, w.mobiles.Load()%10_000)
	for _, check := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		if number := first + string(check); gstin.Valid(number) {
			_, err := w.Owner.ExecContext(ctx, `UPDATE business_addresses SET gstin = $2, legal_name = 'Kulkarni Foods Private Limited'
				WHERE franchiser_id = $1`, franchiserID, number)
			return err
		}
	}
	return fmt.Errorf("no GSTIN begins with %s", first)
}

// Franchiser adds a franchiser with an address in the State, by its GST code, or without an address if the State is
// empty.
func (w *World) Franchiser(ctx context.Context, state string) (string, error) {
	n, f := w.mobiles.Add(1), id.New()
	_, err := w.Owner.ExecContext(ctx, `INSERT INTO franchisers (id, mobile, email, first_name, last_name, password_hash, terms_version,
		terms_accepted_at, created_at) VALUES ($1, $2, $3, 'Asha', 'Kulkarni', 'x', '1', $4, $4)`,
		f, fmt.Sprintf("98%08d", n), fmt.Sprintf("asha%d@example.in", n), w.Clock.Now())
	if err != nil || state == "" {
		return f, err
	}
	_, err = w.Owner.ExecContext(ctx, `INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id,
		city, zipcode, location, created_at, updated_at)
		VALUES ($1, $2, '12/4', 'MG Road', 'Mall', 'IN', $3, 'Bengaluru', '560001', 'Bengaluru', $4, $4)`,
		id.New(), f, state, w.Clock.Now())
	return f, err
}

// Pass moves the clock and the pending jobs forward, as the development clock does; it does not run them.
func (w *World) Pass(ctx context.Context, d time.Duration) error {
	w.Clock.Advance(d)
	_, err := w.Owner.ExecContext(ctx, `UPDATE river_job SET scheduled_at = scheduled_at - make_interval(secs => $1),
		state = CASE WHEN scheduled_at - make_interval(secs => $1) <= now() THEN 'available'::river_job_state ELSE state END
		WHERE state = 'scheduled'`, d.Seconds())
	return err
}

// Sweep runs the scheduled jobs once.
func (w *World) Sweep(ctx context.Context) error {
	for _, sweep := range []func(context.Context) (int, error){w.WorkerSubs.Advance, w.WorkerSubs.EndAddOns, w.WorkerSubs.Remind} {
		if _, err := sweep(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Forget drops jobs that nothing runs here: documents and messages.
func (w *World) Forget(ctx context.Context) error {
	_, err := w.Owner.ExecContext(ctx, `DELETE FROM river_job WHERE kind IN ('render_invoice', 'send_customer_message')`)
	return err
}

// Reprice loads a new revision of the catalogue in which every price changes by that many basis points, to whole
// rupees.
func (w *World) Reprice(ctx context.Context, worker *sqlx.DB, bps int64) error {
	w.catalogue = prices().ReplaceAllFunc(w.catalogue, func(price []byte) []byte {
		name, digits, _ := strings.Cut(string(price), ": ")
		paise, _ := strconv.ParseInt(digits, 10, 64)
		changed := money.Paise(paise).MulBps(10_000+bps) / money.Rupee * money.Rupee
		return fmt.Appendf(nil, "%s: %d", name, int64(changed))
	})
	return w.load(ctx, worker)
}

// Tax loads a new revision of the catalogue in which the tax rate changes on a day, for the first time or again.
func (w *World) Tax(ctx context.Context, worker *sqlx.DB, from subscription.Day, rateBps int64) error {
	rates := append(slices.Clone(w.Catalogue.GSTRates), invoice.Rate{From: invoice.Date(from.String()), RateBps: rateBps})
	text, _ := json.Marshal(rates) // always marshals
	w.catalogue = regexp.MustCompile(`"gst_rates": \[[^\]]*\]`).ReplaceAll(w.catalogue, append([]byte(`"gst_rates": `), text...))
	return w.load(ctx, worker)
}

func (w *World) load(ctx context.Context, worker *sqlx.DB) error {
	if _, err := plan.Load(ctx, worker, w.Clock, w.catalogue); err != nil {
		return err
	}
	catalogue, err := w.Plans.Fresh(ctx)
	if err != nil {
		return err
	}
	w.Catalogue = catalogue
	return nil
}

func prices() *regexp.Regexp {
	return regexp.MustCompile(`"(?:monthly|yearly|all_in_yearly)_paise": \d+`)
}
