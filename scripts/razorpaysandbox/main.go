// Command razorpaysandbox is a payment gateway for development that implements Razorpay's formats from its published
// documentation. Its page, or a test, chooses how each payment ends. No money moves.
package main

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/scripts/sandbox"
)

const (
	defaultLateAfter    = 20 * time.Second
	defaultDisableAfter = 24 * time.Hour
)

// server is the sandbox's HTTP server.
type server struct {
	keyID, keySecret, webhookSecret string

	book         *book
	mode         *sandbox.Mode
	hold         *sandbox.Hold
	pages        *template.Template
	client       *http.Client
	webhookURL   string
	lateAfter    time.Duration
	disableAfter time.Duration // how long a webhook may fail before all of them are disabled
	settings     *settingsBook
	capture      string           // the account's default: automatic or manual
	now          func() time.Time // business time: moves with the development clock
	awake        chan struct{}
	closing      <-chan struct{}
	refunding    sync.Map // idempotency keys of refund requests in progress
	log          *slog.Logger
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("razorpay sandbox", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves until SIGINT or SIGTERM. README.md lists the settings.
func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := newServer(os.Getenv, logger)
	if err != nil {
		return err
	}
	now, closeClock, err := sandbox.Clock(ctx, os.Getenv("CLOCK_DATABASE_URL"), logger)
	if err != nil {
		return err
	}
	defer func() { _ = closeClock() }()
	s.now = now
	s.closing = ctx.Done()
	go s.attend(ctx)
	return httpserver.Serve(ctx, os.Getenv("HTTP_ADDR"), s.routes(), logger)
}

func newServer(env func(string) string, logger *slog.Logger) (*server, error) {
	s := &server{
		keyID: env("RAZORPAY_KEY_ID"), keySecret: env("RAZORPAY_KEY_SECRET"), webhookSecret: env("RAZORPAY_WEBHOOK_SECRET"),
		mode: sandbox.NewMode(modeThrottle, modeBalance), hold: &sandbox.Hold{}, client: &http.Client{}, webhookURL: env("SANDBOX_WEBHOOK_URL"), now: time.Now,
		capture: env("SANDBOX_CAPTURE"), settings: &settingsBook{now: settings{DebitAfter: "2s", EmandateDays: 1, MandateDays: 2, PeakHours: "queue"}}, awake: make(chan struct{}, 1), log: logger,
	}
	if s.keyID == "" || s.keySecret == "" || env("SANDBOX_STATE") == "" {
		return nil, errors.New("RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and SANDBOX_STATE must be set")
	}
	switch s.capture {
	case "":
		s.capture = captureAutomatic
	case captureAutomatic, captureManual:
	default:
		return nil, errors.New("SANDBOX_CAPTURE is automatic or manual")
	}
	var err error
	if s.lateAfter, err = sandbox.Duration(env, "SANDBOX_LATE_AFTER", defaultLateAfter); err != nil {
		return nil, err
	}
	if s.disableAfter, err = sandbox.Duration(env, "SANDBOX_DISABLE_AFTER", defaultDisableAfter); err != nil {
		return nil, err
	}
	if s.pages, err = parsePages(); err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	if s.book, err = openBook(env("SANDBOX_STATE")); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/checkout/embedded", s.handleCheckout)
	mux.HandleFunc("GET /checkout/{order}", s.handlePage)
	mux.HandleFunc("POST /checkout/{order}", s.handlePay)
	mux.HandleFunc("POST /checkout/{order}/return", s.handleReturn)

	s.api(mux, "POST /v1/orders", s.createOrder)
	s.api(mux, "GET /v1/orders", s.listOrders)
	s.api(mux, "GET /v1/orders/{id}", s.fetchOrder)
	s.api(mux, "GET /v1/orders/{id}/payments", s.orderPayments)
	s.api(mux, "GET /v1/payments/{id}", s.fetchPayment)
	s.api(mux, "POST /v1/payments/{id}/capture", s.capturePayment)
	s.api(mux, "POST /v1/payments/{id}/refund", s.refundPayment)
	s.api(mux, "GET /v1/payments/{id}/refunds", s.paymentRefunds)
	s.api(mux, "GET /v1/payments/{id}/refunds/{refund}", s.paymentRefund)
	s.api(mux, "GET /v1/refunds/{id}", s.fetchRefund)
	s.api(mux, "GET /v1/disputes", s.listDisputes)
	s.api(mux, "GET /v1/disputes/{id}", s.fetchDispute)
	s.api(mux, "GET /v1/settlements/recon/combined", s.recon)
	s.api(mux, "GET /v1/settlements/{$}", s.settlements) // Razorpay's SDKs ask with the slash
	s.api(mux, "GET /v1/settlements", s.settlements)
	s.api(mux, "GET /v1/settlements/{id}", s.fetchSettlement)
	s.api(mux, "POST /v1/customers", s.createCustomer)
	s.api(mux, "GET /v1/customers/{id}", s.fetchCustomer)
	s.api(mux, "GET /v1/customers/{id}/tokens", s.customerTokens)
	s.api(mux, "GET /v1/customers/{id}/tokens/{token}", s.fetchToken)
	s.api(mux, "DELETE /v1/customers/{id}/tokens/{token}", s.deleteToken)
	s.api(mux, "PUT /v1/customers/{id}/tokens/{token}/cancel", s.cancelToken)
	s.api(mux, "POST /v1/payments/create/recurring", s.createRecurring)
	s.api(mux, "GET /v1/payments", s.listPayments)
	s.api(mux, "GET /v1/payments/{id}/bank_transfer", s.fetchTransfer)
	s.api(mux, "POST /v1/virtual_accounts", s.createAccount)
	s.api(mux, "GET /v1/virtual_accounts", s.listAccounts)
	s.api(mux, "GET /v1/virtual_accounts/{id}", s.fetchAccount)
	s.api(mux, "GET /v1/virtual_accounts/{id}/payments", s.accountPayments)
	s.api(mux, "POST /v1/virtual_accounts/{id}/close", s.closeAccount)
	s.api(mux, "/v1/", func(*http.Request) (any, error) { return nil, errNoRoute })

	mux.HandleFunc("GET /sandbox/payments", s.handlePayments)
	mux.HandleFunc("GET /sandbox/payments/{id}", s.handlePayment)
	mux.HandleFunc("POST /sandbox/payments/{id}/outcome", s.handleOutcome)
	mux.HandleFunc("POST /sandbox/payments/{id}/refund", s.handleDashboardRefund)
	mux.HandleFunc("POST /sandbox/payments/{id}/dispute", s.handleDispute)
	mux.HandleFunc("POST /sandbox/refunds/{id}/outcome", s.handleRefundOutcome)
	mux.HandleFunc("GET /sandbox/tokens", s.handleTokens)
	mux.HandleFunc("POST /sandbox/tokens/{id}", s.handleChangeToken)
	mux.HandleFunc("POST /virtual_accounts/{id}", s.handleCreditForm)
	mux.HandleFunc("POST /tokens/{id}", s.handleTokenForm)
	mux.HandleFunc("POST /sandbox/virtual_accounts/{id}/credit", s.handleCredit)
	mux.HandleFunc("GET /sandbox/settings", s.handleSettings)
	mux.HandleFunc("POST /sandbox/settings", s.handleChangeSettings)
	mux.HandleFunc("GET /sandbox/mode", s.mode.Handle)
	mux.HandleFunc("POST /sandbox/mode", s.mode.HandleSet)
	mux.HandleFunc("GET /sandbox/hold", s.hold.Handle)
	mux.HandleFunc("POST /sandbox/hold", s.hold.HandleSet)
	mux.HandleFunc("DELETE /sandbox/hold", s.hold.HandleRelease)
	mux.HandleFunc("GET /sandbox/webhooks", s.handleWebhooks)
	mux.HandleFunc("POST /sandbox/webhooks/enable", s.handleEnable)
	mux.HandleFunc("POST /mode", s.handleModeForm)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /{$}", s.handleIndex)
	return mux
}
