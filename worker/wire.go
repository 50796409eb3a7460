package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/metrics"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/worker/job"
)

const (
	// jobTimeout ends a job's context; no job of ours needs longer.
	jobTimeout = time.Minute
	// keepCancelled is how long a job that ended itself can still be rerun. What was given up stays until staff have
	// seen to it, and of everything that River deletes the outcome is kept.
	keepCancelled = 30 * 24 * time.Hour
)

// client works jobs over pgx, which can LISTEN.
type client = river.Client[pgx.Tx]

// deps are the connections of all services. River has its own pool.
type deps struct {
	*process.Connections
	pool     *pgxpool.Pool
	presence *queue.Presence
	table    *timetable
	watch    *alert.Watch
	checks   *lastChecks
}

// connect waits until the database answers.
func connect(ctx context.Context, cfg config.Config, logger *slog.Logger) (*deps, error) {
	name := queue.NewWorkerName()
	cfg.DatabaseURL = postgres.Named(cfg.DatabaseURL, name)
	c, err := process.Connect(ctx, cfg, postgres.Working, logger)
	if err != nil {
		return nil, err
	}
	if err := invoice.RequireNumbers(ctx, c.DB); err != nil {
		c.Close()
		return nil, err
	}
	pool, err := postgres.OpenJobs(ctx, postgres.Working.With(cfg.DatabaseURL), cfg.DatabasePoolJobs)
	if err != nil {
		return nil, err
	}
	c.SetBack = func(ctx context.Context) error { return queue.Untangle(ctx, c.DB) }
	c.Metrics.Pool("jobs", func() metrics.Pool {
		s := pool.Stat()
		return metrics.Pool{
			Open: int(s.TotalConns()), Used: int(s.AcquiredConns()), Most: int(s.MaxConns()), Waited: s.EmptyAcquireCount(),
			WaitedFor: s.EmptyAcquireWaitTime(),
		}
	})
	return &deps{Connections: c, pool: pool, presence: queue.NewPresence(queue.PresenceOptions{
		DB: c.DB, Worker: name, Awaited: awaited(), Known: kinds(), Logger: logger,
	}), table: newTimetable()}, nil
}

// awaited are the kinds of jobs that a person waits for: a code, an activation, a document. Each may run twice at once, because
// another worker takes it over from a frozen one.
func awaited() []string {
	return []string{otp.SendOTPArgs{}.Kind(), payment.VerifyArgs{}.Kind(), invoice.RenderArgs{}.Kind()}
}

// kinds are all kinds of jobs of this release.
func kinds() []string { return slices.Sorted(maps.Keys(app.JobPreviews())) }

func (d *deps) close() {
	d.pool.Close()
	d.Close()
}

// wire connects the services to the workers of every kind of job. It logs at once if money is still under way at a gateway
// that is no longer configured.
func wire(ctx context.Context, cfg config.Config, d *deps, logger *slog.Logger) (*client, error) {
	w, err := app.NewWorker(ctx, cfg, d.Connections, logger)
	if err != nil {
		return nil, err
	}
	workers := river.NewWorkers()
	addWorkers(workers, w, d.Connections, logger)
	if cfg.Development {
		river.AddWorker(workers, job.NewDevClockTick(app.NewClockMover(d.Connections), schedule()))
	}
	if err := w.Payments.Trails.CheckGateways(ctx); err != nil {
		return nil, err
	}
	d.watch = w.Watch
	d.checks = newLastChecks(d.Connections, w)
	return newClient(d, workers, logger)
}

// addWorkers adds a worker for every kind of job.
func addWorkers(workers *river.Workers, w *app.Worker, c *process.Connections, logger *slog.Logger) {
	river.AddWorker(workers, job.NewVerifyDomain(w.Domains))
	river.AddWorker(workers, job.NewSweepDomains(w.Domains))

	river.AddWorker(workers, job.NewSendOTP(w.Codes, w.Waits))
	river.AddWorker(workers, job.NewPurgeAccounts(w.Cleanup))
	river.AddWorker(workers, job.NewEraseAccounts(w.Cleanup))
	river.AddWorker(workers, job.NewVerifyAudit(w.Auditor, c.Meter(), c.Clock, logger))
	river.AddWorker(workers, job.NewSendStaffMessage(w.Messages, w.Waits))
	river.AddWorker(workers, job.NewSendCustomerMessage(w.Customers, w.Waits))

	river.AddWorker(workers, job.NewRenderInvoice(w.Printer))
	river.AddWorker(workers, job.NewRegisterInvoice(w.Registrar))
	river.AddWorker(workers, job.NewRecheckEInvoice(w.Registrar))
	river.AddWorker(workers, job.NewMailDocuments(w.Printer))
	river.AddWorker(workers, job.NewVerifyDocuments(w.Keeper, c.Meter(), c.Clock))
	river.AddWorker(workers, job.NewRestoreDocuments(w.Keeper, c.Meter(), c.Clock))
	river.AddWorker(workers, job.NewRecogniseRevenue(w.Revenue))
	river.AddWorker(workers, job.NewVerifyBooks(w.Ledger, c.Meter(), c.Clock))
	river.AddWorker(workers, job.NewCountFigures(w.Figures, c.Meter(), c.Clock))

	river.AddWorker(workers, job.NewVerifyPayment(w.Payments.Captures))
	river.AddWorker(workers, job.NewSweepPayments(w.Payments.Captures))
	river.AddWorker(workers, job.NewRefundPayment(w.Payments.Refunds))
	river.AddWorker(workers, job.NewReversePayment(w.Payments.Reversals))
	river.AddWorker(workers, job.NewCheckDispute(w.Payments.Disputes))
	river.AddWorker(workers, job.NewCompareSettlements(w.Settlements, c.Meter(), c.Clock))

	river.AddWorker(workers, job.NewReceiveTransfer(w.Transfers))
	river.AddWorker(workers, job.NewUseTransfer(w.Transfers))
	river.AddWorker(workers, job.NewCollectTransfers(w.Transfers))
	river.AddWorker(workers, job.NewCloseAccountNumber(w.Transfers))
	river.AddWorker(workers, job.NewSweepTransfers(w.Transfers))
	river.AddWorker(workers, job.NewPrintProforma(w.Proformas))
	river.AddWorker(workers, job.NewRenewByMandate(w.Mandates))

	river.AddWorker(workers, job.NewApplyCatalogue(w.Catalogue))

	river.AddWorker(workers, job.NewExpireSubscriptions(w.Subscriptions))
	river.AddWorker(workers, job.NewApplyAddOnChanges(w.Subscriptions))
	river.AddWorker(workers, job.NewRemindRenewals(w.Subscriptions))
	river.AddWorker(workers, job.NewTellPrices(w.Subscriptions))
	river.AddWorker(workers, job.NewKeepDeliveries(w.Deliveries))
	river.AddWorker(workers, job.NewSendPartnerMessage(w.Partners, w.Waits))
	river.AddWorker(workers, job.NewSendTeamInvitation(w.Team, w.Waits))
	river.AddWorker(workers, job.NewSendStaffInvitation(w.Invitations, w.Waits))
	river.AddWorker(workers, job.NewSendStaffNotice(w.StaffNotices, w.Waits))
	river.AddWorker(workers, job.NewSendContactReply(w.Replies, w.Waits))
	river.AddWorker(workers, job.NewReceiveContactMessage(w.Contacts))
	river.AddWorker(workers, job.NewSendNewsletterLink(w.Newsletter, w.Waits))

	river.AddWorker(workers, job.NewDeliverWebhook(w.Webhooks))
	river.AddWorker(workers, job.NewPruneWebhooks(w.Webhooks))

	river.AddWorker(workers, job.NewDeliverAlert(w.Alerts))
	river.AddWorker(workers, job.NewPruneAlerts(w.Alerts))

	river.AddWorker(workers, job.NewPerformAct(w.Acts))
	river.AddWorker(workers, job.NewChangeMobile(w.Acts))
	river.AddWorker(workers, job.NewChangeJobs(w.JobAdmin))
	river.AddWorker(workers, job.NewPruneOutcomes(w.JobAdmin))
}

// patience is the pause between two fetches from queues without waiting people: their backlog must not take the machine from codes and
// payments. It limits the default queue to 500 jobs a second per process; a first job starts immediately.
const patience = 20 * time.Millisecond

// queues returns how many jobs of each queue one process works concurrently.
func queues(development bool) map[string]river.QueueConfig {
	all := map[string]river.QueueConfig{
		queue.QueueOTP:       {MaxWorkers: 20},
		queue.QueuePayments:  {MaxWorkers: 10},
		queue.QueueDocuments: {MaxWorkers: 2, FetchCooldown: patience},
		queue.QueueDefault:   {MaxWorkers: 10, FetchCooldown: patience},
		queue.QueueWebhooks:  {MaxWorkers: 10, FetchCooldown: patience},
	}
	if development {
		all[queue.QueueClock] = river.QueueConfig{MaxWorkers: 1}
	}
	return all
}

func newClient(d *deps, workers *river.Workers, logger *slog.Logger) (*client, error) {
	c, err := river.NewClient(riverpgxv5.New(d.pool), &river.Config{
		ID:                   d.presence.Worker(),
		Queues:               queues(d.Shifted != nil),
		Workers:              workers,
		PeriodicJobs:         periodic(schedule(), d.table),
		FetchCooldown:        queue.FetchCooldown,
		FetchPollInterval:    queue.FetchPollInterval,
		JobTimeout:           jobTimeout,
		RescueStuckJobsAfter: queue.RescueByRiver,

		CancelledJobRetentionPeriod: keepCancelled,
		DiscardedJobRetentionPeriod: -1,
		// The worker owns no index, and the two that River would rebuild are not there.
		ReindexerSchedule: river.NeverSchedule(),

		// The reporter logs each failure, once.
		Logger:       log.Quiet(logger.With(slog.String("component", "river")), slog.LevelWarn, ": Unhandled job kind"),
		RetryPolicy:  &realRetries{},
		Test:         river.TestConfig{Time: queue.RealTime{}}, // which River has for tests; it serves here as well
		Middleware:   []rivertype.Middleware{d.presence.Middleware(), &timed{metrics: d.Meter(), traces: d.Traces}},
		ErrorHandler: &reporter{db: d.DB, logger: logger},
	})
	if err != nil {
		return nil, fmt.Errorf("make job client: %w", err)
	}
	return c, nil
}

// work runs the client until the context ends. Jobs in hand get httpserver.Grace to finish; then their contexts are
// cancelled, and they run again later. The worker is present from before its first job until after its last.
func work(ctx context.Context, c *client, presence *queue.Presence, logger *slog.Logger) error {
	background := context.WithoutCancel(ctx)
	if err := presence.Hold(ctx); err != nil {
		return err
	}
	present, leave := context.WithCancel(background)
	defer leave()
	go presence.Keep(present)
	if err := c.Start(background); err != nil {
		return fmt.Errorf("start jobs: %w", err)
	}
	logger.InfoContext(ctx, "working")
	<-ctx.Done()
	stopCtx, cancel := context.WithTimeout(background, httpserver.Grace)
	defer cancel()
	err := c.Stop(stopCtx)
	if errors.Is(err, context.DeadlineExceeded) {
		cancelCtx, cancelAll := context.WithTimeout(background, 5*time.Second)
		defer cancelAll()
		err = c.StopAndCancel(cancelCtx)
	}
	if err != nil {
		return fmt.Errorf("stop jobs: %w", err)
	}
	return nil
}
