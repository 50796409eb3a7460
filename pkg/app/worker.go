package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/franchise360/franchise360/pkg/account"
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

// Worker is what the job process has.
type Worker struct {
	*App
	// Waits records why a job waits.
	Waits     *queue.Waits
	Codes     *account.OTPSender
	Cleanup   *account.Cleanup
	Messages  *message.StaffOutbox
	Customers *message.CustomerOutbox
	Partners  *outlet.PartnerSender
	Team      *account.TeamSender
	// Invitations are those of staff.
	Invitations *staff.InvitationSender
	// StaffNotices tell staff of their own sign-in.
	StaffNotices *staff.NoticeSender
	// Replies answer contact requests.
	Replies *contact.ReplySender
	// Newsletter sends the links that start and end a subscription.
	Newsletter *contact.NewsletterSender
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
	Webhooks  *webhook.Deliverer
	Watch     *alert.Watch
	Alerts    *alert.Deliverer
	// JobAdmin records what it does under the name of the member of staff who requested it; nobody signs in here.
	JobAdmin *jobadmin.Service
	// Acts does what staff approved.
	Acts *support.Acts
	// Catalogue applies approved changes of what is sold.
	Catalogue *plan.Applier
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
	systems := receiver.New(cfg.Development)
	measured(c.Meter(), systems)
	renderer, err := newRenderer(ctx, cfg.Supplier.Signing, c.Clock.Now(), logger)
	if err != nil {
		return nil, err
	}
	printer := invoice.NewPrinter(c.DB, c.Clock, renderer, shared.Documents).Announcing(message.NewEnqueuer(c.Jobs, cfg.Email.On())).
		Registering(cfg.EInvoice.From)
	site := message.Site{Host: cfg.PublicURL.Hostname(), URL: siteURL(cfg)}
	texts := message.NewSender(c.DB, providers, site, c.Clock, logger).Counted(c.Meter())
	outbox := message.NewOutbox(texts, site, c.Clock, logger).WithSMSIn(sms.Registered(cfg.SMS))
	server, err := smtp.New(cfg.Email, cfg.Development, c.Clock)
	if err != nil {
		return nil, err
	}
	if server != nil {
		outbox.WithEmail(message.NewEmailSender(c.DB, []message.Provider{server}, site, c.Clock, logger).Counted(c.Meter()))
	}
	if platform := whatsapp.New(cfg.WhatsApp); platform != nil {
		measured(c.Meter(), platform)
		outbox.WithWhatsApp(message.NewWhatsAppSender(c.DB, []message.Provider{platform}, site, c.Clock, logger).Counted(c.Meter()))
	}
	watch, alerts, err := newAlerts(cfg, c, shared.Cache, logger)
	if err != nil {
		return nil, err
	}
	recorder, tells := staff.NewRecorder(c.Clock), message.NewEnqueuer(c.Jobs, cfg.Email.On())
	registrar, err := newRegistrar(cfg, c)
	if err != nil {
		return nil, err
	}
	return wiring.Complete(&Worker{
		Acts: support.NewActs(c.DB, c.Jobs, c.Clock, recorder, shared.Payments, account.NewDesk(shared.Cache, c.Keys, tells, c.Jobs, shared.Records, cfg.MobileChangeWait),
			subscription.NewGraceExtensions(c.DB, c.Clock, recorder, tells), shared.ApproveAbove),
		App: shared, Waits: queue.NewWaits(c.DB), Catalogue: plan.NewApplier(c.DB, c.Clock),
		Codes: account.NewOTPSender(c.DB, outbox, c.Clock, c.Keys),
		Cleanup: account.NewCleanup(c.DB, shared.Cache, c.Keys, c.Clock, shared.Records, payment.Debts{}, logger).
			Also(message.PurgeStaffMessages, consent.Purge, contact.Purge, connect.PurgeSignIns, worklist.Purge),
		Messages: message.NewStaffOutbox(c.DB, c.Clock, outbox, StaffMessages(c.Keys)),
		Customers: message.NewCustomerOutbox(c.DB, c.Clock, outbox, account.Contacts{}, CustomerLetters(LetterParts{
			DB: c.DB, Clock: c.Clock, Keys: c.Keys, Documents: shared.Documents, Subscriptions: shared.Subscriptions, Site: site.URL,
		})).Stoppable(c.Keys),
		Partners:     outlet.NewPartnerSender(c.DB, outbox, c.Clock, c.Keys),
		Team:         account.NewTeamSender(c.DB, outbox, c.Clock, c.Keys),
		Invitations:  staff.NewInvitationSender(c.DB, outbox, c.Clock, c.Keys, site.URL),
		StaffNotices: staff.NewNoticeSender(c.DB, outbox, c.Clock),
		Replies:      contact.NewReplySender(c.DB, outbox, c.Clock),
		Newsletter:   contact.NewNewsletterSender(c.DB, outbox, c.Clock, c.Keys, site.URL),
		Printer:      printer,
		Transfers:    transfer.NewBooker(c.DB, c.Jobs, c.Clock, shared.Payments, shared.Ledger, tells, logger).Collecting(newCollector(cfg)),
		Proformas:    transfer.NewPrinter(c.DB, c.Clock, renderer, shared.Documents, message.NewEnqueuer(c.Jobs, cfg.Email.On())),
		Revenue:      revenue.NewService(c.DB, c.Clock, shared.Ledger),
		Keeper:       invoice.NewKeeper(c.DB, c.Clock, printer, shared.Documents),
		Registrar:    registrar,
		Domains:      tenant.NewVerifier(shared.Stores, resolver, logger),
		Auditor:      staff.NewAuditor(c.DB, c.Clock, anchors{shared.Documents}),
		Figures:      figures.NewCounter(c.DB, c.Clock),
		Webhooks:     webhook.NewDeliverer(c.DB, systems, c.Clock, c.Keys, logger),
		Watch:        watch.Observing(siteProbe(cfg, clock.System{})),
		Alerts:       alerts,
		JobAdmin:     jobadmin.NewService(c.DB, c.Jobs, c.Clock, staff.NewRecorder(c.Clock), JobPreviews()),
	}), nil
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
