package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/adapter/sms"
	"github.com/franchise360/franchise360/pkg/adapter/whatsapp"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/alert"
	"github.com/franchise360/franchise360/pkg/announcement"
	"github.com/franchise360/franchise360/pkg/bookexport"
	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/consent"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/inputtax"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/authz"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/timeline"
	"github.com/franchise360/franchise360/pkg/timemachine"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/webhook"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// API is the parts of the HTTP process.
type API struct {
	*App
	Enforcer  *authz.Enforcer
	Limits    guard.Limits
	Limiter   *ratelimit.Limiter
	Guard     *guard.Guard
	Accounts  Accounts
	Addresses *address.Service
	Receipts  *message.Receipts
	WhatsApp  *message.WhatsAppNotices
	// Notifications and Preferences are what customers read of messages, and want of them.
	Notifications *message.Centre
	Preferences   *message.Settings
	PayLinks      *checkout.PayLinks
	MobileChanges *recovery.MobileChanges
	Partners      *outlet.Partners
	Imports       *outlet.Imports
	Transfers     *transfer.Service
	Console
}

// Console is what staff work with.
type Console struct {
	Staff         *staff.Service
	StaffAccounts *staff.Accounts
	StaffPasskeys *staff.Passkeys
	Contacts      *contact.Service
	ContactDesk   *contact.Desk
	// Inbox stores what arrives by e-mail and WhatsApp.
	Inbox           *contact.Inbox
	Presence        *support.Presence
	Customers       *support.Customers
	CustomerActions *support.CustomerActions
	Views           *consent.Service
	SavedViews      *support.SavedViews
	JobAdmin        *jobadmin.Service
	Timeline        *timeline.Service
	Watch           *alert.Watch
	Alerts          *alert.Service
	Work            *worklist.Service
	Reversals       *reversal.Requests
	Disputes        *dispute.Desk
	GraceExtensions *subscription.GraceExtensions
	Acts            *support.Acts
	Comparisons     *settlement.Comparisons
	InputTax        *inputtax.Desk
	Locks           *ledger.Locks
	Returns         *gstreturn.Service
	BookReports     *ledger.Reports
	BookFiles       *bookexport.Service
	Statements      *bookexport.Printer
	Deferred        *revenue.Reports
	Figures         *figures.Reports
	EInvoices       *einvoice.Desk
	TransferDesk    *transfer.Desk
	Webhooks        *webhook.Service
	Connect         *connect.Service
	SignIns         *connect.SignIns
	Catalogue       *plan.Changes
	Announcements   *announcement.Service
	DeliveryDesk    *delivery.Desk
	TimeMachine     *timemachine.Service
}

// NewAPI builds the parts of the HTTP process. Background loading of the place suggestions ends with ctx.
func NewAPI(ctx context.Context, cfg config.Config, c *process.Connections, logger *slog.Logger) (*API, error) {
	shared, err := New(cfg, c, logger)
	if err != nil {
		return nil, err
	}
	a := &API{App: shared, Limits: limitsOf(cfg)}
	if a.Enforcer, err = authz.New(); err != nil {
		return nil, fmt.Errorf("access policies: %w", err)
	}
	places, err := newPlaces(ctx, cfg, logger)
	if err != nil {
		return nil, err
	}
	measured(c.Meter(), places)
	a.Addresses = address.NewService(address.Options{
		DB: c.DB, Places: places, Clock: c.Clock, SupplierGSTIN: cfg.Supplier.GSTIN, Logger: logger,
	})
	a.Receipts = message.NewReceipts(message.ReceiptOptions{
		DB: c.DB, Readers: sms.Readers(cfg.SMS, cfg.PublicURL), Clock: c.Clock, Counts: c.Meter(),
	})
	inbox := contact.NewInbox(c.DB, c.Jobs, c.Clock, cfg.Email.InboundSecret)
	a.WhatsApp = message.NewWhatsAppNotices(message.WhatsAppNoticeOptions{
		Receipts: a.Receipts, Numbers: profile.Contacts{}, Clock: c.Clock, Reader: newWhatsAppReader(cfg.WhatsApp), Conversations: inbox,
	})
	a.Notifications = message.NewCentre(c.DB, c.Clock, CustomerNotes(Gateways().Providers()))
	a.Preferences = message.NewSettings(message.SettingsOptions{
		DB: c.DB, Clock: c.Clock, Keys: c.Keys, Contacts: profile.Contacts{}, WhatsApp: cfg.WhatsApp.On(),
	})
	a.PayLinks = checkout.NewPayLinks(a.Payments.Checkout, c.Keys)
	a.MobileChanges = recovery.NewMobileChanges(c.DB, c.Jobs, c.Clock, c.Keys)
	a.Transfers = transfer.NewService(transfer.Options{
		DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Checkout: a.Payments.Checkout, Invoices: a.Invoices, Shelf: a.Documents,
		Config: newTransfers(cfg), Collector: a.Collector,
	})
	a.Limiter = ratelimit.New(a.Cache, c.DB, c.Clock, c.Keys)
	a.Guard = guard.New(a.Limiter, c.DB, c.Clock, c.Keys)
	a.Accounts = NewAccounts(AccountParts{
		DB: c.DB, Jobs: c.Jobs, Redis: a.Cache, Limiter: a.Limiter, Guard: a.Guard, Passwords: a.Passwords, Clock: c.Clock,
		Keys: c.Keys, Logger: logger, Limits: a.Limits, Trials: a.Subscriptions, Subscriptions: subscribed{a.Subscriptions},
		Debts: payment.Debts{}, Records: a.Records, Email: cfg.Email.On(),
	})
	a.Partners = outlet.NewPartners(c.DB, c.Jobs, c.Clock, c.Keys, a.Accounts.Codes)
	a.Imports = outlet.NewImports(a.Outlets, a.Partners)
	watch, _, err := newAlerts(cfg, c, alertParts{inAPI: true, cache: a.Cache}, logger)
	if err != nil {
		return nil, err
	}
	renderer, err := pdf.New(pdf.Options{})
	if err != nil {
		return nil, err
	}
	a.Console = a.newConsole(c, cfg, watch, logger)
	a.Inbox = inbox
	site, err := passkey.NewSite(cfg.PublicURL, "Franchise 360 staff")
	if err != nil {
		return nil, err
	}
	a.StaffPasskeys = staff.NewPasskeys(a.StaffAccounts, site)
	a.Statements = bookexport.NewPrinter(c.DB, c.Clock, a.BookReports, renderer, invoice.SupplierFrom(cfg.Supplier))
	a.SignIns = connect.NewSignIns(a.Connect, c.Keys, cfg.PublicURL, cfg.Development)
	return wiring.Complete(a), nil
}

func (a *API) newConsole(c *process.Connections, cfg config.Config, watch *alert.Watch, logger *slog.Logger) Console {
	people := staff.NewService(staff.Options{
		DB: c.DB, Guard: a.Guard, Passwords: a.Passwords, Clock: c.Clock, Keys: c.Keys, Limits: a.Limits,
		Subjects: support.Subjects{}, Logger: logger,
	})
	tells := message.NewEnqueuer(message.EnqueuerOptions{Jobs: c.Jobs, Email: cfg.Email.On()})
	concessions := subscription.NewGraceExtensions(c.DB, c.Clock, people, tells)
	alerts := alert.NewService(c.DB, c.Clock, people, watch)
	accounts := staff.NewAccounts(people, c.DB, c.Jobs, cfg.Email.On(), siteURL(cfg), time.Duration(cfg.SecondPersonDays)*24*time.Hour)
	deliveries := delivery.NewDesk(c.DB, c.Clock, people, plan.LateCreditOf())
	return Console{
		Catalogue:     plan.NewChanges(c.DB, c.Jobs, c.Clock, people, a.Plans),
		Announcements: announcement.NewService(c.DB, c.Clock, people, logger),
		DeliveryDesk:  deliveries,
		TimeMachine:   newTimeMachine(cfg, c, people),
		StaffAccounts: accounts,
		Staff:         people, Contacts: contact.NewService(c.DB, c.Jobs, c.Clock, c.Keys, cfg.Contact, cfg.Email.On()),
		ContactDesk: contact.NewDesk(c.DB, c.Jobs, c.Clock, people, cfg.Contact, contactChannels(cfg)), Presence: support.NewPresence(a.Cache, c.Clock),
		Customers:       support.NewCustomers(c.DB, c.Clock, people, Gateways().Titles()),
		CustomerActions: support.NewCustomerActions(c.DB, c.Jobs, c.Clock, c.Keys, people, a.Accounts.SignIns),
		Views:           consent.NewService(c.DB, c.Jobs, c.Clock, c.Keys, people),
		SavedViews:      support.NewSavedViews(c.DB, c.Clock),
		JobAdmin: jobadmin.NewService(jobadmin.Options{
			DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Recorder: people, Previews: JobPreviews(), Failing: alerts.FailingKinds,
		}),
		Timeline: NewTimeline(c.DB),
		Watch:    watch,
		Alerts:   alerts,
		Work:     worklist.NewService(c.DB, c.Clock, people, support.Subjects{}, WorkSources()),
		Reversals: reversal.NewRequests(reversal.RequestsOptions{
			DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Recorder: people, Gateways: a.Payments.Gateways, ApproveAbove: a.ApproveAbove, OtherUnapproved: support.AloneTx,
			LateCredit: deliveries.CheckCreditTx,
		}),
		GraceExtensions: concessions,
		Acts: support.NewActs(support.ActOptions{
			DB: c.DB, Jobs: c.Jobs, Clock: c.Clock, Recorder: people, Payments: a.Payments.Acts,
			Desk: recovery.New(session.NewCache(a.Cache, c.Keys), message.NewEnqueuer(message.EnqueuerOptions{
				Jobs: c.Jobs, Email: cfg.Email.On(),
			}), c.Jobs, a.Records, cfg.MobileChangeWait),
			Concessions: concessions, ApproveAbove: a.ApproveAbove,
		}),
		Comparisons:  settlement.NewComparisons(c.DB, c.Jobs, c.Clock, people),
		Disputes:     dispute.NewDesk(c.DB, c.Clock, people),
		InputTax:     inputtax.NewDesk(c.DB, c.Clock, a.Ledger, people),
		Locks:        ledger.NewLocks(c.DB, c.Clock, people),
		TransferDesk: transfer.NewDesk(c.DB, c.Jobs, c.Clock, people),
		BookReports:  ledger.NewReports(c.DB, people),
		BookFiles:    bookexport.NewService(c.DB, c.Clock, people),
		Deferred:     revenue.NewReports(c.DB),
		Figures:      figures.NewReports(c.DB),
		Returns: gstreturn.NewService(gstreturn.Options{
			DB: c.DB, Clock: c.Clock, Recorder: people, GSTIN: cfg.Supplier.GSTIN, RegisterFrom: cfg.EInvoice.From,
		}),
		EInvoices: einvoice.NewDesk(c.DB, c.Jobs, c.Clock, people, cfg.EInvoice.On()),
		Connect:   connect.NewService(c.DB, c.Clock, people, accounts, a.Subscriptions, logger),
		Webhooks:  webhook.NewService(c.DB, c.Jobs, c.Clock, c.Keys, people, accounts, cfg.Development),
	}
}

// contactChannels says how replies to contact requests are sent.
func contactChannels(cfg config.Config) contact.Channels {
	return contact.Channels{Email: cfg.Email.On(), WhatsApp: cfg.WhatsApp.On()}
}

// newWhatsAppReader returns nil if the product sends nothing by WhatsApp.
func newWhatsAppReader(c config.WhatsApp) message.WhatsAppReader {
	if !c.On() {
		return nil
	}
	return whatsapp.NewReader(c)
}

// limitsOf widens the limits per address in development, because one machine plays every customer there.
func limitsOf(cfg config.Config) guard.Limits {
	limits := guard.Default()
	if cfg.SMSPerDay > 0 {
		limits = limits.WithSMSPerDay(cfg.SMSPerDay)
	}
	if cfg.Development && !cfg.LiveLimits {
		return limits.ForDevelopment()
	}
	return limits
}

func newReplySender(cfg config.Config, c *process.Connections, outbox *message.Outbox) *contact.ReplySender {
	return contact.NewReplySender(contact.ReplySenderOptions{
		DB: c.DB, Jobs: c.Jobs, Outbox: outbox, Clock: c.Clock, Keys: c.Keys, Targets: cfg.Contact, By: contactChannels(cfg),
		Inbound: cfg.Email.InboundSecret != "",
	})
}
