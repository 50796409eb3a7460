package app

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/account/signup"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/adapter/dns"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/irp"
	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/adapter/places/gazetteer"
	"github.com/franchise360/franchise360/pkg/adapter/receiver"
	"github.com/franchise360/franchise360/pkg/adapter/sms"
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
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/payment/banktransfer"
	"github.com/franchise360/franchise360/pkg/payment/capture"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/payment/inputtax"
	"github.com/franchise360/franchise360/pkg/payment/notice"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/timeline"
	"github.com/franchise360/franchise360/pkg/timemachine"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/webhook"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// constructors are those of all services.
func constructors() map[string]any {
	return map[string]any{
		"recovery.New": recovery.New, "recovery.NewMobileChanges": recovery.NewMobileChanges, "support.NewActs": support.NewActs,
		"otp.NewSender": otp.NewSender, "team.NewSender": team.NewSender, "erasure.NewCleanup": erasure.NewCleanup,
		"otp.New": otp.New, "session.New": session.New, "session.NewCache": session.NewCache, "credential.New": credential.New, "profile.New": profile.New, "profile.NewMover": profile.NewMover, "team.New": team.New, "signup.New": signup.New, "signin.New": signin.New, "erasure.New": erasure.New,
		"address.NewService":   address.NewService,
		"gstreturn.NewService": gstreturn.NewService, "bookexport.NewService": bookexport.NewService, "bookexport.NewPrinter": bookexport.NewPrinter,
		"einvoice.NewDesk": einvoice.NewDesk, "einvoice.NewRegistrar": einvoice.NewRegistrar,
		"invoice.NewKeeper": invoice.NewKeeper, "invoice.NewPrinter": invoice.NewPrinter, "invoice.NewService": invoice.NewService,
		"ledger.NewLocks": ledger.NewLocks, "ledger.NewReports": ledger.NewReports, "ledger.NewService": ledger.NewService,
		"revenue.NewService": revenue.NewService, "revenue.NewReports": revenue.NewReports, "figures.NewCounter": figures.NewCounter, "figures.NewReports": figures.NewReports,
		"settlement.NewComparisons": settlement.NewComparisons, "inputtax.NewDesk": inputtax.NewDesk,
		"reversal.NewRequests": reversal.NewRequests, "checkout.New": checkout.New, "notice.New": notice.New, "capture.New": capture.New, "receipt.New": receipt.New,
		"banktransfer.New": banktransfer.New, "refund.New": refund.New, "dispute.New": dispute.New, "dispute.NewDesk": dispute.NewDesk, "reversal.New": reversal.New,
		"act.New": act.New, "history.New": history.New, "desk.New": desk.New,
		"settlement.NewService": settlement.NewService,
		"outlet.NewService":     outlet.NewService, "outlet.NewPersonalData": outlet.NewPersonalData,
		"outlet.NewPartners": outlet.NewPartners, "outlet.NewImports": outlet.NewImports, "outlet.NewPartnerSender": outlet.NewPartnerSender,
		"delivery.NewService": delivery.NewService, "delivery.NewDesk": delivery.NewDesk, "delivery.NewKeeper": delivery.NewKeeper, "delivery.NewPersonalData": delivery.NewPersonalData,
		"plan.NewService":  plan.NewService,
		"staff.NewAuditor": staff.NewAuditor, "staff.NewRecorder": staff.NewRecorder, "staff.NewService": staff.NewService, "staff.NewAccounts": staff.NewAccounts, "staff.NewInvitationSender": staff.NewInvitationSender,
		"staff.NewNoticeSender": staff.NewNoticeSender, "staff.NewPasskeys": staff.NewPasskeys,
		"subscription.NewGraceExtensions": subscription.NewGraceExtensions,
		"subscription.NewService":         subscription.NewService,
		"message.NewStaffOutbox":          message.NewStaffOutbox, "message.NewOutbox": message.NewOutbox, "support.NewCustomers": support.NewCustomers, "support.NewCustomerActions": support.NewCustomerActions,
		"support.NewSavedViews": support.NewSavedViews,
		"contact.NewService":    contact.NewService, "contact.NewDesk": contact.NewDesk, "contact.NewReplySender": contact.NewReplySender, "contact.NewInbox": contact.NewInbox, "contact.NewReceiver": contact.NewReceiver, "contact.NewNewsletterSender": contact.NewNewsletterSender, "support.NewPresence": support.NewPresence, "consent.NewService": consent.NewService, "jobadmin.NewService": jobadmin.NewService,
		"mandate.NewPersonalData": mandate.NewPersonalData, "mandate.NewService": mandate.NewService,
		"announcement.NewService": announcement.NewService, "plan.NewChanges": plan.NewChanges, "plan.NewApplier": plan.NewApplier,
		"tenant.NewPersonalData": tenant.NewPersonalData, "tenant.NewService": tenant.NewService, "tenant.NewVerifier": tenant.NewVerifier,
		"connect.NewService":  connect.NewService,
		"transfer.NewService": transfer.NewService, "transfer.NewBooker": transfer.NewBooker, "transfer.NewDesk": transfer.NewDesk, "transfer.NewPrinter": transfer.NewPrinter,
		"transfer.NewPersonalData": transfer.NewPersonalData,
		"connect.NewSignIns":       connect.NewSignIns, "webhook.NewService": webhook.NewService, "webhook.NewDeliverer": webhook.NewDeliverer,
		"timeline.NewService": timeline.NewService,
		"alert.NewWatch":      alert.NewWatch, "alert.NewDeliverer": alert.NewDeliverer, "alert.NewService": alert.NewService,
		"alert.NewMail": alert.NewMail, "alert.NewSlack": alert.NewSlack, "alert.NewWebhook": alert.NewWebhook,
		"worklist.NewService": worklist.NewService, "timemachine.NewService": timemachine.NewService,
		"message.NewEnqueuer": message.NewEnqueuer, "message.NewCustomerOutbox": message.NewCustomerOutbox, "message.NewEmailSender": message.NewEmailSender,
		"message.NewCentre": message.NewCentre, "message.NewSettings": message.NewSettings, "checkout.NewPayLinks": checkout.NewPayLinks,
		"message.NewReceipts": message.NewReceipts, "message.NewSender": message.NewSender, "message.NewRowSender": message.NewRowSender, "message.NewPersonalData": message.NewPersonalData,
		"message.NewWhatsAppNotices": message.NewWhatsAppNotices, "message.NewWhatsAppSender": message.NewWhatsAppSender,

		"devclock.NewMover": devclock.NewMover, "guard.New": guard.New, "queue.NewPresence": queue.NewPresence,
		"queue.NewWaits": queue.NewWaits, "ratelimit.New": ratelimit.New,
	}
}

func keyring() secret.Keyring {
	keys, err := secret.ParseKeyring(strings.Repeat("ab", 32))
	if err != nil {
		panic(err)
	}
	return keys
}

// samples are values for the interfaces and the non-empty structs that constructors require.
func samples() []any {
	return []any{
		clock.System{},
		&message.Sender{}, &subscription.Service{},
		subscribed{},
		payment.PersonalData{},
		payment.Uncounted{},
		message.Uncounted{},
		message.Rows{Waiting: func(context.Context, *sqlx.Tx, string) (*message.Message, error) { return nil, nil }},
		transfer.Deductions{},
		keyring(),
		payment.Debts{},
		payment.Lookup{},
		gazetteer.New(),
		&objectstore.Store{}, &pdf.Renderer{}, payu.New(payu.Config{}), &invoice.Service{}, &ledger.Service{}, &refund.Service{}, &dispute.Service{}, &receipt.Documents{}, &checkout.Service{}, &act.Service{}, &capture.Service{}, &banktransfer.Service{},
		settlement.Lines{},
		staff.Recorder{},
		&staff.Accounts{},
		&ledger.Reports{}, &redis.Client{},
		anchors{},
		support.Subjects{},
		&signin.Service{}, &otp.Service{}, &recovery.Desk{}, &password.Hasher{},
		entitled{},
		profile.Contacts{},
		dns.New(""), &sms.Inbox{}, receiver.New(true), &alert.Slack{}, &irp.Client{},
	}
}

func TestConstructors_NilArgument_Panics(t *testing.T) {
	t.Parallel()
	for name, constructor := range constructors() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.RequireRefusesNil(t, constructor, samples()...)
		})
	}
}

func TestBilling_NoGateway_Panics(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, "checkout.Service has no gateway", func() {
		checkout.New(checkout.Options{})
	})
}

// A new constructor of a domain has to be added to the table.
func TestConstructors_EachOneOfADomain_IsInTheTable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../*/*.go")
	require.NoError(t, err)
	rooms, err := filepath.Glob("../payment/*/*.go")
	require.NoError(t, err)
	files = append(files, rooms...)
	found := 0
	for _, file := range files {
		pkg := filepath.Base(filepath.Dir(file))
		if strings.HasSuffix(file, "_test.go") || pkg == "app" || pkg == "testkit" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "New") || fn.Name.Name == "NewDay" || fn.Name.Name == "NewTransactionID" {
				continue
			}
			found++
			require.Contains(t, constructors(), pkg+"."+fn.Name.Name)
		}
	}
	require.Greater(t, found, 25)
}
