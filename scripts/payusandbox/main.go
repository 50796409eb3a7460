// Command payusandbox is a payment gateway for development. It follows PayU India's documentation and published samples, and
// lets its page, or a test, choose how each payment ends. No money moves. README.md lists its control calls.
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
	"syscall"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/scripts/sandbox"
)

const defaultLateAfter = 20 * time.Second

// server is the sandbox's HTTP server.
type server struct {
	merchant   merchant
	book       *book
	mode       *sandbox.Mode
	hold       *sandbox.Hold
	account    *account
	pages      *template.Template
	client     *http.Client
	webhookURL string
	lateAfter  time.Duration
	now        func() time.Time // business time: moves with the development clock
	awake      chan struct{}
	closing    <-chan struct{}
	log        *slog.Logger
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("gateway sandbox", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves until SIGINT or SIGTERM. Its environment variables are HTTP_ADDR, PAYU_KEY, PAYU_SALT, SANDBOX_WEBHOOK_URL,
// SANDBOX_STATE (the journal's path) and, optionally, SANDBOX_LATE_AFTER, SANDBOX_REFUND_AFTER, SANDBOX_ARN_AFTER and
// CLOCK_DATABASE_URL.
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
	go s.deliver(ctx)
	return httpserver.Serve(ctx, os.Getenv("HTTP_ADDR"), s.routes(), logger)
}

func newServer(env func(string) string, logger *slog.Logger) (*server, error) {
	s := &server{
		merchant: merchant{key: env("PAYU_KEY"), salt: env("PAYU_SALT")}, mode: sandbox.NewMode(), hold: &sandbox.Hold{},
		client: &http.Client{}, webhookURL: env("SANDBOX_WEBHOOK_URL"), now: time.Now,
		awake: make(chan struct{}, 1), log: logger,
	}
	if s.merchant.key == "" || s.merchant.salt == "" || env("SANDBOX_STATE") == "" {
		return nil, errors.New("PAYU_KEY, PAYU_SALT and SANDBOX_STATE must be set")
	}
	var err error
	if s.lateAfter, err = sandbox.Duration(env, "SANDBOX_LATE_AFTER", defaultLateAfter); err != nil {
		return nil, err
	}
	usual, err := defaults(env)
	if err != nil {
		return nil, err
	}
	s.account = &account{now: usual}
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
	mux.HandleFunc("POST /_payment", s.handleForm)
	mux.HandleFunc("GET /_payment_options/{id}", s.handleOptions)
	mux.HandleFunc("POST /_payment_options/{id}", s.handlePay)
	mux.HandleFunc("POST /_payment_options/{id}/return", s.handleReturn)
	mux.HandleFunc("POST /merchant/postservice.php", s.handlePostservice)
	mux.HandleFunc("POST /merchant/postservice", s.handlePostservice)
	mux.HandleFunc("GET /sandbox/payments", s.handlePayments)
	mux.HandleFunc("GET /sandbox/payments/{txnid}", s.handlePayment)
	mux.HandleFunc("POST /sandbox/payments/{txnid}/outcome", s.handleOutcome)
	mux.HandleFunc("POST /sandbox/payments/{txnid}/refund", s.handleRefund)
	mux.HandleFunc("POST /sandbox/payments/{txnid}/notice", s.handleAgain)
	mux.HandleFunc("POST /sandbox/payments/{txnid}/second-capture", s.handleSecondCapture)
	mux.HandleFunc("POST /sandbox/payments/{txnid}/dispute", s.handleDispute)
	mux.HandleFunc("POST /sandbox/payments/{txnid}/forge", s.handleForge)
	mux.HandleFunc("POST /sandbox/refunds/{id}", s.handleMoveRefund)
	mux.HandleFunc("POST /sandbox/disputes/{id}", s.handleMoveDispute)
	mux.HandleFunc("GET /sandbox/mandates", s.handleMandates)
	mux.HandleFunc("GET /sandbox/mandates/{id}", s.handleMandate)
	mux.HandleFunc("POST /sandbox/mandates/{id}", s.handleChangeMandate)
	mux.HandleFunc("POST /sandbox/mandates/{id}/approve", s.handleApprove)
	mux.HandleFunc("POST /mandates/{id}", s.handleMandateForm)
	mux.HandleFunc("POST /sandbox/settle", s.handleSettle)
	mux.HandleFunc("POST /sandbox/adjustments", s.handleAdjust)
	mux.HandleFunc("GET /sandbox/settings", s.handleSettings)
	mux.HandleFunc("POST /sandbox/settings", s.handleChangeSettings)
	mux.HandleFunc("GET /sandbox/mode", s.mode.Handle)
	mux.HandleFunc("POST /sandbox/mode", s.mode.HandleSet)
	mux.HandleFunc("GET /sandbox/hold", s.hold.Handle)
	mux.HandleFunc("POST /sandbox/hold", s.hold.HandleSet)
	mux.HandleFunc("DELETE /sandbox/hold", s.hold.HandleRelease)
	mux.HandleFunc("POST /mode", s.handleModeForm)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /{$}", s.handleIndex)
	return mux
}
