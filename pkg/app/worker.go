package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/adapter/dns"
	"github.com/franchise360/franchise360/pkg/adapter/irp"
	"github.com/franchise360/franchise360/pkg/adapter/receiver"
	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/adapter/smtp"
	"github.com/franchise360/franchise360/pkg/adapter/whatsapp"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/consent"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/webhook"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// Worker is the parts of the job process.
type Worker struct {
	*App
	// Waits records why a job waits.
	Waits     *queue.Waits
	Codes     *message.RowSender
	Cleanup   *erasure.Cleanup
	Messages  *message.RowSender
	Customers *message.CustomerOutbox
	Partners  *message.RowSender
	Team      *message.RowSender
	// Invitations are those of staff.
	Invitations *message.RowSender
	// StaffNotices notify staff of their own sign-ins.
	StaffNotices *message.RowSender
	// Replies answer contact requests.
	Replies *contact.ReplySender
	// Contacts puts arrived messages into contact requests.
	Contacts *contact.Receiver
	// Newsletter sends the links that start and end a subscription.
	Newsletter *message.RowSender
	Printer    *invoice.Printer
	Transfers  *transfer.Booker
	Proformas  *transfer.Printer
	Keeper     *invoice.Keeper
	Revenue    *revenue.Service
	// Registrar is nil where no document is registered.
	Registrar *einvoice.Registrar `wiring:"later"`
	Domains   *tenant.Verifier
	Auditor   *staff.Auditor
	Figures   *figures.Counter
	// Deliveries keeps the rows of what was sold true.
	Deliveries *delivery.Keeper
	Webhooks   *webhook.Deliverer
	Watch      *alert.Watch
	Alerts     *alert.Deliverer
	// JobAdmin records its actions under the name of the member of staff who requested them; nobody signs in here.
	JobAdmin *jobadmin.Service
	// Acts does what staff approved.
	Acts *support.Acts
	// Catalogue applies approved changes of the catalogue.
	Catalogue *plan.Applier
}

// NewWorker builds the parts of the job process. A signing certificate that cannot be used is an error.
func NewWorker(ctx context.Context, cfg config.Config, c *process.Connections, logger *slog.Logger) (*Worker, error) {
	shared, err := New(cfg, c, logger)
	if err != nil {
		return nil, err
	}
	providers, err := newProviders(cfg, c)
	if err != nil {
		return nil, err
	}
	resolver, systems := dns.New(cfg.DNSServer), receiver.New(cfg.Development)
	measured(c.Meter(), resolver)
	measured(c.Meter(), systems)
	renderer, err := newRenderer(ctx, cfg.Supplier.Signing, c.Clock.Now(), logger)
	if err != nil {
		return nil, err
	}
	printer := invoice.NewPrinter(invoice.PrinterOptions{
		DB: c.DB, Clock: c.Clock, Renderer: renderer, Objects: shared.Documents,
		Messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: c.Jobs, Email: cfg.Email.On()}), RegisterFrom: cfg.EInvoice.From,
	})
	site := message.Site{Host: cfg.PublicURL.Hostname(), URL: siteURL(cfg)}
	outbox, err := newOutbox(cfg, c, providers, site, logger)
	if err != nil {
		return nil, err
	}
	watch, alerts, err := newAlerts(cfg, c, alertParts{cache: shared.Cache, observers: []alert.Observer{siteProbe(cfg, clock.System{})}}, logger)
	if err != nil {
		return nil, err
	}
	sessions, recorder, tells := session.NewCache(shared.Cache, c.Keys), staff.NewRecorder(c.Clock), message.NewEnqueuer(message.EnqueuerOptions{Jobs: c.Jobs, Email: cfg.Email.On()})
	registrar, err := newRegistrar(cfg, c)
	if err != nil {
		return nil, err
	}
	return wiring.Complete(&Worker{
		Acts: support.NewActs(support.ActOptions{
			DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Recorder: recorder, Payments: shared.Payments.Acts,
			Desk:        recovery.New(sessions, tells, c.Jobs, shared.Records, cfg.MobileChangeWait),
			Concessions: subscription.NewGraceExtensions(c.DB, c.Clock, recorder, tells), ApproveAbove: shared.ApproveAbove,
		}),
		App: shared, Waits: queue.NewWaits(c.DB), Catalogue: plan.NewApplier(c.DB, c.Clock),
		Codes: otp.NewSender(c.DB, outbox, c.Clock, c.Keys),
		Cleanup: erasure.NewCleanup(erasure.CleanupOptions{
			DB: c.DB, Cache: sessions, Clock: c.Clock, Records: shared.Records, Debts: payment.Debts{},
			Purges: []erasure.Purge{message.PurgeStaffMessages, consent.Purge, contact.Purge, connect.PurgeSignIns, worklist.Purge}, Logger: logger,
		}),
		Messages: message.NewStaffOutbox(c.DB, c.Clock, outbox, StaffMessages(c.Keys)),
		Customers: message.NewCustomerOutbox(message.CustomerOutboxOptions{
			DB: c.DB, Clock: c.Clock, Outbox: outbox, Contacts: profile.Contacts{}, Letters: CustomerLetters(LetterParts{
				DB: c.DB, Clock: c.Clock, Keys: c.Keys, Documents: shared.Documents, Subscriptions: shared.Subscriptions, Providers: Gateways().Providers(), Site: site.URL,
			}),
			Keys: c.Keys,
		}),
		Partners:     outlet.NewPartnerSender(c.DB, outbox, c.Clock, c.Keys),
		Team:         team.NewSender(c.DB, outbox, c.Clock, c.Keys),
		Invitations:  staff.NewInvitationSender(c.DB, outbox, c.Clock, c.Keys, site.URL),
		StaffNotices: staff.NewNoticeSender(c.DB, outbox, c.Clock),
		Replies:      newReplySender(cfg, c, outbox),
		Contacts: contact.NewReceiver(contact.ReceiverOptions{
			DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Keys: c.Keys, Targets: cfg.Contact, By: contactChannels(cfg), From: cfg.Email.From, ReplyTo: cfg.Email.ReplyTo,
		}),
		Newsletter: contact.NewNewsletterSender(c.DB, outbox, c.Clock, c.Keys, site.URL),
		Printer:    printer,
		Transfers: transfer.NewBooker(transfer.BookerOptions{
			DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Payments: shared.Payments.Transfers, Ledger: shared.Ledger, Messages: tells,
			Collector: shared.Collector, Logger: logger,
		}),
		Proformas:  transfer.NewPrinter(c.DB, c.Clock, renderer, shared.Documents, tells),
		Revenue:    revenue.NewService(c.DB, c.Clock, shared.Ledger),
		Keeper:     invoice.NewKeeper(c.DB, c.Clock, printer, shared.Documents),
		Registrar:  registrar,
		Domains:    tenant.NewVerifier(shared.Stores, resolver, logger),
		Auditor:    staff.NewAuditor(c.DB, c.Clock, anchors{shared.Documents}),
		Figures:    figures.NewCounter(c.DB, c.Clock),
		Deliveries: delivery.NewKeeper(c.DB, c.Clock, tells),
		Webhooks:   webhook.NewDeliverer(c.DB, systems, c.Clock, c.Keys, logger),
		Watch:      watch, Alerts: alerts,
		JobAdmin: jobadmin.NewService(jobadmin.Options{
			DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Recorder: recorder, Previews: JobPreviews(), Failing: jobadmin.NothingFails,
		}),
	}), nil
}

// newProviders builds the providers of SMS, measured.
func newProviders(cfg config.Config, c *process.Connections) ([]message.Provider, error) {
	providers, err := sms.New(cfg.SMS, cfg.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("SMS provider: %w", err)
	}
	measured(c.Meter(), providers...)
	return providers, nil
}

// newOutbox builds the outbox with a sender for each channel that the settings name.
func newOutbox(cfg config.Config, c *process.Connections, texts []message.Provider, site message.Site, logger *slog.Logger) (*message.Outbox, error) {
	over := func(providers ...message.Provider) message.SenderOptions {
		return message.SenderOptions{DB: c.DB, Providers: providers, Site: site, Clock: c.Clock, Counts: c.Meter(), Logger: logger}
	}
	o := message.OutboxOptions{
		SMS: message.NewSender(over(texts...)), SMSIn: sms.Registered(cfg.SMS), Site: site, Clock: c.Clock, Logger: logger,
	}
	server, err := smtp.New(cfg.Email, cfg.Development, c.Clock)
	if err != nil {
		return nil, err
	}
	if server != nil {
		o.Email = message.NewEmailSender(over(server))
	}
	if platform := whatsapp.New(cfg.WhatsApp); platform != nil {
		measured(c.Meter(), platform)
		o.WhatsApp = message.NewWhatsAppSender(over(platform))
	}
	return message.NewOutbox(o), nil
}

// newRegistrar returns nil if no document is registered at the Invoice Registration Portal.
func newRegistrar(cfg config.Config, c *process.Connections) (*einvoice.Registrar, error) {
	portal, err := irp.New(cfg.EInvoice, cfg.Supplier.GSTIN, c.Clock)
	if err != nil || portal == nil {
		return nil, err
	}
	if !invoice.HasPIN(invoice.SupplierFrom(cfg.Supplier).Address) {
		return nil, errors.New("EINVOICE_FROM: SUPPLIER_ADDRESS names no PIN code, which the portal asks for")
	}
	measured(c.Meter(), portal)
	return einvoice.NewRegistrar(c.DB, c.Jobs, c.Clock, portal), nil
}
