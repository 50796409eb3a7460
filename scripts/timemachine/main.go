// Command timemachine shows one customer's coming months. It copies that customer's rows into a scratch database, runs the product's own
// sweeps there with a clock that moves by days, and drops the database again. README.md lists its requirements.
package main

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/timemachine"
	"github.com/franchise360/franchise360/scripts/sandbox"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := serve(context.Background(), os.Getenv, logger); err != nil {
		logger.Error("time machine", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// serve answers until SIGINT or SIGTERM.
func serve(ctx context.Context, getenv func(string) string, logger *slog.Logger) (ended error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := config.Load(getenv, app.Gateways().Kinds()...)
	if err != nil {
		return err
	}
	if !cfg.Development {
		return errors.New("there is no time machine in production: it reads any customer's rows")
	}
	if len(cfg.TimeMachine.Key) == 0 {
		return errors.New("TIME_MACHINE_URL is not set")
	}
	now, closeClock, err := sandbox.Clock(ctx, getenv("CLOCK_DATABASE_URL"), logger)
	if err != nil {
		return err
	}
	defer func() { ended = errors.Join(ended, closeClock()) }()
	m, err := openMachine(ctx, cfg, getenv, now, logger)
	if err != nil {
		return err
	}
	defer func() { ended = errors.Join(ended, m.close(ctx)) }()
	return httpserver.Serve(ctx, getenv("HTTP_ADDR"), routes(ctx, newRuns(m.live, logger), cfg.TimeMachine.Key, patience), logger)
}

// machine lives questions about the customers of one database.
type machine struct {
	from    *sqlx.DB
	scratch *server
	product product
	now     func() time.Time
	logger  *slog.Logger
}

func openMachine(ctx context.Context, cfg config.Config, getenv func(string) string, now func() time.Time, logger *slog.Logger) (*machine, error) {
	source, elsewhere := getenv("DATABASE_OWNER_URL"), getenv("TIME_MACHINE_DATABASE_URL")
	if source == "" {
		return nil, errors.New("DATABASE_OWNER_URL is not set")
	}
	if elsewhere == "" {
		elsewhere = source
	}
	from, err := postgres.Open(ctx, source, 2)
	if err != nil {
		return nil, err
	}
	_, port, _ := strings.Cut(getenv("HTTP_ADDR"), ":")
	scratch, err := openServer(ctx, elsewhere, port)
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &machine{from: from, scratch: scratch, product: productOf(cfg), now: now, logger: logger}, nil
}

func (m *machine) close(ctx context.Context) error {
	return errors.Join(m.scratch.close(ctx), m.from.Close())
}

// productOf sets up billing as pkg/app does for the api and the worker. Documents are not registered at the Invoice Registration Portal.
func productOf(cfg config.Config) product {
	site := strings.TrimRight(cfg.PublicURL.String(), "/")
	return product{
		billing: app.BillingParts{
			Supplier: invoice.SupplierFrom(cfg.Supplier), AnnualReturns: cfg.Supplier.AnnualReturns, PGChargeBPS: cfg.PGChargeBPS,
			Renewals: mandate.SettingsFrom(cfg.Renewals), PublicURL: site, ApproveAbove: money.Paise(cfg.RefundApprovalAbove) * money.Rupee,
			Providers: app.Gateways().Providers(), Counts: payment.Uncounted{}, Email: cfg.Email.On(), WhatsApp: cfg.WhatsApp.On(),
		},
		gateways: cfg.Gateways.Names, debiting: cfg.AutomaticRenewal,
		site: message.Site{Host: cfg.PublicURL.Hostname(), URL: site},
	}
}

// live copies the customer, lives through the months and drops the copy, whatever happens.
func (m *machine) live(ctx context.Context, q timemachine.Question, told func(day, days int)) (answer timemachine.Answer, err error) {
	db, drop, err := m.scratch.scratch(ctx)
	if err != nil {
		return answer, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	if err := copyCustomer(ctx, m.from, db.owner, q.FranchiserID); err != nil {
		return answer, err
	}
	quiet := slog.New(slog.DiscardHandler) // the services log ids of the copy
	l, err := begin(ctx, m.product, db, q, m.now(), quiet)
	if err != nil {
		return answer, err
	}
	days := 0
	if err := l.live(ctx, func(day, all int) { days = all; told(day, all) }); err != nil {
		return answer, err
	}
	entries, err := l.entries(ctx)
	return timemachine.Answer{
		State: timemachine.StateDone, Days: days, AllDays: days, From: l.from, Until: l.clock.Now(), Entries: entries,
	}, err
}

// maxQuestion is above any question, in bytes.
const maxQuestion = 4 << 10

// routes are POST /ask, with the key as bearer token, and GET /healthz.
func routes(program context.Context, all *runs, key string, wait time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /ask", func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+key)) != 1 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var q timemachine.Question
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxQuestion)).Decode(&q); err != nil || q.Validate() != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer, err := all.ask(program, r.Context(), q, wait)
		if err != nil {
			refuse(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			all.logger.Warn("an answer was not sent", slog.String("error", err.Error()))
		}
	})
	return mux
}

func refuse(w http.ResponseWriter, err error) {
	switch errs.KindOf(err) {
	case errs.KindNotFound:
		w.WriteHeader(http.StatusNotFound)
	case errs.KindBusy:
		w.Header().Set("Retry-After", strconv.Itoa(int(longest.Seconds())))
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		http.Error(w, fmt.Sprint(http.StatusText(http.StatusInternalServerError)), http.StatusInternalServerError)
	}
}
