package app

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/adapter/dns"
	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Worker is what the job process has.
type Worker struct {
	*App
	// Waits keeps why a job waits.
	Waits     *queue.Waits
	Codes     *account.OTPSender
	Cleanup   *account.Cleanup
	Messages  *message.StaffOutbox
	Reminders *subscription.Reminders
	Printer   *invoice.Printer
	Domains   *tenant.Verifier
	Auditor   *staff.Auditor
	// JobAdmin notes what it does under the name of who asked for it; nobody signs in here.
	JobAdmin *jobadmin.Service
}

// NewWorker builds what the job process has. A signing certificate that cannot be used is an error.
func NewWorker(ctx context.Context, cfg config.Config, c *process.Connections, logger *slog.Logger) (*Worker, error) {
	shared, err := New(cfg, c, logger)
	if err != nil {
		return nil, err
	}
	providers, err := sms.New(cfg.SMS, cfg.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("SMS provider: %w", err)
	}
	measured(c.Meter(), providers...)
	resolver := dns.New(cfg.DNSServer)
	measured(c.Meter(), resolver)
	renderer, err := newRenderer(ctx, cfg.Supplier.Signing, c.Clock.Now(), logger)
	if err != nil {
		return nil, err
	}
	site := message.Site{Host: cfg.PublicURL.Hostname(), URL: siteURL(cfg)}
	texts := message.NewSender(c.DB, providers, site, c.Clock, logger).Counted(c.Meter())
	outbox := message.NewOutbox(texts, site, c.Clock, logger)
	return wiring.Complete(&Worker{
		App: shared, Waits: queue.NewWaits(c.DB),
		Codes: account.NewOTPSender(c.DB, outbox, c.Clock, c.Keys),
		Cleanup: account.NewCleanup(account.CleanupDeps{
			DB: c.DB, Redis: shared.Cache, Keys: c.Keys, Clock: c.Clock, PersonalData: shared.Records, Debts: payment.Debts{}, Logger: logger,
		}),
		Messages:  message.NewStaffOutbox(c.DB, c.Clock, outbox, StaffMessages(c.Keys)),
		Reminders: subscription.NewReminders(shared.Subscriptions, outbox),
		Printer:   invoice.NewPrinter(c.DB, c.Clock, renderer, shared.Documents),
		Domains:   tenant.NewVerifier(shared.Stores, resolver, logger),
		Auditor:   staff.NewAuditor(c.DB, c.Clock, anchors{shared.Documents}),
		JobAdmin:  jobadmin.NewService(c.DB, c.Jobs, c.Clock, staff.NewRecorder(c.Clock), JobPreviews()),
	}), nil
}
